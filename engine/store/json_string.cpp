// SPDX-License-Identifier: MIT
#include "engine/store/export/export_text.h"
#include "engine/trace/utf8.h"

namespace lanes {

std::string json_string(std::string_view text)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const auto c = static_cast<unsigned char>(text[at]);
        const auto length = utf8_length(text.substr(at));
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            ++at;
            continue;
        }
        if (c == '"' || c == '\\') {
            out += '\\';
            out += text[at];
        } else if (c < 0x20 || c == 0x7F) {
            out += "\\u00";
            out += digits[c >> 4U];
            out += digits[c & 15U];
        } else {
            out += text.substr(at, length);
        }
        at += length;
    }
    return out + '"';
}

}  // namespace lanes
