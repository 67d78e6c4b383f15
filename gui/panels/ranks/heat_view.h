// SPDX-License-Identifier: MIT
// The heat map of a job as a widget: a click chooses a rank and a moment, Shift+click the rank beside it; the arrow
// keys do the same. It draws HeatPainter's image and only what is marked over it, so a repaint costs a copy.
#pragma once

#include "gui/session/open_job.h"

#include <QWidget>

namespace lanes::gui {

class HeatView : public QWidget {
    Q_OBJECT
public:
    explicit HeatView(QWidget* parent = nullptr);

    void setJob(OpenJobPtr job);
    void setMeasure(HeatMeasure measure);
    HeatMeasure measure() const { return m_measure; }
    /// Into OpenJob::ranks; nothing: none.
    void mark(std::optional<std::size_t> chosen, std::optional<std::size_t> second, std::optional<Ns> moment);

    QSize sizeHint() const override { return {900, 420}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

signals:
    void chosen(std::size_t rank, lanes::Ns moment);
    void secondChosen(std::size_t rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF box() const;
    void step(int rows, int columns);

    OpenJobPtr m_job;
    HeatMap m_map;
    HeatMeasure m_measure = HeatMeasure::waited;
    std::optional<std::size_t> m_chosen, m_second;
    std::optional<Ns> m_moment;
    HeatPainter m_painter;
    LabelPainter m_labels;
};

/// The arrivals of one collective.
class CombView : public QWidget {
    Q_OBJECT
public:
    explicit CombView(QWidget* parent = nullptr);
    void setComb(std::optional<ArrivalComb> comb);
    const std::optional<ArrivalComb>& comb() const { return m_comb; }
    QSize sizeHint() const override { return {900, 44}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<ArrivalComb> m_comb;
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
