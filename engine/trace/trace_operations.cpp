// SPDX-License-Identifier: MIT
// The table of operations, with their details, out of the records that TraceAssembly kept.
#include "engine/trace/demangle.h"
#include "engine/trace/kernel_name.h"
#include "engine/trace/large_vector.h"
#include "engine/trace/shared_details.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>

namespace lanes {

namespace {

OperationKind kind_of(const CopyRecord& copy)
{
    const auto on_host = [](MemoryKind kind) { return kind == MemoryKind::pageable || kind == MemoryKind::pinned; };
    switch (copy.copy) {
    case CopyKind::h2d:
    case CopyKind::h2a:
        return OperationKind::h2d;
    case CopyKind::d2h:
    case CopyKind::a2h:
        return OperationKind::d2h;
    case CopyKind::h2h:
        return OperationKind::h2h;
    case CopyKind::p2p:
        return OperationKind::p2p;
    case CopyKind::unknown:
        if (on_host(copy.source)) {
            return on_host(copy.target) ? OperationKind::h2h : OperationKind::h2d;
        }
        return on_host(copy.target) ? OperationKind::d2h : OperationKind::d2d;
    default:
        return OperationKind::d2d;
    }
}

std::string_view shown_name(OperationKind kind)
{
    switch (kind) {
    case OperationKind::h2d:
        return "Memcpy HtoD";
    case OperationKind::d2h:
        return "Memcpy DtoH";
    case OperationKind::d2d:
        return "Memcpy DtoD";
    case OperationKind::p2p:
        return "Memcpy PtoP";
    case OperationKind::h2h:
        return "Memcpy HtoH";
    case OperationKind::memset:
        return "Memset";
    default:
        return "";
    }
}

constexpr std::size_t rows_together = 65536;

/// Work on so many operations is worth a thread, or not: then, and where there is no thread to be had, it is done by
/// whoever waits for it.
std::launch beside_from(std::size_t operations)
{
    constexpr std::size_t worth_a_thread = 100'000;
    return operations < worth_a_thread ? std::launch::deferred : std::launch::async | std::launch::deferred;
}

}  // namespace

/// Of a name of StringTable that is not "".
const TraceAssembly::KernelName& TraceAssembly::texts_of(StringId recorded)
{
    if (recorded >= m_kernel_names.size()) {
        m_kernel_names.resize(m_trace.strings.size());
    }
    auto& known = m_kernel_names[recorded];
    if (known.full == 0) {
        auto plain = demangled(m_trace.text(recorded));
        const std::string full = plain ? *std::move(plain) : std::string(m_trace.text(recorded));
        known = {m_trace.strings.intern(full), m_trace.strings.intern(short_kernel_name(full)),
            m_trace.strings.intern(bare_kernel_name(full))};
    }
    return known;
}

StringId TraceAssembly::kernel_name(Row call, const KernelRecord& record)
{
    const auto step = call == no_row ? no_id : m_trace.calls.step[call];
    if (m_graph_names.concerns(step)) {
        if (const auto name = m_graph_names.name(step, record.graph_node); !name.empty()) {
            return m_trace.strings.intern(name);
        }
    } else if (step < m_records.step_names.size() && !m_records.step_names[step].empty()) {
        m_step_names.resize(m_records.step_names.size());
        auto& known = m_step_names[step];
        known = known != 0 ? known : m_trace.strings.intern(m_records.step_names[step]);
        return known;
    }
    if (record.name == 0 || record.name >= m_trace.strings.size()) {
        return record.shown_name;
    }
    const auto& known = texts_of(record.name);
    // Nsight's exports name a kernel without its template arguments; another name was given by somebody.
    const auto shown = record.shown_name;
    return shown == 0 || shown == record.name || shown == known.bare ? known.brief : shown;
}

void TraceAssembly::name_graph_nodes()
{
    m_graph_names = GraphNames(m_records.step_names);
    if (m_graph_names.empty()) {
        return;
    }
    for (const auto& r : m_records.of<KernelRecord>()) {
        const auto call = call_of(r.process, r.correlation);
        if (call != no_row && m_graph_names.concerns(m_trace.calls.step[call])) {
            m_graph_names.see(m_trace.calls.step[call], r.graph_node);
        }
    }
    m_graph_names.finish();
}

/// On a thread beside make_calls(): neither needs what the other makes.
void TraceAssembly::sort_operations()
{
    const auto size = m_records.of<KernelRecord>().size() + m_records.of<CopyRecord>().size();
    m_order = std::async(beside_from(size), [this] { return sorted_operations(); });
}

/// By stream, then start, then end; of equals kernels come first, then copies, each in the order of their records.
/// Fills the operations' streams.
std::vector<TraceAssembly::Timed> TraceAssembly::sorted_operations()
{
    // Records come sorted or nearly so for each kind: dealt out to the streams they need no more than merging.
    constexpr std::size_t kinds = 3;
    const auto each = [this](auto take) {
        const auto of = [&]<class R>(std::size_t kind, const std::vector<R>& records) {
            for (std::uint32_t i = 0; i < records.size(); ++i) {
                const auto& r = records[i];
                take(m_streams.row(r.process, r.device, r.context, r.stream) * kinds + kind,
                    Timed {r.start, r.end, i, R::kind});
            }
        };
        of(0, m_records.of<KernelRecord>());
        of(1, m_records.of<CopyRecord>());
        of(2, m_records.of<MemsetRecord>());
    };
    std::vector<std::size_t> bounds(m_trace.streams.size() * kinds + 1);
    each([&](std::size_t pile, const Timed&) { ++bounds[pile + 1]; });
    std::partial_sum(bounds.begin(), bounds.end(), bounds.begin());
    auto& streams = m_trace.operations.stream;
    reserve_large(streams, bounds.back());
    std::vector<Timed> order;
    reserve_large(order, bounds.back());
    order.resize(bounds.back());
    auto free = bounds;
    each([&](std::size_t pile, const Timed& at) { order[free[pile]++] = at; });

    const auto earlier
        = [](const Timed& a, const Timed& b) { return a.start != b.start ? a.start < b.start : a.end < b.end; };
    const auto place = [&](std::size_t pile) { return order.begin() + static_cast<std::ptrdiff_t>(bounds[pile]); };
    for (std::size_t pile = 0; pile + 1 < bounds.size(); ++pile) {
        if (!std::is_sorted(place(pile), place(pile + 1), earlier)) {
            std::stable_sort(place(pile), place(pile + 1), earlier);
        }
        if (pile % kinds != 0) {
            const auto first = pile - pile % kinds;
            std::inplace_merge(place(first), place(pile), place(pile + 1), earlier);
        }
        streams.resize(bounds[pile + 1], static_cast<Row>(pile / kinds));
    }
    return order;
}

/// What an operation's record says by itself, and its call. Runs beside describe_operations(): `there` are so many
/// first rows as are complete.
void TraceAssembly::place_operations(const std::vector<Timed>& order, std::atomic<std::size_t>& there)
{
    auto& table = m_trace.operations;
    for (std::size_t row = 0; row < order.size(); ++row) {
        const auto& at = order[row];
        const auto put = [&](const OperationRecord& r, OperationKind kind) {
            table.start[row] = r.start - m_origin;
            table.end[row] = r.end - m_origin;
            table.correlation[row] = r.correlation;
            table.call[row] = call_of(r.process, r.correlation);
            table.kind[row] = kind;
        };
        if (at.kind == RecordKind::kernel) {
            put(m_records.of<KernelRecord>()[at.index], OperationKind::kernel);
        } else if (at.kind == RecordKind::memset) {
            put(m_records.of<MemsetRecord>()[at.index], OperationKind::memset);
        } else {
            const auto& r = m_records.of<CopyRecord>()[at.index];
            put(r, kind_of(r));
        }
        if ((row + 1) % rows_together == 0 || row + 1 == order.size()) {
            there = row + 1;
            there.notify_one();
        }
    }
}

/// Names and details, in the order of their first use.
void TraceAssembly::describe_operations(const std::vector<Timed>& order, const std::atomic<std::size_t>& there)
{
    auto& table = m_trace.operations;
    SharedDetails details(m_trace.kernels);
    std::array<StringId, 7> fixed_names {};
    const auto fixed_name = [&](OperationKind kind) {
        auto& name = fixed_names[static_cast<std::size_t>(kind)];
        name = name != 0 ? name : m_trace.strings.intern(shown_name(kind));
        return name;
    };
    const auto says_async = [this](Row call) {
        return call != no_row && m_trace.text(m_trace.calls.name[call]).find("Async") != std::string_view::npos;
    };
    std::size_t complete = 0;
    for (std::size_t row = 0; row < order.size(); ++row) {
        if (row % rows_together == 0) {
            m_progress.report(0.65 + 0.3 * static_cast<double>(row) / static_cast<double>(order.size()));
        }
        for (; complete <= row; complete = there) {
            there.wait(complete);
        }
        const auto& at = order[row];
        const auto call = table.call[row];
        if (at.kind == RecordKind::kernel) {
            const auto& r = m_records.of<KernelRecord>()[at.index];
            const auto full = r.name == 0 || r.name >= m_trace.strings.size() ? r.name : texts_of(r.name).full;
            table.detail.push_back(
                details.row_of({full, {r.grid[0], r.grid[1], r.grid[2]}, {r.block[0], r.block[1], r.block[2]},
                    r.registers, r.static_shared, r.dynamic_shared, r.graph_node, r.channel}));
            table.name.push_back(kernel_name(call, r));
        } else if (at.kind == RecordKind::memset) {
            const auto& r = m_records.of<MemsetRecord>()[at.index];
            table.detail.push_back(static_cast<Row>(m_trace.memsets.size()));
            table.name.push_back(fixed_name(OperationKind::memset));
            m_trace.memsets.push_back(
                {r.bytes, r.value, r.target, r.async != 0 || says_async(call), r.graph_node, r.channel});
        } else {
            const auto& r = m_records.of<CopyRecord>()[at.index];
            table.detail.push_back(static_cast<Row>(m_trace.copies.size()));
            table.name.push_back(fixed_name(table.kind[row]));
            m_trace.copies.push_back({r.bytes, r.source, r.target, r.copy, r.async != 0 || says_async(call),
                r.source_device, r.target_device, r.graph_node, r.channel});
        }
    }
    m_trace.kernels.shrink_to_fit();
}

void TraceAssembly::make_operations()
{
    const auto order = m_order.get();
    name_graph_nodes();
    auto& table = m_trace.operations;
    const auto size = order.size();
    const auto make = [size](auto&... columns) { (..., (reserve_large(columns, size), columns.resize(size))); };
    reserve_large(table.name, size);
    reserve_large(table.detail, size);
    reserve_large(m_trace.copies, m_records.of<CopyRecord>().size());
    reserve_large(m_trace.memsets, m_records.of<MemsetRecord>().size());
    {
        std::atomic<std::size_t> there = 0;
        make(table.start, table.end, table.correlation, table.call, table.kind);
        const auto placing = std::async(beside_from(size), [&] { place_operations(order, there); });
        if (placing.wait_for(std::chrono::seconds(0)) == std::future_status::deferred) {
            placing.wait();
        }
        describe_operations(order, there);
    }
    release(m_records.of<KernelRecord>());
    release(m_records.of<CopyRecord>());
    release(m_records.of<MemsetRecord>());
}

}  // namespace lanes
