// SPDX-License-Identifier: MIT
#include "probes/inject/name_pattern.h"

#include <algorithm>
#include <unistd.h>

namespace lanes {

std::string expand_name(std::string_view pattern, const NamePlace& place, std::size_t* wrong)
{
    std::string name;
    if (wrong != nullptr) {
        *wrong = std::string_view::npos;
    }
    const auto add = [&](std::string value) {
        std::replace(value.begin(), value.end(), '/', '_');
        name += value;
    };
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const auto rest = pattern.substr(i);
        const auto brace = rest.find('}');
        if (rest.front() != '%') {
            name += rest.front();
        } else if (rest.starts_with("%h")) {
            add(place.host);
            ++i;
        } else if (rest.starts_with("%r")) {
            add(place.rank.empty() ? "0" : place.rank);
            ++i;
        } else if (rest.starts_with("%p")) {
            name += std::to_string(place.process);
            ++i;
        } else if (rest.starts_with("%%")) {
            name += '%';
            ++i;
        } else if (rest.starts_with("%q{") && brace != std::string_view::npos) {
            const std::string variable(rest.substr(3, brace - 3));
            const char* value = place.variables ? place.variables(variable.c_str()) : nullptr;
            add(value == nullptr ? "" : value);
            i += brace;
        } else {
            if (wrong != nullptr && *wrong == std::string_view::npos) {
                *wrong = i;
            }
            name += '%';
        }
    }
    return name;
}

std::string pattern_of_name(std::string_view name)
{
    std::string pattern;
    for (const char c : name) {
        pattern += c == '%' ? std::string("%%") : std::string(1, c);
    }
    return pattern;
}

std::string host_name()
{
    char name[256] = {};
    if (::gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') {
        return "localhost";
    }
    const std::string host = name;
    return host.substr(0, std::max<std::size_t>(host.find('.'), 1));
}

}  // namespace lanes
