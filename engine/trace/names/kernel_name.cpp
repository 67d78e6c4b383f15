// SPDX-License-Identifier: MIT
#include "engine/trace/names/kernel_name.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lanes {

namespace {

// CUTLASS's entry points: their first template argument is what they run.
constexpr std::array cutlass_shells = {"Kernel", "Kernel2", "device_kernel"};
// PyTorch's: ATen/native/cuda/{CUDALoops,Reduce,MultiTensorApply}.cuh.
constexpr std::array pytorch_shells = {"vectorized_elementwise_kernel", "unrolled_elementwise_kernel",
    "elementwise_kernel", "elementwise_kernel_with_index", "vectorized_templated_elementwise_kernel", "reduce_kernel",
    "multi_tensor_apply_kernel"};
// Types among their arguments that only wrap another type, or hold its operands.
constexpr std::array wrappers = {"AUnaryFunctor", "BUnaryFunctor", "BinaryFunctor", "ReduceOp", "func_wrapper_t",
    "TensorListMetadata", "TensorListScalarListMetadata", "FusedOptimizerTensorListMetadata", "gpu_kernel_impl",
    "gpu_kernel_impl_nocast", "opmath_gpu_kernel_with_scalars", "opmath_symmetric_gpu_kernel_with_scalars"};
constexpr std::array plain_types = {"unsigned", "signed", "char", "short", "int", "long", "float", "double", "bool",
    "void", "const", "Half", "BFloat16", "complex", "true", "false", "anonymous", "namespace"};

template <std::size_t size> bool is_among(std::string_view name, const std::array<const char*, size>& names)
{
    return std::any_of(names.begin(), names.end(), [&](std::string_view known) { return known == name; });
}

bool is_part_of_name(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The first name in template arguments that says what is computed; empty: none does.
std::string_view work_in(std::string_view arguments)
{
    for (std::size_t at = 0; at < arguments.size();) {
        if (!is_part_of_name(arguments[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < arguments.size() && is_part_of_name(arguments[end])) {
            ++end;
        }
        const auto name = arguments.substr(at, end - at);
        at = end;
        if (std::isdigit(static_cast<unsigned char>(name[0])) != 0 || arguments.substr(end, 2) == "::"
            || is_among(name, wrappers) || is_among(name, plain_types)) {
            continue;
        }
        return name;
    }
    return {};
}

}  // namespace

std::string short_kernel_name(std::string_view demangled)
{
    auto name = bare_kernel_name(demangled);
    const bool cutlass = is_among(name, cutlass_shells);
    if (!cutlass && !is_among(name, pytorch_shells)) {
        return name;
    }
    const auto arguments = demangled.find(name + '<');
    if (arguments == std::string_view::npos || (cutlass && demangled.find("cutlass") == std::string_view::npos)) {
        return name;
    }
    const auto work = work_in(demangled.substr(arguments + name.size()));
    if (work.empty()) {
        return name;
    }
    return cutlass ? std::string(work) : name + '<' + std::string(work) + '>';
}

std::string bare_kernel_name(std::string_view demangled)
{
    if (demangled.find_first_of("(<") == std::string_view::npos && demangled.find("::") == std::string_view::npos) {
        return std::string(demangled);  // no demangled signature, but a given name: "CUDA graph 1"
    }
    // Brackets of any kind hide what is inside. At depth 0 a space or "::" begins a new candidate, the first
    // "(" that follows one ends the name: what comes then are its parameters.
    std::string name;
    int depth = 0;
    for (std::size_t i = 0; i < demangled.size(); ++i) {
        const char c = demangled[i];
        if (depth == 0 && name == "operator" && (c == '(' || c == '<' || c == '>')) {
            const auto end = demangled.find('(', i + 1);  // operator()(…), operator<(…): their brackets are the name
            return name + std::string(demangled.substr(i, end == std::string_view::npos ? end : end - i));
        }
        if (c == '<' || c == '[' || c == '{' || c == '(') {
            if (c == '(' && depth == 0 && !name.empty()) {
                break;
            }
            ++depth;
        } else if (c == '>' || c == ']' || c == '}' || c == ')') {
            depth -= depth > 0 ? 1 : 0;
        } else if (depth == 0) {
            if (c == ' ' || c == ':' || c == '*' || c == '&') {
                name.clear();
            } else {
                name += c;
            }
        }
    }
    return name.empty() ? std::string(demangled) : name;
}

}  // namespace lanes
