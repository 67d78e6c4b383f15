// SPDX-License-Identifier: MIT
#include "engine/analysis/words/seams.h"

#include "engine/ascii.h"
#include "engine/trace/utf8.h"

#include <utility>

namespace lanes {

namespace {

bool is_chinese(char32_t c)
{
    return (c >= 0x3400 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

bool is_latin(char32_t c)
{
    return (c < 0x80 && ascii::is_letter_or_digit(static_cast<char>(c))) || c == '%' || c == 0xb5;
}

char32_t last_of(std::string_view text)
{
    auto at = text.size();
    while (at > 0 && continues_utf8(text[at - 1])) {
        --at;
    }
    return code_point_of(text.substr(at == 0 ? 0 : at - 1));
}

}  // namespace

bool wants_space(char32_t before, char32_t after)
{
    return (is_chinese(before) && is_latin(after)) || (is_latin(before) && is_chinese(after));
}

void append_spaced(std::string& text, std::string_view more)
{
    if (wants_space(last_of(text), code_point_of(more))) {
        text += ' ';
    }
    text += more;
}

std::string tight_percents(std::string text)
{
    for (auto at = text.find(" %"); at != std::string::npos; at = text.find(" %", at + 1)) {
        if (at > 0 && ascii::is_digit(text[at - 1])) {
            text.erase(at, 1);
        }
    }
    return text;
}

}  // namespace lanes
