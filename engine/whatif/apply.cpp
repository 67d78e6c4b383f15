// SPDX-License-Identifier: MIT
#include "engine/whatif/apply.h"

#include "engine/analysis/query/query_matcher.h"
#include "engine/analysis/shown.h"
#include "engine/analysis/value_copies.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lanes::whatif {

namespace {

class Edit {
public:
    Edit(Script& script, const Graph& graph, const Change& change, bool keep_gaps)
        : m_script(script)
        , m_trace(graph.trace())
        , m_change(change)
        , m_on(change.on, graph.trace(), &graph.blocking())
        , m_keep_gaps(keep_gaps)
    {
    }
    Applied run();

private:
    void pin();
    void non_blocking();
    void event_waits();
    void drop_syncs();
    void drop_values();
    void leave_legacy();
    void own_stream();
    void pool();
    void faster();
    void graphs();
    std::uint32_t period_of(const std::vector<std::uint32_t>& launches) const;
    void make_graphs(const std::vector<std::uint32_t>& launches, bool& is_first);

    bool is_sync(const Item& item) const
    {
        const bool waits = item.wait == Item::stream || item.wait == Item::context || item.wait == Item::event;
        return !item.dropped && waits && item.kind == Item::call
            && (item.type == CallClass::stream_sync || item.type == CallClass::device_sync
                || item.type == CallClass::event_sync);
    }
    /// Whether it is one of every N that stay.
    bool stays(std::uint64_t number) const
    {
        const auto every = static_cast<std::uint64_t>(m_change.amount);
        return every > 0 && number % every == 0;
    }
    std::uint32_t end_of(const Item& item) const { return m_script.first_item[item.thread + 1]; }
    std::uint32_t next(std::uint32_t index) const;
    bool issues_more(std::uint32_t index) const;
    bool waits_again(std::uint32_t index, std::uint32_t stream) const;
    bool is_read_next(std::uint32_t index) const;
    void drop(std::uint32_t index);
    void assume(const char* id, Message::Arguments arguments = {})
    {
        m_applied.assumptions.emplace_back(std::string("whatif.assumes.") + id, std::move(arguments));
    }
    Ns copy_time(std::uint64_t bytes, OperationKind kind) const;
    double staged_rate() const;
    bool serve(std::uint32_t index, Ns length);
    void find_returning(std::vector<std::uint32_t>& uploads);
    const Operation* copy_of(const Item& item) const;

    Script& m_script;
    const Trace& m_trace;
    const Change& m_change;
    const QueryMatcher m_on;
    const bool m_keep_gaps;
    Applied m_applied;
};

/// The next thing of the thread but for looks at its own state; its end if there is none.
std::uint32_t Edit::next(std::uint32_t index) const
{
    const auto end = end_of(m_script.items[index]);
    for (++index; index < end; ++index) {
        const auto& item = m_script.items[index];
        if (!item.dropped && item.type != CallClass::own_state && item.type != CallClass::query) {
            break;
        }
    }
    return index;
}

bool Edit::issues_more(std::uint32_t index) const
{
    for (auto at = index + 1; at < end_of(m_script.items[index]); ++at) {
        if (m_script.items[at].operations > 0 && !m_script.items[at].dropped) {
            return true;
        }
    }
    return false;
}

/// Whether the thread waits for that stream later on.
bool Edit::waits_again(std::uint32_t index, std::uint32_t stream) const
{
    for (auto at = index + 1; at < end_of(m_script.items[index]); ++at) {
        const auto& item = m_script.items[at];
        if (!item.dropped
            && (item.wait == Item::context || (item.wait == Item::stream && item.target == stream)
                || item.wait == Item::event)) {
            return true;
        }
    }
    return false;
}

/// Whether the host reads before it waits again.
bool Edit::is_read_next(std::uint32_t index) const
{
    for (auto at = index + 1; at < end_of(m_script.items[index]); ++at) {
        const auto& item = m_script.items[at];
        if (item.kind == Item::read && !item.dropped) {
            return true;
        }
        if (!item.dropped && (is_sync(item) || item.wait == Item::own_work)) {
            return false;
        }
    }
    return false;
}

void Edit::drop(std::uint32_t index)
{
    auto& item = m_script.items[index];
    item.dropped = true;
    for (std::uint32_t i = 0; i < item.operations; ++i) {
        m_script.operations[item.first_operation + i].dropped = true;
    }
    if (m_keep_gaps && item.behind == none) {
        if (const auto behind = next(index); behind < end_of(item) && m_script.items[behind].behind == none) {
            m_script.items[behind].gap += item.gap;
        }
    }
    m_applied.drops_calls = true;
}

/// The one copy that an item issued.
const Operation* Edit::copy_of(const Item& item) const
{
    if (item.operations != 1 || item.dropped || item.kind != Item::call) {
        return nullptr;
    }
    const auto& operation = m_script.operations[item.first_operation];
    const bool of_host = operation.kind == OperationKind::h2d || operation.kind == OperationKind::d2h;
    return of_host && !operation.dropped && !operation.of_graph ? &operation : nullptr;
}

Ns Edit::copy_time(std::uint64_t bytes, OperationKind kind) const
{
    const auto& constants = m_script.constants;
    const bool up = kind == OperationKind::h2d;
    const double rate = up ? constants.h2d_rate : constants.d2h_rate;
    return (up ? constants.table.h2d_overhead : constants.table.d2h_overhead)
        + static_cast<Ns>(std::llround(static_cast<double>(bytes) / rate));
}

/// Bytes per ns of pageable uploads; the upper quartile, as the others wait for the host's threads too.
double Edit::staged_rate() const
{
    std::vector<double> rates;
    for (const auto& operation : m_script.operations) {
        if (operation.kind == OperationKind::h2d && operation.pageable && operation.length > 0) {
            rates.push_back(
                static_cast<double>(m_trace.bytes_of(operation.row)) / static_cast<double>(operation.length));
        }
    }
    if (rates.empty()) {
        return m_script.constants.table.host_memcpy_bandwidth * 1e-9;
    }
    const auto upper = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() * 3 / 4);
    std::nth_element(rates.begin(), upper, rates.end());
    return *upper;
}

/// What a thread uploads and had got from another one is copied into pinned memory by a third, as a loader does. The
/// driver's copy of pageable memory, which that replaces, took the host as long. False: it got nothing.
bool Edit::serve(std::uint32_t index, Ns length)
{
    const auto first = m_script.first_item[m_script.items[index].thread];
    for (auto at = index; at > first; --at) {
        auto& item = m_script.items[at - 1];
        if (item.kind == Item::get && !item.dropped) {
            item.service += length;
            return true;
        }
        if (item.operations > 0) {
            return false;
        }
    }
    return false;
}

void Edit::pin()
{
    std::uint64_t bytes = 0;
    std::uint64_t served = 0;
    const double staged = staged_rate();
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        auto& item = m_script.items[index];
        const auto* const copy = copy_of(item);
        if (copy == nullptr || !copy->pageable || !m_on.operation(copy->row)) {
            continue;
        }
        auto& operation = m_script.operations[item.first_operation];
        const auto staging
            = static_cast<Ns>(std::llround(static_cast<double>(m_trace.bytes_of(operation.row)) / staged));
        served += operation.kind == OperationKind::h2d && serve(index, staging) ? 1 : 0;
        operation.pageable = false;
        operation.is_pinned_now = true;
        operation.length = std::min(operation.length, copy_time(m_trace.bytes_of(operation.row), operation.kind));
        operation.bound = StartCause::unknown;
        item.held = false;
        if (m_trace.copies[m_trace.operations.detail[operation.row]].async) {
            item.wait = Item::nothing;
        }
        item.own = std::min(item.end - item.start, m_script.constants.copy_call);
        bytes = std::max(bytes, m_trace.bytes_of(operation.row));
        ++m_applied.count;
    }
    if (served > 0) {
        assume("pinned_by_thread", {{"count", std::to_string(served)}});
    }
    if (m_applied.count > served) {
        const auto once = static_cast<Ns>(static_cast<double>(bytes) / m_script.constants.table.pin_bandwidth * 1e9);
        assume("pinned_before", {{"time", shown_time(once)}, {"bytes", shown_bytes(bytes)}});
    }
}

void Edit::non_blocking()
{
    bool results = false;
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        auto& item = m_script.items[index];
        const auto* const copy = copy_of(item);
        if (copy == nullptr || !m_on.operation(copy->row)) {
            continue;
        }
        const auto behind = next(index);
        const bool is_down = copy->kind == OperationKind::d2h;
        const bool waited = behind < end_of(item) && is_sync(m_script.items[behind])
            && m_script.items[behind].wait == Item::stream && m_script.items[behind].target == copy->stream;
        if (waited && (!is_down || waits_again(behind, copy->stream))) {
            m_applied.old_bytes += is_down && is_read_next(behind) ? 1 : 0;
            results = results || is_down;
            drop(behind);
            ++m_applied.count;
        } else if (item.type == CallClass::copy && !copy->pageable && (!is_down || waits_again(index, copy->stream))) {
            m_applied.old_bytes += is_down && is_read_next(index) ? 1 : 0;
            results = results || is_down;
            item.wait = Item::nothing;
            item.own = std::min(item.end - item.start, m_script.constants.copy_call);
            ++m_applied.count;
        }
    }
    if (m_applied.count > 0) {
        assume(results ? "no_read_before_sync" : "source_unchanged");
    }
}

void Edit::event_waits()
{
    const auto& table = m_script.constants.table;
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        auto& item = m_script.items[index];
        if (!is_sync(item) || !m_on.call(item.row) || !issues_more(index)) {
            continue;
        }
        m_applied.old_bytes += is_read_next(index) ? 1 : 0;
        item.ordered = item.wait;
        item.wait = Item::order;
        item.own = table.event_record_call + table.stream_wait_call;
        item.held = false;
        ++m_applied.count;
    }
    if (m_applied.count > 0) {
        assume("gpu_order_is_enough");
    }
}

void Edit::drop_syncs()
{
    std::uint64_t number = 0;
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        const auto& item = m_script.items[index];
        if (!is_sync(item) || !m_on.call(item.row) || !issues_more(index) || stays(number++)) {
            continue;
        }
        m_applied.old_bytes += is_read_next(index) ? 1 : 0;
        drop(index);
        ++m_applied.count;
    }
    m_applied.reliability = Reliability::good;
    if (m_applied.count > 0) {
        assume("sync_is_needless");
    }
}

/// A small copy to the host, the wait behind it and the reads of its value are one.
void Edit::drop_values()
{
    std::uint64_t number = 0;
    for (std::uint32_t index = 0; index < m_script.items.size(); ++index) {
        const auto& item = m_script.items[index];
        const auto* const copy = copy_of(item);
        if (copy == nullptr || !fetches_value(m_trace, copy->row) || !m_on.operation(copy->row)
            || !issues_more(index)) {
            continue;
        }
        const auto wait = next(index);
        const bool has_wait = wait < end_of(item) && is_sync(m_script.items[wait]);
        if ((!has_wait && item.wait != Item::own_work) || stays(number++)) {
            continue;
        }
        auto last = has_wait ? wait : index;
        while (last + 1 < end_of(item) && m_script.items[last + 1].kind == Item::read) {
            ++last;
        }
        for (auto at = index; at <= last; ++at) {  // with what looks at the thread's state between them
            if (!m_script.items[at].dropped) {
                drop(at);
            }
        }
        ++m_applied.count;
    }
    m_applied.reliability = Reliability::good;
    if (m_applied.count > 0) {
        assume("value_is_needless");
    }
}

void Edit::leave_legacy()
{
    if (!m_script.legacy_order) {
        return;
    }
    for (const auto& context : m_script.contexts) {
        const auto has_work = [&](std::uint32_t stream) {
            const auto row = m_script.streams[stream].row;
            return row != no_row && !m_trace.operations_of(row).empty();
        };
        if (std::any_of(context.blocking.begin(), context.blocking.end(), has_work)) {
            for (const auto stream : context.legacy) {
                m_applied.count += has_work(stream) ? m_trace.operations_of(m_script.streams[stream].row).size() : 0;
            }
        }
    }
    if (m_applied.count > 0) {
        m_script.legacy_order = false;
        assume("no_hidden_order");
    }
}

/// Uploads may bring back what was downloaded: where a stream copied that many bytes to the host before it copied as
/// many to the GPU for the first time, they wait for the downloads before them.
void Edit::find_returning(std::vector<std::uint32_t>& uploads)
{
    std::map<std::pair<std::uint32_t, std::uint64_t>, Ns> first_down;  // by stream and bytes
    std::map<std::pair<std::uint32_t, std::uint64_t>, Ns> first_up;
    const auto key = [&](const Operation& operation) {
        const auto home = m_script.streams[operation.stream].home;
        return std::pair(home == none ? operation.stream : home, m_trace.bytes_of(operation.row));
    };
    for (const auto& operation : m_script.operations) {
        const bool up = operation.kind == OperationKind::h2d;
        if (!operation.dropped && (up || operation.kind == OperationKind::d2h)) {
            const auto [found, is_new] = (up ? first_up : first_down).try_emplace(key(operation), operation.was);
            found->second = std::min(found->second, operation.was);
        }
    }
    std::uint64_t count = 0;
    for (const auto index : uploads) {
        auto& operation = m_script.operations[index];
        const auto down = first_down.find(key(operation));
        operation.behind_downloads = down != first_down.end() && down->second < first_up.at(key(operation));
        count += operation.behind_downloads ? 1 : 0;
    }
    if (count > 0) {
        assume("brings_back", {{"count", std::to_string(count)}});
    }
    if (count < uploads.size()) {
        assume("buffers_enough");
    }
}

void Edit::own_stream()
{
    std::vector<bool> has_kernels(m_script.streams.size());
    for (const auto& operation : m_script.operations) {
        has_kernels[operation.stream] = has_kernels[operation.stream] || operation.kind == OperationKind::kernel;
    }
    const auto& table = m_script.constants.table;
    std::vector<std::uint32_t> uploads;
    for (auto& item : m_script.items) {
        const auto* const copy = copy_of(item);
        if (copy == nullptr || !has_kernels[copy->stream] || m_script.streams[copy->stream].home != none
            || !m_on.operation(copy->row)) {
            continue;
        }
        const auto home = copy->stream;
        const bool up = copy->kind == OperationKind::h2d;
        auto own = up ? m_script.streams[home].uploads : m_script.streams[home].downloads;
        if (own == none) {
            own = static_cast<std::uint32_t>(m_script.streams.size());
            auto stream = m_script.streams[home];
            stream.home = home;
            stream.legacy = stream.blocking = false;
            stream.uploads = stream.downloads = none;
            stream.row = no_row;
            m_script.streams.push_back(stream);
            has_kernels.push_back(false);
            (up ? m_script.streams[home].uploads : m_script.streams[home].downloads) = own;
        }
        auto& operation = m_script.operations[item.first_operation];
        operation.stream = own;
        if (operation.bound == StartCause::stream) {
            operation.bound = StartCause::unknown;
        }
        item.own += table.event_record_call + table.stream_wait_call;
        if (up) {
            uploads.push_back(item.first_operation);
        }
        ++m_applied.count;
    }
    if (m_applied.count > 0) {
        assume("kernels_need_uploads");
        find_returning(uploads);
    }
}

void Edit::pool()
{
    const auto& table = m_script.constants.table;
    for (auto& item : m_script.items) {
        if (item.kind != Item::call || item.type != CallClass::memory || item.dropped || !m_on.call(item.row)) {
            continue;
        }
        const auto name = m_trace.text(m_trace.calls.name[item.row]);
        const bool allocates = name == "cudaMalloc" || name == "cuMemAlloc" || name == "hipMalloc";
        const bool frees = name == "cudaFree" || name == "cuMemFree" || name == "hipFree";
        if (!allocates && !frees) {
            continue;
        }
        item.wait = Item::nothing;
        item.held = false;
        item.own = std::min(item.end - item.start, allocates ? table.pool_alloc_call : table.pool_free_call);
        ++m_applied.count;
    }
    if (m_applied.count > 0) {
        assume("pool_has_room");
    }
}

void Edit::faster()
{
    if (m_change.amount <= 0) {
        return;
    }
    for (auto& operation : m_script.operations) {
        if (operation.kind == OperationKind::kernel && operation.gang == none && !operation.dropped
            && m_on.operation(operation.row)) {
            operation.length = static_cast<Ns>(std::llround(static_cast<double>(operation.length) / m_change.amount));
            ++m_applied.count;
        }
    }
    m_applied.reliability = Reliability::good;
    if (m_applied.count > 0) {
        assume("same_share");
    }
}

/// How many launches come again and again, as their kernels' names and grids tell; a few of these where that is too few
/// to be worth a graph. 0: nothing repeats.
std::uint32_t Edit::period_of(const std::vector<std::uint32_t>& launches) const
{
    constexpr std::uint32_t longest = 2048;
    constexpr std::uint32_t worth_a_graph = 16;
    const auto same = [&](std::size_t a, std::size_t b) {
        const Row row_a = m_script.operations[m_script.items[launches[a]].first_operation].row;
        const Row row_b = m_script.operations[m_script.items[launches[b]].first_operation].row;
        const auto& ops = m_trace.operations;
        return ops.name[row_a] == ops.name[row_b]
            && m_trace.kernels[ops.detail[row_a]].grid == m_trace.kernels[ops.detail[row_b]].grid;
    };
    for (std::uint32_t period = 1; period <= longest && 3 * std::size_t {period} <= launches.size(); ++period) {
        bool repeats = true;
        for (std::size_t i = period; i < launches.size() && repeats; ++i) {
            repeats = same(i, i - period);
        }
        if (repeats) {
            const auto times = std::max(1U, (worth_a_graph + period - 1) / period);
            return 2 * std::size_t {times} * period <= launches.size() ? times * period : 0;
        }
    }
    return 0;
}

/// Launches of one thread on one stream with nothing else between them, as graphs.
void Edit::make_graphs(const std::vector<std::uint32_t>& launches, bool& is_first)
{
    const auto period = m_change.amount > 0 ? static_cast<std::uint32_t>(m_change.amount) : period_of(launches);
    const auto& table = m_script.constants.table;
    for (std::size_t at = 0; period > 1 && at + period <= launches.size(); at += period) {
        auto& head = m_script.items[launches[at]];
        const auto first = head.first_operation;
        head.own = table.graph_call + period * table.graph_node;
        if (is_first) {
            head.own += period * (table.capture_call + table.instantiate_node) + table.instantiate_call;
            is_first = false;
        }
        head.type = CallClass::graph_launch;
        head.operations = period;
        for (std::uint32_t i = 0; i < period; ++i) {
            auto& node = m_script.operations[first + i];
            node.of_graph = true;
            node.bound = StartCause::unknown;
            node.after = i > 0 ? first + i - 1 : none;
            node.length = std::max(std::min(node.length, table.shortest_kernel), node.length - table.kernel_excess);
            if (i > 0) {
                auto& item = m_script.items[launches[at + i]];
                item.operations = 0;
                drop(launches[at + i]);
            }
        }
        m_applied.count += period;
    }
}

void Edit::graphs()
{
    bool is_first = true;
    for (std::size_t thread = 0; thread + 1 < m_script.first_item.size(); ++thread) {
        std::vector<std::uint32_t> launches;
        const auto end = [&] {
            make_graphs(launches, is_first);
            launches.clear();
        };
        for (auto index = m_script.first_item[thread]; index < m_script.first_item[thread + 1]; ++index) {
            const auto& item = m_script.items[index];
            if (item.dropped || item.type == CallClass::own_state) {
                continue;
            }
            const bool is_launch = item.kind == Item::call && item.operations == 1 && item.actions == 0
                && item.wait == Item::nothing && !item.full;
            const auto* const kernel = is_launch ? &m_script.operations[item.first_operation] : nullptr;
            const bool is_node = kernel != nullptr && kernel->kind == OperationKind::kernel && !kernel->of_graph
                && kernel->gang == none && !kernel->dropped && m_on.operation(kernel->row);
            if (!is_node) {
                end();
                continue;
            }
            const auto last = launches.empty() ? none : m_script.items[launches.back()].first_operation;
            if (last != none
                && (m_script.operations[last].stream != kernel->stream || last + 1 != item.first_operation)) {
                end();
            }
            launches.push_back(index);
        }
        end();
    }
    m_applied.reliability = Reliability::conditional;
    if (m_applied.count > 0) {
        const auto& table = m_script.constants.table;
        assume("graph_once", {{"time", shown_time(table.instantiate_call)}});
        assume("graph_repeats");
    }
}

Applied Edit::run()
{
    switch (m_change.kind) {
    case ChangeKind::pin:
        pin();
        break;
    case ChangeKind::non_blocking:
        non_blocking();
        break;
    case ChangeKind::event_waits:
        event_waits();
        break;
    case ChangeKind::drop_syncs:
        drop_syncs();
        break;
    case ChangeKind::drop_values:
        drop_values();
        break;
    case ChangeKind::leave_legacy:
        leave_legacy();
        break;
    case ChangeKind::own_stream:
        own_stream();
        break;
    case ChangeKind::pool:
        pool();
        break;
    case ChangeKind::graph:
        graphs();
        break;
    case ChangeKind::faster:
        faster();
        break;
    }
    return std::move(m_applied);
}

}  // namespace

Applied apply(Script& script, const Graph& graph, const Change& change, bool keep_gaps)
{
    return Edit(script, graph, change, keep_gaps).run();
}

}  // namespace lanes::whatif
