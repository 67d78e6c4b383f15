// SPDX-License-Identifier: MIT
#include "engine/analysis/report.h"

#include "engine/analysis/early_report.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/facts/recorded_part.h"
#include "engine/analysis/figures/operation_figures.h"
#include "engine/analysis/findings/findings.h"
#include "engine/analysis/findings/rules.h"
#include "engine/analysis/verdict/verdict_facts.h"
#include "engine/analysis/words/shown.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/operator_range.h"
#include "engine/trace/range_kinds.h"
#include "engine/trace/sampled_range.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

namespace lanes {

namespace {

/// A step of PyTorch's profiler is an iteration: what repeats in a single one are layers, and what comes before them in
/// it is no start-up.
bool lies_in_one_step(const Trace& trace, const SteadyState& steady)
{
    const Ns middle = steady.span.start + (steady.span.end - steady.span.start) / 2;
    return std::any_of(trace.ranges.begin(), trace.ranges.end(), [&](const Range& range) {
        return range.start <= steady.span.start && middle < range.end && is_profiler_step(trace.text(range.name));
    });
}

/// False for files of other tools, which do not say when a thread waited for another.
constexpr bool knows_host_waits(Source source)
{
    return source == Source::cupti || source == Source::model || source == Source::predicted;
}

class Reporter {
public:
    /// Without `waited`: figures alone.
    Reporter(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds, Interval range,
        const Progress& progress, const Waited* waited, bool finds = true)
        : m_trace(trace)
        , m_blocking(blocking)
        , m_bounds(bounds)
        , m_progress(progress)
        , m_waited(waited)
        , m_finds(finds)
    {
        m_report.range = range;
    }
    Report run();

private:
    void measure_gpus();
    void add_what_the_part_that_repeats_says();
    void measure_calls(std::vector<Ns>& api);
    void measure_threads();
    void measure_held();
    Ns most_to_gain() const;
    void measure_cpu_free();
    void measure_ranges();

    Interval cut(Ns start, Ns end) const { return common({start, end}, m_report.range); }

    const Trace& m_trace;
    const Blocking& m_blocking;
    const RecordingBounds& m_bounds;
    const Progress& m_progress;
    const Waited* m_waited;
    bool m_finds;
    Report m_report;
    OperationFigures m_gpus;
    std::vector<IntervalSet> m_blocked, m_host_waits;  ///< by thread
    IntervalSet m_free;  ///< its length is cpu_free
};

Report Reporter::run()
{
    m_report.wall = std::max<Ns>(0, std::min(m_bounds.last_end, m_report.range.end) - m_report.range.start);
    m_report.counts.dropped = m_trace.dropped;
    m_report.complete = is_complete(m_trace);
    m_report.gpu_recorded = gpu_work_is_recorded(m_trace);
    if (const auto workload = m_trace.meta.find(meta::workload); workload != m_trace.meta.end()) {
        m_report.workload = workload->second;
    }
    measure_gpus();
    m_progress.report(0.7);
    measure_threads();
    measure_held();
    measure_cpu_free();
    measure_ranges();
    m_progress.report(0.85);
    if (m_waited != nullptr) {
        m_report.kernel_sizes = kernel_sizes(m_trace);
        auto facts = verdict_facts(
            m_trace, m_blocking, m_bounds, m_gpus, m_free, m_blocked, m_waited->graph.ranges(), m_report);
        m_report.verdict = verdict_of(facts);
        if (!m_finds) {
            m_progress.report(1);
            return std::move(m_report);
        }
        m_report.findings = find_findings(*m_waited, m_bounds, m_gpus.busy(), facts, m_report);
        facts.gain_without_waits = gain_without_waits(m_report.findings);
        m_report.verdict = verdict_of(facts);
        if (m_report.workload.empty() && m_report.range == Interval {0, m_trace.duration}) {
            if (const auto& repetition = m_waited->graph.repetition()) {
                m_report.steady = repetition->steady;
                m_report.length_step = find_length_step(m_trace, *repetition);
            }
            add_what_the_part_that_repeats_says();
        }
    }
    m_progress.report(1);
    return std::move(m_report);
}

/// A script starts up for seconds. What its iterations lose is little in comparison, but it is what one wants to know.
void Reporter::add_what_the_part_that_repeats_says()
{
    if (!m_report.steady || 2 * (m_report.steady->span.end - m_report.steady->span.start) >= m_report.wall
        || lies_in_one_step(m_trace, *m_report.steady)) {
        return;
    }
    m_report.parts = std::make_shared<const ReportParts>(
        ReportParts {Reporter(m_trace, m_blocking, m_bounds, m_report.steady->span, {}, m_waited).run(), m_report});
    const Report& of_the_part = m_report.parts->steady;
    // The verdict on the whole is mostly about the start-up.
    auto of_the_whole_run = std::move(m_report.verdict);
    m_report.verdict = of_the_part.verdict;
    m_report.verdict.message = {"verdict.of_part", {}, {{"verdict", of_the_part.verdict.message}}};
    m_report.verdict.more.push_back({"verdict.more_of_part", {}, {{"verdict", std::move(of_the_whole_run.message)}}});
    // Its findings first. Of the whole only what is wrong, start-up, and what takes a tenth of it by rules that found
    // nothing in the part and are not about loops or an idle GPU.
    const auto named = [](const char* id, Finding finding) {
        finding.title = {id, {}, {{"what", std::move(finding.title)}}};
        return finding;
    };
    std::vector<Finding> all;
    Ns sum = 0;
    for (const auto& finding : of_the_part.findings) {
        if (finding.is_once && finding.cost < m_report.wall / 100) {
            continue;  // done once, it is held against the whole
        }
        sum += finding.cost;
        all.push_back(finding.is_once ? finding : named("finding.in_steady", finding));
    }
    const auto is_said = [&](const Finding& other) {
        return std::any_of(all.begin(), all.end(), [&](const Finding& finding) { return finding.rule == other.rule; });
    };
    for (auto& finding : m_report.findings) {
        const bool matters = finding.stale_bytes > 0 || finding.is_once
            || (finding.cost >= m_report.wall / 10 && !rule_of(finding.rule).is_idle
                && !finding.rule.ends_with("-in-loop"));
        if (matters && !is_said(finding) && (sum += finding.cost) <= m_report.wall) {
            const bool needs_no_name = finding.stale_bytes > 0 || finding.is_once;
            finding.is_once = true;
            all.push_back(needs_no_name ? finding : named("finding.not_in_steady", finding));
        }
    }
    std::stable_sort(all.begin(), all.end(), comes_first);
    m_report.findings = std::move(all);
}

void Reporter::measure_gpus()
{
    m_gpus = measure_operations(m_trace, m_bounds, m_report.range, m_progress.part(0, 0.7));
    m_report.gpus = std::move(m_gpus.gpus);
    m_report.concurrency = m_gpus.concurrency;
    m_report.overlap = m_report.concurrency[2] + m_report.concurrency[3];
    m_report.gpu_busy = m_report.concurrency[1] + m_report.overlap;
    m_report.copied_bytes = m_gpus.copied_bytes;
    m_report.has_whole_graphs = m_trace.meta.contains(meta::graphs)
        && std::any_of(m_trace.kernels.begin(), m_trace.kernels.end(), is_whole_graph);
    for (std::size_t i = 0; i < m_gpus.counts.size(); ++i) {
        const auto kind = static_cast<OperationKind>(i);
        auto& counts = m_report.counts;
        (kind == OperationKind::kernel ? counts.kernels
                : is_copy(kind)        ? counts.copies
                                       : counts.memsets)
            += m_gpus.counts[i];
    }
}

/// Adds each thread's time in outermost calls to `api`, and counts the calls.
void Reporter::measure_calls(std::vector<Ns>& api)
{
    const auto& calls = m_trace.calls;
    auto& counts = m_report.counts;
    std::vector<Ns> until(api.size(), m_report.range.start);
    const auto times_of = [&](Row call) { return Interval {calls.start[call], calls.end[call]}; };
    each_touching(calls.size(), m_bounds.calls, m_report.range, times_of, [&](Row call) {
        if (calls.outer[call] != no_row) {
            return;
        }
        ++counts.api_calls;
        const auto call_class = m_bounds.classes[calls.name[call]];
        counts.waits += call_class == CallClass::wait_event ? 1 : 0;
        counts.syncs += call_class == CallClass::stream_sync || call_class == CallClass::device_sync
                || call_class == CallClass::event_sync || call_class == CallClass::copy
            ? 1
            : 0;
        if (const Row thread = calls.thread[call]; thread != no_row) {  // the calls come by start
            const auto part = cut(calls.start[call], calls.end[call]);
            api[thread] += std::max<Ns>(0, part.end - std::max(part.start, until[thread]));
            until[thread] = std::max(until[thread], part.end);
        }
    });
    if (calls.size() == 0) {
        each_touching(m_trace.syncs, m_bounds.syncs, m_report.range, [&](Row row) {
            if (const auto type = m_trace.syncs[row].type; type != SyncRecord::unknown) {
                ++(type == SyncRecord::stream_wait_event ? counts.waits : counts.syncs);
            }
        });
    }
}

void Reporter::measure_threads()
{
    const auto size = m_trace.threads.size();
    std::vector<Ns> api(size);
    measure_calls(api);
    m_host_waits.resize(size);
    each_touching(m_trace.host_spans, m_bounds.host_spans, m_report.range, [&](Row row) {
        const auto& span = m_trace.host_spans[row];
        if (span.thread != no_row && span.type != HostSpanRecord::work && span.type != HostSpanRecord::staging) {
            m_host_waits[span.thread].push_back(cut(span.start, span.end));
        }
    });
    m_blocked.resize(size);
    std::vector<std::array<Ns, block_cause_count>> by_cause(size);
    each_touching(m_blocking.calls, m_bounds.blocked, m_report.range, [&](Row row) {
        const auto& stretch = m_blocking.calls[row];
        const Row thread = m_trace.calls.thread[stretch.call];
        const auto part = cut(stretch.start, stretch.end);
        if (thread != no_row && part.start < part.end) {
            m_blocked[thread].push_back(part);
            by_cause[thread][static_cast<std::size_t>(stretch.cause)] += part.end - part.start;
        }
    });
    for (Row thread = 0; thread < size; ++thread) {
        m_blocked[thread] = unite(std::move(m_blocked[thread]));
        m_host_waits[thread] = unite(std::move(m_host_waits[thread]));
        if (!m_bounds.threads[thread].did_something) {
            continue;
        }
        ThreadFigures figures {};
        figures.thread = thread;
        if (m_trace.calls.size() > 0) {
            figures.api = api[thread];
        }
        if (knows_host_waits(m_trace.source)) {
            figures.host_wait = length(m_host_waits[thread]);
        }
        if (m_blocking.knows(thread)) {
            figures.blocked = length(m_blocked[thread]);
        }
        for (std::size_t cause = 0; cause < block_cause_count; ++cause) {
            if (m_blocking.knows(thread, static_cast<BlockCause>(cause))) {
                figures.blocked_by[cause] = by_cause[thread][cause];
            }
        }
        if (thread == m_bounds.first_thread) {
            m_report.first = m_report.threads.size();
        }
        m_report.threads.push_back(figures);
    }
}

/// Without waits the same work on the same streams takes at least as long as the busiest stream, whose copies of
/// pageable memory may get shorter.
Ns Reporter::most_to_gain() const
{
    const auto& ops = m_trace.operations;
    std::unordered_map<Row, Ns> saved;  // by stream
    for (const auto& copy : m_waited->costs.staged) {
        const auto part = cut(ops.start[copy.operation], ops.end[copy.operation]);
        saved[ops.stream[copy.operation]] += std::clamp<Ns>(part.end - part.start, 0, copy.saved);
    }
    Ns busiest = 0;
    for (const auto& gpu : m_report.gpus) {
        for (const auto& stream : gpu.streams) {
            const auto found = saved.find(stream.stream);
            busiest = std::max(busiest, stream.busy - (found == saved.end() ? 0 : found->second));
        }
    }
    return std::max<Ns>(0, m_report.wall - busiest);
}

/// Of each thread the part of its blocked time that cost something, and how much.
void Reporter::measure_held()
{
    if (m_waited == nullptr) {
        return;
    }
    std::vector<std::vector<Interval>> held(m_trace.threads.size());
    std::vector<Ns> cost(m_trace.threads.size());
    each_touching(m_blocking.calls, m_bounds.blocked, m_report.range, [&](Row row) {
        const auto& stretch = m_blocking.calls[row];
        const Row thread = m_trace.calls.thread[stretch.call];
        const auto part = cut(stretch.start, stretch.end);
        if (thread != no_row && part.start < part.end && m_waited->costs.kind_of(row) == WaitKind::held) {
            held[thread].push_back(part);
            cost[thread] += m_waited->costs.cost_of(row, part.end - part.start);
        }
    });
    const Ns most = most_to_gain();
    for (auto& figures : m_report.threads) {
        if (m_blocking.knows(figures.thread)) {
            figures.held = length(unite(std::move(held[figures.thread])));
            figures.held_cost = std::min(cost[figures.thread], most);
        }
    }
}

void Reporter::measure_cpu_free()
{
    const auto* first = m_report.first_thread();
    if (first == nullptr || !first->blocked || !first->host_wait) {
        return;
    }
    const Row thread = first->thread;
    auto held = m_blocked[thread];
    held.insert(held.end(), m_host_waits[thread].begin(), m_host_waits[thread].end());
    m_free = subtract(m_gpus.busy(), unite(std::move(held)));
    m_report.cpu_free = length(m_free);
}

void Reporter::measure_ranges()
{
    each_touching(m_trace.reads, m_bounds.reads, m_report.range, [&](Row row) {
        m_report.reads.push_back(row);
        m_report.read_bytes += m_trace.reads[row].bytes;
        m_report.wrong_bytes += m_trace.reads[row].wrong_bytes;
    });
    std::vector<Row> order;
    each_touching(m_trace.ranges, m_bounds.ranges, m_report.range, [&](Row row) {
        if (!m_trace.ranges[row].mark && !is_sampled(m_trace, row)) {
            order.push_back(row);
        }
    });
    m_report.counts.ranges = order.size();
    if (order.empty()) {
        return;
    }
    const Coverage busy(m_gpus.busy());
    // By names, in the order in which they appear first, and by threads.
    std::unordered_map<StringId, std::uint32_t> places;
    std::vector<std::pair<Ns, StringId>> names;
    for (const Row row : order) {  // they come by start
        const auto& range = m_trace.ranges[row];
        if (places.try_emplace(range.name).second) {
            names.emplace_back(range.start, range.name);
        }
    }
    std::sort(names.begin(), names.end(), [&](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : m_trace.text(a.second) < m_trace.text(b.second);
    });
    for (std::uint32_t place = 0; place < names.size(); ++place) {
        places[names[place].second] = place;
    }
    std::vector<std::uint64_t> keys(m_trace.ranges.size());
    for (const Row row : order) {
        keys[row] = std::uint64_t {places[m_trace.ranges[row].name]} << 32U | m_trace.ranges[row].thread;
    }
    std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) { return keys[a] < keys[b]; });
    std::map<Row, Coverage> blocked;
    const RangeKinds kinds(m_trace);
    for (std::size_t i = 0; i < order.size();) {
        NamedRangeFigures figures;
        figures.name = m_trace.ranges[order[i]].name;
        figures.is_frame = kinds.of(order[i]) == RangeKind::frame;
        figures.only_leads_on = kinds.only_leads_on(order[i]);
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
}

/// The wanted range, else the whole recording.
Interval within(const Trace& trace, std::optional<Interval> range)
{
    Interval whole {0, trace.duration};
    if (range) {
        whole.start = std::clamp<Ns>(range->start, 0, trace.duration);
        whole.end = std::clamp<Ns>(range->end, whole.start, trace.duration);
    }
    return whole;
}

}  // namespace

Report make_report(const Trace& trace, const Blocking& blocking, std::optional<Interval> range)
{
    const Graph graph(trace, blocking);
    return make_report({graph, find_wait_costs(graph)}, RecordingBounds(trace, blocking), range);
}

Report make_report(
    const Waited& waited, const RecordingBounds& bounds, std::optional<Interval> range, const Progress& progress)
{
    const auto& trace = waited.graph.trace();
    return Reporter(trace, waited.graph.blocking(), bounds, within(trace, range), progress, &waited).run();
}

Report make_early_report(const Waited& waited, const RecordingBounds& bounds, Interval range, const Progress& progress)
{
    const auto& trace = waited.graph.trace();
    return Reporter(trace, waited.graph.blocking(), bounds, within(trace, range), progress, &waited, false).run();
}

Report make_figures(const Trace& trace, const Blocking& blocking, const RecordingBounds& bounds,
    std::optional<Interval> range, const Progress& progress)
{
    return Reporter(trace, blocking, bounds, within(trace, range), progress, nullptr).run();
}

}  // namespace lanes
