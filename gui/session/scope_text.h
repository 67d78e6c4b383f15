// SPDX-License-Identifier: MIT
// What figures of Workspace::scope() are of, said beside them.
#pragma once

#include "gui/timeline/scope.h"

#include <QString>

#include <cstddef>

namespace lanes::gui {

/// "selected range, 2.00 ms to 5.00 ms", "part that repeats, 8.34134 s to 8.35404 s", "whole recording"; of both where
/// two `recordings` are open.
QString scopeText(const Scope& scope, std::size_t recordings);

}  // namespace lanes::gui
