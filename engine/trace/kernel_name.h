// SPDX-License-Identifier: MIT
// The short name of a kernel: its demangled name without return type, namespaces,
// template arguments and parameters.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// "void at::native::add<float>(float*, int)" -> "add". A name that is none of C++'s comes back as it is.
/// Cost: one pass over the text.
std::string short_kernel_name(std::string_view demangled);

}  // namespace lanes
