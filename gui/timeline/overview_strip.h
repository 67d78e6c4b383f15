// SPDX-License-Identifier: MIT
// One or two whole recordings, one above the other, with a window that marks what the views show: how their GPUs spent
// the time where the lanes have graphs of that (the mean of all GPUs), else the overlap ribbon; of a recording without
// GPU work how busy its threads are with ranges and calls. Dragging the window pans, dragging beside it or pulling its
// edges zooms.
#pragma once

#include "engine/analysis/query_hits.h"
#include "gui/paint/timeline_painter.h"
#include "gui/timeline/alignment.h"

#include <QWidget>

namespace lanes::gui {

/// What the strip draws, for the widget and for pictures.
struct OverviewFrame {
    std::vector<const LaneModel*> models;
    const Theme& theme;
    QSize size;
    int labelWidth;
    Interval extent;  ///< the time that its width holds, in that of the first model
    Interval window;  ///< what the views show, likewise
    Alignment alignment = {};
    std::vector<std::vector<bool>> hits = {};  ///< of each model, by logical pixel: a search found something there
};
void paintOverview(const OverviewFrame& frame, QPainter& painter, LabelPainter& labels, bool vector);

class OverviewStrip : public QWidget {
    Q_OBJECT

public:
    static constexpr int strip_height = 44;

    explicit OverviewStrip(QWidget* parent = nullptr);

    /// The models must live as long as they are shown; an empty list shows nothing.
    void setModels(std::vector<const LaneModel*> models, Interval extent, const Alignment& alignment = {});
    void setTheme(const Theme& theme);
    void setWindow(Interval window);
    /// Of the views over it, whose lanes its own are to line up with. Its height stays.
    void setMagnification(double magnification);
    /// What a search found in each model; null: nothing.
    void setHits(std::vector<std::shared_ptr<const QueryHits>> hits);
    QSize sizeHint() const override { return {600, strip_height}; }

signals:
    void windowRequested(lanes::Interval window);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    enum class Drag : std::uint8_t { none, move, left, right, fresh };
    QSize frameSize() const;
    double plotLeft() const;
    Ns timeAt(double x) const;
    double xOf(Ns t) const;
    Drag dragAt(double x) const;

    std::vector<const LaneModel*> m_models;
    Interval m_extent {0, 1};
    Alignment m_alignment;
    std::vector<std::shared_ptr<const QueryHits>> m_hits;
    std::vector<std::vector<bool>> m_hitColumns;  // kept for m_hitWidth
    int m_hitWidth = -1;
    double m_magnification = 1;
    const Theme* m_theme;
    Interval m_window, m_pressedWindow;
    LabelPainter m_labels;
    Drag m_drag = Drag::none;
    Ns m_pressedTime = 0;
};

}  // namespace lanes::gui
