// SPDX-License-Identifier: MIT
// A heat map: what each of many rows did over time, a colour a cell. Where several cells share a pixel the greatest one
// is drawn, so that one of a thousand is seen.
#pragma once

#include "engine/trace/units.h"
#include "gui/paint/label_painter.h"

#include <QCoreApplication>
#include <QImage>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace lanes::gui {

/// What is drawn; `cells` are somebody else's and live as long.
struct HeatMap {
    const std::vector<Ns>* cells = nullptr;  ///< [line * columns + column]; below 0: nothing is known
    std::size_t columns = 0;
    std::vector<std::size_t> lines;  ///< by row from the top: its line in `cells`
    std::vector<QString> names;  ///< by row
    struct Group {
        QString name;
        std::size_t first = 0, count = 0;  ///< rows
    };
    std::vector<Group> groups;  ///< from the top, all rows
    Interval time;  ///< of all columns
    Ns begin = 0;  ///< times are counted from it
    std::vector<Ns> steps;  ///< when each began, also those out of sight
    Ns top = 0;  ///< what has the last colour of the scale
};

/// Rows and a moment that are marked; -1: none.
struct HeatMarks {
    int chosen = -1, second = -1;
    std::optional<Ns> moment;
};

/// Where parts of a map lie in a box.
class HeatPlaces {
    Q_DECLARE_TR_FUNCTIONS(HeatPlaces)
public:
    HeatPlaces(const HeatMap& map, const QRectF& box);

    const QRectF& plot() const { return m_plot; }
    QRectF row(std::size_t row) const;
    /// -1: none.
    int rowAt(double y) const;
    double xOf(Ns time) const;
    Ns timeAt(double x) const;

    static constexpr double group_width = 76, name_width = 40, ruler_height = 20;

private:
    double m_gap, m_height;
    Interval m_time;
    QRectF m_plot;
    std::vector<std::size_t> m_groupOf;  ///< by row
};

/// The colour of a value; of one that is not known the ground.
QRgb heatColor(const Theme& theme, Ns value, Ns top);

class HeatPainter {
public:
    /// In `box`. The cells are drawn into an image that is kept for the next call with the same ones; cost of making
    /// it: linear in the cells and the pixels, 512 x 512 in about 2 ms; of drawing it: that of the copy.
    void paint(QPainter& painter, const QRectF& box, const HeatMap& map, const HeatMarks& marks, const Theme& theme,
        LabelPainter& labels, bool vector);
    /// The scale of colours from 0 to `top`, with what is written at its ends.
    static void paintScale(
        QPainter& painter, const QRectF& box, Ns top, const Theme& theme, LabelPainter& labels, bool vector);
    /// Cells are others now.
    void forget() { m_image = {}; }

private:
    void makeImage(const HeatMap& map, const HeatPlaces& places, const Theme& theme, double ratio);

    QImage m_image;
    const void* m_cells = nullptr;
    QString m_theme;
};

/// When the ranks of one collective came to it.
struct ArrivalComb {
    QString title, subtitle;  ///< "AllReduce 314", "64 ranks"
    struct Tooth {
        Ns at;
        QString name;
    };
    std::vector<Tooth> teeth;  ///< by time; the last one is who the others waited for
    Ns end = 0;  ///< of the collective
    Ns wait = 0;  ///< of the others, the median
    QString said;  ///< what is written between them and the last one
    bool isLate = false;  ///< the last one came later than the clocks may be wrong
    bool isCost = false;  ///< and its rank costs the others time in the end: not each wait does
};

/// A tooth for each rank at the time at which it came, on the axis of a heat map that shows `time` in a box as wide.
void paintComb(QPainter& painter, const QRectF& box, const ArrivalComb& comb, Interval time, const Theme& theme,
    LabelPainter& labels, bool vector);

}  // namespace lanes::gui
