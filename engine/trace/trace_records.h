// SPDX-License-Identifier: MIT
// The records that a TraceBuilder has taken, by kind.
#pragma once

#include "engine/trace/shared_rows.h"
#include "engine/trace/units.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace lanes {

/// Maps the StringIds of one writer to those of the trace.
using StringMap = std::unordered_map<StringId, StringId>;

/// The contents of a KernelRecord without time and place. Programs launch few different ones.
struct KernelLaunch {
    StringId name, shown_name;
    std::array<std::uint32_t, 3> grid, block;
    std::uint32_t registers, static_shared, dynamic_shared;
    std::uint32_t graph_node, channel, graph;
};

/// A KernelRecord as it is kept, in half of its size.
struct KeptKernel {
    Ns start, end;
    std::uint32_t process, device, context, stream, correlation;
    Row launch;  ///< into TraceRecords::launches
};

/// The type as which a record is kept.
template <class R> using Kept = std::conditional_t<std::is_same_v<R, KernelRecord>, KeptKernel, R>;

/// Whether a kept record is an operation.
template <class R>
inline constexpr bool is_operation = std::is_base_of_v<OperationRecord, R> || std::is_same_v<R, KeptKernel>;

struct TraceRecords {
    template <class List> struct VectorsOf;
    template <class... Rs> struct VectorsOf<RecordList<Rs...>> {
        using type = std::tuple<std::vector<Kept<Rs>>...>;
    };

    VectorsOf<AllRecords>::type by_kind;
    SharedRows<KernelLaunch> launches;
    std::vector<std::string> step_names;
    std::size_t repetition = 0;  ///< which of several windows is kept
    std::optional<Interval> cut;  ///< keep_part()
    std::optional<Interval> recorded;  ///< keep_recorded()
    std::optional<Ns> latest_origin;  ///< begin_by()
    std::optional<Ns> kept_origin;  ///< keep_times_and_devices()
    Ns base = 0;  ///< count_from()
    static constexpr Ns since_1970 = 1'000'000'000'000'000'000;  ///< a clock with more counts from 1970: this is 2001

    template <class R> std::vector<Kept<R>>& of() { return std::get<std::vector<Kept<R>>>(by_kind); }
    const KernelLaunch& launch_of(const KeptKernel& kernel) const { return launches.rows()[kernel.launch]; }

    /// Reserves memory for that number of further records of `kind`.
    void expect(RecordKind kind, std::size_t more);
    /// Takes records of `kind` from their bytes; they may be unaligned. Ignores unknown kinds and sizes that are not a
    /// multiple of the record's. `strings` translates their StringIds; null: they are already the trace's.
    void append(RecordKind kind, std::span<const std::byte> payload, const StringMap* strings);
};

}  // namespace lanes
