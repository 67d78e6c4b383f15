// SPDX-License-Identifier: MIT
// One or two recordings, one above the other on one time scale, aligned at their
// starts or where one wants, with one cursor, their differences between them and an
// overview under them. A selection is of one view at a time: the active one, which is
// the last that had the focus; the selected range is of both.
//
// It owns what both views show, and links them: what the user does to one is signalled by it and set in the other,
// which signals nothing.
#pragma once

#include "gui/timeline/alignment.h"
#include "gui/timeline/difference_strip.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/overview_strip.h"
#include "gui/timeline/timeline_view.h"

#include <QSplitter>
#include <QTimer>

namespace lanes::gui {

class ComparisonView : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonView(QWidget* parent = nullptr);
    ~ComparisonView() override;

    /// None, one or two. The other's verdict says how it compares with the reference. Alignment and reference stay
    /// with the recordings as long as both are the same, also where they change places.
    void setRecordings(const std::vector<RecordingPtr>& recordings);
    /// Other recordings of the same in their place: everything stays as the user has it, the view, the selected
    /// range, the history, how lanes are arranged, also the selection where it is still called the same. A view that
    /// shows everything keeps its time scale as long as everything still fills half of it. comparison_renewal.cpp
    void renewRecordings(const std::vector<RecordingPtr>& recordings);
    /// The last of a row of renewals has come: a view that shows everything shows no more than that.
    void settle();
    /// Both views show this range of A's time, as nothing that the user did: there is no way back from it, and signals
    /// of a Timeline are not emitted.
    void sight(Interval range);
    /// What is in view, selected, aligned and arranged in another view of the same recordings; once both have their
    /// size. comparison_renewal.cpp
    void continueFrom(const ComparisonView& other);
    std::vector<RecordingPtr> recordings() const;
    void setTheme(const Theme& theme);

    /// Everything that many times as large, without the overview; see TimelineView.
    void setMagnification(double magnification);
    /// The largest magnification up to `wanted` at which no lane is out of sight where there is that height for all;
    /// never less than `wanted` halved.
    double fittingMagnification(double wanted, int height) const;
    /// With all lanes in sight as low as they become, without the overview; logical pixels.
    int leastHeight() const;
    /// With all lanes in sight as low as they become, and as high as they become; the overview too, logical pixels.
    int heightNeeded() const;
    int heightLiked() const;
    /// At least that many times as large at any magnification: what a user who reads badly sets.
    void setTextSize(double times);

    /// There are always two; the second is hidden where there is one recording.
    TimelineView* view(int index) const { return m_views[static_cast<std::size_t>(index)]; }
    /// What they show: A, B.
    Timeline& side(int index) const { return *m_sides[static_cast<std::size_t>(index)]; }
    TimelineView* activeView() const { return m_active; }
    int activeIndex() const { return m_active == m_views[1] ? 1 : 0; }
    OverviewStrip* overview() const { return m_overview; }

    HitWalk* hits() const { return m_hits; }
    FilterBar* filterBar() const { return m_filterBar; }

    /// Of A, in whose time are all times of both below.
    const TimeScale& timeScale() const { return m_sides[0]->timeScale(); }
    /// From the first start to the last end.
    Interval extent() const { return m_sides[0]->state().time.extent(); }

    const Alignment& alignment() const { return m_alignment; }
    void setAlignment(const Alignment& alignment);
    /// The side that the other is compared with.
    int reference() const { return m_reference; }
    void setReference(int side);
    DifferenceStrip* differences() const { return m_differences; }

public slots:
    /// On the active view; what concerns the time scale moves both.
    void perform(lanes::gui::TimelineAction action);
    void showRange(lanes::Interval range);
    /// Selects in one view, and brings the item's lane into sight there; its time may stay out of sight.
    void select(int index, lanes::gui::ItemRef item);
    /// Selects in one view, which becomes the active one, and brings the item into sight. Nothing moves where it is.
    void follow(int index, lanes::gui::ItemRef item);

    /// Both views show these lanes; see LaneChoice.
    void setLaneChoice(const lanes::gui::LaneChoice& choice);

    /// True while a large recording's lanes are still to come; see ShownLanes.
    bool isIndexing() const { return m_sides[0]->lanes().isIndexing() || m_sides[1]->lanes().isIndexing(); }
    void stopIndexing();

signals:
    /// How far the indexing of the one that is behind is; 1 when both have ended.
    void indexed(double fraction);
    /// The lanes of one could not be made, for want of memory: they stay empty.
    void indexingFailed();
    void timeScaleChanged(const lanes::gui::TimeScale& scale);
    void selectionChanged(int index, lanes::gui::ItemRef item);
    /// The selected range of the active view changed; see side(index).
    void rangeChanged(int index);
    void marksChanged(int index);
    /// Of both: it is to be shown, or not any more.
    void layerWanted(lanes::gui::Timeline::Layer layer, bool wanted);
    void activeChanged(int index);
    /// Of A or of B; see Timeline and TimelineView.
    void lanesChanged();
    void laneMenuRequested(QPoint at);
    void alignmentChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectSide(int index);
    void connectView(int index);
    void link(int from);
    void connectLanes();  // comparison_lanes.cpp
    void arrangeOther(int from);
    void countShown();
    int leastHeight(int index) const;
    LaneLayout leastLanes(int index) const;
    void showWhatFits();
    void divide();
    void activate(int index);
    void placeViews();  ///< extents, letters, overview: after the recordings, the alignment or the reference changed
    void compare();

    std::array<std::unique_ptr<Timeline>, 2> m_sides;
    QSplitter* m_splitter;
    std::array<TimelineView*, 2> m_views;
    TimelineView* m_active;
    OverviewStrip* m_overview;
    bool m_overviewWanted = false;
    HitWalk* m_hits;
    DifferenceStrip* m_differences;
    QTimer m_compareLater;  // while one zooms, figures of what is in view wait
    Alignment m_alignment;
    int m_reference = 0;
    double m_magnification = 1, m_textSize = 1;
    std::array<double, 2> m_indexed {1, 1};
    FilterBar* m_filterBar;
};

}  // namespace lanes::gui
