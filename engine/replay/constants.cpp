// SPDX-License-Identifier: MIT
#include "engine/replay/constants.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/pinned_rates.h"
#include "engine/run/model/model_device_file.h"
#include "engine/trace/median.h"
#include "engine/workload/resources.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace lanes::replay {

namespace {

constexpr std::size_t most_samples = 4096;
constexpr std::uint64_t large_copy = 1 << 20;

/// The middle of the first samples.
class Samples {
public:
    void add(Ns time)
    {
        if (m_times.size() < most_samples) {
            m_times.push_back(time);
        }
    }
    Ns take(Ns other, std::size_t& learnt)
    {
        if (m_times.size() < enough_samples) {
            return other;
        }
        ++learnt;
        return nth_part(m_times, 1, 2);
    }

    /// Of times that a few long ones decide.
    Ns take_mean(Ns other, std::size_t& learnt) const
    {
        if (m_times.size() < enough_samples) {
            return other;
        }
        ++learnt;
        return std::accumulate(m_times.begin(), m_times.end(), Ns {0}) / static_cast<Ns>(m_times.size());
    }

private:
    std::vector<Ns> m_times;
};

/// The device that was fitted to recordings of this GPU, else one of its generation, else the last.
std::pair<ModelDevice, bool> table_of(const Trace& trace)
{
    ModelDevice nearest;
    bool found = false;
    for (const char* name : {"devices/h100.yaml", "devices/h200.yaml"}) {
        auto file = load_model_device_file(resource(name).string());
        for (const auto& device : trace.devices) {
            if (!file.measured["gpu"].empty() && trace.text(device.name) == file.measured["gpu"]) {
                return {file.device, true};
            }
        }
        nearest = found ? nearest : file.device;
        found = true;
    }
    return {nearest, false};
}

bool is_pageable(const Trace& trace, Row row)
{
    if (!is_copy(trace.operations.kind[row])) {
        return false;
    }
    const auto& copy = trace.copies[trace.operations.detail[row]];
    return copy.source == MemoryKind::pageable || copy.target == MemoryKind::pageable;
}

Constants::Issue issue_of(OperationKind kind, CallClass type, bool pageable)
{
    return type == CallClass::graph_launch ? Constants::of_graph
        : kind == OperationKind::kernel    ? Constants::of_kernel
        : kind == OperationKind::memset    ? Constants::of_memset
        : pageable                         ? Constants::of_staged
                                           : Constants::of_copy;
}

Constants::Next next_of_row(const Trace& trace, Row row)
{
    return Constants::next_of(is_copy(trace.operations.kind[row]), is_pageable(trace, row));
}

/// From a call, a node or an operation to the start of what follows it on the same stream.
void learn_starts(const Graph& graph, Constants& constants)
{
    const auto& trace = graph.trace();
    const auto& ops = trace.operations;
    const auto& starts = graph.starts();
    const auto classes = call_classes(trace);
    std::array<Samples, Constants::issue_count> issues;
    std::array<std::array<Samples, Constants::next_count>, 2> steps;
    Samples nodes;
    for (Row row = 0; row < ops.size(); ++row) {
        const Row call = outermost(trace.calls, ops.call[row]);
        const Row after = starts.after(row);
        const auto cause = starts.cause(row);
        if (call == no_row) {
            continue;
        }
        if (cause == StartCause::launch) {
            issues[issue_of(ops.kind[row], classes[trace.calls.name[call]], is_pageable(trace, row))].add(
                ops.start[row] - trace.calls.start[call]);
        } else if (cause == StartCause::graph) {
            nodes.add(ops.start[row] - ops.end[after]);
        } else if (cause == StartCause::stream && starts.ready_time(row) == 0 && ops.start[row] >= ops.end[after]) {
            steps[is_copy(ops.kind[after]) ? 1 : 0][next_of_row(trace, row)].add(ops.start[row] - ops.end[after]);
        }
    }
    const auto& table = constants.table;
    const auto learn = [&](Samples& samples, Ns other) { return samples.take(other, constants.learnt); };
    constants.issue[Constants::of_kernel] = learn(issues[Constants::of_kernel], table.launch_latency);
    constants.issue[Constants::of_copy] = learn(issues[Constants::of_copy], table.copy_latency);
    constants.issue[Constants::of_memset] = learn(issues[Constants::of_memset], table.copy_latency);
    constants.issue[Constants::of_graph] = learn(issues[Constants::of_graph], table.graph_call + table.graph_start);
    for (std::size_t a = 0; a < 2; ++a) {
        for (const auto b : {Constants::kernel, Constants::copy}) {
            constants.step[a][b] = learn(steps[a][b], table.kernel_gap + (a == b ? 0 : table.engine_switch));
        }
    }
    // The host takes as long for the first piece after another operation as after its call.
    Ns staging = 0;
    for (std::size_t a = 0; a < 2; ++a) {
        auto& step = constants.step[a];
        step[Constants::staged] = learn(steps[a][Constants::staged], step[Constants::copy]);
        staging = std::max(staging, step[Constants::staged] - step[Constants::copy]);
    }
    constants.issue[Constants::of_staged]
        = learn(issues[Constants::of_staged], constants.issue[Constants::of_copy] + staging);
    constants.node = learn(nodes, table.graph_gap);
    constants.graph = table.graph_start;
}

/// What a step takes longer from one stream to another; after learn_starts().
void learn_crossing(const Graph& graph, Constants& constants)
{
    const auto& ops = graph.trace().operations;
    const auto& starts = graph.starts();
    Samples crosses;
    for (Row row = 0; row < ops.size(); ++row) {
        const Row after = starts.after(row);
        if (after != no_row && starts.ready_time(row) == 0
            && (starts.cause(row) == StartCause::event || starts.cause(row) == StartCause::legacy)) {
            const Ns step = constants.step_of(is_copy(ops.kind[after]), next_of_row(graph.trace(), row));
            crosses.add(ops.start[row] - ops.end[after] - step);
        }
    }
    const auto& table = constants.table;
    constants.cross = crosses.take(std::max<Ns>(0, table.cross_stream_gap - table.kernel_gap), constants.learnt);
}

/// How much longer downloads to pageable memory hold their calls, as a part of their lengths.
struct StagedReturns {
    std::size_t count = 0;
    Ns posts = 0;  ///< from their ends to the returns of their calls
    Ns lengths = 0;

    void add(Ns post, Ns length)
    {
        ++count;
        posts += std::max<Ns>(0, post);
        lengths += length;
    }
    double take(std::size_t& learnt) const
    {
        if (count < enough_samples || lengths <= 0) {
            return 0;
        }
        ++learnt;
        return static_cast<double>(posts) / static_cast<double>(lengths);
    }
};

/// From the end of what a call waited for to its return.
void learn_returns(const Graph& graph, Constants& constants)
{
    const auto& trace = graph.trace();
    const auto& ops = trace.operations;
    Samples wakes;
    Samples copy_returns;
    StagedReturns staged_returns;
    Samples releases;
    for (Row row = 0; row < graph.blocking().calls.size(); ++row) {
        const auto& stretch = graph.blocking().calls[row];
        const Row released = graph.released_by(row);
        if (released == no_row) {
            continue;
        }
        const Ns post = trace.calls.end[stretch.call] - ops.end[released];
        switch (stretch.cause) {
        case BlockCause::stream_sync:
        case BlockCause::device_sync:
        case BlockCause::event_sync:
        case BlockCause::poll:
            wakes.add(post);
            break;
        case BlockCause::copy:
        case BlockCause::staging:
        case BlockCause::launch:
            if (ops.kind[released] == OperationKind::d2h
                && trace.copies[ops.detail[released]].target == MemoryKind::pageable) {
                staged_returns.add(post, ops.end[released] - ops.start[released]);
            } else {
                copy_returns.add(post);
            }
            break;
        case BlockCause::memory:
            // Between kernels its stretches end too, and it goes on waiting.
            if (waits_for_device(trace.text(trace.calls.name[stretch.call]))
                && graph.blocking().of(stretch.call).back() == row) {
                releases.add(post);
            }
            break;
        default:
            break;
        }
    }
    const auto& table = constants.table;
    constants.wake = wakes.take(table.wake_up, constants.learnt);
    constants.copy_return = copy_returns.take(table.wake_up, constants.learnt);
    constants.staged_return = staged_returns.take(constants.learnt);
    constants.release = releases.take_mean(table.free_call, constants.learnt);
}

/// The calls of copies that return before their copies end and waited for nothing.
void learn_copy_call(const Graph& graph, Constants& constants)
{
    const auto& trace = graph.trace();
    const auto& ops = trace.operations;
    Samples calls;
    for (Row row = 0; row < ops.size(); ++row) {
        const Row call = outermost(trace.calls, ops.call[row]);
        if (call != no_row && is_copy(ops.kind[row]) && trace.copies[ops.detail[row]].async
            && trace.calls.end[call] < ops.end[row] && graph.blocking().of(call).empty()) {
            calls.add(trace.calls.end[call] - trace.calls.start[call]);
        }
    }
    constants.copy_call = calls.take(constants.table.h2d_call, constants.learnt);
}

/// From a put to the return of the get that waited for it.
void learn_get(const Graph& graph, Constants& constants)
{
    const auto& spans = graph.trace().host_spans;
    Samples gets;
    for (const auto& handover : graph.dependencies().handovers) {
        const auto& span = spans[handover.span];
        const auto& from = spans[handover.from];
        if (span.end - span.start > waits_in_queue && span.end >= from.end) {
            gets.add(span.end - from.end);
        }
    }
    constants.get = gets.take(constants.table.thread_wake_up, constants.learnt);
}

/// Of the slowest of the links that copy from or to the host.
LinkRates slowest_link(const Trace& trace)
{
    std::optional<LinkRates> slowest;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto rows = trace.operations_of(stream);
        const auto begin = trace.operations.kind.begin();
        if (std::any_of(begin + rows.begin, begin + rows.end,
                [](OperationKind kind) { return kind == OperationKind::h2d || kind == OperationKind::d2h; })) {
            const auto link = link_rates(trace, trace.streams[stream].device);
            slowest = slowest && slowest->most <= link.most ? slowest : link;
        }
    }
    return slowest.value_or(link_rates(trace, no_id));
}

void learn_rates(const Trace& trace, Constants& constants)
{
    const auto& ops = trace.operations;
    std::vector<double> up;
    std::vector<double> down;
    for (Row row = 0; row < ops.size(); ++row) {
        const auto kind = ops.kind[row];
        if (kind != OperationKind::h2d && kind != OperationKind::d2h) {
            continue;
        }
        const auto& copy = trace.copies[ops.detail[row]];
        const bool pinned = copy.source == MemoryKind::pinned || copy.target == MemoryKind::pinned;
        const Ns length = ops.end[row] - ops.start[row];
        auto& rates = kind == OperationKind::h2d ? up : down;
        if (pinned && copy.bytes >= large_copy && length > 0 && rates.size() < most_samples) {
            rates.push_back(static_cast<double>(copy.bytes) / static_cast<double>(length));
        }
    }
    const auto upper = [](std::vector<double>& rates) -> std::optional<double> {
        if (rates.empty()) {
            return std::nullopt;
        }
        return nth_part(rates, 3, 4);  // the faster ones had the link for themselves
    };
    const auto up_rate = upper(up);
    const auto down_rate = upper(down);
    constants.learnt += (up_rate ? 1 : 0) + (down_rate ? 1 : 0);
    constexpr double per_ns = 1e-9;
    if (constants.is_of_gpu) {
        constants.h2d_rate = up_rate.value_or(constants.table.h2d_bandwidth * per_ns);
        constants.d2h_rate = down_rate.value_or(constants.table.d2h_bandwidth * per_ns);
        return;
    }
    const auto link = slowest_link(trace);
    // A link is as fast in one direction as in the other.
    constants.h2d_rate = up_rate ? *up_rate : down_rate.value_or(link.most);
    constants.d2h_rate = down_rate ? *down_rate : up_rate.value_or(link.most);
    constants.links_slower = up_rate || down_rate ? 0 : link.most / link.least - 1;
}

}  // namespace

bool waits_for_device(std::string_view name)
{
    for (const std::string_view prefix : {"cudaFree", "hipFree", "cuMemFree"}) {
        if (name.starts_with(prefix) && name.find("Async") == std::string_view::npos) {
            return true;
        }
    }
    return false;
}

Constants find_constants(const Graph& graph)
{
    Constants constants;
    std::tie(constants.table, constants.is_of_gpu) = table_of(graph.trace());
    learn_starts(graph, constants);
    learn_crossing(graph, constants);
    learn_returns(graph, constants);
    learn_copy_call(graph, constants);
    learn_get(graph, constants);
    learn_rates(graph.trace(), constants);
    return constants;
}

Constants scaled(const Constants& constants, double factor)
{
    auto to = constants;
    const auto scale = [&](Ns& time) { time = static_cast<Ns>(std::llround(static_cast<double>(time) * factor)); };
    std::for_each(to.issue.begin(), to.issue.end(), scale);
    for (auto& from : to.step) {
        std::for_each(from.begin(), from.end(), scale);
    }
    for (Ns* const time :
        {&to.cross, &to.node, &to.graph, &to.wake, &to.copy_return, &to.release, &to.get, &to.copy_call}) {
        scale(*time);
    }
    to.staged_return *= factor;
    return to;
}

}  // namespace lanes::replay
