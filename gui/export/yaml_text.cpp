// SPDX-License-Identifier: MIT
#include "gui/export/yaml_text.h"

#include <cstdlib>
#include <fmt/format.h>

namespace lanes::gui {

std::string yamlQuoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c == '\n'                          ? std::string("\\n")
            : static_cast<unsigned char>(c) < ' ' ? std::string(" ")
                                                  : std::string(1, c);
    }
    return out + '"';
}

std::string yamlTime(Ns time)
{
    return fmt::format("{}{}.{:03} us", time < 0 ? "-" : "", std::abs(time / 1000), std::abs(time % 1000));
}

}  // namespace lanes::gui
