// SPDX-License-Identifier: MIT
#include "engine/trace/csv.h"

#include "engine/trace/utf8.h"

namespace lanes {

std::string csv_field(std::string_view bytes)
{
    std::string text = valid_utf8(bytes);
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

}  // namespace lanes
