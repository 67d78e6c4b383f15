// SPDX-License-Identifier: MIT
// A timeline on the screen: leads events to its tools and actions, and paints it.
//
// The lanes are drawn into an image that is kept until the time scale, the size, the theme or the scroll position
// changes; highlights and what passes with the mouse are drawn over it. Cost of a repaint: that of TimelinePainter
// where the image is stale, else a blit.
#pragma once

#include "gui/paint/hit_painter.h"
#include "gui/paint/timeline_painter.h"
#include "gui/timeline/frame_times.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_actions.h"
#include "gui/timeline/tools/tool.h"
#include "gui/timeline/view_state.h"

#include <limits>
#include <memory>
#include <QWidget>

namespace lanes::gui {

inline constexpr Ns no_time = std::numeric_limits<Ns>::min();

class TimelineView : public QWidget {
    Q_OBJECT

public:
    /// Of a timeline that lives at least as long; of its own without one.
    explicit TimelineView(Timeline* timeline = nullptr, QWidget* parent = nullptr);
    ~TimelineView() override;

    Timeline& timeline() const { return *m_timeline; }
    const TimelineOverlay& overlay() const { return m_overlay; }
    /// For a picture of what is shown; its model is null where there is no recording or its lanes are still to come.
    ViewState picture() const;

    /// Whether the next gesture places an annotation: no letter does anything then.
    bool awaitsPlace() const;
    void perform(TimelineAction action);
    /// Hides what is said of what lies under the mouse, until that moves.
    void forgetPointed();
    /// What the mouse holds is let go, and nothing comes of it. Before other recordings come: it belongs to these.
    void endGesture();
    /// A line at `time` in ns, shared with other views; no_time: none.
    void setCursorTime(qint64 time);
    /// Where one steps through the run, marked by a strong line; no_time: nowhere.
    void setStepTime(qint64 time);
    /// Whether the run is shown only as far as that line, and what it took only where the line is past its end.
    void setRevealing(bool revealing);
    /// What a search found here is marked; null: nothing.
    void setHits(std::shared_ptr<const QueryHits> hits);
    const std::shared_ptr<const QueryHits>& hits() const { return m_hits.hits(); }
    /// A box that says how long repaints take.
    void setFrameTimesShown(bool shown);
    bool frameTimesShown() const { return m_times.shown(); }
    /// Everything that many times as large, for an audience. Points of the timeline are those of the widget divided by
    /// it.
    void setMagnification(double magnification);
    double magnification() const { return m_magnification; }

    QSize sizeHint() const override;
    /// With all lanes as high as they become where there is room, before magnification.
    int heightLiked() const;
    QSize minimumSizeHint() const override;

    /// What an empty view says: that a file is being opened, else what to do.
    void setOpening(bool opening);
    /// It has the focus, and the keyboard gave it: who came with the mouse knows where he is.
    bool isFocusShown() const { return hasFocus() && m_isKeyboards; }

signals:
    void cursorMoved(qint64 time);
    void focused();
    /// The view has another size, and its time scale may have changed with it.
    void resized();
    /// The menu of the target lane should be opened at this point, in global coordinates.
    void laneMenuRequested(QPoint at);
    /// A click of the right button where there is neither an operation nor a lane's name.
    void placeMenuRequested(QPoint at);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QPointF inFrame(QPointF at) const { return at / m_magnification; }
    void updateArea();
    void timelineChanged(Timeline::Redraw what);
    void moveCursor(QPointF at);
    void hover(QPointF at);
    void askMarkText(std::size_t mark, bool fresh);
    void askAnnotationText(std::size_t index);
    // timeline_view_paint.cpp
    void updatePassing();
    void drawImage(QPainter& painter, const QRegion& region) const;
    void paintUnrevealed(const TimelineFrame& frame, QPainter& painter) const;
    void tellWhatIsKnown();

    Timeline* m_timeline;
    double m_magnification = 1;
    TimelinePainter m_painter;
    QImage m_image;
    bool m_revealing = false;
    bool m_stale = true;  // the image is of an earlier state
    HitPainter m_hits;
    FrameTimes m_times;
    TimelineOverlay m_overlay;
    HighlightDetails m_details;
    std::vector<std::unique_ptr<Tool>> m_tools;
    Tool* m_held = nullptr;  // whose gesture the mouse is making
    Qt::MouseButton m_button = Qt::NoButton;
    bool m_isOpening = false;
    bool m_isKeyboards = false;  // isFocusShown()
    ItemRef m_spoken;  // that the description is about
    QString m_spokenGhost;  // what it says of a predicted run
    struct Pointed {  // what was shown when the mouse pointed at something
        TimeScale scale;
        int scroll = 0;
        Scope::Of scope = Scope::Of::all;
        friend bool operator==(const Pointed&, const Pointed&) = default;
    };
    Pointed m_pointed;
};

}  // namespace lanes::gui
