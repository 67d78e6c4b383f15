// SPDX-License-Identifier: MIT
// What a panel shows is of the scope before, until that of the present one is found.
#pragma once

#include <QPainter>
#include <QWidget>

namespace lanes::gui {

/// Over what was painted on `viewport`, in its paintEvent().
inline void paintOldVeil(QWidget* viewport, bool isOld)
{
    if (isOld) {
        constexpr double strength = 0.6;
        QColor veil = viewport->palette().color(QPalette::Base);
        veil.setAlphaF(strength);
        QPainter(viewport).fillRect(viewport->rect(), veil);
    }
}

}  // namespace lanes::gui
