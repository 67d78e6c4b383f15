// SPDX-License-Identifier: MIT
#include "engine/analysis/words/seams.h"

#include <utility>

namespace lanes {

namespace {

bool is_chinese(char32_t c)
{
    return (c >= 0x3400 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

bool is_latin(char32_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || c == 0xb5;
}

/// Of well-formed UTF-8; 0: there is none.
char32_t first_of(std::string_view text)
{
    if (text.empty()) {
        return 0;
    }
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length && i < text.size(); ++i) {
        c = (c << 6U) | (static_cast<unsigned char>(text[i]) & 0x3fU);
    }
    return c;
}

char32_t last_of(std::string_view text)
{
    auto at = text.size();
    while (at > 0 && (static_cast<unsigned char>(text[at - 1]) & 0xc0U) == 0x80) {
        --at;
    }
    return first_of(text.substr(at == 0 ? 0 : at - 1));
}

}  // namespace

bool wants_space(char32_t before, char32_t after)
{
    return (is_chinese(before) && is_latin(after)) || (is_latin(before) && is_chinese(after));
}

void append_spaced(std::string& text, std::string_view more)
{
    if (wants_space(last_of(text), first_of(more))) {
        text += ' ';
    }
    text += more;
}

}  // namespace lanes
