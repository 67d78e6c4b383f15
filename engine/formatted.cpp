// SPDX-License-Identifier: MIT
#include "engine/formatted.h"

#include <fmt/format.h>

namespace lanes {

std::string format_arguments(fmt::string_view text, fmt::format_args arguments)
{
    return fmt::vformat(text, arguments);
}

}  // namespace lanes
