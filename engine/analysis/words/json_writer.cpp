// SPDX-License-Identifier: MIT
#include "engine/analysis/words/json_writer.h"

#include "engine/trace/json_string.h"

#include <array>
#include <charconv>
#include <cmath>

namespace lanes {

namespace {

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
    append_json_string(m_text, name);
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
    append_json_string(m_text, text);
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

void write_cut(JsonWriter& json, std::string_view array, std::uint64_t shown, std::uint64_t of, std::string_view all)
{
    json.key("cut").begin_object().key(array).begin_object();
    json.field("shown", shown).field("of", of).field("all", all).end_object().end_object();
}

}  // namespace lanes
