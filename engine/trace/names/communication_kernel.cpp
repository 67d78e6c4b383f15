// SPDX-License-Identifier: MIT
#include "engine/trace/names/communication_kernel.h"
#include "engine/trace/names/kernel_name.h"

#include <array>

namespace lanes {

namespace {

/// A name is cut into words: at anything but letters and digits, at aB, ABc, and between letters and digits.
/// "cross_device_reduce_2stage" is cross device reduce 2 stage, "AllReduce" all reduce. A pattern is successive words
/// of it, joined or not: "all reduce" also fits allreduce. A * is any letters and digits of its word; a ^ means the
/// beginning of the name.
struct Rule {
    std::string_view pattern;
    std::string_view what;  ///< "": as the kernel is called
};

// Kernels that compilers make from other work, or that count for a dispatch and send nothing themselves.
constexpr std::array<std::string_view, 8> others {"^triton poi", "^triton red", "^triton per", "^triton for",
    "^nvfuser", "dispatch layout", "recat", "elementwise kernel"};

// The first rule that fits decides: so rules for what is reduced or gathered come before rules for libraries.
constexpr std::array rules {
    Rule {"all reduce*", "AllReduce"},
    Rule {"*all reduce", "AllReduce"},
    Rule {"cross device reduce", "AllReduce"},
    Rule {"quick reduce", "AllReduce"},
    Rule {"one shot reduce*", "AllReduce"},
    Rule {"two shot reduce*", "AllReduce"},
    Rule {"ar fusion", "AllReduce"},
    Rule {"all gather*", "AllGather"},
    Rule {"reduce scatter*", "ReduceScatter"},
    Rule {"all to all*", "AllToAll"},
    Rule {"a 2 a", "AllToAll"},
    Rule {"send recv*", "SendRecv"},
    // DeepEP and similar libraries
    Rule {"deep ep", {}},
    Rule {"hybrid ep", {}},
    Rule {"internode", {}},
    Rule {"intranode", {}},
    Rule {"notify dispatch", {}},
    Rule {"cached notify*", {}},
    Rule {"ep dispatch*", {}},
    Rule {"ep combine*", {}},
    Rule {"mori", {}},
    // libraries
    Rule {"^nccl*", {}},
    Rule {"^rccl*", {}},
    Rule {"msccl*", {}},
    Rule {"oneccl*", {}},
    Rule {"ccl", {}},
    Rule {"nvshmem*", {}},
    Rule {"nvshmemi*", {}},
    Rule {"rocshmem*", {}},
    Rule {"userbuffers*", {}},
    Rule {"kuserbuffers*", {}},
    // symmetric memory
    Rule {"multimem", {}},
    Rule {"symm mem*", {}},
    Rule {"one shot", {}},
    Rule {"two shot", {}},
    Rule {"lamport*", {}},
    Rule {"barrier all*", {}},
    Rule {"barrier on stream*", {}},
    Rule {"collective permute", {}},
    Rule {"collective broadcast", {}},
};

constexpr bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}
constexpr bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z');
}

/// A demangled name without return type, template arguments and parameters, its namespaces kept.
std::string path_of(std::string_view name)
{
    std::string path(name);
    constexpr std::string_view nameless = "(anonymous namespace)";
    for (auto at = path.find(nameless); at != std::string::npos; at = path.find(nameless, at)) {
        path.erase(at, nameless.size());
    }
    if (const auto end = path.find_first_of("<("); end != std::string::npos) {  // else it may be words, "my all_reduce"
        path.resize(end);
        path.erase(0, path.rfind(' ') + 1);
    }
    return path;
}

/// Its words in lower case, with one space between two.
std::string words_of(std::string_view name)
{
    std::string words;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (!is_letter(c) && !is_digit(c)) {
            continue;
        }
        const char before = i > 0 ? name[i - 1] : ' ';
        const bool next_is_small = i + 1 < name.size() && is_letter(name[i + 1]) && !is_upper(name[i + 1]);
        const bool goes_on = is_digit(c) ? is_digit(before)
            : is_upper(c)                ? is_upper(before) && !next_is_small
                                         : is_letter(before);
        if (!goes_on && !words.empty()) {
            words += ' ';
        }
        words += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return words;
}

/// Whether `pattern` fits `words` from their beginning to the end of a word.
bool fits_here(std::string_view pattern, std::string_view words)
{
    while (!pattern.empty()) {
        if (pattern.front() == '*') {
            for (std::size_t skipped = 0;; ++skipped) {
                if (fits_here(pattern.substr(1), words.substr(skipped))) {
                    return true;
                }
                if (skipped == words.size() || words[skipped] == ' ') {
                    return false;
                }
            }
        }
        if (pattern.front() == ' ' && (words.empty() || words.front() != ' ')) {
            pattern.remove_prefix(1);  // written as one word
            continue;
        }
        if (words.empty() || pattern.front() != words.front()) {
            return false;
        }
        pattern.remove_prefix(1);
        words.remove_prefix(1);
    }
    return words.empty() || words.front() == ' ';
}

bool fits(std::string_view pattern, std::string_view words)
{
    if (pattern.starts_with('^')) {
        return fits_here(pattern.substr(1), words);
    }
    for (std::size_t at = 0; at < words.size();) {
        if (fits_here(pattern, words.substr(at))) {
            return true;
        }
        const auto space = words.find(' ', at);
        at = space == std::string_view::npos ? words.size() : space + 1;
    }
    return false;
}

/// "AllReduce" of "ncclDevKernel_AllReduce_Sum_f32_RING_LL": NCCL's own names go on with DevKernel or Kernel up to the
/// first '_'.
std::string_view of_nccl(std::string_view kernel)
{
    constexpr std::string_view apart = "_ :";
    const auto first = kernel.find_first_of(apart);
    if (first == std::string_view::npos || first + 1 == kernel.size()) {
        return kernel;
    }
    const auto rest = kernel.substr(first + 1);
    return kernel[first] != '_' ? rest : rest.substr(0, rest.find_first_of("_("));
}

}  // namespace

std::string communication_of(std::string_view kernel)
{
    if (kernel.starts_with("nccl")) {
        return std::string(of_nccl(kernel));
    }
    const auto words = words_of(path_of(kernel));
    for (const auto pattern : others) {
        if (fits(pattern, words)) {
            return {};
        }
    }
    for (const auto& [pattern, what] : rules) {
        if (fits(pattern, words)) {
            return what.empty() ? bare_kernel_name(kernel) : std::string(what);
        }
    }
    return {};
}

}  // namespace lanes
