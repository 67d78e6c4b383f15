// SPDX-License-Identifier: MIT
#include "engine/trace/utf8.h"

#include <algorithm>

namespace lanes {

std::size_t utf8_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows
        = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) { return byte(i) >= low && byte(i) <= high; };
    if (text.empty()) {
        return 0;
    }
    const unsigned lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return follows(1) ? 2 : 0;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        return follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        return follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

char32_t code_point_of(std::string_view text)
{
    const auto length = utf8_length(text);
    if (length == 0) {
        return 0;
    }
    const auto lead = static_cast<unsigned char>(text.front());
    char32_t point = length == 1 ? lead : lead & (0x3FU >> (length - 1));
    for (std::size_t i = 1; i < length; ++i) {
        point = point << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    return point;
}

std::string valid_utf8(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        valid += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return valid;
}

std::string_view utf8_head(std::string_view text, std::size_t most)
{
    std::size_t end = std::min(most, text.size());
    while (end > 0 && end < text.size() && continues_utf8(text[end])) {
        --end;
    }
    return text.substr(0, end);
}

}  // namespace lanes
