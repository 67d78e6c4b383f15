// SPDX-License-Identifier: MIT
// Annotations of files that were opened, kept in the settings as marks are: those of the hundred files that were
// annotated last, each as long as the file does not change.
#pragma once

#include "gui/lanes/annotation.h"

#include <QString>

#include <optional>
#include <vector>

namespace lanes::gui {

void rememberAnnotations(const QString& file, const std::vector<Annotation>& annotations);
/// Nothing where there are none of this file as it is now.
std::optional<std::vector<Annotation>> recalledAnnotations(const QString& file);

}  // namespace lanes::gui
