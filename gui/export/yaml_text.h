// SPDX-License-Identifier: MIT
// How the small YAML files that the window writes, annotations and sessions, say texts and times.
#pragma once

#include "engine/trace/units.h"

#include <string>
#include <string_view>

namespace lanes::gui {

/// In double quotes. Control characters are spaces, but for line breaks.
std::string yamlQuoted(std::string_view text);
/// "-12.345 us": every ns is kept.
std::string yamlTime(Ns time);

}  // namespace lanes::gui
