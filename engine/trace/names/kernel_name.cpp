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

KernelNameParts split_kernel_name(std::string_view demangled)
{
    std::string name(demangled);
    for (const std::string_view nameless : {"(anonymous namespace)", "<unnamed>", "{anonymous}"}) {
        for (auto at = name.find(nameless); at != std::string::npos; at = name.find(nameless, at)) {
            name.erase(at, nameless.size());
        }
    }
    KernelNameParts parts;
    if (name.find_first_of("(<") == std::string::npos && name.find("::") == std::string::npos) {
        return {std::move(name), {}};  // no demangled signature, but a given name: "CUDA graph 1"
    }
    // Brackets of any kind hide what is inside. At depth 0 a space begins a new candidate, the first "(" that follows
    // one ends the name: what comes then are its parameters.
    std::string open;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const auto rest = std::string_view(name).substr(i);
        if (open.empty() && parts.path.ends_with("operator") && (c == '(' || c == '<' || c == '>')) {
            parts.path
                += rest.substr(0, rest.find('(', 1));  // operator()(…), operator<(…): their brackets are the name
            break;
        }
        if (c == '<' || c == '[' || c == '{' || c == '(') {
            if (c == '(' && open.empty() && !parts.path.empty()) {
                break;
            }
            if (open.empty() && c == '<') {
                parts.arguments.clear();
            } else if (!open.empty() && open.front() == '<') {
                parts.arguments += c;
            }
            open += c;
        } else if (c == '>' || c == ']' || c == '}' || c == ')') {
            const bool compares = c == '>' && !open.empty() && open.back() != '<';  // in brackets, or an arrow
            if (!open.empty() && !compares) {
                open.pop_back();
            }
            if (!open.empty() && open.front() == '<') {
                parts.arguments += c;
            }
        } else if (!open.empty()) {
            parts.arguments += open.front() == '<' ? std::string_view(&c, 1) : std::string_view();
        } else if (c != ' ' && c != '*' && c != '&') {
            parts.path += c;
        } else if (!rest.starts_with(" (")) {
            parts = {};
        }
    }
    while (parts.path.starts_with(':')) {
        parts.path.erase(0, 1);
    }
    return parts.path.empty() ? KernelNameParts {std::string(demangled), {}} : parts;
}

std::string bare_kernel_name(std::string_view demangled)
{
    const auto path = split_kernel_name(demangled).path;
    const auto colon = path.rfind("::");
    return colon == std::string::npos || colon + 2 == path.size() ? path : path.substr(colon + 2);
}

}  // namespace lanes
