// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/blocking_launches.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/look_ahead.h"

#include <algorithm>
#include <map>

namespace lanes {

namespace {

struct OfProcess {
    std::uint64_t launches = 0, waited = 0;
    bool evident = false;
    bool waits() const { return evident && waited * 20 >= launches * 19; }
};

/// Whether any call lasted long enough beside its own kernel to be evidence below. If none did, as in most recordings,
/// nothing need be gathered.
bool any_may_be_evident(const Trace& trace, Ns late)
{
    const auto& operations = trace.operations;
    for (Row row = 0; row < operations.size(); ++row) {
        look_ahead_through(operations.call, row, trace.calls.outer, trace.calls.end);
        if (operations.end[row] - operations.start[row] > ordinary_call) {
            const Row call = outermost(trace.calls, operations.call[row]);
            if (call != no_row && trace.calls.end[call] + late - operations.start[row] > ordinary_call) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

BlockingLaunches::BlockingLaunches(const Trace& trace, const std::vector<CallClass>& classes, Ns late)
{
    const auto& calls = trace.calls;
    const auto& operations = trace.operations;
    if (trace.kernels.empty() || !any_may_be_evident(trace, late)) {
        return;
    }
    std::vector<Row> last(calls.size(), no_row);  // by outermost call: the operation that ends last
    for (Row row = 0; row < operations.size(); ++row) {
        const Row call = outermost(calls, operations.call[row]);
        if (call == no_row || calls.thread[call] == no_row) {
            continue;
        }
        const auto of = classes[calls.name[call]];
        const bool launches = of == CallClass::graph_launch
            || (of == CallClass::other && operations.kind[row] == OperationKind::kernel);
        if (launches && (last[call] == no_row || operations.end[row] > operations.end[last[call]])) {
            last[call] = row;
        }
    }
    std::map<std::uint32_t, OfProcess> processes;
    std::uint32_t process = no_id;
    OfProcess* known = nullptr;
    for (Row call = 0; call < calls.size(); ++call) {
        const Row work = last[call];
        if (work == no_row) {
            continue;
        }
        if (const auto id = trace.threads[calls.thread[call]].process; known == nullptr || id != process) {
            process = id;
            known = &processes[id];
        }
        ++known->launches;
        const Ns end = calls.end[call] + late;
        if (!held(calls.start[call] + late, end, operations.start[work], operations.end[work])) {
            last[call] = no_row;
            continue;
        }
        ++known->waited;
        const Ns beside = std::min(end, operations.end[work]) - operations.start[work];
        known->evident
            = known->evident || (beside > ordinary_call && end - operations.end[work] <= ordinary_call + beside / 50);
    }
    if (std::none_of(processes.begin(), processes.end(), [](const auto& of) { return of.second.waits(); })) {
        return;
    }
    for (Row call = 0; call < calls.size(); ++call) {
        if (last[call] != no_row && !processes[trace.threads[calls.thread[call]].process].waits()) {
            last[call] = no_row;
        }
    }
    m_awaited = std::move(last);
}

}  // namespace lanes
