// SPDX-License-Identifier: MIT
// What took the time, by name: kernels, copies by direction and memory, API calls, ranges, and GPU operations by
// family or by owner; how often each occurred and how long it took.
//
// `total` is the sum of the durations, not the length of their union: two kernels of one name side by side for 1 ms
// took 2 ms. `own` is what of it is in no range inside of it on the same thread, for all but ranges the total; `share`
// is a row's part of the own times of its table, so a table's shares add up to 1. Events are cut at the ends of the
// range, as in every figure; those that only touch it from outside are left out.
//
// Cost: linear in the events of the table, 8 bytes each while it works, of copies and
// communication 12; ranges are sorted, which takes 24 bytes each.
// `exposed` takes that of gpu_times() for each GPU that copies or communicates.
#pragma once

#include "engine/analysis/facts/families.h"
#include "engine/analysis/figures/counter_summary.h"
#include "engine/analysis/recording.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/owners.h"

#include <functional>
#include <stop_token>

namespace lanes {

/// `copy`: copies by direction and host memory, and memsets. `api`: outermost calls. `family`: all that GPUs did, by
/// what it is for; its names are the words of families. `owner`: the same by whose work it is (owners.h), `module` and
/// `line` by that part of the owner.
enum class SummaryBy : std::uint8_t { kernel, copy, api, range, family, owner, module, line };
inline constexpr std::array summary_tables {SummaryBy::kernel, SummaryBy::copy, SummaryBy::api, SummaryBy::range,
    SummaryBy::family, SummaryBy::owner, SummaryBy::module, SummaryBy::line};
/// Whether each operation is in it that is in one of the first tables already.
constexpr bool regroups(SummaryBy by)
{
    return by >= SummaryBy::family;
}

/// "kernel", "copy", "api", "range", "family", "owner", "module", "line".
std::string_view name_of(SummaryBy by);

struct SummaryRow {
    std::string name;  ///< of families their words, of copies "H2D pageable", "D2D", "memset"; "": the record has
                       ///< none, of owners: there is none
    std::uint64_t count = 0;
    Ns total = 0, median = 0, min = 0, max = 0;  ///< the median of an even count is the mean of the two in the middle
    Ns own = 0;  ///< less what the ranges inside it took
    std::uint64_t bytes = 0;  ///< of copies and memsets that began in the range; else 0
    MaybeNs blocked;  ///< of API calls: how long they held their threads; null: the recording does not say
    MaybeNs held;  ///< its part in waits that cost time (wait_costs.h); null also without Recording::waits
    MaybeNs exposed;  ///< of copies, memsets and communication: the part of `total` in which no kernel computed there
    EventRef longest;  ///< the first that lasted `max`
    std::optional<Family> family;  ///< of kernels, copies and memsets: that of `longest`; not in tables by owner

    Ns mean() const { return count == 0 ? 0 : total / static_cast<Ns>(count); }
};

struct Summary {
    SummaryBy by = SummaryBy::kernel;
    Interval range;
    Ns total = 0, own = 0;  ///< of all rows
    /// In tables by owner: how many operations have none, by the reason.
    std::array<std::uint64_t, owner_misses.size()> missing {};
    std::vector<SummaryRow> rows = {};  ///< the longest own time first, then the longest total, then by name

    std::uint64_t count() const;  ///< of all rows

    double share(const SummaryRow& row) const
    {
        return own == 0 ? 0 : static_cast<double>(row.own) / static_cast<double>(own);
    }
};

/// What is summed up: a part of the recording, and some of its events.
struct SummaryScope {
    std::optional<Interval> range = {};  ///< empty: the whole recording
    std::function<bool(EventRef)> counts = {};  ///< empty: all events
};

/// Stopped half-way it is empty.
Summary summarise(
    const Recording& recording, SummaryBy by, const SummaryScope& scope = {}, const std::stop_token& stop = {});

/// The length of an event's part within the range; nothing if the row does not count it.
using SummaryPart = std::function<std::optional<Ns>(EventRef)>;

/// For the events that row `name` of the table counts, which are marked when the row is chosen. Keeps the trace of
/// `recording`. Cost: one look at every distinct name; then a few ns a call.
SummaryPart part_in_row(const Recording& recording, SummaryBy by, std::string_view name, const SummaryScope& scope);

/// The durations of a row, in no order: as many as its count. Linear in the events of the table.
std::vector<Ns> durations_of(
    const Recording& recording, SummaryBy by, const SummaryPart& part, const std::stop_token& stop = {});

/// summary_print.cpp; see docs/definitions.md. Null: no table of counters.
std::string to_json(const std::vector<Summary>& summaries, Interval range, const CounterSummary* counters = nullptr,
    const Messages& messages = Messages::english());
std::string to_csv(const std::vector<Summary>& summaries, const CounterSummary* counters = nullptr);
std::string to_text(
    const std::vector<Summary>& summaries, const Messages& messages, const CounterSummary* counters = nullptr);

}  // namespace lanes
