// SPDX-License-Identifier: MIT
// The marks of files that they are not saved in, in the settings: by the file's absolute path, as long as the file is
// the same. Those of the last hundred files are kept.
#pragma once

#include "gui/lanes/marks.h"

#include <QString>

namespace lanes::gui {

/// Instead of what was remembered of that file. No marks are remembered as well: they were removed.
void rememberMarks(const QString& file, const std::vector<UserMark>& marks);
/// Nothing where none were remembered, or where the file changed since.
std::optional<std::vector<UserMark>> recalledMarks(const QString& file);
/// The file holds them itself now.
void forgetMarks(const QString& file);

}  // namespace lanes::gui
