// SPDX-License-Identifier: MIT
// The buttons to the hit before and to the next, of a search and of what a panel marked.
#pragma once

class QAbstractButton;

namespace lanes::gui {

struct HitButtons {
    /// Gives both their signs, names and tips. They belong to whoever lays them out.
    HitButtons(QAbstractButton* before, QAbstractButton* after);
    void setEnabled(bool enabled) const;

    QAbstractButton* previous;
    QAbstractButton* next;
};

}  // namespace lanes::gui
