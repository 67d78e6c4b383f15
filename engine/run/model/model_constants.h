// SPDX-License-Identifier: MIT
// The constants of a model device by their names in its file, for code that reads, writes or fits them.
#pragma once

#include "engine/run/model/model_device.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace lanes {

enum class ModelUnit { none, time, size, rate, operations };

struct ModelConstant {
    std::string_view name;
    std::variant<Ns ModelDevice::*, double ModelDevice::*, std::uint32_t ModelDevice::*> member;
    ModelUnit unit;
};

/// All of them, in the order of the file.
std::span<const ModelConstant> model_constants();

/// nullptr: there is no such constant. Cost: linear in the constants.
const ModelConstant* find_model_constant(std::string_view name);

/// In ns, bytes, bytes/s, operations/s or as a plain number.
double value_of(const ModelDevice& device, const ModelConstant& constant);
/// Times and counts are rounded. Needs a value that the constant can have: see is_possible().
void set_value(ModelDevice& device, const ModelConstant& constant, double value);
/// False for values that a device file may not have: a rate of 0, a time over 1000 s, a count below 1.
bool is_possible(const ModelConstant& constant, double value);

/// As in the file, with four digits or, for a time, to the nanosecond: "3.4 us", "55.3 GB/s", "132".
std::string text_of(const ModelConstant& constant, double value);

}  // namespace lanes
