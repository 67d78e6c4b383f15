// SPDX-License-Identifier: MIT
// Draws copies of pageable memory over their plain bars: an outline, a pale ground, and a comb filled for the share of
// time in which bytes move (staged_copies.h). Where the teeth are is not recorded: they are evenly spaced from the
// start of the copy.
#pragma once

#include "gui/paint/theme.h"

#include <QPainter>

#include <optional>

namespace lanes::gui {

struct TimelineFrame;

/// A staged copy that is drawn on its own.
struct StagedBar {
    static constexpr double least_width = 8;  ///< logical pixels: what is narrower is a bar like others

    QRectF box;  ///< what of it is in sight
    double start;  ///< x of its start, maybe out of sight
    double share;  ///< of moving bytes, 0 to 1
    ItemRole role;  ///< h2d or d2h
};

/// The role of a copy that a frame shows as staged, if it does: for its legend.
std::optional<ItemRole> shownStaged(const TimelineFrame& frame);

/// Cost: of the teeth in sight.
void paintStaged(QPainter& painter, const Theme& theme, const StagedBar& bar);

/// For legends.
void paintStagedSwatch(QPainter& painter, const Theme& theme, ItemRole role, const QRectF& box);

}  // namespace lanes::gui
