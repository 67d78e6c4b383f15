// SPDX-License-Identifier: MIT
// The heat map of a job as a widget: a click chooses a rank and a moment, Shift+click the rank beside it; the arrow
// keys do the same. Wheel, drags and keys zoom and move the time as they do in the lanes; a double click shows all of
// it. It draws HeatPainter's image and only what is marked over it, so a repaint costs a copy.
#pragma once

#include "gui/lanes/time_window.h"
#include "gui/session/open_job.h"
#include "gui/timeline/timeline_actions.h"
#include "gui/timeline/view_history.h"

#include <QWidget>

namespace lanes::gui {

class HeatView : public QWidget {
    Q_OBJECT
public:
    explicit HeatView(QWidget* parent = nullptr);

    /// It opens on OpenJob::openedPart().
    void setJob(OpenJobPtr job);
    void setMeasure(HeatMeasure measure);
    HeatMeasure measure() const { return m_measure; }
    /// Into OpenJob::ranks; nothing: none.
    /// A moment that is out of sight is brought into it.
    void mark(std::optional<std::size_t> chosen, std::optional<std::size_t> second, std::optional<Ns> moment);

    /// On the first clock.
    Interval time() const { return m_heat.time; }
    /// Where the map is drawn: see HeatPlaces.
    QRectF box() const { return QRectF(rect()).adjusted(14, 2, -8, -6); }
    bool showsAll() const { return m_time.isFitted(); }
    void showAll();
    /// With a third of its length beside it.
    void zoomTo(Interval span);

    /// Few rows need little height: lanes under the map have the rest.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {240, 120}; }

signals:
    void chosen(std::size_t rank, lanes::Ns moment);
    void secondChosen(std::size_t rank);
    void timeChanged(lanes::Interval time);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag : std::uint8_t { none, second, pan, box };
    QRectF plot() const { return HeatPlaces(m_map, box()).plot(); }
    /// Into OpenJob::ranks.
    std::optional<std::size_t> rankAt(double y) const;
    void step(int rows, int columns);
    bool perform(TimelineAction action);
    void show(const TimeScale& scale);
    /// After the time or the measure changed.
    void look();

    OpenJobPtr m_job;
    TimeWindow m_time;  // from the job's begin on; a column a pixel
    ViewHistory m_history;
    JobHeat m_heat;  // what is shown
    HeatMap m_map;
    Drag m_drag = Drag::none;
    QPointF m_pressed, m_dragged;
    TimeScale m_pressedScale;
    std::optional<double> m_mouse;  // x
    HeatMeasure m_measure = HeatMeasure::waited;
    std::optional<std::size_t> m_chosen, m_second;
    std::optional<Ns> m_moment;
    HeatPainter m_painter;
    LabelPainter m_labels;
};

/// The arrivals of one collective, on the axis of the heat map over it. A double click wants the map to show it large.
class CombView : public QWidget {
    Q_OBJECT
public:
    explicit CombView(QWidget* parent = nullptr);
    void setComb(std::optional<ArrivalComb> comb);
    void setTime(Interval time);
    const std::optional<ArrivalComb>& comb() const { return m_comb; }
    QSize sizeHint() const override { return {900, 44}; }

signals:
    void zoomWanted(lanes::Interval span);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    std::optional<ArrivalComb> m_comb;
    Interval m_time;
    LabelPainter m_labels;
};

/// The scale of the colours.
class HeatScale : public QWidget {
    Q_OBJECT
public:
    explicit HeatScale(QWidget* parent = nullptr);
    void setTop(Ns top);
    QSize sizeHint() const override { return {300, 26}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Ns m_top = 0;
    LabelPainter m_labels;
};

}  // namespace lanes::gui
