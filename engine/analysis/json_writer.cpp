// SPDX-License-Identifier: MIT
#include "engine/analysis/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

namespace lanes {

namespace {

/// Length of the UTF-8 sequence that `text` begins with; 0 where it begins with none.
std::size_t sequence_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows
        = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) { return byte(i) >= low && byte(i) <= high; };
    const unsigned lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return follows(1) ? 2 : 0;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {  // no over-long forms, no surrogates
        return follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        return follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

void append_string(std::string& out, std::string_view text)
{
    out += '"';
    while (!text.empty()) {
        const auto length = sequence_length(text);
        const auto c = text.front();
        if (length == 0) {
            out += "\xEF\xBF\xBD";
        } else if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr std::string_view digits = "0123456789abcdef";
            out += "\\u00";
            out += digits[static_cast<unsigned char>(c) >> 4U];
            out += digits[static_cast<unsigned char>(c) & 15U];
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += '"';
}

template <class Number> void append_number(std::string& out, Number number)
{
    std::array<char, 32> digits {};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

}  // namespace

void JsonWriter::separate()
{
    if (!m_text.empty() && m_text.back() != '{' && m_text.back() != '[' && m_text.back() != ':') {
        m_text += ", ";
    } else if (!m_text.empty() && m_text.back() == ':') {
        m_text += ' ';
    }
}

JsonWriter& JsonWriter::open(char bracket)
{
    separate();
    m_text += bracket;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket)
{
    m_text += bracket;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name)
{
    separate();
    append_string(m_text, name);
    m_text += ':';
    return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number)
{
    separate();
    append_number(m_text, number);
    return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number)
{
    separate();
    append_number(m_text, number);
    return *this;
}

JsonWriter& JsonWriter::value(double number)
{
    if (!std::isfinite(number)) {
        return null();
    }
    separate();
    append_number(m_text, number);
    return *this;
}

JsonWriter& JsonWriter::value(bool yes)
{
    separate();
    m_text += yes ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text)
{
    separate();
    append_string(m_text, text);
    return *this;
}

JsonWriter& JsonWriter::null()
{
    separate();
    m_text += "null";
    return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json)
{
    separate();
    m_text += json;
    return *this;
}

}  // namespace lanes
