// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/first_launch.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/call_class.h"

namespace lanes {

namespace {

bool is_first_of_kernel(const Trace& trace, Row operation, Ns called)
{
    const auto& ops = trace.operations;
    const auto& of = trace.streams[ops.stream[operation]];
    const auto name = trace.kernels[ops.detail[operation]].full_name;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto& other = trace.streams[stream];
        if (other.process != of.process || other.context != of.context) {
            continue;
        }
        const auto rows = trace.operations_of(stream);
        for (Row row = rows.begin; row < rows.end && ops.start[row] < ops.start[operation]; ++row) {
            const Row call = outermost(trace.calls, ops.call[row]);
            if (ops.kind[row] == OperationKind::kernel && trace.kernels[ops.detail[row]].full_name == name
                && (call == no_row || trace.calls.start[call] < called)) {
                return false;
            }
        }
    }
    return true;
}

bool is_first_of_process(const Trace& trace, Row call)
{
    const auto& calls = trace.calls;
    const auto process
        = [&](Row row) { return calls.thread[row] == no_row ? no_row : trace.threads[calls.thread[row]].process; };
    for (Row row = 0; row < calls.size() && calls.start[row] < calls.start[call]; ++row) {
        if (calls.outer[row] == no_row && calls.end[row] - calls.start[row] > loads_code
            && process(row) == process(call)) {
            return false;
        }
    }
    return true;
}

}  // namespace

FirstCall first_call_of(const Graph& graph, Row operation)
{
    const auto& trace = graph.trace();
    const auto& calls = trace.calls;
    const Row call = outermost(calls, trace.operations.call[operation]);
    if (call == no_row || calls.end[call] - calls.start[call] - graph.blocking().time_of(call) <= loads_code) {
        return FirstCall::none;
    }
    if (is_first_of_process(trace, call)) {
        return FirstCall::of_process;
    }
    const bool is_kernel = trace.operations.kind[operation] == OperationKind::kernel;
    return is_kernel && is_first_of_kernel(trace, operation, calls.start[call]) ? FirstCall::of_kernel
                                                                                : FirstCall::none;
}

}  // namespace lanes
