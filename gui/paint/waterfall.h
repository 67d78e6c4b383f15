// SPDX-License-Identifier: MIT
// From A's iteration to B's: one row for each kind of part of the critical path, drawn on the scale of the lanes. The
// first bar begins where A ends, what became shorter leads to the left, what became longer to the right, and the last
// one ends where B ends. Cost: a row a step; ten at most.
#pragma once

#include "engine/analysis/compare/changes.h"
#include "gui/lanes/shown_iteration.h"
#include "gui/paint/label_painter.h"

#include <array>
#include <functional>
#include <memory>
#include <QColor>
#include <QStringList>
#include <vector>

namespace lanes::gui {

struct Waterfall {
    /// What went and what came; dark text is read on both in every theme.
    static constexpr QRgb went = 0xff4cab86, came = 0xff8fa6cf, onBar = 0xff0d1117;

    ComparedParts parts;
    std::vector<CauseOfChange> steps;  ///< of kind waterfall
    std::array<std::shared_ptr<const ShownIteration>, 2> shown = {};  ///< the iterations of `parts`

    struct Row {
        QString name, more, note;  ///< "GPU operations", "+646 µs", "no longer hidden, 12 in each"
        Ns by = 0;  ///< ns that B has more
        Ns a = 0, b = 0;
    };
    std::vector<Row> rows() const;
    int height() const;
    /// Whether no chosen iteration is shown.
    bool isTypical() const;
    /// "An iteration of B is 5.4 times as fast: 4.04 ms → 743 µs", and the same of the average ones where these two
    /// hide them (ComparedParts::hides_the_average).
    QString title() const;
    /// All that is known of the row at a height, a line each: "between calls, not recorded", "A 3.07 ms, B 30 µs:
    /// −3.04 ms", "gone"; empty over and under the rows.
    QStringList tipAt(double y) const;
    /// What it says, the title first, then a line a step: "GPU operations: +646 µs, no longer hidden".
    QStringList lines() const;
    /// With its top left corner at the painter's origin, `width` × height(). `xOf`: where a time of A lies.
    void paint(QPainter& painter, const Theme& theme, LabelPainter& labels, int width,
        const std::function<double(Ns)>& xOf, bool vector) const;
};

}  // namespace lanes::gui
