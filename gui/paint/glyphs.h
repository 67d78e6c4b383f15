// SPDX-License-Identifier: MIT
// Whether this machine can show a text at all: the bundled font has no Chinese
// characters, so they come from a font of the machine, if it has one.
#pragma once

#include <QString>

namespace lanes::gui {

/// Whether every character of `text` has a glyph in the bundled font or in what the machine puts in its place. Cost:
/// lays the text out. Needs a QGuiApplication.
bool hasGlyphsFor(const QString& text);

/// "" where `language` ("zh_CN") can be shown here; else which package brings its glyphs, in English, since what is
/// said in that language could not be read.
QString missingGlyphs(const QString& language);

}  // namespace lanes::gui
