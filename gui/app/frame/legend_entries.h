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
    QString text;
    QString sentence;  ///< what it means
    QString query;  ///< that filters to it; "": nothing to filter by
    std::optional<IdleReason> idle = {};  ///< of the bars that say why streams are idle; a click shows or hides these
};

/// Of the lanes of both, each kind once. Cost: a look at up to 20,000 items of each row.
std::vector<LegendItem> legendOf(const std::vector<const LaneModel*>& models);

}  // namespace lanes::gui
