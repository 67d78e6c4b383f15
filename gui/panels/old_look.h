// SPDX-License-Identifier: MIT
// How a panel looks while what it shows is of the scope before: paler, until that of the present one is found.
#pragma once

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace lanes::gui {

inline bool hasOldLook(const QWidget* panel)
{
    return panel->property("old").toBool();
}

/// The style sheet has the colour for [old="true"].
inline void setOldLook(QWidget* panel, bool isOld)
{
    if (hasOldLook(panel) != isOld) {
        panel->setProperty("old", isOld);
        panel->style()->unpolish(panel);
        panel->style()->polish(panel);
    }
}

}  // namespace lanes::gui
