// SPDX-License-Identifier: MIT
// One recording on the screen: zoom, pan, hover, select, measure.
//
// The lanes are drawn into an image that is kept until the time scale, the size, the
// theme or the scroll position changes; hover, selection and cursor are drawn over it.
// Two views are linked by connecting timeScaleChanged to the other's setTimeScale:
// with equal label widths and sizes the same column lies at the same x.
// Cost of a repaint: that of TimelinePainter where the image is stale, else a blit.
// A large recording is indexed by other threads; its lanes appear as they are ready.
#pragma once

#include "gui/lanes/lane_workers.h"
#include "gui/paint/hit_painter.h"
#include "gui/paint/timeline_painter.h"
#include "gui/timeline/frame_times.h"
#include "gui/timeline/timeline_actions.h"
#include "gui/timeline/view_history.h"
#include "gui/timeline/view_state.h"

#include <QWidget>
#include <limits>
#include <memory>

namespace lanes::gui {

/// Where a lane that is dragged would go: before or behind another one, `y` in the frame.
struct LaneDrop {
    std::size_t beside;
    bool behind;
    double y;
};
inline constexpr Ns no_time = std::numeric_limits<Ns>::min();

class TimelineView : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// Null empties the view. Shows everything unless the view is linked and already shows something.
    void setRecording(RecordingPtr recording);
    /// Another recording of the same: see ComparisonView::renewRecordings. timeline_view_renewal.cpp
    void renewRecording(RecordingPtr recording);
    RecordingPtr recording() const { return m_model ? m_model->pointer() : nullptr; }
    void setTheme(const Theme& theme);
    const Theme& theme() const { return *m_theme; }
    /// "A" or "B" before the title, and the recording that the verdict compares with; both may be empty.
    void setPlace(const QString& letter, const RecordingPtr& reference);
    /// What "show everything" shows, in this recording's time; at least the recording itself. `reach`: what one can pan
    /// to, which also holds what was recorded behind the run's end; at least all that this recording has.
    void setExtent(TimeSpan extent, TimeSpan reach);
    TimeSpan extent() const { return m_extent; }
    /// The same with room behind it for the total's label.
    TimeSpan fittingExtent() const;
    /// Whether "show everything" is what is shown.
    bool isFitted() const { return m_fitted; }
    /// After renewals: takes away the room that was left for growing. Only where everything is shown.
    void settle();
    const LaneModel* model() const { return m_model.get(); }
    /// True while lanes are still to come. Stopping it leaves them empty.
    bool isIndexing() const { return m_workers != nullptr; }
    void stopIndexing();
    /// For a picture of what is shown; its model is null where there is no recording or its lanes are still to come.
    ViewState state() const;

    const TimeScale& timeScale() const { return m_scale; }
    /// Exactly this scale, wherever it lies: for views that are linked.
    void setTimeScale(const TimeScale& scale);
    /// Moves the view until its first column is this one, or as near as the recording allows.
    void panTo(std::int64_t first);
    TimeSpan visibleRange() const;
    void showRange(TimeSpan range);

    ItemRef selection() const { return m_overlay.selected; }
    void setSelection(ItemRef item);
    /// The mark that was set, clicked or gone to last.
    std::optional<Ns> currentMark() const { return m_mark; }
    std::optional<TimeSpan> selectedRange() const { return m_overlay.range; }
    void setSelectedRange(std::optional<TimeSpan> range);
    /// Selects an item and brings it into sight. Nothing moves where it is in sight already.
    void follow(ItemRef item);
    /// What a search found here is marked; null: nothing.
    void setHits(std::shared_ptr<const QueryHits> hits);
    const std::shared_ptr<const QueryHits>& hits() const { return m_hits.hits(); }
    ItemRef hovered() const { return m_overlay.hovered; }
    std::optional<Ns> stepTime() const { return m_overlay.step; }
    QString rangeText() const { return m_overlay.rangeLines.join(QStringLiteral(" \u00B7 ")); }
    /// A box that says how long repaints take.
    void setFrameTimesShown(bool shown);
    bool frameTimesShown() const { return m_times.shown(); }
    QStringList tip() const { return m_overlay.tip; }
    /// Where an item lies in the widget; nothing where it has no lane.
    std::optional<QRectF> boxOf(ItemRef item) const;
    /// The item at a point of the widget, with three pixels' grace.
    ItemRef itemAt(QPointF at) const;

    /// Views that move together have one history; a view alone has its own.
    void shareHistory(std::shared_ptr<ViewHistory> history);
    const ViewHistory& history() const { return *m_history; }
    /// Brings a mark of the recording into sight.
    void goToMark(std::size_t mark);
    /// The item whose label stands at the edge of the view, at a point of the widget.
    ItemRef edgeItemAt(QPointF at);
    bool showsAllArrows() const { return m_overlay.allArrows; }
    /// The mark whose flag lies at a point of the widget.
    std::optional<std::size_t> markAt(QPointF at);

    /// Everything that many times as large, for an audience. Points of the view are then in pixels of its frame: those
    /// of the widget divided by this.
    void setMagnification(double magnification);
    double magnification() const { return m_magnification; }
    int labelWidth() const { return FrameGeometry::labelWidthFor(area().width()); }
    int columns() const;
    int scroll() const { return m_scroll; }
    void setScroll(int scroll);

    /// Which lanes are hidden, pinned, collapsed and moved; kept while the recording is.
    const LaneArrangement& arrangement() const { return m_arrangement; }
    void setArrangement(const LaneArrangement& arrangement);
    /// How lanes are grouped and filtered; they are made anew. Kept for the recordings that follow.
    void setChoice(const LaneChoice& choice);
    const LaneChoice& choice() const { return m_choice; }
    /// The lane that commands concern: the one that was moved, dragged or asked of last as long as the mouse does not
    /// leave it, else that under the mouse, else that of the selection. Into LaneModel::lanes().
    std::optional<std::size_t> targetLane() const;
    const LaneLayout& layout() const { return m_layout; }
    /// As it is drawn now; there must be a recording.
    TimelineFrame frame() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public slots:
    void perform(lanes::gui::TimelineAction action);
    /// A line at `time` in ns, shared with other views; no_time: none.
    void setCursorTime(qint64 time);
    /// Where this recording is aligned with another, marked by a line; no_time: nothing special.
    void setAnchor(qint64 time);
    /// Where one steps through the run, marked by a strong line; no_time: nowhere.
    void setStepTime(qint64 time);

signals:
    void timeScaleChanged(const lanes::gui::TimeScale& scale);
    void selectionChanged(lanes::gui::ItemRef item);
    void rangeChanged();
    void cursorMoved(qint64 time);
    void markReached();  ///< currentMark() is another
    void marksChanged();
    void focused();
    /// Lanes were hidden, shown, pinned, collapsed or moved, or another one is the target of commands.
    void lanesChanged();
    void choiceChanged();
    /// Wanted: the menu of what can be done to the target lane, there (in global coordinates).
    void laneMenuRequested(QPoint at);
    /// How far the indexing of a large recording is; 1 when it has ended, and when it was stopped.
    void indexed(double fraction);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    static constexpr std::size_t most_links = 16;  ///< arrows of one item
    enum class Drag : std::uint8_t { none, press, range, pan, box, label, lane, scroll };

    /// What there is to draw on, in pixels of the frame.
    QSize area() const { return (QSizeF(size()) / m_magnification).toSize(); }
    double ratio() const { return devicePixelRatioF() * m_magnification; }
    QPointF inFrame(QPointF at) const { return at / m_magnification; }
    void relayout();
    void startIndexing();
    void takeRows(std::vector<LaneRows> rows, double fraction);
    void updateVerdict();
    void spoil();  ///< the kept image is stale
    void applyScale(TimeScale scale, bool keep);
    void showScale(const TimeScale& scale, bool keep);
    TimeSpan room() const;
    TimeScale inside(const TimeScale& scale) const;
    TimeScale fittingScale() const;
    bool hasRoom() const;
    void fitRenewed();
    void fit(bool keep);  ///< shows everything; `keep`: the view before can be gone back to
    void zoomAt(double factor, double x);
    void panBy(double share);
    void scrollTo(ItemRef item);
    void scrollTo(const PlacedLane& lane);
    void step(int by);
    void bringIntoSight(TimeSpan span);
    // timeline_view_range.cpp
    Ns snappedTime(QPointF at, Qt::KeyboardModifiers modifiers, std::optional<Snap>* snap) const;
    std::optional<Ns> gripAt(double x) const;
    void beginRange(QPointF at, Qt::KeyboardModifiers modifiers);
    void dragRange(QPointF at, Qt::KeyboardModifiers modifiers);
    void stepRange(bool end, int direction);
    // timeline_view_marks.cpp
    void setMark();
    void editMark(std::size_t index, bool fresh);
    void removeMark();
    void stepMark(int by);
    void marksEdited();
    void hover(QPointF at);
    void updatePassing();
    void drawImage(QPainter& painter, const QRegion& region) const;
    void hoverColumn(const PlacedRow& at, QPointF mouse);
    const PlacedLane* laneAt(QPointF at) const;
    void finishDrag(QPointF at);
    Ns timeAt(double x) const;

    // timeline_view_lanes.cpp
    void performOnLanes(TimelineAction action);
    void rearranged();
    void takeInHand(std::optional<std::size_t> lane);
    void hoverLabel(QPointF at);
    void dragLane(QPointF at);
    bool pressScrollBar(QPointF at);
    void dragScrollBar(QPointF at);
    void letLaneGo();
    void finishLabelDrag(Drag drag, QPointF at);
    bool doubleClickLabel(QPointF at);

    const Theme* m_theme;
    std::shared_ptr<LaneModel> m_model;
    LaneChoice m_choice;
    LaneArrangement m_arrangement;
    LaneLayout m_layout;
    TimeScale m_scale;
    TitleVerdict m_verdict;
    QString m_letter;
    RecordingPtr m_reference;
    TimeSpan m_extent {0, 1}, m_reach {0, 1};
    int m_scroll = 0;
    double m_magnification = 1;
    bool m_renewed = false;  // the scale is that of an earlier recording of the same
    bool m_fitted = true;  // nothing but "everything" was asked for yet: keep it so when the size changes

    TimelinePainter m_painter;
    QImage m_image;
    bool m_stale = true;
    HitPainter m_hits;
    FrameTimes m_times;
    TimelineOverlay m_overlay;

    Drag m_drag = Drag::none;
    Ns m_anchor = 0;  // the edge of the dragged range that stays
    QPointF m_pressed, m_mouse{-1, -1};
    TimeScale m_pressedScale;
    std::optional<LaneKey> m_laneInHand;
    int m_pressedScroll = 0;
    std::optional<LaneDrop> m_drop;  // where a dragged lane would go
    std::shared_ptr<ViewHistory> m_history;
    std::optional<Ns> m_mark;  // the one that was set, clicked or gone to last
    std::unique_ptr<LaneWorkers> m_workers;  // while there are lanes to come; they call this view, so they end before it
    quint64 m_indexings = 0;                 // tells what one that was stopped has left in the event queue
};

}  // namespace lanes::gui
