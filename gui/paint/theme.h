// SPDX-License-Identifier: MIT
// The colours of a theme and the bundled font. The palette is safe for colour-blind
// eyes (kernels blue, H2D green, D2H reddish purple, blocking vermilion), and the
// overlap levels are ordered in lightness.
//
// Colours are opaque: what looks translucent was blended before it is drawn.
#pragma once

#include "gui/lanes/item_role.h"

#include <array>
#include <cstdint>
#include <QColor>
#include <QFont>
#include <QString>

namespace lanes::gui {

struct Theme {
    QString name;  ///< "dark", "light" or "print"
    QColor background, panel, chip, line, grid, text, muted, ink, accent, shade;
    QColor hit;  ///< what a search found
    QColor pillBlocking, pillBlockingText, pillOverlapped, pillOverlappedText, pillNeutral, pillNeutralText;
    QColor pillModel, pillModelText;
    QColor overlapIdle, hatchGround, counter;
    std::array<QColor, itemRoleCount> items;

    const QColor& item(ItemRole role) const { return items[static_cast<std::size_t>(role)]; }
    bool isDark() const { return background.lightness() < 128; }
    /// For paper, maybe without colours: bars and swatches differ by more than their colour (role_mark.h).
    bool marked() const { return name == QLatin1String("print"); }
    /// The colour of a text on an item's.
    const QColor& textOn(const QColor& ground) const { return ground.lightness() > 105 ? ink : text; }

    /// One of the themes that are compiled in; an unknown name gives the dark one.
    static const Theme& named(const QString& name);
    static QStringList names();
};

/// `share` of `top` over `bottom`, in sRGB as the eye is used to from every other program.
QColor blend(const QColor& bottom, const QColor& top, double share);

enum class TextStyle : std::uint8_t { regular, medium, semiBold };

/// What the bundled font, Inter, is called in here: no host has a font of that name, see font_family.h.
inline constexpr const char* bundled_family = "Lanes";

/// The bundled font at `pixels`, without hinting, so that pictures do not depend on the host. Needs a QGuiApplication.
QFont bundledFont(double pixels, TextStyle style = TextStyle::regular);

}  // namespace lanes::gui
