// SPDX-License-Identifier: MIT
// One or two recordings, one above the other on one time scale, aligned at their
// starts or where one wants, with one cursor, their differences between them and an
// overview under them. A selection is of one view at a time: the active one, which is
// the last that had the focus; the selected range is of both.
// It paints and lays out what a TimelinePair says.
#pragma once

#include "gui/lanes/shown_recording.h"
#include "gui/timeline/timeline_actions.h"

#include <array>
#include <memory>
#include <QTimer>
#include <QWidget>
#include <vector>

class QSplitter;

namespace lanes::gui {

class DifferenceStrip;
class FilterBar;
class HitWalk;
class IterationStrip;
class OverviewStrip;
class TimeScale;
class Timeline;
class TimelinePair;
class TimelineView;
struct Alignment;
struct IterationBars;
struct ItemRef;
struct StackHeights;
struct Theme;
struct Waterfall;

class ComparisonView : public QWidget {
    Q_OBJECT

public:
    /// Without a pair: of one of its own.
    explicit ComparisonView(std::shared_ptr<TimelinePair> pair = nullptr, QWidget* parent = nullptr);
    ~ComparisonView() override;

    /// What is in view, selected, aligned and arranged in another view of the same recordings; once both have their
    /// size.
    void continueFrom(const ComparisonView& other);
    std::vector<RecordingPtr> recordings() const;
    void setTheme(const Theme& theme);

    /// Everything that many times as large, without the overview; see TimelineView.
    void setMagnification(double magnification);
    StackHeights heights() const;
    /// At least that many times as large at any magnification: what a user who reads badly sets.
    void setTextSize(double times);

    /// There are always two; the second is hidden where there is one recording.
    TimelineView* view(int index) const { return m_views[static_cast<std::size_t>(index)]; }
    /// What they show: A, B.
    Timeline& side(int index) const;
    TimelinePair& pair() { return *m_pair; }
    const TimelinePair& pair() const { return *m_pair; }
    TimelineView* activeView() const { return view(activeIndex()); }
    /// As TimelineView's, of both.
    void forgetPointed();
    int activeIndex() const;
    OverviewStrip* overview() const { return m_overview; }

    HitWalk* hits() const { return m_hits; }
    FilterBar* filterBar() const { return m_filterBar; }

    /// Whether the runs are shown only as far as the line of the steps, as when they are played to who guesses: no
    /// totals, verdicts or differences before the ends.
    void setRevealing(bool revealing);
    const TimeScale& timeScale() const;
    /// The selected range of the active side stays what it is.
    void setAlignment(const Alignment& alignment);
    DifferenceStrip* differences() const { return m_differences; }
    IterationStrip* iterationStrip() const { return m_strip; }
    /// Over the lanes, where there is room; none where there are no iterations.
    void setIterationBars(IterationBars bars);
    /// Of the iterations that the pair shows: between the two as long as these lie under one another; null: none.
    void setWaterfall(std::shared_ptr<const Waterfall> waterfall);
    const std::shared_ptr<const Waterfall>& waterfall() const { return m_waterfall; }

public slots:
    /// On the active view; what concerns the time scale moves both.
    void perform(lanes::gui::TimelineAction action);
    void showRange(lanes::Interval range);
    /// Selects in one view, and brings the item's lane into sight there; its time may stay out of sight.
    void select(int index, lanes::gui::ItemRef item);

signals:
    /// Of A or of B; see Timeline and TimelineView.
    void lanesChanged();
    void laneMenuRequested(QPoint at);
    void placeMenuRequested(QPoint at);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectPair();
    void connectView(int index);
    void connectLanes();  // comparison_lanes.cpp
    void countShown();
    void showWhatFits();
    void divide();
    void activate();
    void showOpened();
    void showPlaces();  ///< overview and what fits, after the pair was placed
    void compare();
    bool areCompared() const;
    void placeWaterfall();

    std::shared_ptr<TimelinePair> m_pair;
    QSplitter* m_splitter;
    std::array<TimelineView*, 2> m_views;
    OverviewStrip* m_overview;
    bool m_overviewWanted = false;
    bool m_revealing = false;
    HitWalk* m_hits;
    DifferenceStrip* m_differences;
    IterationStrip* m_strip;
    std::shared_ptr<const Waterfall> m_waterfall;
    QTimer m_compareLater;  // while one zooms, figures of what is in view wait
    double m_magnification = 1, m_textSize = 1;
    FilterBar* m_filterBar;
};

}  // namespace lanes::gui
