// SPDX-License-Identifier: MIT
// GPUs that wait in a collective for the one that begins it last.
#include "engine/analysis/findings/search.h"
#include "engine/analysis/graph/kernel_share.h"
#include "engine/analysis/words/shown.h"
#include "engine/ranks/issuer_time.h"
#include "engine/ranks/late_ranks.h"
#include "engine/ranks/late_windows.h"
#include "engine/ranks/without_ranks.h"
#include "engine/trace/median.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/ranks.h"
#include "engine/trace/sampled_range.h"

#include <array>
#include <map>
#include <optional>
#include <set>

namespace lanes {

namespace {

/// "rank 1" of a run of several, else "GPU 1".
Message name_of_gpu(const Trace& trace, std::uint32_t device)
{
    const auto ranks = ranks_of(trace);
    for (const auto& stream : trace.streams) {
        for (const auto& rank : ranks) {
            if (stream.device == device && stream.process == rank.process) {
                return {"finding.communication-late.rank", {{"number", std::to_string(rank.rank)}}};
            }
        }
    }
    return {"finding.communication-late.gpu", {{"number", std::to_string(device)}}};
}

/// The kernels of a GPU that do not communicate.
struct Kernels {
    std::vector<Row> rows;  ///< by start
    Coverage ran {{}};
    GpuRoom room;
};

std::map<std::uint32_t, Kernels> kernels_of(const Search& search)
{
    const auto& trace = search.trace;
    const auto& ops = trace.operations;
    std::map<std::uint32_t, Kernels> found;
    for (Row row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] == OperationKind::kernel && !search.bounds.communicates.has(search.trace, row)) {
            found[trace.streams[ops.stream[row]].device].rows.push_back(row);
        }
    }
    for (auto& [device, kernels] : found) {
        std::stable_sort(
            kernels.rows.begin(), kernels.rows.end(), [&](Row a, Row b) { return ops.start[a] < ops.start[b]; });
        std::vector<Interval> ran;
        for (const Row row : kernels.rows) {
            ran.push_back({ops.start[row], ops.end[row]});
        }
        kernels.ran = Coverage(unite(std::move(ran)));
        kernels.room = gpu_room(trace, device);
    }
    return found;
}

/// Calls `see` with each kernel that runs in `time` and for how long.
template <class See> void for_kernels_in(const Trace& trace, const Kernels& kernels, Interval time, const See& see)
{
    constexpr std::ptrdiff_t looked_back = 64;  // kernels that may reach into it
    const auto& ops = trace.operations;
    auto at = std::partition_point(
        kernels.rows.begin(), kernels.rows.end(), [&](Row row) { return ops.start[row] < time.start; });
    at -= std::min(looked_back, at - kernels.rows.begin());
    for (; at != kernels.rows.end() && ops.start[*at] < time.end; ++at) {
        if (const Ns part = length(common({ops.start[*at], ops.end[*at]}, time)); part > 0) {
            see(*at, part);
        }
    }
}

/// How long a part of a kernel would take if the collective did not hold multiprocessors beside it.
double alone(const Trace& trace, const Kernels& kernels, Row kernel, Ns part, Row collective)
{
    const auto& ops = trace.operations;
    return static_cast<double>(part)
        / longer_beside(trace.kernels[ops.detail[kernel]], trace.kernels[ops.detail[collective]], kernels.room);
}

/// How long the kernels of `time` would take if the waiting collective did not hold multiprocessors beside them.
Ns without_the_wait(const Trace& trace, const Kernels& kernels, Interval time, Row collective)
{
    double took = 0;
    double takes = 0;
    for_kernels_in(trace, kernels, time, [&](Row kernel, Ns part) {
        took += static_cast<double>(part);
        takes += alone(trace, kernels, kernel, part, collective);
    });
    return took > 0 ? static_cast<Ns>(static_cast<double>(kernels.ran.within(time)) * takes / took) : 0;
}

/// What kernels lost beside collectives that waited for their last GPU.
std::vector<SlowedKernel> slowed_kernels(
    const Trace& trace, const Collectives& collectives, const std::map<std::uint32_t, Kernels>& kernels)
{
    const auto& ops = trace.operations;
    std::vector<SlowedKernel> slowed;
    for (std::size_t i = 0; i < collectives.all.size(); ++i) {
        const auto& collective = collectives.all[i];
        for (const Row row : collective.kernels) {
            const auto of = kernels.find(trace.streams[ops.stream[row]].device);
            if (of == kernels.end()) {
                continue;
            }
            for_kernels_in(trace, of->second, {ops.start[row], ops.start[collective.last]}, [&](Row kernel, Ns part) {
                const auto longer = part - static_cast<Ns>(alone(trace, of->second, kernel, part, row));
                if (longer > 0) {
                    slowed.push_back({kernel, i, longer});
                }
            });
        }
    }
    return slowed;
}

/// Stretches of calls that another finding's change removes, by thread: a GPU that is late because of one is in time
/// without it.
std::map<Row, Coverage> cured_waits(const Search& search, const Cured& cured)
{
    std::map<Row, std::vector<Interval>> waits;
    for (const auto& stretch : search.blocking.calls) {
        if (cured.has_call(stretch.call)) {
            waits[search.trace.calls.thread[stretch.call]].push_back({stretch.start, stretch.end});
        }
    }
    std::map<Row, Coverage> found;
    for (auto& [thread, intervals] : waits) {
        found.emplace(thread, unite(std::move(intervals)));
    }
    return found;
}

/// What a GPU did while others waited for it.
struct Lateness {
    Ns computing = 0;  ///< its kernels meanwhile
    Ns more = 0;  ///< time of its kernels since the collective before, beyond that of the GPU that came next to last
    Ns issued = 0;  ///< by how much later than for that GPU the collectives were issued, where both calls are recorded
    std::vector<Interval> missing;
    Row thread = no_row;  ///< that issued what came late
};

/// What it had more than the median of the other GPUs of its group in late_windows(), ns.
struct More {
    Ns computing = 0;
    Ns loading = 0, recording = 0;  ///< IssuerTime
};

std::optional<std::uint32_t> process_of(const Trace& trace, std::uint32_t device)
{
    for (const auto& stream : trace.streams) {
        if (stream.device == device) {
            return stream.process;
        }
    }
    return std::nullopt;
}

More more_of(const Search& search, const Collectives& collectives, const std::map<std::uint32_t, Kernels>& kernels,
    const LateRank& late)
{
    struct OfGpu {
        Coverage loading, recording;
    };
    const auto& ops = search.trace.operations;
    const auto device = [&](Row row) { return search.trace.streams[ops.stream[row]].device; };
    std::map<std::uint32_t, OfGpu> hosts;
    for (const auto gpu : collectives.groups[late.group]) {
        const auto process = process_of(search.trace, gpu);
        auto time = process ? issuer_time(search.trace, {*process, gpu}) : IssuerTime();
        hosts.emplace(gpu, OfGpu {Coverage(std::move(time.loading)), Coverage(std::move(time.recording))});
    }
    const auto issued = [&](Row row) {
        const Row call = search.issuer(row);
        return call == no_row ? ops.start[row] : search.trace.calls.start[call];
    };
    const auto within = [](const Coverage& part, Ns start, Ns end) {
        return start < end ? part.within({start, end}) : 0;
    };
    const auto between = [&](Row from, Row to) {
        const auto& host = hosts.at(device(from));
        const auto computing = kernels.find(device(from));
        const Ns start = issued(from), end = issued(to);
        return More {computing == kernels.end() ? 0 : within(computing->second.ran, ops.start[from], ops.start[to]),
            within(host.loading, start, end), within(host.recording, start, end)};
    };
    return against_others(search.trace, collectives, late, search.report.range,
        std::array {&More::computing, &More::loading, &More::recording}, between)
        .more;
}

/// The range of its process that has most of the time, the innermost of several, and that takes longer than in the
/// others' processes by half of what they lose: a host also waits where the others do. Empty: there is none, or it
/// lasts much longer than what is missing, such as one around the whole run.
std::string_view range_of(const Search& search, const Lateness& late, const std::set<std::uint32_t>& others,
    const Coverage& missing, Ns time, Ns cost)
{
    constexpr Ns much_longer = 4;
    struct Named {
        Ns within = 0, length = 0;
        std::map<std::uint32_t, Ns> of_others;  // lengths by process
    };
    const auto& trace = search.trace;
    if (late.thread == no_row) {
        return {};
    }
    const auto own = trace.threads[late.thread].process;
    std::map<StringId, Named> names;
    for (const auto& range : trace.ranges) {
        const Interval part = common({range.start, range.end}, search.report.range);
        if (range.thread == no_row || range.mark || is_sampled(trace, range) || part.start >= part.end) {
            continue;
        }
        const auto process = trace.threads[range.thread].process;
        if (process == own) {
            auto& named = names[range.name];
            named.within += missing.within(part);
            named.length += part.end - part.start;
        } else if (others.contains(process)) {
            names[range.name].of_others[process] += part.end - part.start;
        }
    }
    const auto usual = [&](const Named& named) {
        std::vector<Ns> lengths;
        for (const auto& [process, length] : named.of_others) {
            lengths.push_back(length);
        }
        lengths.resize(std::max(others.size(), lengths.size()));  // the rest have none
        return lengths.empty() ? 0 : median_of(std::move(lengths));
    };
    const std::pair<const StringId, Named>* best = nullptr;
    for (const auto& entry : names) {
        const auto& named = entry.second;
        if (2 * named.within > time && named.length < much_longer * named.within
            && 2 * (named.length - usual(named)) >= cost && (best == nullptr || named.length < best->second.length)) {
            best = &entry;
        }
    }
    return best == nullptr ? std::string_view() : trace.text(best->first);
}

/// `others`: the processes of the other GPUs of its group.
Message where_of(
    const Search& search, const Lateness& late, const More& more, const std::set<std::uint32_t>& others, Ns cost)
{
    const std::string id = "finding.communication-late.";
    const Coverage missing(unite(late.missing));
    const Ns time = missing.within(search.report.range);
    if (2 * late.more > time || 2 * more.computing >= cost) {
        return {id + "kernels", {}};
    }
    if (2 * std::max(more.recording, more.loading) >= cost) {
        return {id + (more.recording > more.loading ? "profiler" : "data"), {}};
    }
    if (const auto range = range_of(search, late, others, missing, time, cost); !range.empty()) {
        return {id + "range", {{"range", std::string(range)}}};
    }
    return {id + (2 * late.issued > time ? "host" : 2 * late.computing >= time ? "later" : "idle"), {}};
}

/// Where the others waited for the last GPU alone.
struct LastOf {
    Row last, next_to_last;
    Interval missing;  ///< in the range
};

LastOf last_of(const Search& search, const Collective& collective)
{
    const auto& ops = search.trace.operations;
    Row next = no_row;
    for (const Row row : collective.kernels) {
        next = row != collective.last && (next == no_row || ops.start[row] > ops.start[next]) ? row : next;
    }
    return {collective.last, next,
        {std::max(ops.start[next], search.report.range.start),
            std::min(ops.start[collective.last], search.report.range.end)}};
}

/// Which collectives another finding is about already: before it issued the last kernel, its thread was held in what is
/// mended there.
std::vector<bool> excused_by(const Search& search, const Collectives& collectives, const Cured& cured)
{
    std::vector<bool> excused(collectives.all.size());
    const auto waits = cured_waits(search, cured);
    for (std::size_t i = 0; !waits.empty() && i < excused.size(); ++i) {
        const auto last = last_of(search, collectives.all[i]);
        const Row call = search.issuer(last.last);
        const auto wait = call == no_row ? waits.end() : waits.find(search.trace.calls.thread[call]);
        if (wait != waits.end()) {
            const Interval issuing {last.missing.start, std::min(last.missing.end, search.trace.calls.start[call])};
            excused[i] = issuing.start < issuing.end && wait->second.within(issuing) > 0;
        }
    }
    return excused;
}

std::vector<HeldThread> held_threads(const Search& search)
{
    std::vector<HeldThread> held;
    for (const auto& stretch : search.blocking.calls) {
        held.push_back({search.trace.calls.thread[stretch.call], stretch.start, stretch.end, stretch.released_by});
    }
    return held;
}

/// The last and the next to last of each; the waits become evidence.
std::vector<LastOf> lasts_of(
    const Search& search, const Collectives& collectives, const std::vector<std::size_t>& where, Evidence& evidence)
{
    std::vector<LastOf> found;
    for (const auto index : where) {
        const auto last = last_of(search, collectives.all[index]);
        if (last.missing.start < last.missing.end) {
            found.push_back(last);
            evidence.add({EventTable::operations, last.next_to_last}, last.missing.end - last.missing.start);
        }
    }
    return found;
}

Lateness lateness_of(const Search& search, const Collectives& collectives,
    const std::map<std::uint32_t, Kernels>& kernels, const std::vector<LastOf>& lasts)
{
    const auto& trace = search.trace;
    const auto& ops = trace.operations;
    const auto of = [&](Row row) { return kernels.find(trace.streams[ops.stream[row]].device); };
    const auto computing = [&](Row row, Interval time) {
        const auto at = of(row);
        return at == kernels.end() || time.end <= time.start ? 0 : at->second.ran.within(time);
    };
    const auto beside_wait = [&](Row row, Interval time) {
        const auto at = of(row);
        return at == kernels.end() ? 0 : without_the_wait(trace, at->second, time, row);
    };
    std::vector<Ns> ends;
    for (const auto& collective : collectives.all) {
        ends.push_back(ops.end[collective.last]);
    }
    std::sort(ends.begin(), ends.end());
    Lateness late;
    for (const auto& [last, next_to_last, missing] : lasts) {
        const auto next = std::upper_bound(ends.begin(), ends.end(), missing.start);
        const Ns left = std::max(search.report.range.start, next == ends.begin() ? 0 : *std::prev(next));
        const Interval before {left, missing.start};
        late.computing += computing(last, missing);
        late.more += computing(last, {left, missing.end}) - computing(next_to_last, before)
            - beside_wait(next_to_last, missing);
        late.missing.push_back(missing);
        const Row call = search.issuer(last);
        late.thread = call == no_row ? late.thread : trace.calls.thread[call];
        const Row other = search.issuer(next_to_last);
        late.issued += call == no_row || other == no_row ? 0 : trace.calls.start[call] - trace.calls.start[other];
    }
    return late;
}

/// The iterations that lie in the range, most of each.
std::size_t steps_in(const Search& search)
{
    const auto& repetition = search.graph.repetition();
    return !repetition
        ? 0
        : static_cast<std::size_t>(std::count_if(repetition->iterations.begin(), repetition->iterations.end(),
            [&](const Interval& each) { return 2 * search.in_range(each.start, each.end) > length(each); }));
}

}  // namespace

Candidate find_late_gpu(const Search& search, const Dependencies& order, const Cured& cured)
{
    Candidate found;
    found.rule = "communication-late";
    const auto& collectives = order.collectives;
    if (collectives.all.empty()) {
        return found;
    }
    std::map<std::uint32_t, Kernels> kernels;
    const auto without = [&] {
        kernels = kernels_of(search);
        return std::make_unique<WithoutRanks>(
            search.trace, collectives, held_threads(search), slowed_kernels(search.trace, collectives, kernels));
    };
    const auto late = find_late_ranks(search.trace, collectives, without, search.report.range,
        excused_by(search, collectives, cured), meta::number_of(search.trace.meta, meta::clock_uncertainty_ns),
        steps_in(search));
    const std::string id = "finding.communication-late.";
    if (const auto* first = late.first(); first != nullptr && !late.unclear) {
        const auto& rank = *first;
        const auto lasts = lasts_of(search, collectives, rank.where, found.evidence);
        const auto lateness = lateness_of(search, collectives, kernels, lasts);
        const auto more = more_of(search, collectives, kernels, rank);
        std::set<std::uint32_t> others;
        const auto own = process_of(search.trace, rank.device);
        for (const auto gpu : collectives.groups[rank.group]) {
            if (const auto process = process_of(search.trace, gpu); process && process != own) {
                others.insert(*process);
            }
        }
        // Some GPU must run its kernels: spread evenly, the others would take their part of what it has more.
        const auto gpus = static_cast<Ns>(collectives.groups[rank.group].size());
        found.bound = rank.cost - std::clamp<Ns>(lateness.more, 0, rank.cost) / gpus;
        found.title = Message {id + (late.seldom ? "title_seldom" : "title"),
            {{late.seldom ? "times" : "last", std::to_string(rank.last)}, {"all", std::to_string(rank.of)},
                {"others", std::to_string(rank.others.size())}},
            {{"who", name_of_gpu(search.trace, rank.device)},
                {"where", where_of(search, lateness, more, others, rank.cost)}}};
        if (late.seldom) {
            found.advice = Message {id + "advice_seldom", {}};
        }
    } else if (late.turns) {
        found.bound = late.turns->cost;
        static_cast<void>(lasts_of(search, collectives, late.turns->where, found.evidence));
        found.title = Message {id + "title_turns",
            {{"changes", std::to_string(late.turns->changes)}, {"all", std::to_string(late.turns->of)}}};
        found.advice = Message {id + "advice_turns", {}};
    }
    return found;
}

}  // namespace lanes
