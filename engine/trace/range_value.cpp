// SPDX-License-Identifier: MIT
#include "engine/trace/range_value.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace lanes {

namespace {

constexpr std::size_t digits_of_id = 16;

template <class... Form> std::string written(Form... number)
{
    std::array<char, 64> text {};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number...).ptr;
    return {text.data(), end};
}

template <class Number, class... Base> bool read(std::string_view text, Number& number, Base... base)
{
    const auto* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, base...);
    return error == std::errc() && stop == end && !text.empty();
}

}  // namespace

std::string text_of(const Trace& trace, const RangeValue& value)
{
    switch (value.type) {
    case RangeValueRecord::integer:
        return written(static_cast<std::int64_t>(value.value));
    case RangeValueRecord::natural:
        return written(value.value);
    case RangeValueRecord::real: {
        auto text = written(std::bit_cast<double>(value.value));
        return text.find_first_of(".ein") == std::string::npos ? text + ".0" : text;
    }
    case RangeValueRecord::text:
        return std::string(trace.text(value.words));
    case RangeValueRecord::id:
        return text_of_id(value.value);
    }
    return {};
}

std::string text_of_id(std::uint64_t id)
{
    const auto digits = written(id, 16);
    return "0x" + std::string(digits_of_id - digits.size(), '0') + digits;
}

std::string values_text(const Trace& trace, Row range)
{
    std::string text;
    for (const auto& value : trace.values_of(range)) {
        text += text.empty() ? "" : " ";
        text += trace.text(value.name);
        text += "=" + text_of(trace, value);
    }
    return text;
}

bool read_number(std::string_view text, RangeValueRecord& record)
{
    if (text.starts_with("0x") && text.size() == digits_of_id + 2) {
        record.type = RangeValueRecord::id;
        return read(text.substr(2), record.value, 16);
    }
    record.type = RangeValueRecord::natural;
    if (read(text, record.value)) {
        return true;
    }
    if (std::int64_t number = 0; read(text, number)) {
        record.type = RangeValueRecord::integer;
        record.value = static_cast<std::uint64_t>(number);
        return true;
    }
    if (double number = 0; read(text, number) && std::isfinite(number)) {
        record.type = RangeValueRecord::real;
        record.value = std::bit_cast<std::uint64_t>(number);
        return true;
    }
    return false;
}

}  // namespace lanes
