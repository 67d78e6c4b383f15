// SPDX-License-Identifier: MIT
#include "engine/trace/kernel_name.h"

namespace lanes {

std::string short_kernel_name(std::string_view demangled)
{
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
