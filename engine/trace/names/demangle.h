// SPDX-License-Identifier: MIT
// C++ names as the compiler writes them ("mangled", _ZN2at6native3addEPf) -> as people do (at::native::add(float*)).
//
// By libiberty rather than abi::__cxa_demangle: that one takes no name of more than 1,024 characters, such as CUTLASS's
// (torch.profiler leaves them mangled for the same reason), and has no bound on its result. A hostile name of 225
// characters would become one of 140 MB, since a mangled name may refer to its own parts any number of times.
//
// Bounds: a name of at most 16 KiB, whose text is at most 16 times as long (CUTLASS's: 7 times) and has at most 50,000
// parts, each counted as often as the name refers to it. Cost: some 10 us for a usual name, at most 10 ms for a hostile
// one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lanes {

/// Nothing if the name is not mangled, not understood or beyond the bounds.
std::optional<std::string> demangled(std::string_view name);

}  // namespace lanes
