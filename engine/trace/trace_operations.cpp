// SPDX-License-Identifier: MIT
// Makes the table of operations, with their details, from the records that TraceAssembly kept.
#include "engine/trace/event.h"
#include "engine/trace/large_vector.h"
#include "engine/trace/names/demangle.h"
#include "engine/trace/names/kernel_name.h"
#include "engine/trace/shared_rows.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <array>
#include <limits>
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

/// Called by the thread that fills them: the first touch of their pages takes as long as filling them.
void make_columns(std::size_t size, auto&... columns)
{
    (..., (reserve_large(columns, size), columns.resize(size)));
}

}  // namespace

/// `recorded`: a name that is not "".
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

/// 0: the step has no name.
StringId TraceAssembly::name_by_step(Row call, std::uint32_t graph_node)
{
    const auto step = call == no_row ? no_id : m_trace.calls.step[call];
    if (m_graph_names.concerns(step)) {
        return m_trace.strings.intern(m_graph_names.name(step, graph_node));
    }
    if (step >= m_records.step_names.size() || m_records.step_names[step].empty()) {
        return 0;
    }
    m_step_names.resize(m_records.step_names.size());
    auto& known = m_step_names[step];
    known = known != 0 ? known : m_trace.strings.intern(m_records.step_names[step]);
    return known;
}

/// Recordings of ours from before 1.0 hold short names of that time: vectorized_elementwise_kernel<AddFunctor>, and the
/// template argument of CUTLASS's entry points.
bool TraceAssembly::was_short_once(StringId shown, const KernelName& known) const
{
    const auto name = m_trace.text(shown);
    const auto bare = m_trace.text(known.bare);
    const bool is_entry = bare == "Kernel" || bare == "Kernel2" || bare == "device_kernel";
    return is_entry ? m_trace.text(known.full).find(name) != std::string_view::npos
                    : name.starts_with(bare) && name.substr(bare.size()).starts_with('<');
}

StringId TraceAssembly::name_by_record(const KernelLaunch& launch)
{
    if (launch.name == 0 || launch.name >= m_trace.strings.size()) {
        return launch.shown_name;
    }
    const auto& known = texts_of(launch.name);
    // Nsight's exports name a kernel without its template arguments; a different name was given.
    const auto shown = launch.shown_name;
    return shown == 0 || shown == launch.name || shown == known.bare || was_short_once(shown, known) ? known.brief
                                                                                                     : shown;
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
            m_graph_names.see(m_trace.calls.step[call], m_records.launch_of(r).graph_node);
        }
    }
    m_graph_names.finish();
}

/// Runs on a thread beside make_calls(): neither needs the other's results.
void TraceAssembly::sort_operations()
{
    const auto size = m_records.of<KernelRecord>().size() + m_records.of<CopyRecord>().size();
    m_sorting = std::async(beside_from(size), [this] { find_rows(); });
}

/// Finds the row of each record: by stream, then start, then end; of equals kernels come first, then copies, each in
/// the order of their records. Fills the operations' streams, and the rows of copies' and memsets' details: both tables
/// are in the order of their operations.
void TraceAssembly::find_rows()
{
    // Records of each kind are sorted, or nearly: once distributed to the streams they only need merging.
    constexpr auto kinds = std::tuple_size_v<OfOperations>;
    struct Timed {
        Ns start;
        std::uint32_t index;  ///< among the records of its kind
        std::uint32_t kind;
    };
    const auto pile_of = [this](std::uint32_t kind, std::size_t index) {
        return m_streams.row_of(m_stream_numbers[kind][index]) * kinds + kind;
    };
    std::vector<std::size_t> bounds(m_trace.streams.size() * kinds + 1);
    for (std::uint32_t kind = 0; kind < kinds; ++kind) {
        for (std::size_t i = 0; i < m_stream_numbers[kind].size(); ++i) {
            ++bounds[pile_of(kind, i) + 1];
        }
    }
    std::partial_sum(bounds.begin(), bounds.end(), bounds.begin());
    auto& streams = m_trace.operations.stream;
    reserve_large(streams, bounds.back());
    std::vector<Timed> order;
    make_columns(bounds.back(), order);
    auto free = bounds;
    const auto deal = [&](std::uint32_t kind, const auto& records) {
        for (std::uint32_t i = 0; i < records.size(); ++i) {
            order[free[pile_of(kind, i)]++] = {records[i].start, i, kind};
        }
    };
    const auto& kernels = m_records.of<KernelRecord>();
    const auto& copies = m_records.of<CopyRecord>();
    const auto& memsets = m_records.of<MemsetRecord>();
    deal(0, kernels);
    deal(1, copies);
    deal(2, memsets);

    const auto end_of = [&](const Timed& at) {
        return at.kind == 0 ? kernels[at.index].end : at.kind == 1 ? copies[at.index].end : memsets[at.index].end;
    };
    const auto earlier = [&](const Timed& a, const Timed& b) {
        return a.start != b.start ? a.start < b.start : end_of(a) < end_of(b);
    };
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
    m_rows = std::move(m_stream_numbers);
    auto& details = m_trace.operations.detail;
    reserve_large(details, order.size());
    std::array<Row, kinds> next {};
    for (Row row = 0; row < order.size(); ++row) {
        const auto& at = order[row];
        m_rows[at.kind][at.index] = row;
        details.push_back(next[at.kind]++);  // those of kernels, which are shared, come later
    }
}

/// Calls `use(record, row, kind)` for each record in the order in which they came: records of neighbouring rows are far
/// apart, while the rows of a stream follow one another.
template <class Use> void TraceAssembly::each_operation(Use use) const
{
    const auto of = [&](const auto& records, const std::vector<Row>& rows, auto kind) {
        for (std::size_t i = 0; i < records.size(); ++i) {
            use(records[i], rows[i], kind(records[i]));
        }
    };
    of(m_records.of<KernelRecord>(), m_rows[0], [](const KeptKernel&) { return OperationKind::kernel; });
    of(m_records.of<CopyRecord>(), m_rows[1], [](const CopyRecord& r) { return kind_of(r); });
    of(m_records.of<MemsetRecord>(), m_rows[2], [](const MemsetRecord&) { return OperationKind::memset; });
}

/// Fills in times and calls of operations. Runs beside describe_operations().
void TraceAssembly::place_operations()
{
    auto& table = m_trace.operations;
    make_columns(table.stream.size(), table.start, table.end, table.call);
    each_operation([&](const auto& r, Row row, OperationKind) {
        const auto call = call_of(r.process, r.correlation);
        table.start[row] = r.start - m_origin;
        table.end[row] = r.end - m_origin;
        table.call[row] = call;
        m_clock_violations += call != no_row && table.start[row] < m_trace.calls.start[call] ? 1 : 0;
    });
}

/// A stream runs one operation after another: it may begin one a little early, but not by seconds. An operation that
/// lasts that far into the next one has an impossible length (a counter overflowed): it ends where the next one begins.
/// So does a copy or memset in which two later operations of its stream begin and end, by more than clocks disagree:
/// CUPTI ends the copy before the first launch of a graph tens of ms late. Kernels may launch the next one early, and
/// those of a graph's branches share a stream's number and do run at once.
void TraceAssembly::cut_overlong()
{
    constexpr Ns impossible = 1'000'000'000;
    constexpr Ns impossible_of_copies = 100'000;  // a copy ends up to 26 us after the next kernel's start (JAX, H200)
    auto& table = m_trace.operations;
    constexpr Ns none = std::numeric_limits<Ns>::max();
    Ns later = none;  // the next later start on the stream
    for (auto row = static_cast<Row>(table.size()); row-- > 0;) {
        const bool last = row + 1 == table.size() || table.stream[row + 1] != table.stream[row];
        later = last ? none : table.start[row + 1] > table.start[row] ? table.start[row + 1] : later;
        const auto graph_node = [&] {
            const auto detail = table.detail[row];
            return table.kind[row] == OperationKind::kernel ? m_trace.kernels[detail].graph_node
                : table.kind[row] == OperationKind::memset  ? m_trace.memsets[detail].graph_node
                                                            : m_trace.copies[detail].graph_node;
        };
        const auto holds_two = [&] {
            return row + 2 < table.size() && table.stream[row + 2] == table.stream[row]
                && std::max(table.end[row + 1], table.end[row + 2]) <= table.end[row];
        };
        const Ns beyond = later == none ? 0 : table.end[row] - later;
        const bool is_impossible = beyond >= impossible
            || (beyond >= impossible_of_copies && table.kind[row] != OperationKind::kernel && holds_two());
        if (is_impossible && graph_node() == 0) {
            ++m_overlong;
            m_most_cut = std::max(m_most_cut, beyond);
            table.end[row] = later;
        }
    }
}

/// Fills in all else; kernels' details are numbered in the order of their records.
void TraceAssembly::describe_operations()
{
    auto& table = m_trace.operations;
    const auto size = table.stream.size();
    make_columns(size, table.name, table.correlation, table.kind);
    make_columns(m_records.of<CopyRecord>().size(), m_trace.copies);
    make_columns(m_records.of<MemsetRecord>().size(), m_trace.memsets);
    std::array<StringId, 7> fixed_names {};
    const auto fixed_name = [&](OperationKind kind) {
        auto& name = fixed_names[static_cast<std::size_t>(kind)];
        name = name != 0 ? name : m_trace.strings.intern(shown_name(kind));
        return name;
    };
    const auto is_async = [this](const auto& r) {
        const auto call = r.async != 0 ? no_row : call_of(r.process, r.correlation);
        return r.async != 0
            || (call != no_row && m_trace.text(m_trace.calls.name[call]).find("Async") != std::string_view::npos);
    };
    struct Described {
        Row detail = no_row;
        StringId name = 0;
    };
    std::vector<Described> launches(m_records.launches.rows().size());
    SharedRows<KernelDetail> details;
    const auto described = [&](Row launch) {
        auto& known = launches[launch];
        if (known.detail == no_row) {
            const auto& l = m_records.launches.rows()[launch];
            const auto full = l.name == 0 || l.name >= m_trace.strings.size() ? l.name : texts_of(l.name).full;
            known = {details.row_of({full, l.grid, l.block, l.registers, l.static_shared, l.dynamic_shared,
                         l.graph_node, l.channel, l.graph}),
                name_by_record(l)};
        }
        return known;
    };
    const bool named_by_steps = !m_records.step_names.empty();
    const auto describe = [&]<class R>(const R& r, Row row) {
        auto& detail = table.detail[row];
        if constexpr (std::is_same_v<R, KeptKernel>) {
            const auto known = described(r.launch);
            detail = known.detail;
            const auto name = named_by_steps
                ? name_by_step(call_of(r.process, r.correlation), m_records.launch_of(r).graph_node)
                : 0;
            table.name[row] = name != 0 ? name : known.name;
        } else if constexpr (std::is_same_v<R, CopyRecord>) {
            m_trace.copies[detail] = {r.bytes, r.source, r.target, r.copy, is_async(r), r.source_device,
                r.target_device, r.graph_node, r.channel, r.graph};
        } else {
            m_trace.memsets[detail] = {r.bytes, r.value, r.target, is_async(r), r.graph_node, r.channel, r.graph};
        }
    };
    std::size_t done = 0;
    each_operation([&]<class R>(const R& r, Row row, OperationKind kind) {
        if (done++ % rows_together == 0) {
            m_progress.report(0.65 + 0.3 * static_cast<double>(done) / static_cast<double>(size));
        }
        table.correlation[row] = r.correlation;
        table.kind[row] = kind;
        describe(r, row);
        if constexpr (!std::is_same_v<R, KeptKernel>) {
            table.name[row] = fixed_name(kind);
        }
    });
    m_trace.kernels = details.rows();
}

/// Brings kernels' details into the order of their first operations: neighbours in time are neighbours in memory, and
/// the same operations make the same table, whatever the order of their records.
void TraceAssembly::order_kernel_details()
{
    auto& table = m_trace.operations;
    std::vector<Row> places(m_trace.kernels.size(), no_row);
    std::vector<KernelDetail> ordered;
    ordered.reserve(m_trace.kernels.size());
    for (Row row = 0; row < table.size(); ++row) {
        if (table.kind[row] == OperationKind::kernel) {
            auto& place = places[table.detail[row]];
            if (place == no_row) {
                place = static_cast<Row>(ordered.size());
                ordered.push_back(m_trace.kernels[table.detail[row]]);
            }
            table.detail[row] = place;
        }
    }
    m_trace.kernels = std::move(ordered);
}

void TraceAssembly::make_operations()
{
    m_sorting.get();
    name_graph_nodes();
    auto placing = std::async(beside_from(m_trace.operations.stream.size()), [this] { place_operations(); });
    describe_operations();
    placing.get();
    order_kernel_details();
    cut_overlong();
    release(m_records.of<KernelRecord>());
    release(m_records.of<CopyRecord>());
    release(m_records.of<MemsetRecord>());
    m_rows = {};
}

}  // namespace lanes
