// SPDX-License-Identifier: MIT
// What a file of ours says about itself, and what reading it found; private to engine/store.
#pragma once

#include "engine/trace/cut.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

/// Gives a trace the meta data and marks of its file. Counts of what reading left out or mended are added to those in
/// the file. `origin`: t = 0 in the file; the trace begins later if a row without a time was left out.
inline void take_own(Trace& trace, std::map<std::string, std::string> own, std::vector<UserMark> marks, Ns origin)
{
    const auto number = [](const std::map<std::string, std::string>& of, const char* key) {
        std::uint64_t found = 0;
        if (const auto text = of.find(key); text != of.end()) {
            std::from_chars(text->second.data(), text->second.data() + text->second.size(), found);
        }
        return found;
    };
    for (const auto* key : {meta::skipped_rows, meta::without_length, meta::overlong}) {
        meta::add(own, key, number(trace.meta, key));
    }
    if (const auto cut = number(trace.meta, meta::overlong_ns); cut > number(own, meta::overlong_ns)) {
        own[meta::overlong_ns] = std::to_string(cut);
    }
    trace.meta = std::move(own);
    const auto later = static_cast<std::uint64_t>(trace.origin) - static_cast<std::uint64_t>(origin);
    for (auto& mark : marks) {
        mark.time = static_cast<Ns>(static_cast<std::uint64_t>(mark.time) - later);  // untrusted: wraps
    }
    trace.marks = std::move(marks);
    extend_to_cut(trace);
}

}  // namespace lanes
