// SPDX-License-Identifier: MIT
// The colour of an item's bar in the lanes, for what stands for it elsewhere: the card, a row of the summary.
#pragma once

#include "gui/lanes/lane_model.h"
#include "gui/paint/theme.h"

namespace lanes::gui {

/// With the shade of its name; that of quiet texts where the item is on no lane, or there are none (null).
inline QColor barColor(const LaneModel* model, ItemRef item, const Theme& theme)
{
    const auto place = model != nullptr ? model->find(item) : std::nullopt;
    if (!place) {
        return theme.muted;
    }
    const LaneRow& row = model->lanes()[place->lane].rows[place->row];
    return theme.item(row.items.role(place->item), row.items.shade(place->item), row.shade);
}

}  // namespace lanes::gui
