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

}  // namespace

std::string_view name_of(BestTime::Engine engine)
{
    constexpr std::array<std::string_view, engines> names {"none", "kernels", "h2d", "d2h", "d2d", "p2p", "copies"};
    return names[static_cast<std::size_t>(engine)];
}

BestTime best_time(const Graph& graph, Interval range)
{
    const auto& trace = graph.trace();
    const auto& ops = trace.operations;
    const auto& dependencies = graph.dependencies();
    range.end = std::max(range.start, std::min(range.end, graph.last_end()));
    BestTime best;
    best.wall = range.end - range.start;

    struct OfStream {
        Ns done = 0;  // of the chain
        Ns end = 0;  // in the recording
        Row call = no_row;  // that issued what ends last
    };
    std::vector<OfStream> streams(trace.streams.size());
    std::vector<std::array<Ns, 2>> contexts(dependencies.contexts, {0, 0});  // done: blocking streams, legacy
    std::vector<std::array<Ns, engines>> busy(dependencies.devices, std::array<Ns, engines> {});
    std::vector<std::array<Ns, engines>> until(dependencies.devices, std::array<Ns, engines> {});
    std::vector<std::uint32_t> device(dependencies.devices);
    std::vector<GpuRoom> room(dependencies.devices);
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        room[dependencies.device_of[stream]] = gpu_room(trace, trace.streams[stream].device);
    }
    struct Kernels {
        double filled = 0;  // ns of the whole GPU
        Ns longest = 0;
    };
    std::vector<Kernels> kernels(dependencies.devices);
    std::unordered_map<Row, Ns> others;  // done, of what events and graphs point at
    for (const auto& [operation, before] : dependencies.behind) {
        others.emplace(before, 0);
    }
    const auto rows = rows_in(graph, range);
    for (const Row row : rows) {
        if (graph.starts().cause(row) == StartCause::graph) {
            others.emplace(graph.starts().after(row), 0);
        }
    }
    const auto done_of = [&](Row row) {
        const auto found = others.find(row);
        return found == others.end() ? 0 : found->second;
    };
    for (const Row row : rows) {
        const Row stream = ops.stream[row];
        const Interval span {std::max(ops.start[row], range.start), std::min(ops.end[row], range.end)};
        auto& of = streams[stream];
        // A kernel may begin before the one that it follows has ended (programmatic dependent launch).
        const auto behind_end
            = [&](Ns done, Ns end) { return done - std::max<Ns>(0, std::min(end, range.end) - span.start); };
        // Nodes of a graph run side by side on one stream.
        const Row call = outermost(trace.calls, ops.call[row]);
        const bool side_by_side = of.end > ops.start[row] + clock_grain && call != no_row && call == of.call;
        Ns begin = side_by_side ? 0 : std::max<Ns>(0, behind_end(of.done, of.end));
        if (graph.starts().cause(row) == StartCause::graph) {
            const Row after = graph.starts().after(row);
            begin = std::max(begin, behind_end(done_of(after), ops.end[after]));
        }
        const auto& behind = dependencies.behind;
        auto at = std::partition_point(
            behind.begin(), behind.end(), [&](const auto& edge) { return edge.operation < row; });
        for (; at != behind.end() && at->operation == row; ++at) {
            begin = std::max(begin, done_of(at->before));
        }
        const auto context = dependencies.context_of[stream];
        if (context != Dependencies::no_context) {
            begin = std::max(begin, contexts[context][dependencies.legacy[stream] ? 0 : 1]);
        }
        const Ns done = begin + span.end - span.start;
        of = {std::max(of.done, done), std::max(of.end, ops.end[row]), ops.end[row] >= of.end ? call : of.call};
        if (context != Dependencies::no_context) {
            auto& side = contexts[context][dependencies.legacy[stream] ? 1 : 0];
            side = std::max(side, done);
        }
        if (const auto found = others.find(row); found != others.end()) {
            found->second = done;
        }
        best.chain = std::max(best.chain, done);

        const auto place = dependencies.device_of[stream];
        const auto engine = static_cast<std::size_t>(engine_for(ops.kind[row], dependencies.copy_engines[place]));
        device[place] = trace.streams[stream].device;
        auto& covered = until[place][engine];
        busy[place][engine] += std::max<Ns>(0, span.end - std::max(span.start, covered));
        covered = std::max(covered, span.end);
        if (ops.kind[row] == OperationKind::kernel) {
            kernels[place].filled += share_of_gpu(trace.kernels[ops.detail[row]], room[place])
                * static_cast<double>(span.end - span.start);
            kernels[place].longest = std::max(kernels[place].longest, span.end - span.start);
        }
    }
    for (std::size_t place = 0; place < busy.size(); ++place) {
        // Kernels that do not fill the GPU could run side by side.
        auto& of_kernels = busy[place][static_cast<std::size_t>(BestTime::Engine::kernels)];
        of_kernels = std::min(of_kernels, std::max(kernels[place].longest, static_cast<Ns>(kernels[place].filled)));
        for (std::size_t engine = 1; engine < engines; ++engine) {
            if (busy[place][engine] > best.busiest) {
                best.busiest = busy[place][engine];
                best.engine = static_cast<BestTime::Engine>(engine);
                best.device = device[place];
            }
        }
    }
    best.chain = std::max(best.chain, best.busiest);  // an engine carries one at a time
    return best;
}

}  // namespace lanes
