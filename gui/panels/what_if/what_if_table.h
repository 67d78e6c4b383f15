// SPDX-License-Identifier: MIT
// The table of the What-if panel: a row for each prediction, its interval on a scale with the recorded total.
#pragma once

#include "engine/replay/whatif.h"

#include <QTreeWidget>

namespace lanes::gui {

enum WhatIfColumn {
    change_column,
    predicted_column,
    scale_column,
    gain_column,
    interval_column,
    class_column,
    what_if_columns
};

QTreeWidget* makeWhatIfTable();

/// The names and figures have the room that they need, the scale has the rest; where that is too little there is none,
/// and where names have too little the class is beside the table alone.
void placeColumns(QTreeWidget* table);

struct WhatIfScale {
    Ns recorded = 0;
    Ns longest = 0;  ///< of all that the table shows
};
/// All but the change itself.
void showPrediction(QTreeWidgetItem* item, const replay::Prediction& prediction, const WhatIfScale& scale);
/// Of what was recorded (`total` is the recorded one), or of what is not known, whose time is `total`.
void showUnpredicted(QTreeWidgetItem* item, const QString& total, bool isRecorded, const WhatIfScale& scale);

}  // namespace lanes::gui
