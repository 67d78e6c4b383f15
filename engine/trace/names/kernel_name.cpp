// SPDX-License-Identifier: MIT
#include "engine/trace/names/kernel_name.h"

namespace lanes {

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
