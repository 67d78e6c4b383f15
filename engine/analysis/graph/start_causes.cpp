// SPDX-License-Identifier: MIT
#include "engine/analysis/graph/start_causes.h"

#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/blocking/event_waits.h"
#include "engine/analysis/blocking/look_ahead.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/sm_room.h"
#include "engine/trace/median.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <queue>
#include <unordered_map>

namespace lanes {

namespace {

constexpr Ns no_time = std::numeric_limits<Ns>::min() / 4;  // differences with it do not overflow
constexpr Ns at_once = 1'000;  // how exactly a step is known
constexpr Ns most_delay = 20'000;  // by how much a step may exceed the usual, as in docs/definitions.md
// Where a recording has no samples: as measured on an H100 and an H200.
constexpr Ns common_step = 1'000, common_issue = 5'000, common_switch = 4'500, common_cross = 1'500;
constexpr Ns idle_gap = 20'000;
constexpr std::size_t step_samples = 4096;
constexpr std::size_t least_samples = 3;  // that show that a step of this recording is longer than those measured
constexpr std::ptrdiff_t most_running = 512;  // kernels that are remembered: a GPU holds 128 at once

/// The lowest tenth of the first samples: what a step takes with nothing else in the way.
class Decile {
public:
    void add(Ns time)
    {
        if (m_samples.size() < step_samples) {
            m_samples.push_back(time);
        }
    }
    Ns take(Ns other)
    {
        if (m_samples.empty()) {
            return other;
        }
        return nth_part(m_samples, 1, 10);
    }
    /// Whether most samples are like it: there are enough, and half of them are not far above it.
    bool is_usual()
    {
        if (m_samples.size() < least_samples) {
            return false;
        }
        const Ns lowest = take(0);
        return median_of(m_samples) <= lowest + std::max(most_delay, lowest);
    }

private:
    std::vector<Ns> m_samples;
};

enum Issue : std::size_t { of_kernel, of_copy, of_memset, of_graph, issue_count };

struct Usual {
    std::array<Ns, issue_count> issue {};  ///< from a call's start to the start of its operation
    std::array<std::array<Ns, 2>, 2> step {};  ///< on one stream, [after a copy][of a copy]
    Ns cross = 0;  ///< how much longer a step from one stream to another takes
};

struct Earlier {
    Row row = no_row;
    Ns end = no_time;
};

/// The nodes of one launch of a graph.
struct GraphLaunch {
    std::priority_queue<std::pair<Ns, Row>, std::vector<std::pair<Ns, Row>>, std::greater<>> running;
    Earlier ended, last;
    Earlier entry;  ///< what was before the launch on the stream of its first node
};

class StartPass {
public:
    StartPass(const Trace& trace, const Dependencies& dependencies)
        : m_trace(trace)
        , m_ops(trace.operations)
        , m_dependencies(dependencies)
        , m_causes {std::vector<StartCause>(trace.operations.size()), std::vector<Row>(trace.operations.size(), no_row),
              std::vector<std::uint32_t>(trace.operations.size())}
        , m_classes(call_classes(trace))
        , m_streams(trace.streams.size())
        , m_stream_launch(trace.streams.size(), no_row)
        , m_next_behind(trace.streams.size(), dependencies.behind.size())
        , m_contexts(dependencies.contexts)
        , m_engines(dependencies.devices)
        , m_kernels(dependencies.devices)
        , m_capacity(dependencies.devices)
    {
        for (std::size_t i = dependencies.behind.size(); i-- > 0;) {
            m_next_behind[m_ops.stream[dependencies.behind[i].operation]] = i;
        }
        for (Row stream = 0; stream < trace.streams.size(); ++stream) {
            m_capacity[dependencies.device_of[stream]] = gpu_room(trace, trace.streams[stream].device).threads();
        }
        find_untold_waits();
        learn();
    }
    StartCauses::Columns run()
    {
        for (const Row row : m_dependencies.operations) {
            look_ahead(row, m_ops.start, m_ops.end, m_ops.stream, m_ops.call, m_ops.kind);
            operation(row);
        }
        return std::move(m_causes);
    }

private:
    struct Candidate {
        StartCause cause = StartCause::unknown;
        Row after = no_row;
        Ns ready = no_time;  ///< when this cause let the operation begin
    };
    struct Running {
        Ns end;
        Row row;
    };

    void learn();
    struct Idle {
        std::vector<bool> before, at_call;
    };
    Idle find_idle() const;
    void find_untold_waits();
    bool may_wait_for_event(Row call) const
    {
        const auto untold = m_untold_wait.find(m_trace.threads[m_trace.calls.thread[call]].process);
        return untold != m_untold_wait.end() && untold->second <= m_trace.calls.start[call];
    }
    /// Whether an event may have held an operation for longer than a usual step, and the recording does not say so.
    bool may_have_waited(Row call, Ns lay) const
    {
        return lay > most_delay && call != no_row && m_trace.calls.thread[call] != no_row && may_wait_for_event(call);
    }
    /// Whether a launch that loaded code, or waited for room or a lock, handed the operation over at its end: the
    /// launch took long, and the operation began just when it ended.
    bool is_handed_over_last(Row row, Row call) const
    {
        const Ns end = m_trace.calls.end[call];
        return end - m_trace.calls.start[call] > loads_code && m_ops.start[row] + most_delay >= end
            && m_ops.end[row] > end;
    }
    /// Whether it is the first operation of all, which waits only for its launch. No work from before the recording
    /// held it, since calls were recorded for much longer before it than it was pending.
    bool is_first(Row row, Row call, Ns lay) const
    {
        return row == m_dependencies.operations.front() && m_trace.calls.thread[call] != no_row
            && !may_wait_for_event(call) && (m_trace.calls.start[call] - m_trace.calls.start.front()) / 10 > lay;
    }
    void operation(Row row);
    void lay_ready(Row row, Candidate& last, const Earlier& overlapped);
    bool waits_for_engine(Row row, Ns ready, Candidate& last);
    bool waits_for_multiprocessors(Row row, Ns ready, Candidate& last);
    void keep(Row row, GraphLaunch* launch);
    bool is_of_graph(Row call) const
    {
        return call != no_row && m_classes[m_trace.calls.name[call]] == CallClass::graph_launch;
    }
    Issue issue_of(Row row, Row call) const
    {
        return is_of_graph(call)                       ? of_graph
            : m_ops.kind[row] == OperationKind::kernel ? of_kernel
            : m_ops.kind[row] == OperationKind::memset ? of_memset
                                                       : of_copy;
    }
    Ns step(Row before, Row row) const
    {
        return m_usual.step[is_copy(m_ops.kind[before]) ? 1 : 0][is_copy(m_ops.kind[row]) ? 1 : 0];
    }
    /// An upload of pageable memory: its call waits for the stream, then copies the first piece, then it begins.
    bool is_staged(Row row) const
    {
        return m_ops.kind[row] == OperationKind::h2d
            && m_trace.copies[m_ops.detail[row]].source == MemoryKind::pageable;
    }
    std::size_t engine_of(Row row) const
    {
        return static_cast<std::size_t>(m_dependencies.engine_of(m_ops.kind[row], m_ops.stream[row]));
    }

    const Trace& m_trace;
    const OperationTable& m_ops;
    const Dependencies& m_dependencies;
    StartCauses::Columns m_causes;
    std::vector<CallClass> m_classes;
    Usual m_usual;
    std::vector<Earlier> m_streams;
    std::vector<Row> m_stream_launch;  ///< by stream: the graph launch of its last operation
    std::vector<std::size_t> m_next_behind;  ///< by stream, into Dependencies::behind
    std::vector<std::array<Earlier, 2>> m_contexts;  ///< blocking streams, legacy
    std::vector<std::array<Earlier, 8>> m_engines;  ///< by device and engine_of()
    std::vector<std::vector<Running>> m_kernels;  ///< by device
    std::vector<std::uint64_t> m_capacity;  ///< threads, by device; 0: not known
    std::unordered_map<Row, GraphLaunch> m_launches;  ///< by call
    /// By process, the first wait of a stream for an event whose record is missing.
    std::unordered_map<std::uint32_t, Ns> m_untold_wait;
};

/// Learns what steps usually take here: from a call to its operation on a stream that had nothing to do, and from an
/// operation to the next if that one was submitted long before.
void StartPass::learn()
{
    std::array<Decile, issue_count> issues;
    std::array<std::array<Decile, 2>, 2> steps;
    // The same for operations that had nothing else to wait for.
    std::array<Decile, issue_count> issues_alone;
    std::array<std::array<Decile, 2>, 2> steps_alone;
    const auto idle = find_idle();
    for (Row row = 0; row < m_ops.size(); ++row) {
        const Row call = outermost(m_trace.calls, m_ops.call[row]);
        if (call == no_row) {
            continue;
        }
        const Ns issued = m_trace.calls.start[call];
        const bool is_first = row == 0 || m_ops.stream[row - 1] != m_ops.stream[row];
        const std::size_t before = is_first || !is_copy(m_ops.kind[row - 1]) ? 0 : 1;
        const std::size_t next = is_copy(m_ops.kind[row]) ? 1 : 0;
        const Ns gap = is_first ? 0 : m_ops.start[row] - m_ops.end[row - 1];
        if (m_ops.start[row] > issued && (is_first || gap > idle_gap)) {
            issues[issue_of(row, call)].add(m_ops.start[row] - issued);
            if (idle.at_call[row]) {
                issues_alone[issue_of(row, call)].add(m_ops.start[row] - issued);
            }
        } else if (!is_first && issued + idle_gap < m_ops.end[row - 1] && gap >= 0 && !is_of_graph(call)) {
            steps[before][next].add(gap);
        }
        if (idle.before[row] && gap >= 0 && m_trace.calls.end[call] + idle_gap < m_ops.end[row - 1]
            && !is_of_graph(call)) {
            steps_alone[before][next].add(gap);
        }
    }
    // Longer than measured elsewhere only if the recording shows it: other GPUs and drivers take ten times as long.
    const auto usual = [](Decile& all, Decile& alone, Ns other, Ns most) {
        const Ns time = std::min(all.take(other), most);
        return alone.is_usual() ? std::max(time, alone.take(time)) : time;
    };
    const Ns kernel = usual(issues[of_kernel], issues_alone[of_kernel], common_issue, 4 * common_issue);
    m_usual.issue[of_kernel] = kernel;
    m_usual.issue[of_copy] = usual(issues[of_copy], issues_alone[of_copy], kernel, 4 * common_issue);
    m_usual.issue[of_memset] = usual(issues[of_memset], issues_alone[of_memset], kernel, 4 * common_issue);
    m_usual.issue[of_graph] = usual(issues[of_graph], issues_alone[of_graph], 2 * kernel, 40 * common_issue);
    Ns longest = common_switch;
    for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t b = 0; b < 2; ++b) {
            auto& step = m_usual.step[a][b];
            step = usual(steps[a][b], steps_alone[a][b], a == b ? common_step : common_switch, 2 * common_switch);
            longest = std::max(longest, step);
        }
    }
    Decile crosses;
    for (const auto& [row, before] : m_dependencies.behind) {
        const Row call = outermost(m_trace.calls, m_ops.call[row]);
        if (call != no_row && m_trace.calls.start[call] + idle_gap < m_ops.end[before]
            && m_ops.start[row] >= m_ops.end[before]) {
            crosses.add(std::max<Ns>(0, m_ops.start[row] - m_ops.end[before] - step(before, row)));
        }
    }
    m_usual.cross = std::min(crosses.take(common_cross), longest);
}

/// By operation: whether its GPU did nothing before it began, since the end of the operation before it on its stream
/// and since its call. False on streams with host functions, which take time between the two, and where the call loaded
/// code or the operation may have waited for an event that is not recorded.
StartPass::Idle StartPass::find_idle() const
{
    std::vector<bool> has_functions(m_trace.streams.size());
    for (const auto& function : m_trace.host_functions) {
        if (function.stream != no_row) {
            has_functions[function.stream] = true;
        }
    }
    Idle idle {std::vector<bool>(m_ops.size()), std::vector<bool>(m_ops.size())};
    std::vector<Ns> until(m_dependencies.devices, no_time);
    for (const Row row : m_dependencies.operations) {
        const Row stream = m_ops.stream[row];
        auto& device = until[m_dependencies.device_of[stream]];
        const Row call = outermost(m_trace.calls, m_ops.call[row]);
        if (!has_functions[stream]
            && (call == no_row || m_trace.calls.thread[call] == no_row
                || (!may_wait_for_event(call) && m_trace.calls.end[call] - m_trace.calls.start[call] <= loads_code))) {
            idle.before[row] = row > 0 && m_ops.stream[row - 1] == stream && device <= m_ops.end[row - 1];
            idle.at_call[row] = call != no_row && device <= m_trace.calls.start[call];
        }
        device = std::max(device, m_ops.end[row]);
    }
    return idle;
}

/// Calls that make a stream wait for an event whose record the recording lacks.
void StartPass::find_untold_waits()
{
    std::vector<Row> told;
    for (const auto& wait : event_waits(m_trace)) {
        if (wait.call != no_row) {
            told.push_back(wait.call);
        }
    }
    std::sort(told.begin(), told.end());
    for (Row call = 0; call < m_trace.calls.size(); ++call) {
        if (m_classes[m_trace.calls.name[call]] == CallClass::wait_event && m_trace.calls.outer[call] == no_row
            && m_trace.calls.thread[call] != no_row && !std::binary_search(told.begin(), told.end(), call)) {
            m_untold_wait.try_emplace(m_trace.threads[m_trace.calls.thread[call]].process, m_trace.calls.start[call]);
        }
    }
}

void StartPass::operation(Row row)
{
    const Ns start = m_ops.start[row];
    const Row stream = m_ops.stream[row];
    const Row call = outermost(m_trace.calls, m_ops.call[row]);
    GraphLaunch* const launch = is_of_graph(call) ? &m_launches[call] : nullptr;
    Candidate last;
    const auto after = [&](StartCause cause, const Earlier& before, Ns usual) {
        if (before.row != no_row && before.end <= start + at_once
            && (last.ready == no_time || before.end + usual >= last.ready)) {
            last = {cause, before.row, before.end + usual};
        }
    };
    if (call != no_row && m_trace.calls.start[call] <= start + at_once) {
        last = {StartCause::launch, no_row, m_trace.calls.start[call] + m_usual.issue[issue_of(row, call)]};
    }
    Earlier before = m_streams[stream];
    if (launch != nullptr) {
        while (!launch->running.empty() && launch->running.top().first <= start + at_once) {
            const auto [end, node] = launch->running.top();
            launch->running.pop();
            launch->ended = {node, end};
        }
        if (launch->last.row == no_row) {
            launch->entry = before;
        }
        before = launch->entry;
    } else if (const Row of = m_stream_launch[stream]; of != no_row) {
        const auto found = m_launches.find(of);
        before = found != m_launches.end() && found->second.last.end > before.end ? found->second.last : before;
    }
    if (before.row != no_row) {
        after(StartCause::stream, before, step(before.row, row));
    }
    if (launch != nullptr && launch->ended.row != no_row) {
        last = {StartCause::graph, launch->ended.row, launch->ended.end + common_step};
    }
    for (auto& at = m_next_behind[stream];
         at < m_dependencies.behind.size() && m_dependencies.behind[at].operation <= row; ++at) {
        if (const auto& [operation, earlier] = m_dependencies.behind[at]; operation == row) {
            after(StartCause::event, {earlier, m_ops.end[earlier]}, step(earlier, row) + m_usual.cross);
        }
    }
    if (const auto context = m_dependencies.context_of[stream]; context != Dependencies::no_context) {
        if (const auto& other = m_contexts[context][m_dependencies.legacy[stream] ? 0 : 1]; other.row != no_row) {
            after(StartCause::legacy, other, step(other.row, row) + m_usual.cross);
        }
    }
    lay_ready(row, last, before.row != no_row && before.end > start + at_once ? before : Earlier {});
    m_causes.cause[row] = last.cause;
    m_causes.after[row] = last.after;
    keep(row, launch);
}

/// Finds what kept the operation once all before it was done. `overlapped`: what its stream still ran when it began.
void StartPass::lay_ready(Row row, Candidate& last, const Earlier& overlapped)
{
    const Ns start = m_ops.start[row];
    const Row call = outermost(m_trace.calls, m_ops.call[row]);
    const Ns ready = last.ready;
    const Ns lay = ready == no_time ? 0 : std::max<Ns>(0, start - ready);
    m_causes.ready[row] = static_cast<std::uint32_t>(std::min<Ns>(lay, std::numeric_limits<std::uint32_t>::max()));
    const bool may_have_waited_for_event = may_have_waited(call, lay);
    if (!may_have_waited_for_event
        && (waits_for_engine(row, ready, last) || (lay > at_once && waits_for_multiprocessors(row, ready, last)))) {
        return;
    }
    if (call != no_row && last.after != no_row && is_staged(row) && start <= m_trace.calls.end[call] + most_delay
        && m_ops.end[last.after] > m_trace.calls.start[call]) {
        m_causes.ready[row] = 0;  // its call waited for that work, then copied the first piece
        return;
    }
    // A programmatic dependent launch: the kernel before it let it begin.
    if (overlapped.row != no_row && lay > at_once && (call == no_row || start > m_trace.calls.end[call])) {
        last = {StartCause::stream, overlapped.row, start};
        m_causes.ready[row] = 0;
        return;
    }
    // A long call may hand its work over at any time until it returns.
    if (call != no_row && last.cause != StartCause::graph && lay > at_once
        && start <= m_trace.calls.end[call] + m_usual.issue[issue_of(row, call)] + most_delay
        && (last.cause == StartCause::launch || lay > most_delay)
        && (!may_have_waited_for_event || is_handed_over_last(row, call))) {
        last = {StartCause::launch, no_row, start};
        m_causes.ready[row] = 0;
        return;
    }
    const bool is_step = last.after != no_row && last.cause != StartCause::graph;
    const Ns most = is_step ? std::max(most_delay, 2 * step(last.after, row)) : most_delay;
    if (last.cause == StartCause::launch && is_first(row, call, lay)) {
        m_causes.ready[row] = 0;
        return;
    }
    if (ready == no_time || lay > most || (call == no_row && lay > at_once)) {
        last = {};
    }
    m_causes.ready[row] = 0;
}

bool StartPass::waits_for_engine(Row row, Ns ready, Candidate& last)
{
    if (m_ops.kind[row] == OperationKind::kernel) {
        return false;
    }
    const auto& engine = m_engines[m_dependencies.device_of[m_ops.stream[row]]][engine_of(row)];
    const Ns start = m_ops.start[row];
    const Ns away = start - engine.end;
    if (engine.row == no_row || m_ops.stream[engine.row] == m_ops.stream[row] || engine.end < ready || away < -at_once
        || away > (start - ready > at_once ? 4 * common_step : at_once)) {
        return false;
    }
    last = {StartCause::engine, engine.row, m_ops.start[row]};
    return true;
}

bool StartPass::waits_for_multiprocessors(Row row, Ns ready, Candidate& last)
{
    const auto device = m_dependencies.device_of[m_ops.stream[row]];
    if (m_ops.kind[row] != OperationKind::kernel || m_capacity[device] == 0) {
        return false;
    }
    const Ns start = m_ops.start[row];
    const auto& running = m_kernels[device];
    // What ran while it was ready, and which of that ended, or began to end, when it began.
    std::uint64_t threads = threads_of(m_trace.kernels[m_ops.detail[row]]);
    Row nearest = no_row;
    Ns distance = 0;
    for (const auto& kernel : running) {
        if (m_ops.stream[kernel.row] == m_ops.stream[row] || kernel.end < std::max(ready, start - 5 * common_step)) {
            continue;
        }
        threads += threads_of(m_trace.kernels[m_ops.detail[kernel.row]]);
        const Ns away = std::abs(kernel.end - start);
        if (nearest == no_row || away < distance) {
            nearest = kernel.row;
            distance = away;
        }
    }
    if (nearest == no_row || threads < m_capacity[device] / 2
        || (start - ready <= 3 * common_step && distance > at_once)) {
        return false;
    }
    last = {StartCause::multiprocessors, nearest, start};
    return true;
}

void StartPass::keep(Row row, GraphLaunch* launch)
{
    const Ns end = m_ops.end[row];
    const Row stream = m_ops.stream[row];
    const auto extend = [&](Earlier& before) {
        if (end >= before.end) {
            before = {row, end};
        }
    };
    extend(m_streams[stream]);
    if (launch != nullptr) {
        launch->running.emplace(end, row);
        extend(launch->last);
    }
    m_stream_launch[stream] = launch != nullptr ? outermost(m_trace.calls, m_ops.call[row]) : no_row;
    if (const auto context = m_dependencies.context_of[stream]; context != Dependencies::no_context) {
        extend(m_contexts[context][m_dependencies.legacy[stream] ? 1 : 0]);
    }
    const auto device = m_dependencies.device_of[stream];
    if (m_ops.kind[row] != OperationKind::kernel) {
        extend(m_engines[device][engine_of(row)]);
    } else {
        auto& running = m_kernels[device];
        if (std::ssize(running) >= most_running) {
            std::erase_if(running, [&](const Running& kernel) { return kernel.end < m_ops.start[row] - most_delay; });
            if (std::ssize(running) > most_running / 2) {  // more than can run at once: the oldest go
                running.erase(running.begin(), running.end() - most_running / 2);
            }
        }
        running.push_back({end, row});
    }
}

}  // namespace

StartCauses::StartCauses(const Trace& trace, const Dependencies& dependencies)
    : m_columns(StartPass(trace, dependencies).run())
{
}

std::string_view name_of(StartCause cause)
{
    constexpr std::array<std::string_view, start_cause_count> names {
        "unknown", "launch", "stream", "event", "graph", "legacy", "engine", "multiprocessors"};
    return names[static_cast<std::size_t>(cause)];
}

}  // namespace lanes
