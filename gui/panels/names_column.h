// SPDX-License-Identifier: MIT
// The first column of a table of figures: as wide as its names, so that a figure is beside its name however wide
// the table is.
#pragma once

class QTreeView;

namespace lanes::gui {

/// Gives column 0 what its names need, at most what the others leave, which are as wide as their contents;
/// longer ones are cut in the middle. To be called when rows or the width of the table changed. Cost: as QHeaderView's
/// for contents, a bounded number of rows.
void fitNames(QTreeView* table);

}  // namespace lanes::gui
