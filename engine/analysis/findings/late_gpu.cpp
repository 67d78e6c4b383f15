// SPDX-License-Identifier: MIT
// GPUs that wait in a collective for the one that begins it last.
#include "engine/analysis/findings/search.h"
#include "engine/analysis/graph/kernel_share.h"
#include "engine/analysis/words/shown.h"
#include "engine/trace/ranks.h"

#include <map>

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

/// How long the kernels of `time` would take if the waiting collective did not hold multiprocessors beside them.
Ns without_the_wait(const Trace& trace, const Kernels& kernels, Interval time, Row collective)
{
    constexpr std::ptrdiff_t looked_back = 64;  // kernels that may reach into it
    const auto& ops = trace.operations;
    auto at = std::partition_point(
        kernels.rows.begin(), kernels.rows.end(), [&](Row row) { return ops.start[row] < time.start; });
    at -= std::min(looked_back, at - kernels.rows.begin());
    double took = 0;
    double takes = 0;
    for (; at != kernels.rows.end() && ops.start[*at] < time.end; ++at) {
        const Ns part = std::min(ops.end[*at], time.end) - std::max(ops.start[*at], time.start);
        if (part > 0) {
            took += static_cast<double>(part);
            takes += static_cast<double>(part)
                / longer_beside(trace.kernels[ops.detail[*at]], trace.kernels[ops.detail[collective]], kernels.room);
        }
    }
    return took > 0 ? static_cast<Ns>(static_cast<double>(kernels.ran.within(time)) * takes / took) : 0;
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
    Ns waited = 0;
    Ns computing = 0;  ///< its kernels meanwhile
    Ns more = 0;  ///< time of its kernels since the collective before, beyond that of the GPU that came next to last
    Ns gpus = 2;
    std::vector<Interval> missing;
    Row thread = no_row;  ///< that issued what came late

    /// Some GPU must run its kernels: spread evenly, the others would take their part of what it has more.
    Ns cost() const { return waited - std::clamp<Ns>(more, 0, waited) / gpus; }
};

/// The range of its process that has most of the time, the innermost of several. Empty: there is none, or it lasts much
/// longer than what is missing, such as one around the whole run.
std::string_view range_of(const Search& search, const Lateness& late, const Coverage& missing, Ns time)
{
    constexpr Ns much_longer = 4;
    struct Named {
        Ns within = 0, length = 0;
    };
    const auto& trace = search.trace;
    std::map<StringId, Named> names;
    for (const auto& range : trace.ranges) {
        if (late.thread != no_row && range.thread != no_row && !range.mark
            && trace.threads[range.thread].process == trace.threads[late.thread].process) {
            const Interval part {
                std::max(range.start, search.report.range.start), std::min(range.end, search.report.range.end)};
            if (part.start < part.end) {
                auto& named = names[range.name];
                named.within += missing.within(part);
                named.length += part.end - part.start;
            }
        }
    }
    const std::pair<const StringId, Named>* best = nullptr;
    for (const auto& entry : names) {
        const auto& named = entry.second;
        if (2 * named.within > time && named.length < much_longer * named.within
            && (best == nullptr || named.length < best->second.length)) {
            best = &entry;
        }
    }
    return best == nullptr ? std::string_view() : trace.text(best->first);
}

Message where_of(const Search& search, const Lateness& late)
{
    const std::string id = "finding.communication-late.";
    const Coverage missing(unite(late.missing));
    const Ns time = missing.within(search.report.range);
    if (2 * late.more > time) {
        return {id + "kernels", {}};
    }
    if (const auto range = range_of(search, late, missing, time); !range.empty()) {
        return {id + "range", {{"range", std::string(range)}}};
    }
    return {id + (2 * late.computing < time ? "idle" : "later"), {}};
}

}  // namespace

Candidate find_late_gpu(const Search& search, const Dependencies& order, const Cured& cured)
{
    std::vector<std::pair<Row, Row>> collectives;  // the kernel that starts last, and each of the others
    for (const auto& [operation, last] : order.partners) {
        collectives.emplace_back(last, operation);
    }
    std::sort(collectives.begin(), collectives.end());
    const auto& trace = search.trace;
    const auto& ops = trace.operations;
    Candidate found;
    found.rule = "communication-late";
    const auto kernels = kernels_of(search);
    const auto waits = cured_waits(search, cured);
    const auto device_of = [&](Row row) { return trace.streams[ops.stream[row]].device; };
    const auto computing = [&](Row row, Interval time) {
        const auto at = kernels.find(device_of(row));
        return at == kernels.end() || time.end <= time.start ? 0 : at->second.ran.within(time);
    };
    const auto beside_wait = [&](Row row, Interval time) {
        const auto at = kernels.find(device_of(row));
        return at == kernels.end() ? 0 : without_the_wait(trace, at->second, time, row);
    };
    std::vector<Ns> ends;  // of collectives
    ends.reserve(collectives.size());
    for (const auto& [last, other] : collectives) {
        ends.push_back(ops.end[last]);
    }
    std::sort(ends.begin(), ends.end());
    const auto end_before = [&](Ns time) {
        const auto behind = std::upper_bound(ends.begin(), ends.end(), time);
        return std::max(search.report.range.start, behind == ends.begin() ? 0 : *std::prev(behind));
    };
    std::map<std::uint32_t, Lateness> late_by;
    for (auto first = collectives.begin(); first != collectives.end();) {
        const Row last = first->first;
        const auto behind
            = std::find_if(first, collectives.end(), [&](const auto& entry) { return entry.first != last; });
        const auto gpus = static_cast<Ns>(behind - first) + 1;
        Row next_to_last = first->second;
        for (auto other = first; other != behind; ++other) {
            next_to_last = ops.start[other->second] > ops.start[next_to_last] ? other->second : next_to_last;
        }
        // The time in which only the last one was missing: what every other GPU spent in nothing else, or lost because
        // the wait holds multiprocessors.
        const Interval missing {std::max(ops.start[next_to_last], search.report.range.start),
            std::min(ops.start[last], search.report.range.end)};
        Ns waited = std::max<Ns>(0, missing.end - missing.start);
        for (auto other = first; other != behind && waited > 0; ++other) {
            waited = std::min(waited, missing.end - missing.start - beside_wait(other->second, missing));
        }
        first = behind;
        const Row call = search.issuer(last);
        const auto wait = call == no_row ? waits.end() : waits.find(trace.calls.thread[call]);
        if (waited <= 0 || (wait != waits.end() && wait->second.within(missing) > 0)) {
            continue;
        }
        auto& late = late_by[device_of(last)];
        late.waited += waited;
        late.gpus = std::max(late.gpus, gpus);
        late.computing += computing(last, missing);
        const Interval before {end_before(missing.start), missing.start};
        late.more += computing(last, {before.start, missing.end}) - computing(next_to_last, before)
            - beside_wait(next_to_last, missing);
        late.missing.push_back(missing);
        late.thread = call == no_row ? late.thread : trace.calls.thread[call];
        found.evidence.add({EventTable::operations, next_to_last}, waited);
    }
    for (const auto& [device, late] : late_by) {
        found.bound += late.cost();
    }
    if (found.bound > 0) {
        const auto latest = std::max_element(late_by.begin(), late_by.end(),
            [](const auto& a, const auto& b) { return a.second.cost() < b.second.cost(); });
        found.said.push_back({"who", name_of_gpu(trace, latest->first)});
        found.said.push_back({"where", where_of(search, latest->second)});
    }
    return found;
}

}  // namespace lanes
