// SPDX-License-Identifier: MIT
// The short name of a kernel: its demangled name without return type, namespaces, template arguments and parameters.
// Many kernels of CUTLASS and PyTorch share one name; they keep the template argument that tells them apart:
// cutlass_80_simt_sgemm_64x64_8x5_tn_align1 instead of Kernel2, vectorized_elementwise_kernel<AddFunctor>.
#pragma once

#include <string>
#include <string_view>

namespace lanes {

/// "void at::native::add<float>(float*, int)" -> "add". A name that is not C++ is returned unchanged.
/// Cost: one pass over the text.
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
