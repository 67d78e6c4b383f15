// SPDX-License-Identifier: MIT
#include "engine/trace/names/demangle.h"

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>

// Else libiberty declares another basename() than that of <string.h>.
#define HAVE_DECL_BASENAME 1
#include <libiberty/demangle.h>

namespace lanes {

namespace {

constexpr std::size_t most_mangled = 16U << 10;
constexpr std::size_t most_times_longer = 16;
constexpr std::uint32_t most_parts = 50'000;
constexpr int most_depth = 1000;  ///< beyond about this libiberty prints nothing
constexpr int way = DMGL_PARAMS | DMGL_TYPES | DMGL_NO_RECURSE_LIMIT;

struct Parts {
    const demangle_component* left = nullptr;
    const demangle_component* right = nullptr;
    bool known = true;  ///< false: the kind of part is not listed here; a later libiberty may have it
};

Parts parts_of(const demangle_component& part)
{
    switch (part.type) {
    case DEMANGLE_COMPONENT_NAME:
    case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
    case DEMANGLE_COMPONENT_FUNCTION_PARAM:
    case DEMANGLE_COMPONENT_SUB_STD:
    case DEMANGLE_COMPONENT_BUILTIN_TYPE:
    case DEMANGLE_COMPONENT_OPERATOR:
    case DEMANGLE_COMPONENT_CHARACTER:
    case DEMANGLE_COMPONENT_NUMBER:
    case DEMANGLE_COMPONENT_UNNAMED_TYPE:
        return {};
    case DEMANGLE_COMPONENT_CTOR:
        return {part.u.s_ctor.name};
    case DEMANGLE_COMPONENT_DTOR:
        return {part.u.s_dtor.name};
    case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
        return {part.u.s_extended_operator.name};
    case DEMANGLE_COMPONENT_LAMBDA:
    case DEMANGLE_COMPONENT_DEFAULT_ARG:
        return {part.u.s_unary_num.sub};
    case DEMANGLE_COMPONENT_QUAL_NAME:
    case DEMANGLE_COMPONENT_LOCAL_NAME:
    case DEMANGLE_COMPONENT_TYPED_NAME:
    case DEMANGLE_COMPONENT_TAGGED_NAME:
    case DEMANGLE_COMPONENT_CLONE:
    case DEMANGLE_COMPONENT_TEMPLATE:
    case DEMANGLE_COMPONENT_TEMPLATE_ARGLIST:
    case DEMANGLE_COMPONENT_ARGLIST:
    case DEMANGLE_COMPONENT_PACK_EXPANSION:
    case DEMANGLE_COMPONENT_RESTRICT:
    case DEMANGLE_COMPONENT_VOLATILE:
    case DEMANGLE_COMPONENT_CONST:
    case DEMANGLE_COMPONENT_RESTRICT_THIS:
    case DEMANGLE_COMPONENT_VOLATILE_THIS:
    case DEMANGLE_COMPONENT_CONST_THIS:
    case DEMANGLE_COMPONENT_REFERENCE_THIS:
    case DEMANGLE_COMPONENT_RVALUE_REFERENCE_THIS:
    case DEMANGLE_COMPONENT_POINTER:
    case DEMANGLE_COMPONENT_REFERENCE:
    case DEMANGLE_COMPONENT_RVALUE_REFERENCE:
    case DEMANGLE_COMPONENT_COMPLEX:
    case DEMANGLE_COMPONENT_VENDOR_TYPE:
    case DEMANGLE_COMPONENT_VENDOR_TYPE_QUAL:
    case DEMANGLE_COMPONENT_FUNCTION_TYPE:
    case DEMANGLE_COMPONENT_ARRAY_TYPE:
    case DEMANGLE_COMPONENT_PTRMEM_TYPE:
    case DEMANGLE_COMPONENT_VECTOR_TYPE:
    case DEMANGLE_COMPONENT_INITIALIZER_LIST:
    case DEMANGLE_COMPONENT_CAST:
    case DEMANGLE_COMPONENT_CONVERSION:
    case DEMANGLE_COMPONENT_NULLARY:
    case DEMANGLE_COMPONENT_UNARY:
    case DEMANGLE_COMPONENT_BINARY:
    case DEMANGLE_COMPONENT_BINARY_ARGS:
    case DEMANGLE_COMPONENT_TRINARY:
    case DEMANGLE_COMPONENT_TRINARY_ARG1:
    case DEMANGLE_COMPONENT_TRINARY_ARG2:
    case DEMANGLE_COMPONENT_LITERAL:
    case DEMANGLE_COMPONENT_LITERAL_NEG:
    case DEMANGLE_COMPONENT_DECLTYPE:
    case DEMANGLE_COMPONENT_NOEXCEPT:
        return {part.u.s_binary.left, part.u.s_binary.right};
    default:
        return {nullptr, nullptr, false};
    }
}

/// How many parts a name has, each counted as often as the name refers to it: the cost of printing it and of looking
/// for packs in it.
class PartCount {
public:
    /// `most_parts` or more: too many.
    std::uint32_t of(const demangle_component* part, int depth = 0)
    {
        if (part == nullptr) {
            return 0;
        }
        if (const auto known = m_counts.find(part); known != m_counts.end()) {
            return known->second;
        }
        const auto parts = parts_of(*part);
        std::uint32_t count = most_parts;
        if (parts.known && depth < most_depth) {
            count = std::min(most_parts, 1 + of(parts.left, depth + 1) + of(parts.right, depth + 1));
        }
        m_counts.emplace(part, count);
        return count;
    }

private:
    std::unordered_map<const demangle_component*, std::uint32_t> m_counts;
};

struct Output {
    std::string text;
    std::size_t most = 0;
    std::jmp_buf too_long;
};

}  // namespace

std::optional<std::string> demangled(std::string_view name)
{
    if (!name.starts_with("_Z") || name.size() > most_mangled) {
        return {};
    }
    const std::string mangled(name);
    void* memory = nullptr;
    auto* const whole = cplus_demangle_v3_components(mangled.c_str(), way, &memory);
    const std::unique_ptr<void, void (*)(void*)> kept(memory, std::free);
    if (whole == nullptr || PartCount().of(whole) >= most_parts) {
        return {};
    }
    // Parameters of templates refer to their arguments, which shows only while the name is printed. The jump leaves
    // only functions of libiberty, which print from their stack; no C++ frames are in between.
    const auto output = std::make_unique<Output>();
    output->most = most_times_longer * mangled.size();
    const auto append = [](const char* text, std::size_t size, void* to) {
        auto& written = *static_cast<Output*>(to);
        if (written.text.size() + size > written.most) {
            std::longjmp(written.too_long, 1);
        }
        written.text.append(text, size);
    };
    if (setjmp(output->too_long) != 0 || cplus_demangle_print_callback(way, whole, append, output.get()) == 0) {
        return {};
    }
    return std::string(output->text);
}

}  // namespace lanes
