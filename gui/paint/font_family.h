// SPDX-License-Identifier: MIT
// The bundled font under a name of our own. The host may have a font of the same
// name, in another version, and Qt would take either of them: pictures would depend
// on what is installed.
#pragma once

#include <QByteArray>

namespace lanes::gui {

/// An OpenType font whose family, as its table of names has it, begins with `to` in place of `from`; its PostScript
/// name stays. Both are ASCII of one length. What is no such font comes back as it is.
QByteArray withFontFamily(QByteArray font, const QByteArray& from, const QByteArray& to);

}  // namespace lanes::gui
