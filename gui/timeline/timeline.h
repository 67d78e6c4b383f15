// SPDX-License-Identifier: MIT
// A recording as a view shows it: its lanes, laid out for the size of the view, and what the user set, with what can be
// done to it. It is no widget: TimelineView paints it and leads the mouse's gestures to it.
//
// Functions that are called set... or open... are for the owner and emit nothing but changed(). What the user does (the
// other functions) is signalled, once, when it is done. So two timelines are linked by passing a signal of one on to a
// setter of the other.
// Times in ns of the recording; points and sizes in logical pixels of the frame.
#pragma once

#include "gui/paint/timeline_frame.h"
#include "gui/timeline/markup/annotation_hand.h"
#include "gui/timeline/markup/mark_hand.h"
#include "gui/timeline/markup/markup_history.h"
#include "gui/timeline/predict_hand.h"
#include "gui/timeline/shown_lanes.h"
#include "gui/timeline/target_lane.h"
#include "gui/timeline/timeline_layers.h"
#include "gui/timeline/timeline_state.h"
#include "gui/timeline/view_history.h"

namespace lanes::gui {

/// Where a recording is, of the two that are shown together.
struct TimelinePlace {
    QString letter = {};  ///< "A" or "B" before the title; empty: it is alone
    bool isCompared = false;  ///< its verdict says how it compares with the other
    Interval extent, reach;  ///< what "show everything" shows, and how far one can pan, in its own time; see TimeWindow
    std::optional<Ns> anchor = {};  ///< where the two are aligned
    Ns uncertainty = 0;  ///< Alignment::uncertainty
    std::optional<PartOfRun> part = {};
};

class Timeline : public QObject {
    Q_OBJECT

public:
    /// What must be redrawn; each includes those before it. `lanes`: the model was replaced.
    enum class Redraw : std::uint8_t { overlay, picture, layout, lanes };

    /// Timelines that move together have one history.
    explicit Timeline(
        std::shared_ptr<ViewHistory> history = std::make_shared<ViewHistory>(), QObject* parent = nullptr);

    /// Null: nothing is shown. Shows everything, as it was recorded, in the choice of lanes as it is.
    void openRecording(RecordingPtr recording);
    /// Another recording of the same: see ComparisonView::renewRecordings.
    void openRenewed(RecordingPtr recording);
    /// After renewals: takes away the room that was left for growing. Only where everything was shown.
    void settle();
    RecordingPtr recording() const { return model() ? model()->pointer() : nullptr; }
    const LaneModel* model() const { return m_lanes.model().get(); }
    ShownLanes& lanes() { return m_lanes; }
    const ShownLanes& lanes() const { return m_lanes; }
    const TimelineState& state() const { return m_state; }
    /// As it is drawn now; there must be a recording.
    TimelineFrame frame() const;

    void setPlace(const TimelinePlace& place);
    /// Of which the figures beside the lanes are.
    void setScope(const DrawnScope& scope);
    /// What the verdict beside the title is of, and the report that it compares with; null: none. `isOld`: they are of
    /// the scope before, and the verdict is drawn so. `iterations`: what they are about where they are of one iteration
    /// each.
    void setReports(const std::shared_ptr<const Report>& own, const std::shared_ptr<const Report>& reference,
        bool isOld, const ComparedIterations& iterations = {});
    /// While a run is revealed: its verdict is not shown before its end is.
    void setUnfinished(bool unfinished);
    bool isUnfinished() const { return m_unfinished; }
    void setTheme(const Theme& theme);
    const Theme& theme() const { return *m_theme; }
    /// What there is to draw on, and how many device pixels a logical one has, `magnification` times as many as usual.
    /// Another size keeps the time scale, another ratio the visible time; a view that shows everything goes on doing
    /// so.
    void setArea(QSize size, double ratio, double magnification = 1);
    /// Exactly this scale.
    void setTimeScale(const TimeScale& scale);
    void setRange(std::optional<Interval> range);
    /// Shows this one alone; null: everything.
    void setIteration(std::shared_ptr<const ShownIteration> iteration);
    void setArrangement(const LaneArrangement& arrangement);

    const TimeScale& timeScale() const { return m_state.time.scale(); }
    Interval visibleRange() const { return m_state.time.visible(); }
    /// As near to it as the recording allows. What was shown before can be gone back to.
    void show(const TimeScale& scale);
    void showRange(Interval range) { show(m_state.time.showing(range)); }
    /// The span with a third of its length beside it.
    void zoomTo(Interval span);
    void showAll();
    /// Nothing moves where all of it is in sight already.
    void bringIntoSight(Interval span);
    ViewHistory& history() { return *m_history; }

    ItemRef selection() const { return m_state.highlights.selected; }
    /// Selects an item and brings its lane into sight; its time may stay out of sight.
    void select(ItemRef item);
    /// The same by the hand of a user, who wants to know what it is.
    void pick(ItemRef item);
    /// Selects an item and brings it into sight.
    void follow(ItemRef item);
    void selectRange(std::optional<Interval> range);
    TimelineLayers& layers() { return m_layers; }
    MarkHand& marks() { return m_marks; }
    AnnotationHand& annotations() { return m_annotations; }
    /// Whether an annotation or a mark is selected.
    bool hasChosen() const { return m_annotations.current() || m_marks.chosen(); }
    void removeChosen();
    MarkupHistory& markup() { return m_markup; }
    PredictHand& predicting() { return m_predicting; }
    const PredictHand& predicting() const { return m_predicting; }
    void forgetChosen();
    /// Nothing is selected or chosen any more.
    void letGo();
    /// The same by the user, who sees two compared recordings as one: of the other one, too.
    void clear();

    void choose(const LaneChoice& choice);
    /// Hidden, pinned, collapsed and moved lanes.
    void arrange(const LaneArrangement& arrangement);
    void scrollTo(int scroll);
    void scrollTo(const PlacedLane& lane);
    TargetLane& target() { return m_target; }
    /// Where the mouse is; nothing: elsewhere.
    std::optional<QPointF> mouse;

signals:
    void changed(lanes::gui::Timeline::Redraw what);
    void timeScaleChanged(const lanes::gui::TimeScale& scale);
    void selectionChanged(lanes::gui::ItemRef item);
    void picked();  ///< an item was clicked, which is selected now
    void rangeChanged();
    void cleared();
    /// Lanes were hidden, shown, pinned, collapsed or moved, or another one is the target of commands.
    void lanesChanged();
    void choiceChanged();
    void arranged();  ///< by the user: lanes were hidden, pinned, collapsed or moved, or those that were are shown

private:
    void relayout();
    /// After the visible time changed.
    void lookAgain();
    void moveTo(const TimeWindow& time);

    ShownLanes m_lanes;
    TimelineState m_state;
    TimelineLayers m_layers;
    TargetLane m_target;
    MarkHand m_marks;
    AnnotationHand m_annotations;
    MarkupHistory m_markup;
    PredictHand m_predicting;
    std::shared_ptr<ViewHistory> m_history;
    const Theme* m_theme;
    QString m_letter;
    TitleVerdict m_verdict;
    bool m_unfinished = false;
    QSize m_area {640, 480};
    double m_ratio = 1, m_magnification = 1;
};

}  // namespace lanes::gui
