// SPDX-License-Identifier: MIT
// The records that a TraceBuilder has taken, by kind.
#pragma once

#include "engine/trace/string_table.h"
#include "engine/trace/units.h"
#include "probes/record.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace lanes {

/// Maps the StringIds of one writer to those of the trace.
using StringMap = std::unordered_map<StringId, StringId>;

struct TraceRecords {
    template <class List> struct VectorsOf;
    template <class... Rs> struct VectorsOf<RecordList<Rs...>> {
        using type = std::tuple<std::vector<Rs>...>;
    };

    VectorsOf<AllRecords>::type by_kind;
    std::vector<std::string> step_names;
    std::size_t repetition = 0;  ///< which of several windows is kept
    std::optional<Interval> cut;  ///< keep_part()
    std::optional<Ns> latest_origin;  ///< begin_by()
    std::optional<Ns> kept_origin;  ///< keep_times_and_devices()

    template <class R> std::vector<R>& of() { return std::get<std::vector<R>>(by_kind); }

    /// Reserves memory for so many more records of `kind`.
    void expect(RecordKind kind, std::size_t more);
    /// Takes records of `kind` from their bytes; they may be unaligned. Ignores unknown kinds and sizes that are not a
    /// multiple of the record's. `strings` translates their StringIds; null: they are already the trace's.
    void append(RecordKind kind, std::span<const std::byte> payload, const StringMap* strings);
};

}  // namespace lanes
