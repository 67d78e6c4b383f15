// SPDX-License-Identifier: MIT
// Values as workloads write them: numbers, sizes ("64 MiB"), times ("2 ms"), true and false, words. A value knows
// its dimension, so a time that stands where bytes belong is an error and never a number of bytes.
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

/// The value of one `unit` ("KiB": 1024 bytes, "ms": 1e6 ns); nothing where there is no such unit.
/// B, kB, MB, GB, KiB, MiB, GiB; ns, us, µs, ms, s.
std::optional<Value> unit_value(std::string_view unit);

/// Names of all units, for suggestions.
const std::vector<std::string>& unit_names();

/// "64 MiB", "2 ms", "3", "true" or any other word, without arithmetic. Throws ExpressionError
/// (engine/workload/expression.h) for a number with an unknown unit or with anything behind it.
Value parse_literal(std::string_view text);

/// The value as a workload would write it, in the largest unit that needs no fraction, else with up to six digits.
std::string to_text(const Value& value);

}  // namespace lanes
