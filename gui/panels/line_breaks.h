// SPDX-License-Identifier: MIT
// Where a text may be broken into lines: in names of kernels, which have no spaces, and never in a figure.
#pragma once

#include <QString>

namespace lanes::gui {

/// With a space that does not break between each figure and its unit: "5.18 µs".
QString wholeFigures(QString text);

/// The same, with places where a line may end after punctuation, but for that between two digits, and
/// before the words of winogradWgradDelta.
QString breakable(const QString& text);

}  // namespace lanes::gui
