// SPDX-License-Identifier: MIT
#include "engine/ranks/rank_collectives.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/trace/collective_call.h"
#include "engine/trace/operator_range.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace lanes {

namespace {

struct NumberedStep {
    Interval time;
    std::int64_t number;
};

/// The steps of PyTorch's profiler in a process, by start.
std::vector<NumberedStep> numbered_steps(const Trace& trace, std::uint32_t process)
{
    std::vector<NumberedStep> steps;
    for (const auto& range : trace.ranges) {
        const auto name = trace.text(range.name);
        std::uint32_t number = 0;
        if (range.thread != no_row && trace.threads[range.thread].process == process && !range.mark
            && is_profiler_step(name)
            && std::from_chars(name.data() + profiler_step.size(), name.data() + name.size(), number).ec
                == std::errc()) {
            steps.push_back({{range.start, range.end}, number});
        }
    }
    std::sort(steps.begin(), steps.end(),
        [](const NumberedStep& a, const NumberedStep& b) { return a.time.start < b.time.start; });
    return steps;
}

/// -1: the time lies in none of them.
std::int64_t step_at(const std::vector<NumberedStep>& steps, Ns time)
{
    const auto after = std::upper_bound(
        steps.begin(), steps.end(), time, [](Ns at, const NumberedStep& step) { return at < step.time.start; });
    return after == steps.begin() || time >= std::prev(after)->time.end ? -1 : std::prev(after)->number;
}

}  // namespace

std::optional<CommunicatorCall> communicator_call_of(const Trace& trace, const Owners& owners, Row operation)
{
    const auto ranges = collective_ranges(trace, owners, operation);
    const auto call = ranges.empty() ? std::nullopt : collective_call(trace, ranges.front());
    if (!call) {
        return std::nullopt;
    }
    CommunicatorCall found;
    found.bytes = call->bytes.value_or(0);
    if (call->communicator.empty()) {
        return found;
    }
    // Calls are counted for each function, the sequence of a group is not.
    found.communicator = call->communicator_and_members();
    if (call->sequence) {
        found.number = call->sequence;
        return found;
    }
    found.communicator += ' ' + std::string(call->function);
    // Who sends to one other counts alone. Calls in other tools' files are counted from the file's begin.
    const bool is_counted_by_nccl = trace.text(trace.ranges[call->range].domain) == "NCCL";
    if (!call->peer && call->call && is_counted_by_nccl) {
        found.number = *call->call - 1;
    }
    return found;
}

std::vector<GpuOfProcess> communicating_gpus(const Trace& trace, const CommunicationKernels& communicates)
{
    std::set<GpuOfProcess> found;
    for (Row stream = 0; stream < trace.streams.size() && !communicates.none(); ++stream) {
        const auto rows = trace.operations_of(stream);
        for (Row row = rows.begin; row < rows.end; ++row) {
            if (communicates.has(trace, row)) {
                found.insert({trace.streams[stream].process, trace.streams[stream].device});
                break;
            }
        }
    }
    return {found.begin(), found.end()};
}

std::vector<Row> add_collectives(
    const Trace& trace, const CommunicationKernels& communicates, GpuOfProcess of, RankSummary& rank)
{
    const auto& ops = trace.operations;
    std::vector<Row> rows;
    for (Row stream = 0; stream < trace.streams.size() && !communicates.none(); ++stream) {
        const auto span = trace.operations_of(stream);
        for (Row row = span.begin; row < span.end; ++row) {
            if (trace.streams[stream].process == of.process && trace.streams[stream].device == of.device
                && communicates.has(trace, row)) {
                rows.push_back(row);
            }
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) { return ops.start[a] < ops.start[b]; });
    std::map<std::string, std::uint32_t, std::less<>> names {{"", 0}};
    const auto name = [&](std::string_view text) {
        const auto [place, is_new]
            = names.try_emplace(std::string(text), static_cast<std::uint32_t>(rank.names.size()));
        if (is_new) {
            rank.names.emplace_back(text);
        }
        return place->second;
    };
    std::map<StringId, std::uint32_t> named;  // by the kernel's full name
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> numbers;
    std::optional<Owners> owners;
    if (!rows.empty() && !trace.range_values.empty()) {
        owners.emplace(trace);
    }
    const auto steps = numbered_steps(trace, of.process);
    for (const Row row : rows) {
        RankCollective one;
        const auto call = owners ? communicator_call_of(trace, *owners, row) : std::nullopt;
        const auto full = trace.kernels[ops.detail[row]].full_name;
        const auto [known, is_new] = named.try_emplace(full, 0);
        if (is_new) {  // a workload may have given it a name that says more
            const bool says = !communication_of(trace.text(full)).empty();
            known->second = name(says ? trace.text(full) : trace.text(ops.name[row]));
        }
        one.name = known->second;
        one.communicator = call ? name(call->communicator) : 0;
        one.is_numbered = call && call->number.has_value();
        one.bytes = call ? call->bytes : 0;
        auto& next = numbers[{one.communicator, one.communicator == 0 ? one.name : 0}];
        one.number = call && call->number ? *call->number : next;
        ++next;
        one.start = trace.origin + ops.start[row];
        one.end = trace.origin + ops.end[row];
        const Row issue = outermost(trace.calls, ops.call[row]);
        one.issued = issue == no_row ? one.start : trace.origin + trace.calls.start[issue];
        one.step = issue == no_row ? -1 : step_at(steps, trace.calls.start[issue]);
        rank.collectives.push_back(one);
    }
    return rows;
}

}  // namespace lanes
