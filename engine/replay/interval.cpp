// SPDX-License-Identifier: MIT
#include "engine/replay/interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace lanes::replay {

namespace {

// How far the parts of a prediction may be wrong: fitted on pairs of recordings of the same work done in two ways
// (docs/whatif.md).
constexpr double calls_less = 0.4, calls_more = 0.35, constants_off = 0.25, gpu_off = 0.01, pageable_off = 0.2;
constexpr double pageable_less_loading = 0.15;  // this much less again where others load: 8 to 34 % in data-loader
constexpr double fetch_less = 0.4, fetch_more = 2.2, taking_off = 0.8, staged_more = 1.7;  // changes/workers.cpp
constexpr double links_off = 0.1, duplex_less = 0.25, duplex_more = 0.1, host_off = 0.35, service_off = 0.4;
// Kernels that the change puts beside others: two memory-bound ones slow one another down by up to a fifth, and two
// that fill the GPU fill one another's tails.
constexpr double beside_less = 0.06, beside_more = 0.2;
// Kernels known to stream memory do not slow one another down if their data is in the L2 cache. Two that fill the GPU
// save 3 to 8 µs of beginning and end each, and compete in between.
constexpr double streams_beside_more = 0.1, streams_more = 0.04;
constexpr Ns head_of_stream = 8'000;
constexpr double beside_matters = 0.05;  // of the total
constexpr double floor_off = 0.03, launches_floor_off = 0.15;
// What a change leaves alone takes as long as before: no prediction is off by more than twice the change's gain or
// cost, and this. Launch-bound runs of one program differ by more from one to the next.
constexpr double gain_off = 2, rest_off = 0.03, launches_rest_off = 0.12;

/// By how much copies of pinned memory were slower than possible on this GPU, if by little enough for the same link:
/// another run may have the link to itself.
double disturbed(const Constants& constants)
{
    constexpr double other_link = 0.25;
    constexpr double per_ns = 1e-9;
    const auto& table = constants.table;
    const double slower = 1
        - std::min(
            constants.h2d_rate / (table.h2d_bandwidth * per_ns), constants.d2h_rate / (table.d2h_bandwidth * per_ns));
    return constants.is_of_gpu && slower < other_link ? slower : 0;
}

/// The first start in the replay of operations that began at `then` or later in the recording.
Ns begin_behind(const Script& script, const Replayed& replayed, Ns then)
{
    Ns first = replayed.total;
    for (std::size_t i = 0; i < script.operations.size(); ++i) {
        if (script.operations[i].was >= then && replayed.start[i] >= 0) {
            first = std::min(first, replayed.start[i]);
        }
    }
    return first;
}

/// The last end in the replay of operations that began before `then` in the recording.
Ns end_before(const Script& script, const Replayed& replayed, Ns then)
{
    Ns last = 0;
    for (std::size_t i = 0; i < script.operations.size(); ++i) {
        if (script.operations[i].was < then && replayed.start[i] >= 0) {
            last = std::max(last, replayed.end[i]);
        }
    }
    return last;
}

/// The starts of a trace's calls, spans, reads and operations, and the ends of the latter; by row.
using Times = std::array<std::vector<Ns>, 5>;

Times times_of(const Script& script, const Replayed& replayed)
{
    Times times;
    const auto put = [&](std::size_t kind, Row row, Ns time) {
        auto& of = times.at(kind);
        of.resize(std::max<std::size_t>(of.size(), row + std::size_t {1}), -1);
        of[row] = of[row] < 0 ? time : std::min(of[row], time);
    };
    for (std::size_t i = 0; i < script.items.size(); ++i) {
        const auto& item = script.items[i];
        if (!item.dropped) {
            put(item.kind == Item::call ? 0 : item.kind == Item::read ? 2 : 1, item.row, replayed.item_start[i]);
        }
    }
    for (std::size_t i = 0; i < script.operations.size(); ++i) {
        if (!script.operations[i].dropped) {
            put(3, script.operations[i].row, replayed.start[i]);
            put(4, script.operations[i].row, replayed.end[i]);
        }
    }
    return times;
}

/// Until when a changed run equals the recorded one: before that, everything begins and every operation ends at the
/// same time.
Ns same_until(Times before, Times after)
{
    constexpr Ns same = 1'000;
    Ns until = std::numeric_limits<Ns>::max();
    for (std::size_t kind = 0; kind < before.size(); ++kind) {
        auto& a = before.at(kind);
        auto& b = after.at(kind);
        a.resize(std::max(a.size(), b.size()), -1);
        b.resize(a.size(), -1);
        for (std::size_t row = 0; row < a.size(); ++row) {
            if (std::abs(a[row] - b[row]) > same) {
                until = std::min(until, a[row] < 0 ? b[row] : b[row] < 0 ? a[row] : std::min(a[row], b[row]));
            }
        }
    }
    return until;
}

TimeBeside time_beside(const Script& script, const std::vector<Ns>& starts, const std::vector<Ns>& ends)
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t index = 0; index < script.operations.size(); ++index) {
        if (script.operations[index].kind == OperationKind::kernel && !script.operations[index].dropped) {
            order.push_back(index);
        }
    }
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return starts[a] < starts[b]; });
    struct Last {
        Ns end = 0;
        bool streams = false;
    };
    std::vector<Last> devices(script.devices);
    TimeBeside beside;
    for (const auto index : order) {
        const auto& operation = script.operations[index];
        auto& last = devices[script.streams[operation.stream].device];
        (last.streams && operation.streams ? beside.streams : beside.others)
            += std::max<Ns>(0, std::min(last.end, ends[index]) - starts[index]);
        if (ends[index] > last.end) {
            last = {ends[index], operation.streams};
        }
    }
    return beside;
}

/// How long the copies of pageable memory take that remain where they were.
Ns staged_in(const Script& script, const Replayed& replayed, const Mode& mode)
{
    Ns sum = 0;
    for (std::size_t i = 0; i < script.operations.size(); ++i) {
        const auto& operation = script.operations[i];
        if (operation.pageable && replayed.start[i] >= 0 && mode.is_of(operation.was)
            && !script.is_copied_elsewhere(operation)) {
            sum += replayed.end[i] - replayed.start[i];
        }
    }
    return sum;
}

/// The replay in which everything takes less.
Mode shorter(const Script& script, Mode mode)
{
    mode.calls = 1 - calls_less;
    mode.constants = 1 - constants_off;
    mode.gpu = 1 - gpu_off;
    mode.links = 1 - std::max(links_off, disturbed(script.constants));
    mode.duplex = 1 + duplex_more;
    mode.load = 0;
    mode.host = 1 - host_off;
    mode.service = 1 - service_off;
    mode.fetch = fetch_less;
    mode.taking = 1 - taking_off;
    return mode;
}

/// The replay in which everything takes more.
Mode longer(const Script& script, Mode mode, bool by_torch)
{
    mode.calls = 1 + calls_more;
    mode.constants = 1 + constants_off;
    mode.gpu = 1 + gpu_off;
    mode.links = 1 + links_off;
    mode.pinned = 1 + script.constants.links_slower;
    mode.duplex = 1 - duplex_less;
    mode.host = 1 + host_off;
    mode.service = 1 + service_off;
    mode.fetch = fetch_more;
    mode.taking = 1 + taking_off;
    mode.staged = by_torch ? staged_more : 1;
    return mode;
}

}  // namespace

Ns part_of(Ns time, double part)
{
    return static_cast<Ns>(std::llround(static_cast<double>(time) * part));
}

bool is_bound_by(double Mode::*what, const Script& script, Ns total, Mode mode, Ns length)
{
    constexpr double longer = 0.1;
    constexpr double good_part = 0.35;
    mode.*what = what == &Mode::duplex ? 1 / (1 + longer) : 1 + longer;
    return static_cast<double>(replay(script, mode).total - total) > good_part * longer * static_cast<double>(length);
}

UnsurePart unsure_part(const BothRuns& runs, const std::optional<Interval>& repeats)
{
    const auto& [recorded, unchanged, changed, replayed] = runs;
    Ns from = std::min(replayed.total, same_until(times_of(recorded, unchanged), times_of(changed, replayed)));
    for (const auto& operation : changed.operations) {
        if (operation.needs != none) {  // only this upload is needed: calls of what follows may come right after it
            from = std::min(from, changed.operations[operation.needs].was);
        }
        if (operation.is_pinned_now && changed.constants.links_slower > 0) {
            from = std::min(from, operation.was);  // its length is uncertain from its start on
        }
    }
    UnsurePart part;
    part.mode.from = from;
    part.length = replayed.total - from;
    if (repeats && from < repeats->end) {
        part.mode.from = std::max(from, repeats->start);
        part.mode.until = repeats->end;
        part.gained = from >= repeats->start ? 0
                                             : std::abs(begin_behind(recorded, unchanged, repeats->start)
                                                 - begin_behind(changed, replayed, repeats->start));
        const Ns began = begin_behind(changed, replayed, part.mode.from);
        part.length = std::max<Ns>(0, end_before(changed, replayed, part.mode.until) - began);
    }
    return part;
}

TimeBeside recorded_beside(const Script& script, const Trace& trace)
{
    std::vector<Ns> starts;
    std::vector<Ns> ends;
    for (const auto& operation : script.operations) {
        starts.push_back(trace.operations.start[operation.row]);
        ends.push_back(trace.operations.end[operation.row]);
    }
    return time_beside(script, starts, ends);
}

Widest widest_of(const BothRuns& runs, const Doubts& doubts)
{
    const auto& changed = runs.changed;
    const auto& mode = doubts.part.mode;
    struct Group {
        Unsure what;
        std::vector<double Mode::*> of;
    };
    const std::array<Group, 4> groups {{{Unsure::calls, {&Mode::calls, &Mode::constants}},
        {Unsure::host, {&Mode::host, &Mode::service}}, {Unsure::loading, {&Mode::fetch, &Mode::taking, &Mode::staged}},
        {Unsure::links, {&Mode::links, &Mode::pinned, &Mode::duplex}}}};
    const auto less = shorter(changed, mode);
    const auto more = longer(changed, mode, doubts.by_torch);
    Widest widest;
    const auto take = [&](Unsure what, Ns width) { widest = width > widest.width ? Widest {what, width} : widest; };
    for (const auto& group : groups) {
        const auto total = [&](const Mode& from) {
            Mode only = mode;
            for (const auto field : group.of) {
                only.*field = from.*field;
            }
            return replay(changed, only).total;
        };
        take(group.what, total(more) - total(less));
    }
    take(Unsure::pageable, 2 * part_of(staged_in(changed, runs.replayed, mode), pageable_off));
    take(Unsure::other_way, doubts.other_way ? *doubts.other_way - runs.replayed.total : 0);
    return widest;
}

PredictedInterval interval_of(const BothRuns& runs, const Doubts& doubts)
{
    const auto& [recorded, unchanged, changed, replayed] = runs;
    const Ns total = replayed.total;
    const auto& mode = doubts.part.mode;
    const Ns low = replay(changed, shorter(changed, mode)).total;
    Ns high = replay(changed, longer(changed, mode, doubts.by_torch)).total;
    const Ns floor = part_of(doubts.part.length, doubts.is_rough ? launches_floor_off : floor_off);
    if (doubts.other_way) {
        high = std::max(high, *doubts.other_way + (doubts.may_load_first ? floor : 0));
    }
    const auto devices = std::max<Ns>(1, changed.devices);
    const auto ran_beside = time_beside(changed, replayed.start, replayed.end);
    const Ns beside = std::max<Ns>(0, ran_beside.others - doubts.beside.others) / devices;
    const Ns streams_beside = std::max<Ns>(0, ran_beside.streams - doubts.beside.streams) / devices;
    const Ns staged = staged_in(changed, replayed, mode);
    const Ns staging = part_of(staged, pageable_off) + part_of(doubts.part.gained, calls_more);
    const Ns tails = std::max<Ns>(0, replayed.waited - unchanged.waited) / devices;
    // Kernels that stream memory, side by side, fill one another's first and last microseconds, and compete in between.
    const Ns heads = (static_cast<Ns>(replayed.streams_that_waited) - static_cast<Ns>(unchanged.streams_that_waited))
        * head_of_stream / devices;
    const Ns in_the_way = std::max<Ns>(0, replayed.streams_waited - unchanged.streams_waited) / devices;
    PredictedInterval interval;
    interval.kernels_beside = beside + streams_beside > part_of(total, beside_matters);
    const Ns changed_by = std::abs(total - unchanged.total);
    const Ns rest = part_of(doubts.part.length, doubts.is_rough ? launches_rest_off : rest_off);
    const Ns most = doubts.by_torch ? total + high  // workers may cost more than they gain
                                    : rest + part_of(changed_by, gain_off);
    // What gains something costs nothing but what one run differs from the next.
    const bool may_cost = doubts.serves || doubts.may_load_first || total >= unchanged.total;
    const Ns most_up = may_cost ? most : std::min(most, changed_by + rest);
    const Ns less_beside = std::max(part_of(beside + streams_beside + tails, beside_less), heads);
    const Ns down = total - std::min(low, total - floor) + staging;
    const Ns up = std::max(high, total + floor) - total + staging;
    const Ns differs = part_of(staged, pageable_off);
    interval.pageable_differs = std::max(down, up) > most && differs > part_of(total, floor_off) ? differs : 0;
    const Ns less_loading = doubts.loads ? part_of(staged, pageable_less_loading) : 0;
    interval.low = std::max<Ns>(0, total - std::min(down, most) - less_beside - less_loading);
    interval.high = total + std::min(up, most_up) + part_of(beside, beside_more)
        + part_of(streams_beside, streams_beside_more) + part_of(in_the_way, streams_more);
    interval.high = doubts.may_cost_more ? std::max(interval.high, *doubts.other_way + floor) : interval.high;
    interval.high = doubts.may_wait ? std::max(interval.high, unchanged.total) : interval.high;
    return interval;
}

}  // namespace lanes::replay
