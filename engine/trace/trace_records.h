// SPDX-License-Identifier: MIT
// The records that a TraceBuilder has taken, by kind, with their texts in one table.
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

/// From the StringIds of one writer to those of the trace.
using StringMap = std::unordered_map<StringId, StringId>;

struct TraceRecords {
    template <class List> struct VectorsOf;
    template <class... Rs> struct VectorsOf<RecordList<Rs...>> {
        using type = std::tuple<std::vector<Rs>...>;
    };

    VectorsOf<AllRecords>::type by_kind;
    std::vector<std::string> step_names;
    std::size_t repetition = 0;  ///< of several windows the one that is kept
    std::optional<Interval> cut;  ///< what began outside of it is left out, in all processes
    std::optional<Ns> latest_origin;  ///< t = 0 lies there, unless a record is earlier or there is a window
    std::optional<Ns> kept_origin;  ///< times are from the recording's start and devices have the trace's ids already

    template <class R> std::vector<R>& of() { return std::get<std::vector<R>>(by_kind); }

    /// Room for so many more records of `kind`.
    void expect(RecordKind kind, std::size_t more);
    /// Takes records of `kind` as they lie in memory. Nothing happens if the kind is unknown or the size is not
    /// that of its records. `strings` translates their texts; null: they are the trace's own already.
    void append(RecordKind kind, std::span<const std::byte> payload, const StringMap* strings);
};

}  // namespace lanes
