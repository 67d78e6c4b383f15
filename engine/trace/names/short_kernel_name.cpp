// SPDX-License-Identifier: MIT
#include "engine/ascii.h"
#include "engine/trace/names/generated_name.h"
#include "engine/trace/names/kernel_name.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

namespace lanes {

namespace {

using Text = std::string_view;

constexpr std::size_t short_enough = 12;  // letters: such a name stays as it is

// Types among template arguments that only wrap another type, hold operands, or are namespaces: none says what is done.
constexpr std::array wrappers = {"AUnaryFunctor", "BUnaryFunctor", "BinaryFunctor", "ReduceOp", "func_wrapper_t",
    "TensorListMetadata", "TensorListScalarListMetadata", "FusedOptimizerTensorListMetadata", "gpu_kernel_impl",
    "gpu_kernel_impl_nocast", "opmath_gpu_kernel_with_scalars", "opmath_symmetric_gpu_kernel_with_scalars", "at",
    "native", "binary_internal", "detail", "cuda", "cub", "thrust", "cuda_cub", "core", "std", "cute", "cutlass",
    "kernel", "gemm", "enable_sm90", "enable_sm90_or_later", "enable_sm80_to_sm89", "enable_3x_kernel_for_sm9x",
    "enable_2x_kernel_for_sm89", "device", "KernelTraits", "Array", "array", "plus", "anonymous", "namespace",
    "unsigned", "signed", "char", "short", "int", "long", "float", "double", "bool", "void", "const", "Half",
    "BFloat16", "c10", "complex", "true", "false", "ul", "u", "templates", "ck", "ck_tile", "tensor_operation",
    "TensorIteratorBase", "TensorIterator", "lambda", "operator", "x", "clover"};

// Names that say what is done only with the namespace they are in.
constexpr std::array generic_names = {"kernel", "kernel2", "run", "forward", "backward", "dispatch", "combine",
    "barrier", "gemm", "globalkernel", "static_kernel", "impl", "main", "launch", "transpose", "reduce", "copy",
    "notify", "cached_notify", "apply", "compute"};

// Namespaces that say nothing.
constexpr std::array plain_namespaces = {
    "native", "at", "detail", "cuda", "kernels", "impl", "internal", "std", "utils", "dev", "anonymous", "device", ""};

template <std::size_t size> bool is_among(Text name, const std::array<const char*, size>& names)
{
    return std::any_of(names.begin(), names.end(), [&](Text known) { return known == name; });
}
bool is_any_of(Text name, std::initializer_list<Text> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}
bool has(Text text, Text part)
{
    return text.find(part) != Text::npos;
}

void drop_all(std::string& text, Text part)
{
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
        text.erase(at, part.size());
    }
}

/// A name without what only says that it is a kernel: "add_kernel_cuda" is "add".
std::string cleaned(Text name)
{
    for (const Text front : {"CUDAFunctorOnSelf_", "CUDAFunctorOnOther_", "CUDAFunctor_"}) {
        name.remove_prefix(name.starts_with(front) ? front.size() : 0);
    }
    std::string text(name.substr(std::min(name.find_first_not_of('_'), name.size())));
    constexpr std::array<Text, 15> ends {"_kernel_cuda", "_cuda_kernel", "_kernel_impl", "CUDAKernelImpl",
        "CUDAKernelTemplate", "CUDAKernel", "_cuda_out", "_cuda", "_kernel", "Kernel", "_impl", "Impl", "_functor",
        "Functor", "Ops"};
    for (int round = 0; round < 4; ++round) {
        const auto end = std::find_if(ends.begin(), ends.end(), [&](Text each) { return text.ends_with(each); });
        if (end != ends.end()) {
            text.resize(text.size() - end->size());
        }
    }
    if (text.starts_with("kernel_") && text.size() >= 10) {
        text.erase(0, 7);
    }
    while (text.ends_with('_')) {
        text.pop_back();
    }
    return text.empty() ? std::string(name) : text;
}

/// The names in `arguments`, in order: what begins with a letter and is no namespace of another.
std::vector<Text> names_in(Text arguments)
{
    std::vector<Text> names;
    for (std::size_t at = 0; at < arguments.size();) {
        auto end = at;
        while (end < arguments.size() && ascii::continues_identifier(arguments[end])) {
            ++end;
        }
        if (end > at && !ascii::is_digit(arguments[at]) && !arguments.substr(end).starts_with("::")) {
            names.push_back(arguments.substr(at, end - at));
        }
        at = std::max(end, at + 1);
    }
    return names;
}

/// The first name that says what is done; "": none does.
Text work_in(Text arguments)
{
    for (const Text name : names_in(arguments)) {
        if (!is_among(name, wrappers)) {
            return name;
        }
    }
    return {};
}

// ---- PyTorch's loops ------------------------------------------------------------------------------------------------

/// The arguments without lists of operands: "TensorListMetadata<2>".
std::string without_operands(std::string arguments)
{
    for (const Text list :
        {"FusedOptimizerTensorListMetadata<", "TensorListScalarListMetadata<", "TensorListMetadata<"}) {
        for (auto at = arguments.find(list); at != std::string::npos; at = arguments.find(list, at)) {
            const auto end = arguments.find('>', at);
            arguments.erase(at, end == std::string::npos ? end : end + 1 - at);
        }
    }
    return arguments;
}

/// torch._foreach_*, optimizers, clipping: ATen/native/cuda/{MultiTensorApply,ForeachFunctors}.cuh.
std::string of_many_tensors(const std::string& work, Text arguments)
{
    for (const Text whole : {"FusedAdam", "FusedSgd", "FusedAdagrad", "Adam", "LAMB", "L2Norm", "LpNorm"}) {
        if (work.starts_with(whole)) {
            std::string name = work;
            drop_all(name, "Math");
            return name;
        }
    }
    const auto contains = [&](Text part) { return has(arguments, part); };
    if (work.starts_with("BinaryOp")) {
        const Text operation = contains("std::plus") ? "add"
            : contains("std::minus")                 ? "sub"
            : contains("std::multiplies")            ? "mul"
            : contains("std::divides")               ? "div"
            : contains("power_functor")              ? "pow"
                                                     : "";
        return operation.empty() ? "foreach " + work
                                 : "foreach " + std::string(operation) + (has(work, "Scalar") ? " scalar" : "");
    }
    if (work.starts_with("PointwiseOp")) {
        return contains("std::divides") ? "foreach addcdiv" : "foreach addcmul";
    }
    if (work.starts_with("TernaryOp")) {
        return "foreach lerp";
    }
    if (work.starts_with("UnaryOp")) {
        if (contains("_amp_")) {
            return "foreach unscale";
        }
        std::string operation = "unary";
        for (const Text name : names_in(arguments)) {
            const bool is_of_aten = name.data() - arguments.data() >= 2 && name.data()[-1] == ':';
            if (is_of_aten && !has(name, "Functor") && !has(name, "TensorList") && !is_among(name, wrappers)) {
                operation = ascii::in_lower_case(name);
            }
        }
        return "foreach " + cleaned(operation);
    }
    return "foreach " + work;
}

/// A functor, as it would be called: "AddFunctor" is "add", "bfloat16_copy" "copy bf16".
std::string as_operation(const std::string& work)
{
    for (const auto& [name, type] : std::initializer_list<std::pair<Text, Text>> {
             {"bfloat16_copy", "bf16"}, {"float16_copy", "f16"}, {"bfloat16tofloat32_copy", "bf16→f32"}}) {
        if (work == name) {
            return "copy " + std::string(type);
        }
    }
    if (work.starts_with("float8_") && work.ends_with("_copy")) {
        return "copy fp8";
    }
    std::string name = work == "direct_copy" ? "copy" : work == "launch_clamp_scalar" ? "clamp" : work;
    if (name.size() > 1 && ascii::is_upper(name[0]) && ascii::is_lower(name[1])) {
        name[0] = ascii::to_lower(name[0]);
    }
    return name;
}

/// ATen/native/cuda/{CUDALoops,Reduce,MultiTensorApply,IndexKernel}.cuh; "": another kernel.
std::string of_pytorch_loop(Text last, const std::string& arguments)
{
    const bool loops = (has(last, "elementwise_kernel") || has(last, "elementwise_grid")) && !arguments.empty();
    if (!loops && !is_any_of(last, {"reduce_kernel", "multi_tensor_apply_kernel", "index_elementwise_kernel"})) {
        return {};
    }
    auto work = cleaned(work_in(without_operands(arguments)));
    if (work == "gpu_index") {
        const auto at = arguments.find("gpu_index_kernel");
        work = at == std::string::npos ? "" : cleaned(work_in(Text(arguments).substr(at + 16)));
        work = work.empty() ? "index" : work;
    }
    if (has(last, "scatter_gather")) {
        drop_all(work, "_internal");
        return work.empty() ? "scatter gather" : work;
    }
    if (last == "multi_tensor_apply_kernel") {
        return of_many_tensors(work, arguments);
    }
    return work.empty() ? (last == "reduce_kernel" ? "reduce"
                   : has(last, "copy")             ? "copy"
                                                   : "elementwise")
                        : as_operation(work);
}

// ---- entry points and generic names ---------------------------------------------------------------------------------

/// "cutlass gemm 128×128×64 bf16" for CUTLASS 3's GemmUniversal.
std::string of_universal_gemm(Text arguments)
{
    std::string plain(arguments);
    drop_all(plain, "(int)");
    std::string tile;
    if (auto at = plain.find("cute::tuple<cute::C<"); at != std::string::npos) {
        for (int i = 0; i < 3 && at != std::string::npos; ++i) {
            const auto begin = plain.find("cute::C<", at) + 8;
            const auto end
                = std::find_if_not(plain.begin() + static_cast<std::ptrdiff_t>(begin), plain.end(), ascii::is_digit);
            tile += (i == 0 ? "" : "×") + std::string(plain.begin() + static_cast<std::ptrdiff_t>(begin), end);
            at = plain.find("cute::C<", begin);
        }
    }
    std::size_t first = std::string::npos;
    Text type;
    for (const auto& [name, brief] : std::initializer_list<std::pair<Text, Text>> {
             {"bfloat16", "bf16"}, {"half_t", "f16"}, {"float_e4m3", "fp8"}, {"tfloat32", "tf32"}}) {
        if (const auto at = plain.find(name); at < first) {
            first = at;
            type = brief;
        }
    }
    const bool grouped = has(plain, "GroupProblem") || has(plain, "Grouped");
    return std::string(grouped ? "grouped gemm" : "cutlass gemm") + (tile.empty() ? "" : " ") + tile
        + (type.empty() ? "" : " ") + std::string(type);
}

/// An entry point whose first template argument is what it runs: cutlass::Kernel2, ck_tile::kentry. "": none.
std::string of_entry_point(Text last, Text arguments)
{
    if (arguments.empty()
        || !is_any_of(ascii::in_lower_case(last),
            {"kernel", "kernel2", "device_kernel", "kentry", "_kernel_agent", "run_global"})) {
        return {};
    }
    if (has(arguments, "GemmUniversal")) {
        return of_universal_gemm(arguments);
    }
    const Text work = work_in(arguments);
    if (work.size() <= 2) {
        return {};
    }
    auto name = cleaned(work);
    if (is_any_of(ascii::in_lower_case(name), {"gemm", "kernel"})) {  // says nothing without its namespace
        auto before = arguments.substr(0, static_cast<std::size_t>(work.data() - arguments.data()));
        if (before.ends_with("::")) {
            before.remove_suffix(2);
            const auto begin = std::find_if_not(before.rbegin(), before.rend(), ascii::continues_identifier).base();
            const auto space = before.substr(static_cast<std::size_t>(begin - before.begin()));
            name = is_any_of(space, {"kernel", "cutlass", "gemm"}) ? name : std::string(space) + ' ' + name;
        }
    }
    return name;
}

/// A lambda of a function is that function's work, as Kokkos and RAJA run them: "advec_mom(...)::{lambda()#1}". "":
/// none.
std::string of_lambda(Text last, Text arguments)
{
    while (arguments.starts_with(' ')) {
        arguments.remove_prefix(1);
    }
    auto end = arguments.begin();
    while (end != arguments.end() && ascii::continues_identifier(*end)) {
        ++end;
    }
    const Text name = arguments.substr(0, static_cast<std::size_t>(end - arguments.begin()));
    const bool is_call
        = name.size() >= 4 && !ascii::is_digit(name[0]) && arguments.substr(name.size()).starts_with('(');
    const bool is_shell = last.starts_with("vectorized") || last.starts_with("act_and") || last.starts_with("unary")
        || last.starts_with("k_bin");
    return is_call && !is_shell && !is_among(name, wrappers) ? cleaned(name) : std::string();
}

/// A generic name with its namespace: "internode combine", "gemvx". "": the name says enough, or no namespace says
/// more.
std::string with_namespace(Text last, const std::vector<Text>& namespaces)
{
    const auto brief = ascii::in_lower_case(cleaned(last));
    auto bare = ascii::in_lower_case(last);
    while (bare.starts_with('_')) {
        bare.erase(0, 1);
    }
    while (bare.ends_with('_')) {
        bare.pop_back();
    }
    const auto goes_on = [&](Text space) {
        const auto small = ascii::in_lower_case(space);
        return small.starts_with(brief) && small != brief;
    };
    const bool is_begun = !namespaces.empty() && goes_on(namespaces.back());
    if (!is_among(brief, generic_names) && !is_among(bare, generic_names) && !is_begun) {
        return {};
    }
    const auto says = std::find_if(
        namespaces.rbegin(), namespaces.rend(), [](Text space) { return !is_among(space, plain_namespaces); });
    if (says == namespaces.rend()) {
        return {};
    }
    const bool is_kernel = brief.empty() || brief == "kernel" || brief == "kernel2";
    return std::string(*says) + (goes_on(*says) || is_kernel ? "" : ' ' + cleaned(last));
}

/// A function as template argument: "act_and_mul silu" of act_and_mul_kernel<half, &silu>. "": none.
std::string with_function(Text last, Text arguments)
{
    const bool takes_one = last.starts_with("act_and_mul") || last.starts_with("activation")
        || last.starts_with("k_bin_bcast") || last.starts_with("unary") || has(last, "gated") || last.starts_with("cpy")
        || last.starts_with("op_");
    for (const Text name : takes_one ? names_in(arguments) : std::vector<Text>()) {
        if (name.ends_with("_kernel") || name.starts_with("op_") || name == "silu" || name.starts_with("gelu")
            || name.starts_with("relu") || name.starts_with("cpy_1_")) {
            return cleaned(last) + ' ' + cleaned(name.starts_with("op_") ? name.substr(3) : name);
        }
    }
    return {};
}

/// "mul_mat_q q8_0" of mul_mat_q<(ggml_type)8, 128>: ggml.h's enum of types. "": none.
std::string with_ggml_type(Text last, Text arguments)
{
    constexpr Text type = "(ggml_type)";
    if (!arguments.starts_with(type)) {
        return {};
    }
    const auto rest = arguments.substr(type.size());
    const auto number = rest.substr(0, std::min(rest.find_first_not_of(ascii::digits), rest.size()));
    static constexpr std::array<std::pair<Text, Text>, 17> names {
        {{"0", "f32"}, {"1", "f16"}, {"2", "q4_0"}, {"3", "q4_1"}, {"6", "q5_0"}, {"7", "q5_1"}, {"8", "q8_0"},
            {"10", "q2_K"}, {"11", "q3_K"}, {"12", "q4_K"}, {"13", "q5_K"}, {"14", "q6_K"}, {"15", "q8_K"},
            {"20", "iq4_nl"}, {"23", "iq4_xs"}, {"30", "bf16"}, {"39", "mxfp4"}}};
    const auto known = std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.first == number; });
    return cleaned(last) + ' ' + (known == names.end() ? "type " + std::string(number) : std::string(known->second));
}

/// A name that is long enough to be shortened, without words that say nothing.
std::string plain_name(Text last)
{
    if (last.starts_with("__amd_rocclr_")) {
        return std::string(last.substr(13));
    }
    if (last.size() <= short_enough) {
        return std::string(last);
    }
    auto name = cleaned(last);
    for (const Text part : {"_codegen", "_unweighted", "_kernel"}) {
        for (auto at = name.find(std::string(part) + '_'); at != std::string::npos;
             at = name.find(std::string(part) + '_')) {
            name.erase(at, part.size());
        }
    }
    if (name.starts_with("split_embedding")) {
        name.erase(0, 6);
    }
    return name.size() > 1 ? name : std::string(last);
}

/// The last part of a mangled name that nothing could demangle, such as one that was cut off: "_ZN5aiter8fmha_fwd…".
std::string of_mangled(Text mangled)
{
    Text last;
    Text rest = mangled.substr(mangled.starts_with("_ZN") ? 3 : 2);
    while (!rest.empty() && ascii::is_digit(rest[0])) {
        std::size_t length = 0, digits = 0;
        while (digits < rest.size() && digits < 5 && ascii::is_digit(rest[digits])) {
            length = length * 10 + static_cast<std::size_t>(rest[digits++] - '0');
        }
        rest.remove_prefix(digits);
        last = rest.substr(0, length);
        rest.remove_prefix(last.size());
    }
    return last.empty() ? std::string(mangled) : cleaned(last);
}

std::vector<Text> namespaces_of(Text path)
{
    std::vector<Text> namespaces;
    for (auto at = path.find("::"); at != Text::npos; at = path.find("::")) {
        namespaces.push_back(path.substr(0, at));
        path.remove_prefix(at + 2);
    }
    return namespaces;
}

}  // namespace

std::string short_kernel_name(std::string_view demangled)
{
    if (demangled.starts_with("_Z")) {
        return of_mangled(demangled);
    }
    const auto parts = split_kernel_name(demangled);
    const bool is_given = parts.arguments.empty() && parts.path == demangled && has(demangled, " ");
    const auto namespaces = namespaces_of(parts.path);
    const auto colon = parts.path.rfind("::");
    const auto last = Text(parts.path).substr(colon == std::string::npos ? 0 : colon + 2);
    if (is_given || last.empty() || last.starts_with("operator")) {
        return last.empty() || is_given ? std::string(demangled) : std::string(last);
    }
    if (auto name = short_generated_name(last, parts.arguments); !name.empty()) {
        return name;
    }
    if (auto name = of_pytorch_loop(last, parts.arguments); !name.empty()) {
        return name;
    }
    if (auto name = of_lambda(last, parts.arguments); !name.empty()) {
        return name;
    }
    const bool is_of_cutlass = std::find(namespaces.begin(), namespaces.end(), "cutlass") != namespaces.end();
    if (is_any_of(last, {"kernel", "Kernel"}) && !is_of_cutlass) {
        for (auto space = namespaces.rbegin(); space != namespaces.rend(); ++space) {
            if (!is_any_of(*space, {"std", "internal", "ck_tile", "detail", ""}) && !space->starts_with("cutlass")) {
                return std::string(*space);
            }
        }
    }
    for (auto name : {of_entry_point(last, parts.arguments), with_namespace(last, namespaces),
             with_function(last, parts.arguments), with_ggml_type(last, parts.arguments)}) {
        if (!name.empty()) {
            return name;
        }
    }
    return plain_name(last);
}

}  // namespace lanes
