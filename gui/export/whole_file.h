// SPDX-License-Identifier: MIT
// Saving a small file, and what is said where that fails.
#pragma once

#include <QByteArray>
#include <QString>

namespace lanes::gui {

/// Writes all of a file or nothing of it, as AtomicFile does; "", or a sentence in the window's language that says
/// which file cannot be written and why.
QString saveWhole(const QString& path, const QByteArray& bytes);

/// That sentence: "/tmp/a.png cannot be written: No space left on device".
QString notWritten(const QString& path, const QString& why);

}  // namespace lanes::gui
