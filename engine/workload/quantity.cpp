// SPDX-License-Identifier: MIT
#include "engine/workload/quantity.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace lanes {

namespace {

struct Unit {
    std::string_view name;
    Dimension dimension;
    double factor;
    bool shown;  // used when a value is written
};

constexpr std::array<Unit, 13> units {{
    {"B", Dimension::bytes, 1, true},
    {"KiB", Dimension::bytes, 1024, true},
    {"MiB", Dimension::bytes, 1024.0 * 1024, true},
    {"GiB", Dimension::bytes, 1024.0 * 1024 * 1024, true},
    {"kB", Dimension::bytes, 1e3, false},
    {"MB", Dimension::bytes, 1e6, false},
    {"GB", Dimension::bytes, 1e9, false},
    {"ns", Dimension::time, 1, true},
    {"us", Dimension::time, 1e3, true},
    {"\u00B5s", Dimension::time, 1e3, false},  // micro sign
    {"\u03BCs", Dimension::time, 1e3, false},  // Greek mu
    {"ms", Dimension::time, 1e6, true},
    {"s", Dimension::time, 1e9, true},
}};

std::string number_text(double number)
{
    std::array<char, 40> text {};
    if (number == std::floor(number) && std::fabs(number) < 1e15) {
        std::snprintf(text.data(), text.size(), "%.0f", number == 0 ? 0.0 : number);
    } else {
        std::snprintf(text.data(), text.size(), "%.6g", number);
    }
    return text.data();
}

}  // namespace

std::string_view described(Dimension dimension)
{
    switch (dimension) {
    case Dimension::number:
        return "a number";
    case Dimension::bytes:
        return "a size such as 64 MiB";
    case Dimension::time:
        return "a time such as 2 ms";
    case Dimension::boolean:
        return "true or false";
    case Dimension::text:
        return "a word";
    }
    return "";
}

std::optional<Value> unit_value(std::string_view name)
{
    for (const auto& unit : units) {
        if (unit.name == name) {
            return Value {unit.dimension, unit.factor, {}};
        }
    }
    return std::nullopt;
}

const std::vector<std::string>& unit_names()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        all.reserve(units.size());
        for (const auto& unit : units) {
            all.emplace_back(unit.name);
        }
        return all;
    }();
    return names;
}

std::string to_text(const Value& value)
{
    switch (value.dimension) {
    case Dimension::text:
        return value.text;
    case Dimension::boolean:
        return value.number != 0 ? "true" : "false";
    case Dimension::number:
        return number_text(value.number);
    case Dimension::bytes:
    case Dimension::time:
        break;
    }
    // The largest unit that leaves a short number; a size of 1.5 GiB is better in MiB.
    const Unit* best = nullptr;
    for (const auto& unit : units) {
        if (unit.shown && unit.dimension == value.dimension) {
            const double scaled = value.number / unit.factor;
            const bool short_number = scaled * 1000 == std::floor(scaled * 1000) && std::fabs(scaled) >= 1;
            if (best == nullptr || short_number) {
                best = &unit;
            }
        }
    }
    if (best == nullptr) {
        return number_text(value.number);
    }
    return number_text(value.number / best->factor) + ' ' + std::string(best->name);
}

}  // namespace lanes
