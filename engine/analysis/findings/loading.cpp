// SPDX-License-Identifier: MIT
// First launches that load or compile code in the part that is measured.
#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/findings/search.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lanes {

namespace {

/// By call: how long CUPTI says that it loaded or compiled.
std::map<Row, Ns> recorded_loads(const Trace& trace)
{
    std::map<Row, Ns> loads;
    for (const auto& overhead : trace.overheads) {
        const Row call = outermost(trace.calls, overhead.call);
        if (call != no_row
            && (overhead.type == OverheadRecord::driver_compiler || overhead.type == OverheadRecord::module_loading
                || overhead.type == OverheadRecord::lazy_function_loading)) {
            loads[call] += overhead.end - overhead.start;
        }
    }
    return loads;
}

/// The calls that loaded something, each of which is the first launch of its kernel in its context.
std::vector<Row> first_launches_that_loaded(const Search& search)
{
    const auto& trace = search.trace;
    const auto& ops = trace.operations;
    const auto& calls = trace.calls;
    const auto loads = recorded_loads(trace);
    const auto issuer = [&](Row row) {
        const Row call = ops.kind[row] == OperationKind::kernel ? search.issuer(row) : no_row;
        return call != no_row && calls.thread[call] != no_row ? call : no_row;
    };
    const auto kernel_of = [&](Row row) {
        const auto& stream = trace.streams[ops.stream[row]];
        return std::tuple(stream.process, stream.context, trace.kernels[ops.detail[row]].full_name);
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, StringId>, Row> first;  // call
    std::vector<bool> is_asked(trace.strings.size());
    std::vector<std::pair<Row, Row>> launches;  // operation, call
    for (Row row = 0; row < ops.size(); ++row) {
        const Row call = issuer(row);
        if (call != no_row
            && ((!loads.empty() && loads.contains(call))
                || calls.end[call] - calls.start[call] - search.blocking.time_of(call) > loads_code)) {
            launches.emplace_back(row, call);
            first.try_emplace(kernel_of(row), call);
            is_asked[trace.kernels[ops.detail[row]].full_name] = true;
        }
    }
    for (Row row = 0; !launches.empty() && row < ops.size(); ++row) {
        const Row call = issuer(row);
        if (call != no_row && is_asked[trace.kernels[ops.detail[row]].full_name]) {
            if (const auto at = first.find(kernel_of(row));
                at != first.end() && calls.start[call] < calls.start[at->second]) {
                at->second = call;
            }
        }
    }
    std::vector<Row> loading;
    for (const auto& [row, call] : launches) {
        if (first.at(kernel_of(row)) == call) {
            loading.push_back(call);
        }
    }
    return loading;
}

/// What a library loads by a call of its own, as PyTorch does inside an operator.
std::vector<Row> calls_that_load_code(const Trace& trace)
{
    const auto& calls = trace.calls;
    std::vector<Row> loading;
    std::vector<bool> loads_itself(trace.strings.size());
    for (StringId name = 0; name < loads_itself.size(); ++name) {
        loads_itself[name] = loads_code_itself(trace.text(name));
    }
    for (Row call = 0; call < calls.size(); ++call) {
        if (loads_itself[calls.name[call]] && calls.outer[call] == no_row && calls.thread[call] != no_row
            && calls.end[call] - calls.start[call] > loads_code) {
            loading.push_back(call);
        }
    }
    return loading;
}

/// When the last call of the steady part was made whose operation ended in it. What is loaded later is for what comes
/// next, though the GPU has yet to finish.
Ns last_issue_of(const Search& search, const SteadyState& steady)
{
    const auto& ops = search.trace.operations;
    Ns last = steady.span.start;
    for (Row row = 0; row < ops.size(); ++row) {
        const Row call = search.issuer(row);
        if (call != no_row && ops.end[row] <= steady.span.end) {
            last = std::max(last, search.trace.calls.start[call]);
        }
    }
    return last;
}

}  // namespace

Candidate find_loading(const Search& search)
{
    const auto& trace = search.trace;
    const auto& calls = trace.calls;
    Candidate found;
    found.rule = "loading-in-run";
    auto loading = first_launches_that_loaded(search);
    const auto by_themselves = calls_that_load_code(trace);
    loading.insert(loading.end(), by_themselves.begin(), by_themselves.end());
    std::sort(loading.begin(), loading.end());
    loading.erase(std::unique(loading.begin(), loading.end()), loading.end());
    if (loading.empty()) {
        return found;
    }
    if (trace.text(calls.name[loading.front()]).starts_with("hip")) {
        found.advice = Message {"finding.loading-in-run.advice_hip", {}};
    }
    // What a program loads before its iterations is its start, which nobody measures.
    const auto& repetition = search.graph.repetition();
    const Ns last_issue = repetition ? last_issue_of(search, repetition->steady) : INT64_MAX;
    for (const Row call : loading) {
        if (!repetition || (calls.start[call] >= repetition->steady.span.start && calls.start[call] <= last_issue)) {
            const auto held = search.blocking.of(call);
            const Interval part = search.part_in_range(
                calls.start[call], held.empty() ? calls.end[call] : search.blocking.calls[held.front()].start);
            if (length(part) > 0) {
                found.take(part, {EventTable::calls, call});
                found.rows.calls.push_back(call);
            }
        }
    }
    found.bound_by_taken();
    return found;
}

}  // namespace lanes
