// SPDX-License-Identifier: MIT
// Asynchronous events of a Chrome trace: spans that begin and end anywhere, joined by their id; private to
// engine/store.
#pragma once

#include "engine/trace/trace_builder.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace lanes {

/// Collects them and gives each process lanes for them, one or more for each category, so that spans on one lane nest.
/// A lane is an invented thread after all real ones.
class ChromeAsync {
public:
    /// `key`: joins a beginning to its end, which has the same name or none.
    void begin(std::uint32_t process, std::string key, StringId name, std::string_view category, Ns time);
    /// Without a name (0) it ends what began last. False: nothing with that key and name is open.
    bool end(const std::string& key, StringId name, Ns time);
    void instant(std::uint32_t process, StringId name, std::string_view category, Ns time);

    /// Gives ranges and threads to `builder`; `first_thread` and the ids after it are free. What never ended stays
    /// open. Cost: n log n.
    void finish(TraceBuilder& builder, std::uint32_t first_thread, std::uint64_t first_range);
    bool empty() const { return m_groups.empty(); }

private:
    struct Span {
        Ns start, end;
        StringId name;
        bool open, instant;
    };
    using Group = std::pair<std::uint32_t, std::string>;  ///< process, category
    std::map<Group, std::vector<Span>> m_groups;
    struct Begun {
        std::vector<Span>* spans;
        std::size_t index;
        Span& span() const { return (*spans)[index]; }
    };
    /// Of one key, the innermost last; what ended stays until it would be the next.
    struct Open {
        std::vector<Begun> all;
        std::unordered_map<StringId, std::vector<Begun>> by_name;
        std::size_t count = 0;  ///< of those that did not end
    };
    std::unordered_map<std::string, Open> m_open;  ///< by key
};

}  // namespace lanes
