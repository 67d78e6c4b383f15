// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/graph/kernel_share.h"
#include "engine/analysis/graph/missed_overlap.h"
#include "engine/analysis/graph/rows_in.h"

#include <algorithm>
#include <unordered_map>

namespace lanes {

namespace {

constexpr std::size_t engines = 7;

BestTime::Engine engine_for(OperationKind kind, std::uint32_t copy_engines)
{
    switch (engine_of(kind, copy_engines)) {
    case OperationKind::h2d:
        return copy_engines == 1 ? BestTime::Engine::copies : BestTime::Engine::h2d;
    case OperationKind::d2h:
        return BestTime::Engine::d2h;
    case OperationKind::d2d:
        return BestTime::Engine::d2d;
    case OperationKind::p2p:
        return BestTime::Engine::p2p;
    case OperationKind::kernel:
        return BestTime::Engine::kernels;
    default:
        return BestTime::Engine::none;
    }
}

/// When each operation is done if the CPU takes no time: the longest chain of what operations wait for.
class Chain {
public:
    Chain(const Graph& graph, Interval range, const std::vector<Row>& rows);
    /// Rows in the order of their starts. The time from the start of the chain to the operation's end.
    Ns done_after(Row row, Interval span);

private:
    struct OfStream {
        Ns done = 0;  // of the chain
        Ns end = 0;  // in the recording
        Row call = no_row;  // that issued what ends last
    };
    Ns begin_of(Row row, Interval span, Row call) const;
    Ns done_of(Row row) const
    {
        const auto found = m_others.find(row);
        return found == m_others.end() ? 0 : found->second;
    }
    /// A kernel may begin before the one that it follows has ended (programmatic dependent launch).
    Ns after(Ns done, Ns end, Interval span) const
    {
        return done - std::max<Ns>(0, std::min(end, m_range.end) - span.start);
    }

    const Graph& m_graph;
    const OperationTable& m_ops;
    const Dependencies& m_dependencies;
    Interval m_range;
    std::vector<OfStream> m_streams;
    std::vector<std::array<Ns, 2>> m_contexts;  // done: blocking streams, legacy
    std::unordered_map<Row, Ns> m_others;  // done, of the operations that events and graphs wait for
};

Chain::Chain(const Graph& graph, Interval range, const std::vector<Row>& rows)
    : m_graph(graph)
    , m_ops(graph.trace().operations)
    , m_dependencies(graph.dependencies())
    , m_range(range)
    , m_streams(graph.trace().streams.size())
    , m_contexts(m_dependencies.contexts, {0, 0})
{
    for (const auto& [operation, before] : m_dependencies.behind) {
        m_others.emplace(before, 0);
    }
    for (const Row row : rows) {
        if (graph.starts().cause(row) == StartCause::graph) {
            m_others.emplace(graph.starts().after(row), 0);
        }
    }
}

Ns Chain::begin_of(Row row, Interval span, Row call) const
{
    const Row stream = m_ops.stream[row];
    const auto& of = m_streams[stream];
    // Nodes of a graph run side by side on one stream.
    const bool side_by_side = of.end > m_ops.start[row] + clock_grain && call != no_row && call == of.call;
    Ns begin = side_by_side ? 0 : std::max<Ns>(0, after(of.done, of.end, span));
    if (m_graph.starts().cause(row) == StartCause::graph) {
        const Row before = m_graph.starts().after(row);
        begin = std::max(begin, after(done_of(before), m_ops.end[before], span));
    }
    const auto& edges = m_dependencies.behind;
    auto at = std::partition_point(edges.begin(), edges.end(), [&](const auto& edge) { return edge.operation < row; });
    for (; at != edges.end() && at->operation == row; ++at) {
        begin = std::max(begin, done_of(at->before));
    }
    const auto context = m_dependencies.context_of[stream];
    return context == Dependencies::no_context
        ? begin
        : std::max(begin, m_contexts[context][m_dependencies.legacy[stream] ? 0 : 1]);
}

Ns Chain::done_after(Row row, Interval span)
{
    const Row stream = m_ops.stream[row];
    const Row call = outermost(m_graph.trace().calls, m_ops.call[row]);
    const Ns done = begin_of(row, span, call) + span.end - span.start;
    auto& of = m_streams[stream];
    of = {std::max(of.done, done), std::max(of.end, m_ops.end[row]), m_ops.end[row] >= of.end ? call : of.call};
    const auto context = m_dependencies.context_of[stream];
    if (context != Dependencies::no_context) {
        auto& side = m_contexts[context][m_dependencies.legacy[stream] ? 1 : 0];
        side = std::max(side, done);
    }
    if (const auto found = m_others.find(row); found != m_others.end()) {
        found->second = done;
    }
    return done;
}

/// What each engine of each GPU has to do.
class EngineWork {
public:
    explicit EngineWork(const Graph& graph);
    void add(Row row, Interval span);
    /// Sets the busiest engine of all.
    void find_busiest(BestTime& best) const;

private:
    struct OfDevice {
        std::uint32_t id = 0;
        GpuRoom room;
        std::array<Ns, engines> busy {}, until {};
        double filled = 0;  // by kernels, ns of the whole GPU
        Ns longest = 0;  // kernel
    };
    const Trace& m_trace;
    const Dependencies& m_dependencies;
    std::vector<OfDevice> m_devices;
};

EngineWork::EngineWork(const Graph& graph)
    : m_trace(graph.trace())
    , m_dependencies(graph.dependencies())
    , m_devices(m_dependencies.devices)
{
    for (Row stream = 0; stream < m_trace.streams.size(); ++stream) {
        auto& device = m_devices[m_dependencies.device_of[stream]];
        device.id = m_trace.streams[stream].device;
        device.room = gpu_room(m_trace, device.id);
    }
}

void EngineWork::add(Row row, Interval span)
{
    const auto& ops = m_trace.operations;
    const auto place = m_dependencies.device_of[ops.stream[row]];
    const auto engine = static_cast<std::size_t>(engine_for(ops.kind[row], m_dependencies.copy_engines[place]));
    auto& device = m_devices[place];
    device.busy[engine] += std::max<Ns>(0, span.end - std::max(span.start, device.until[engine]));
    device.until[engine] = std::max(device.until[engine], span.end);
    if (ops.kind[row] == OperationKind::kernel) {
        device.filled
            += share_of_gpu(m_trace.kernels[ops.detail[row]], device.room) * static_cast<double>(span.end - span.start);
        device.longest = std::max(device.longest, span.end - span.start);
    }
}

void EngineWork::find_busiest(BestTime& best) const
{
    constexpr auto kernels = static_cast<std::size_t>(BestTime::Engine::kernels);
    for (const auto& device : m_devices) {
        for (std::size_t engine = 1; engine < engines; ++engine) {
            // Kernels that do not fill the GPU could run side by side.
            const Ns busy = engine == kernels
                ? std::min(device.busy[engine], std::max(device.longest, static_cast<Ns>(device.filled)))
                : device.busy[engine];
            if (busy > best.busiest) {
                best.busiest = busy;
                best.engine = static_cast<BestTime::Engine>(engine);
                best.device = device.id;
            }
        }
    }
}

}  // namespace

std::string_view name_of(BestTime::Engine engine)
{
    constexpr std::array<std::string_view, engines> names {"none", "kernels", "h2d", "d2h", "d2d", "p2p", "copies"};
    return names[static_cast<std::size_t>(engine)];
}

BestTime best_time(const Graph& graph, Interval range)
{
    const auto& ops = graph.trace().operations;
    range.end = std::max(range.start, std::min(range.end, graph.last_end()));
    BestTime best;
    best.wall = range.end - range.start;
    const auto rows = rows_in(graph, range);
    Chain chain(graph, range, rows);
    EngineWork work(graph);
    for (const Row row : rows) {
        const Interval span = common({ops.start[row], ops.end[row]}, range);
        best.chain = std::max(best.chain, chain.done_after(row, span));
        work.add(row, span);
    }
    work.find_busiest(best);
    best.chain = std::max(best.chain, best.busiest);  // an engine carries one at a time
    return best;
}

}  // namespace lanes
