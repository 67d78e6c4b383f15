// SPDX-License-Identifier: MIT
// The short name of a kernel: what tells it from others. Without return type, parameters, namespaces and "kernel"; of a
// loop its functor ("add" of vectorized_elementwise_kernel<…CUDAFunctor_add…>), of a matrix product its tile and layout
// ("nvjet 64×128 bias TNT"), of Triton's kernels what was fused ("add rmsnorm #3"), with a generic name its namespace
// ("internode combine").
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// "void at::native::add<float>(float*, int)" -> "add". Words with spaces are returned unchanged: somebody gave them.
/// Cost: some passes over the text.
std::string short_kernel_name(std::string_view demangled);

/// A C++ name without return type and parameters.
struct KernelNameParts {
    std::string path;  ///< with its namespaces, unnamed ones left out: "at::native::add"
    std::string arguments;  ///< of its template, without the outermost brackets: "float, 4"
};
/// A name that is not C++ is all path. Cost: one pass over the text.
KernelNameParts split_kernel_name(std::string_view demangled);

/// The same without any template argument, as in column shortName of Nsight Systems' exports.
std::string bare_kernel_name(std::string_view demangled);

}  // namespace lanes
