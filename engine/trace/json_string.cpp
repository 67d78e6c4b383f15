// SPDX-License-Identifier: MIT
#include "engine/trace/json_string.h"
#include "engine/trace/utf8.h"

namespace lanes {

void append_json_string(std::string& json, std::string_view text)
{
    static constexpr std::string_view digits = "0123456789abcdef";
    json += '"';
    while (!text.empty()) {
        const auto length = utf8_length(text);
        const auto c = static_cast<unsigned char>(text.front());
        if (length == 0) {
            json += "\xEF\xBF\xBD";
        } else if (c == '"' || c == '\\') {
            json += '\\';
            json += text.front();
        } else if (c < 0x20 || c == 0x7F) {
            json += "\\u00";
            json += digits[c >> 4U];
            json += digits[c & 15U];
        } else {
            json += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    json += '"';
}

std::string json_string(std::string_view text)
{
    std::string json;
    append_json_string(json, text);
    return json;
}

}  // namespace lanes
