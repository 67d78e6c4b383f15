// SPDX-License-Identifier: MIT
#include "probes/cupti/operator_range.h"

#include <charconv>

namespace lanes {

namespace {

bool take_prefix(std::string_view& text, std::string_view prefix)
{
    if (text.substr(0, prefix.size()) != prefix) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

/// Takes ", KEY = NUMBER" off the front; leaves any other `text` as it is.
bool take_number(std::string_view& text, std::string_view key, std::int64_t& number)
{
    auto rest = text;
    if (!take_prefix(rest, key)) {
        return false;
    }
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc() || number < 0) {
        return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    text = rest;
    return true;
}

/// Takes ", KEY = [...]" off the front, with the brackets within, and returns what is between them; "": there is none.
std::string_view take_list(std::string_view& text, std::string_view key)
{
    auto rest = text;
    if (!take_prefix(rest, key) || rest.empty() || rest.front() != '[') {
        return {};
    }
    int depth = 0;
    for (std::size_t at = 0; at < rest.size(); ++at) {
        depth += rest[at] == '[' ? 1 : rest[at] == ']' ? -1 : 0;
        if (depth == 0) {
            text = rest.substr(at + 1);
            return rest.substr(1, at - 1);
        }
    }
    return {};
}

}  // namespace

OperatorRange operator_range(std::string_view text)
{
    // The fields begin at the first comma that one of them follows: a name may hold commas itself.
    for (auto at = text.find(", "); at != std::string_view::npos; at = text.find(", ", at + 1)) {
        auto fields = text.substr(at);
        OperatorRange range {text.substr(0, at)};
        std::int64_t id = 0;
        const bool sequence = take_number(fields, ", seq = ", range.sequence);
        if (!sequence) {
            range.sequence = -1;
        }
        if (!take_number(fields, ", op_id = ", id) && !sequence) {
            continue;
        }
        range.shapes = take_list(fields, ", sizes = ");
        take_list(fields, ", input_op_ids = ");
        if (fields.empty()) {
            return range;
        }
    }
    return {text};
}

}  // namespace lanes
