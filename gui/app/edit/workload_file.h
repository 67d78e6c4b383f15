// SPDX-License-Identifier: MIT
// The text of a workload in its file.
#pragma once

#include <QString>

#include <optional>

namespace lanes::gui {

/// Nothing where it cannot be read, or is over 4 MiB and so no workload.
std::optional<QString> workloadText(const QString& file);

/// Whole or not at all; makes the folder. "", or which file cannot be written and why, one line.
QString writeWorkload(const QString& file, const QString& text);

}  // namespace lanes::gui
