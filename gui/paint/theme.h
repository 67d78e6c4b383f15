// SPDX-License-Identifier: MIT
// The colours of a theme and the bundled font. The palette is safe for colour-blind
// eyes (kernels blue, H2D green, D2H reddish purple). Vermilion means lost time and nothing else, and the
// overlap levels are ordered in lightness. Families of kernels have the colours of resources/families.yaml, which a
// user may change; other themes than the light one take theirs from these. Fills that lie side by side on GPU lanes are
// at least 10 apart by CIEDE2000 (tst_family_colours).
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
    QColor pillCaution, pillCautionText;  ///< what was not measured, or is wrong: bytes, an entry, a run
    QColor overlapIdle, counter;
    std::array<QColor, 6> heat;  ///< of heat maps, from 0 to the most: ever farther from the ground
    std::array<std::array<QColor, shade_count>, itemRoleCount> items;  ///< by role, then by shade of its name

    /// How a wait fills its bar: slanting lines on a ground, within an edge that has the role's colour.
    struct Hatch {
        QColor line, ground, edge;
        double width;  ///< of a line, along x, of hatch_period; 0: no lines
        bool falls;  ///< from the upper left to the lower right; else it rises
    };
    /// Of copies of pageable memory (staged_painter.h): outline and ground; what moves has the role's colour.
    struct Staged {
        QColor edge, ground;
    };
    static constexpr double hatch_period = 10;  ///< along x, logical pixels: 7 from line to line

    /// `deep`: in a row of this LaneRow::shade.
    const QColor& item(ItemRole role, std::size_t ofName = plain_shade, std::uint8_t deep = 0) const
    {
        return deep > 0 && role == ItemRole::torchOperator ? deeperOperators[std::min<std::size_t>(deep, 2) - 1]
                                                           : items[static_cast<std::size_t>(role)][ofName];
    }
    /// The look of a wait's role (wait_role.h); null: the role is no wait's, and fills its bar with its colour. The
    /// slope tells what costs from what does not, also in grey.
    const Hatch* hatch(ItemRole role) const;
    const Staged& staged(ItemRole role) const { return role == ItemRole::h2d ? stagedUp : stagedDown; }
    bool isDark() const { return background.lightness() < 128; }
    /// For paper, maybe without colours: bars and swatches differ by more than their colour (role_mark.h).
    bool marked() const { return name == QLatin1String("print"); }
    /// The colour of a text on an item's: of a dark and a pale one that with more contrast.
    const QColor& textOn(const QColor& ground) const;

    /// One of the themes that are compiled in; an unknown name gives the dark one.
    static const Theme& named(const QString& name);
    static QStringList names();

    std::array<QColor, 2> deeperOperators;  ///< inside one other operator, and deeper
    std::array<Hatch, 3> hatches;  ///< of held, freeWait, unknownWait
    Staged stagedUp, stagedDown;  ///< of h2d, d2h
};

/// `share` of `top` over `bottom`, in sRGB as the eye is used to from every other program.
QColor blend(const QColor& bottom, const QColor& top, double share);

enum class TextStyle : std::uint8_t { regular, medium, semiBold };

/// What the bundled font, Inter, is called in here: no host has a font of that name, see font_family.h.
inline constexpr const char* bundled_family = "Lanes";

/// The bundled font at `pixels`, without hinting, so that pictures do not depend on the host. Needs a QGuiApplication.
QFont bundledFont(double pixels, TextStyle style = TextStyle::regular);

}  // namespace lanes::gui
