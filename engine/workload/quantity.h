// SPDX-License-Identifier: MIT
// Values in workloads: numbers, sizes ("64 MiB"), times ("2 ms"), true and false, text. A value has a dimension, so
// that a time in place of a size is an error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

enum class Dimension : unsigned char { number, bytes, time, boolean, text };

/// "a number", "a size such as 64 MiB", …: for messages.
std::string_view described(Dimension dimension);

struct Value {
    Dimension dimension = Dimension::number;
    double number = 0;  ///< bytes, ns, or 0 and 1 of a boolean
    std::string text;  ///< of Dimension::text
};

/// The value of one `unit` ("KiB": 1024 bytes, "ms": 1e6 ns); nothing if there is no such unit.
/// B, kB, MB, GB, KiB, MiB, GiB; ns, us, µs, ms, s.
std::optional<Value> unit_value(std::string_view unit);

/// Names of all units, for suggestions.
const std::vector<std::string>& unit_names();

/// Parses "64 MiB", "2 ms", "3", "true" or any other text, without arithmetic. Throws ExpressionError
/// (engine/workload/expression.h) for a number that is followed by anything but a known unit.
Value parse_literal(std::string_view text);

/// The value as in a workload, in the largest unit that needs no fraction, else with up to six digits.
std::string to_text(const Value& value);

}  // namespace lanes
