// SPDX-License-Identifier: MIT
// What stands between two recordings: how their total, busy, blocked and overlap times
// differ, of the whole or of a range, and how the two are aligned.
//
// The figures are exact; one that a recording cannot tell stays unknown and is said to
// be so. Cost: log n a figure of a range.
#pragma once

#include "gui/timeline/label_painter.h"
#include "gui/timeline/lane_model.h"

#include <QWidget>
#include <array>
#include <optional>

class QPushButton;

namespace lanes::gui {

struct SideFigures {
    std::optional<Ns> total;  ///< of the whole alone
    std::optional<Ns> busy, overlap;
    std::optional<Ns> blocked;  ///< of the first thread
};
SideFigures figuresOfWhole(const LaneModel& model);
/// Nothing is known while the lanes are not ready.
SideFigures figuresIn(const LaneModel& model, TimeSpan range);

/// How `other` differs from `reference`, in words: "2.9 × less", "4 % more", "the same", "only in B", "A cannot tell".
QString differenceWords(std::optional<Ns> reference, std::optional<Ns> other, QChar referenceLetter, QChar otherLetter);

class DifferenceStrip : public QWidget {
    Q_OBJECT

public:
    static constexpr int strip_height = 40;

    struct Content {
        std::array<SideFigures, 2> sides;  ///< A, B
        int reference = 0;                 ///< the side that the other is compared with
        QString scope;                     ///< "whole", "selected 12.3 ms"
        QString alignment;                 ///< empty: at their starts
    };

    explicit DifferenceStrip(QWidget* parent = nullptr);
    void setContent(const Content& content);
    void setTheme(const Theme& theme);
    /// Its words that many times as large.
    void setMagnification(double magnification);

    /// What it says, a line a figure: "total: 50.6 ms → 17.3 ms, −33.3 ms, 2.9 × less".
    QStringList lines() const;
    QSize sizeHint() const override { return {600, height()}; }

signals:
    void resetWanted();  ///< align the recordings at their starts again

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Cell {
        QString name, values, change, words;
    };
    std::vector<Cell> cells() const;
    void placeButton();

    const Theme* m_theme;
    Content m_content;
    LabelPainter m_labels;
    double m_magnification = 1;
    QPushButton* m_reset;
};

}  // namespace lanes::gui
