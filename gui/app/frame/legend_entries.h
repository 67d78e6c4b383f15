// SPDX-License-Identifier: MIT
// What the colours and patterns of the lanes mean: an entry for each kind that occurs in what is shown, with a sentence
// and, where events have the kind, the words of a query that filters to them.
#pragma once

#include "gui/lanes/item_role.h"
#include "gui/lanes/lane_model.h"

#include "engine/analysis/graph/idle_reasons.h"

#include <QString>

#include <optional>
#include <vector>

namespace lanes::gui {

struct LegendItem {
    ItemRole role = ItemRole::none;
    QString text = {};
    QString sentence = {};  ///< what it means
    QString query = {};  ///< that filters to it; "": nothing to filter by
    std::optional<double> share = {};  ///< of the time of all GPU operations in the scope, 0 to 1; nothing: not shown
    std::optional<ItemRole> staged = {};  ///< h2d or d2h: it shows how staged copies are drawn
    std::optional<Ns> time = {};  ///< of waits and of what is exposed, in the scope; nothing: not shown
    std::optional<IdleReason> idle = {};  ///< of the bars that say why streams are idle; a click shows or hides these
};

/// What an entry says of its kind: "60 %", "2.43 ms"; "": nothing.
QString figureOf(const LegendItem& item);

/// Of the lanes of both, each kind once. Cost: a look at up to 20,000 items of each row.
std::vector<LegendItem> legendOf(const std::vector<const LaneModel*>& models);

/// Which entries have room in one row, in their order. In pixels: `needs` is the width of each, `gap` lies between two,
/// `more` is the width of the entry for those left out, if any are. Left out first are entries below 1 % of the GPU's
/// time, the smallest first; then those without a figure, from the end; then the smallest of the rest, times last. The
/// first entry is always shown.
std::vector<std::size_t> entriesInOneRow(
    const std::vector<LegendItem>& items, const std::vector<int>& needs, int gap, int more, int width);

/// The filter after a click on an entry whose query is `query`. Without `add`: that alone, or nothing where it was that
/// alone. With `add`: one more of those of the legend that the filter already lets through, or one fewer. "": no
/// filter.
QString filterAfterClick(const QString& filter, const QString& query, bool add);
/// Whether a filter that was made by clicks lets this entry through.
bool isInFilter(const QString& filter, const QString& query);

}  // namespace lanes::gui
