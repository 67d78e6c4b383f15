// SPDX-License-Identifier: MIT
// GPUs that wait in a collective for the one that begins it last.
#include "engine/analysis/findings/search.h"
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

/// When kernels that do not communicate ran, by device.
std::map<std::uint32_t, Coverage> kernels_of(const Search& search)
{
    const auto& trace = search.trace;
    std::map<std::uint32_t, std::vector<Interval>> ran;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (trace.operations.kind[row] == OperationKind::kernel
            && !search.bounds.communicates[trace.operations.name[row]]) {
            ran[trace.streams[trace.operations.stream[row]].device].push_back(
                {trace.operations.start[row], trace.operations.end[row]});
        }
    }
    std::map<std::uint32_t, Coverage> kernels;
    for (auto& [device, intervals] : ran) {
        kernels.emplace(device, unite(std::move(intervals)));
    }
    return kernels;
}

/// Stretches of calls that are cured already, by thread: who comes late because of one comes in time without it.
std::map<Row, Coverage> cured_waits(const Search& search, const Cures& cured)
{
    std::map<Row, std::vector<Interval>> waits;
    for (const auto& stretch : search.blocking.calls) {
        if (!cured.calls.empty() && cured.calls[stretch.call] != Cures::none) {
            waits[search.trace.calls.thread[stretch.call]].push_back({stretch.start, stretch.end});
        }
    }
    std::map<Row, Coverage> found;
    for (auto& [thread, intervals] : waits) {
        found.emplace(thread, unite(std::move(intervals)));
    }
    return found;
}

}  // namespace

Candidate find_late_gpu(const Search& search, const std::vector<std::pair<Row, Row>>& collectives, const Cures& cured)
{
    const auto& trace = search.trace;
    const auto& ops = trace.operations;
    Candidate found;
    found.rule = "communication-late";
    const auto kernels = kernels_of(search);
    const auto waits = cured_waits(search, cured);
    const auto device_of = [&](Row row) { return trace.streams[ops.stream[row]].device; };
    const auto computing = [&](Row row, Interval time) {
        const auto at = kernels.find(device_of(row));
        return at == kernels.end() ? 0 : at->second.within(time);
    };
    std::map<std::uint32_t, Ns> late_by;
    for (auto first = collectives.begin(); first != collectives.end();) {
        const Row last = first->first;
        const auto behind
            = std::find_if(first, collectives.end(), [&](const auto& entry) { return entry.first != last; });
        const auto gpus = static_cast<Ns>(behind - first) + 1;
        Row next_to_last = first->second;
        for (auto other = first; other != behind; ++other) {
            next_to_last = ops.start[other->second] > ops.start[next_to_last] ? other->second : next_to_last;
        }
        // While the last one alone was missing: what of it every other GPU spent in nothing else.
        const Interval missing {std::max(ops.start[next_to_last], search.report.range.start),
            std::min(ops.start[last], search.report.range.end)};
        Ns waited = std::max<Ns>(0, missing.end - missing.start);
        for (auto other = first; other != behind && waited > 0; ++other) {
            waited = std::min(waited, missing.end - missing.start - computing(other->second, missing));
        }
        first = behind;
        const Row call = search.issuer(last);
        const auto wait = call == no_row ? waits.end() : waits.find(trace.calls.thread[call]);
        if (waited <= 0 || (wait != waits.end() && wait->second.within(missing) > 0)) {
            continue;
        }
        // Its own kernels must be done by some GPU: spread evenly, the others would take their part of them.
        const Ns worked = std::min(waited, computing(last, missing));
        const Ns cost = waited - worked / gpus;
        found.bound += cost;
        late_by[device_of(last)] += cost;
        found.evidence.add({EventTable::operations, next_to_last}, waited);
    }
    if (found.bound > 0) {
        const auto latest = std::max_element(
            late_by.begin(), late_by.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        found.said.push_back({"who", name_of_gpu(trace, latest->first)});
    }
    return found;
}

}  // namespace lanes
