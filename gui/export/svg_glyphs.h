// SPDX-License-Identifier: MIT
// Texts of an SVG file as shapes. A font that is embedded by its file is taken by browsers alone: librsvg, Inkscape and
// office programs put another one in its place, with other widths. Shapes look the same in all of them. Glyphs that the
// bundled font lacks (Chinese) have the shapes of the host's font.
#pragma once

#include "gui/export/picture_options.h"

#include <QByteArray>
#include <QHash>

class QRawFont;

namespace lanes::gui {

class SvgGlyphs {
public:
    explicit SvgGlyphs(SvgText kind)
        : m_kind(kind)
    {
    }

    /// What replaces a <text> element as QSvgGenerator writes it; "" where texts stay what they are. Cost: lays the
    /// text out.
    QByteArray shapesOf(const QByteArray& text);
    /// The glyphs that were used so far, in the order of their first use.
    QByteArray definitions() const;

private:
    /// "" of one without ink.
    QByteArray nameOf(const QRawFont& font, quint32 glyph);

    SvgText m_kind;
    QHash<QByteArray, int> m_fonts;  // by family and style: their number in the file
    QHash<QByteArray, bool> m_drawn;  // by the glyph's name: whether it has ink
    QByteArray m_definitions;
};

}  // namespace lanes::gui
