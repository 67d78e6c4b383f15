// SPDX-License-Identifier: MIT
// How long the events of one name last, as bars: one for each bin, of A and of B beside it, over a logarithmic axis.
// One drags an interval of durations over it; a click takes one bin, a click beside the bars or Esc none. With the
// keyboard Left and Right take the next bin, with Shift they move the interval's end.
#pragma once

#include "gui/panels/summary/duration_bins.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <array>
#include <optional>
#include <utility>

class QPainter;

namespace lanes::gui {

struct Theme;

class DurationHistogram : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t most_bins = 40;

    explicit DurationHistogram(QWidget* parent = nullptr);

    /// Of one recording or of two; no bins: `title` says why. Nothing is chosen then.
    void show(const QString& title, const DurationBins& bins, bool pair);
    const DurationBins& bins() const { return m_bins; }
    /// First and last bin that are chosen.
    const std::optional<std::pair<std::size_t, std::size_t>>& chosen() const { return m_chosen; }

    QSize sizeHint() const override { return {300, 120}; }
    QSize minimumSizeHint() const override { return {140, 60}; }

signals:
    /// Durations of [least, most) ns; both 0: all of them.
    void intervalChosen(qint64 least, qint64 most);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintBars(QPainter& painter, const Theme& theme, const std::array<QColor, 2>& colors) const;
    void paintAxis(QPainter& painter, const Theme& theme) const;
    void paintLetters(QPainter& painter, const std::array<QColor, 2>& colors) const;
    QRectF plot() const;
    std::optional<std::size_t> binAt(QPointF at) const;
    double edgeX(std::size_t edge) const;
    void choose(std::optional<std::pair<std::size_t, std::size_t>> chosen, bool done);
    QString textOf(std::size_t first, std::size_t last) const;

    QString m_title;
    DurationBins m_bins;
    bool m_pair = false;
    std::optional<std::pair<std::size_t, std::size_t>> m_chosen;
    std::optional<std::size_t> m_pressed;  // the bin in which a drag began
};

}  // namespace lanes::gui
