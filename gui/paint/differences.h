// SPDX-License-Identifier: MIT
// How two recordings differ in their total, busy and overlap times, in what waits cost and in what they hide, of the
// whole or of a range:
// the figures, the words, and the strip of them between the recordings in the window and in pictures.
//
// The figures are exact; one that a recording does not hold stays unknown, and the text says so. Cost: log n a figure
// of a range.
#pragma once

#include "gui/lanes/lane_model.h"
#include "gui/lanes/shown_iteration.h"
#include "gui/paint/label_painter.h"

#include <array>
#include <memory>
#include <optional>
#include <QStringList>
#include <vector>

namespace lanes::gui {

struct SideFigures {
    std::optional<Ns> total;  ///< of the whole or of an iteration
    bool isWide = false;  ///< it is predicted, and no single figure of its total is said
    std::optional<WideTotal::Range> between = {};  ///< in its place, where that is known
    std::optional<Ns> busy, overlap;
    std::optional<Ns> waitCost;  ///< of the first thread; of the whole, Verdict::waits_cost
    std::optional<Ns> communicationHidden;  ///< of the whole alone, where GPUs communicate
    std::optional<Ns> cpuFree;  ///< of the whole alone
    std::shared_ptr<const Report> report = nullptr;  ///< of the whole, where it is known
    std::optional<ComparedValue> compared = {};  ///< of the whole alone
};
/// Of a part of what the lanes show, or of all of it: see shownFiguresOf().
SideFigures sideFiguresOf(const LaneModel& model, std::optional<Interval> part = {});

/// Of one iteration; its length is the total.
SideFigures sideFiguresOf(const LaneModel& model, const ShownIteration& iteration);

/// How `other` differs from `reference`, in words: "2.9 times as much", "61 % less", "only in B", "A does not say".
QString differenceWords(std::optional<Ns> reference, std::optional<Ns> other, QChar referenceLetter, QChar otherLetter);

/// First what differs in work and bytes read, then times: runs of different work are not compared by "times
/// less", and what read wrong bytes says so first.
struct Differences {
    static constexpr int strip_height = 40;

    std::array<SideFigures, 2> sides;  ///< A, B
    int reference = 0;  ///< the side that the other is compared with
    QString scope;  ///< "whole", "selected 12.3 ms"
    bool filtered = false;  ///< a filter hides some events: what is shown is counted, but for the total and the reads
    QString alignment;  ///< empty: at their starts
    bool isTold = true;  ///< false: nothing is said, as long as the runs are revealed

    /// What predictions that are too wide for a single figure say in its place: their interval of what the changes are
    /// limited to, or of all. `ranges` are what the figures are of, each in its own time; nothing: of all.
    void takeWideTotals(const std::array<RecordingPtr, 2>& of, const std::optional<Ranges>& ranges);

    struct Cell {
        QString name, values, change, words;
    };
    std::vector<Cell> cells() const;
    QString scopeText() const;  ///< with a filter: says so
    /// What it says, a line a figure: "total: 50.6 ms → 17.3 ms, −33.3 ms, 2.9 × less".
    QStringList lines() const;
    /// With its top left corner at the painter's origin, `width` × strip_height; the figures end at `right`.
    void paint(QPainter& painter, const Theme& theme, LabelPainter& labels, int width, double right, bool vector) const;
};

}  // namespace lanes::gui
