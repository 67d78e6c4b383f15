// SPDX-License-Identifier: MIT
#include "engine/analysis/report.h"

#include "engine/analysis/call_class.h"
#include "engine/analysis/findings.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace lanes {

namespace {

class Reporter {
public:
    Reporter(const Trace& trace, const Blocking& blocking, Interval range)
        : m_trace(trace)
        , m_blocking(blocking)
    {
        m_report.range = range;
    }
    Report run();

private:
    using ByKind = std::array<std::vector<Interval>, 7>;

    void measure_wall();
    void measure_gpus();
    GpuFigures figures_of(std::uint32_t device, ByKind& work);
    void measure_threads();
    void measure_cpu_free();
    void measure_ranges();
    void count();

    bool touches(Ns start, Ns end) const
    {
        const auto& range = m_report.range;
        return (start < range.end && end > range.start) || (start == end && start >= range.start && start <= range.end);
    }
    Interval cut(Ns start, Ns end) const
    {
        return {std::max(start, m_report.range.start), std::min(end, m_report.range.end)};
    }

    const Trace& m_trace;
    const Blocking& m_blocking;
    Report m_report;
    std::vector<IntervalSet> m_stream_busy;  ///< by stream
    IntervalSet m_gpu_busy;  ///< of all GPUs
    std::vector<IntervalSet> m_blocked, m_host_waits;  ///< by thread
};

Report Reporter::run()
{
    measure_wall();
    measure_gpus();
    measure_threads();
    measure_cpu_free();
    measure_ranges();
    count();
    m_report.findings = find_findings(m_trace, m_blocking, m_report);
    m_report.verdict = verdict_of(m_trace, m_blocking, m_report);
    return std::move(m_report);
}

void Reporter::measure_wall()
{
    Ns last = 0;
    for (const auto* ends : {&m_trace.operations.end, &m_trace.calls.end}) {
        for (const Ns end : *ends) {
            last = std::max(last, end);
        }
    }
    m_report.wall = std::max<Ns>(0, std::min(last, m_report.range.end) - m_report.range.start);
}

void Reporter::measure_gpus()
{
    const auto& operations = m_trace.operations;
    std::map<std::uint32_t, ByKind> work;
    for (const auto& stream : m_trace.streams) {
        work[stream.device];
    }
    if (work.empty()) {
        for (const auto& device : m_trace.devices) {
            work[device.id];
        }
    }
    std::vector<ByKind*> work_of_stream;
    for (const auto& stream : m_trace.streams) {
        work_of_stream.push_back(&work[stream.device]);
    }
    std::vector<std::vector<Interval>> by_stream(m_trace.streams.size());
    std::vector<std::uint64_t> count(m_trace.streams.size());
    std::vector<bool> used(m_trace.streams.size());
    for (Row row = 0; row < operations.size(); ++row) {
        const Row stream = operations.stream[row];
        used[stream] = true;
        if (!touches(operations.start[row], operations.end[row])) {
            continue;
        }
        ++count[stream];
        const auto part = cut(operations.start[row], operations.end[row]);
        by_stream[stream].push_back(part);
        (*work_of_stream[stream])[static_cast<std::size_t>(operations.kind[row])].push_back(part);
    }
    for (auto& intervals : by_stream) {
        m_stream_busy.push_back(unite(std::move(intervals)));
    }
    for (auto& [device, kinds] : work) {
        auto figures = figures_of(device, kinds);
        for (Row stream = 0; stream < m_trace.streams.size(); ++stream) {
            if (m_trace.streams[stream].device == device && used[stream]) {
                figures.streams.push_back({stream, count[stream], length(m_stream_busy[stream])});
            }
        }
        m_report.gpus.push_back(std::move(figures));
    }
    m_report.concurrency = time_at_depth(m_stream_busy, m_report.range);
    m_report.overlap = m_report.concurrency[2] + m_report.concurrency[3];
    m_report.gpu_busy = m_report.concurrency[1] + m_report.overlap;
    std::vector<Interval> all;
    for (const auto& set : m_stream_busy) {
        all.insert(all.end(), set.begin(), set.end());
    }
    m_gpu_busy = unite(std::move(all));
}

GpuFigures Reporter::figures_of(std::uint32_t device, ByKind& work)
{
    GpuFigures figures;
    figures.device = device;
    const auto united = [&](OperationKind kind) { return unite(std::move(work[static_cast<std::size_t>(kind)])); };
    const auto depth = time_at_depth(work[static_cast<std::size_t>(OperationKind::kernel)], m_report.range);
    figures.kernel_concurrency = depth[2] + depth[3];
    const auto kernels = united(OperationKind::kernel);
    const auto h2d = united(OperationKind::h2d);
    const auto d2h = united(OperationKind::d2h);
    const auto d2d = united(OperationKind::d2d);
    const auto p2p = united(OperationKind::p2p);
    const auto h2h = united(OperationKind::h2h);
    const auto memsets = united(OperationKind::memset);
    std::vector<Interval> copies;
    for (const auto* set : {&h2d, &d2h, &d2d, &p2p, &h2h}) {
        copies.insert(copies.end(), set->begin(), set->end());
    }
    copies = unite(std::move(copies));
    figures.kernel = length(kernels);
    figures.copy = length(copies);
    figures.memset = length(memsets);
    figures.h2d = length(h2d);
    figures.d2h = length(d2h);
    figures.d2d = length(d2d);
    figures.p2p = length(p2p);
    figures.copy_hidden = length(intersect(copies, kernels));
    figures.copy_exposed = figures.copy - figures.copy_hidden;
    figures.h2d_d2h_overlap = length(intersect(h2d, d2h));

    std::vector<IntervalSet> streams;
    for (Row stream = 0; stream < m_trace.streams.size(); ++stream) {
        if (m_trace.streams[stream].device == device) {
            streams.push_back(m_stream_busy[stream]);
        }
    }
    const auto levels = time_at_depth(streams, m_report.range);
    figures.overlap = levels[2] + levels[3];
    figures.busy = levels[1] + figures.overlap;
    figures.idle = levels[0];
    return figures;
}

void Reporter::measure_threads()
{
    const auto size = m_trace.threads.size();
    std::vector<std::vector<Interval>> calls(size);
    std::vector<std::vector<Interval>> waits(size);
    std::vector<std::vector<Interval>> blocked(size);
    std::vector<std::array<Ns, block_cause_count>> by_cause(size);
    std::vector<bool> did_something(size);
    const auto note = [&](Row thread) {
        if (thread != no_row) {
            did_something[thread] = true;
        }
        return thread != no_row;
    };
    for (Row call = 0; call < m_trace.calls.size(); ++call) {
        const Row thread = m_trace.calls.thread[call];
        if (m_trace.calls.outer[call] == no_row && note(thread)) {
            calls[thread].push_back(cut(m_trace.calls.start[call], m_trace.calls.end[call]));
        }
    }
    for (const auto& span : m_trace.host_spans) {
        if (note(span.thread) && span.type != HostSpanRecord::work) {
            waits[span.thread].push_back(cut(span.start, span.end));
        }
    }
    for (const auto& range : m_trace.ranges) {
        note(range.thread);
    }
    for (const auto& read : m_trace.reads) {
        note(read.thread);
    }
    for (const auto& step : m_trace.steps) {
        note(step.thread);
    }
    for (const auto& stretch : m_blocking.calls) {
        const Row thread = m_trace.calls.thread[stretch.call];
        const auto part = cut(stretch.start, stretch.end);
        if (thread != no_row && part.start < part.end) {
            blocked[thread].push_back(part);
            by_cause[thread][static_cast<std::size_t>(stretch.cause)] += part.end - part.start;
        }
    }
    m_blocked.resize(size);
    m_host_waits.resize(size);
    for (Row thread = 0; thread < size; ++thread) {
        m_blocked[thread] = unite(std::move(blocked[thread]));
        m_host_waits[thread] = unite(std::move(waits[thread]));
        if (!did_something[thread]) {
            continue;
        }
        ThreadFigures figures {};
        figures.thread = thread;
        figures.api = length(unite(std::move(calls[thread])));
        figures.host_wait = length(m_host_waits[thread]);
        if (m_blocking.knows(thread)) {
            figures.blocked = length(m_blocked[thread]);
        }
        for (std::size_t cause = 0; cause < block_cause_count; ++cause) {
            if (m_blocking.knows(thread, static_cast<BlockCause>(cause))) {
                figures.blocked_by[cause] = by_cause[thread][cause];
            }
        }
        m_report.threads.push_back(figures);
    }
}

void Reporter::measure_cpu_free()
{
    if (m_report.threads.empty() || !m_report.threads.front().blocked) {
        return;
    }
    const Row thread = m_report.threads.front().thread;
    auto held = m_blocked[thread];
    held.insert(held.end(), m_host_waits[thread].begin(), m_host_waits[thread].end());
    m_report.cpu_free = length(subtract(m_gpu_busy, unite(std::move(held))));
}

void Reporter::measure_ranges()
{
    const Coverage busy(m_gpu_busy);
    std::vector<Row> order;
    for (Row row = 0; row < m_trace.ranges.size(); ++row) {
        const auto& range = m_trace.ranges[row];
        if (!range.mark && touches(range.start, range.end)) {
            order.push_back(row);
        }
    }
    m_report.counts.ranges = order.size();
    std::vector<Ns> first_start(m_trace.strings.size(), INT64_MAX);
    for (const Row row : order) {
        auto& first = first_start[m_trace.ranges[row].name];
        first = std::min(first, m_trace.ranges[row].start);
    }
    std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) {
        const auto& x = m_trace.ranges[a];
        const auto& y = m_trace.ranges[b];
        return std::tuple(first_start[x.name], x.name, x.thread) < std::tuple(first_start[y.name], y.name, y.thread);
    });
    std::map<Row, Coverage> blocked;
    for (std::size_t i = 0; i < order.size();) {
        RangeFigures figures;
        figures.name = m_trace.ranges[order[i]].name;
        figures.blocked = 0;
        std::vector<Interval> all;
        while (i < order.size() && m_trace.ranges[order[i]].name == figures.name) {
            const Row thread = m_trace.ranges[order[i]].thread;
            std::vector<Interval> of_thread;
            for (; i < order.size(); ++i) {
                const auto& range = m_trace.ranges[order[i]];
                if (range.name != figures.name || range.thread != thread) {
                    break;
                }
                of_thread.push_back(cut(range.start, range.end));
                ++figures.count;
            }
            of_thread = unite(std::move(of_thread));
            if (thread == no_row || !m_blocking.knows(thread)) {
                figures.blocked.reset();
            } else if (figures.blocked) {
                const auto at = blocked.try_emplace(thread, m_blocked[thread]).first;
                *figures.blocked += at->second.within(of_thread);
            }
            all.insert(all.end(), of_thread.begin(), of_thread.end());
        }
        all = unite(std::move(all));
        figures.wall = length(all);
        figures.gpu_busy = busy.within(all);
        m_report.ranges.push_back(figures);
    }
    for (Row row = 0; row < m_trace.reads.size(); ++row) {
        if (touches(m_trace.reads[row].start, m_trace.reads[row].end)) {
            m_report.reads.push_back(row);
        }
    }
}

void Reporter::count()
{
    auto& counts = m_report.counts;
    const auto& operations = m_trace.operations;
    for (Row row = 0; row < operations.size(); ++row) {
        if (touches(operations.start[row], operations.end[row])) {
            const auto kind = operations.kind[row];
            ++(kind == OperationKind::kernel ? counts.kernels : is_copy(kind) ? counts.copies : counts.memsets);
        }
    }
    const auto classes = call_classes(m_trace);
    for (Row call = 0; call < m_trace.calls.size(); ++call) {
        if (m_trace.calls.outer[call] != no_row || !touches(m_trace.calls.start[call], m_trace.calls.end[call])) {
            continue;
        }
        ++counts.api_calls;
        switch (classes[m_trace.calls.name[call]]) {
        case CallClass::stream_sync:
        case CallClass::device_sync:
        case CallClass::event_sync:
            ++counts.syncs;
            break;
        case CallClass::wait_event:
            ++counts.waits;
            break;
        default:
            break;
        }
    }
    if (m_trace.calls.size() == 0) {
        for (const auto& sync : m_trace.syncs) {
            if (touches(sync.start, sync.end) && sync.type != SyncRecord::unknown) {
                ++(sync.type == SyncRecord::stream_wait_event ? counts.waits : counts.syncs);
            }
        }
    }
    counts.dropped = m_trace.dropped;
}

}  // namespace

std::string device_name(const Trace& trace, std::uint32_t device)
{
    for (const auto& known : trace.devices) {
        if (known.id == device && known.name != 0) {
            return std::string(trace.text(known.name));
        }
    }
    return "GPU " + std::to_string(device);
}

Report make_report(const Trace& trace, const Blocking& blocking, std::optional<Interval> range)
{
    Interval whole {0, trace.duration};
    if (range) {
        whole.start = std::clamp<Ns>(range->start, 0, trace.duration);
        whole.end = std::clamp<Ns>(range->end, whole.start, trace.duration);
    }
    return Reporter(trace, blocking, whole).run();
}

}  // namespace lanes
