// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/batches.h"
#include "engine/analysis/words/shown.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"
#include "engine/replay/changes/repeats.h"
#include "engine/replay/interval.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace lanes::replay::changes {

namespace {

/// What a graph can hold: a kernel, a memset, a copy within the GPU or of pinned memory, and the call that issued it.
struct Node {
    std::uint32_t item;
    std::uint32_t what;  ///< equal for those that do the same
    bool is_cut;  ///< no graph holds it and the node before it
    Ns idle;  ///< from the node before it
    bool is_meant;  ///< the change is not limited to others
};

/// What one thread puts on one stream.
struct Sequence {
    std::vector<Node> nodes;
    bool is_cut = true;  ///< before the next node
};

/// What a thread may need of its own between two launches, ns: operators of PyTorch take tens of microseconds.
constexpr Ns longest_between_launches = 1'000'000;

/// What PyTorch takes at most for a batch that is ready: mapping it takes 1.2 to 1.8 ms (docs/whatif.md). What takes
/// longer is a wait.
constexpr Ns longest_taking = 2'000'000;

/// Finds what graphs can hold, and makes them.
class GraphMaker {
public:
    explicit GraphMaker(Edit& edit)
        : m_edit(edit)
        , m_is_gone(edit.trace.operations.size())
        , m_is_of_part(limits_time_alone(edit.change.on))
        , m_is_first(!edit.is_lifted("graph-once"))
        , m_edges(capture_edges(edit.trace))
    {
        for (const auto& operation : edit.script.operations) {
            m_is_gone[operation.row] = operation.dropped;
        }
    }

    void run()
    {
        find_batches();
        for (std::uint32_t thread = 0; thread + 1 < m_edit.script.first_item.size(); ++thread) {
            find_nodes(thread);
            for (auto& [stream, sequence] : m_sequences) {
                auto meant = sequence.nodes;
                std::erase_if(meant, [](const Node& node) { return !node.is_meant; });
                m_edit.applied.may_wait = m_edit.applied.may_wait || may_wait_for_batches(meant);
                make(sequence.nodes);
            }
            m_sequences.clear();
        }
        if (m_edit.applied.count > 0 && !m_needs_batch.empty()) {
            keep_batches();
        }
    }

private:
    const Operation& operation_of(const Node& node) const
    {
        return m_edit.script.operations[m_edit.script.items[node.item].first_operation];
    }
    bool is_node(const Item& item) const;
    /// A loop that captures graphs launches little else: what is left of it is no loop to be captured.
    bool captures(const Item& item) const
    {
        return item.kind == Item::call && m_edges[m_edit.trace.calls.name[item.row]] != CaptureEdge::none;
    }
    /// A look at the thread's own state, or at facts: part of launching.
    static bool is_look(const Item& item)
    {
        return item.kind == Item::call && (item.type == CallClass::own_state || item.type == CallClass::other)
            && item.operations == 0 && item.actions == 0 && item.wait == Item::nothing;
    }
    std::uint32_t what_of(const Operation& operation);
    bool is_apart(const Sequence& sequence, std::uint32_t index) const;
    void find_batches();
    void keep_batches();
    void find_nodes(std::uint32_t thread);
    bool may_wait_for_batches(const std::vector<Node>& nodes) const;
    void make(const std::vector<Node>& nodes);
    void make_each(
        const std::vector<Node>& nodes, std::size_t begin, std::size_t end, std::uint32_t repeats, double share);
    void make_one(const std::vector<Node>& nodes, std::size_t begin, std::size_t end, double share);

    using What = std::tuple<OperationKind, StringId, std::array<std::uint32_t, 3>, std::uint64_t>;
    using Made = std::tuple<std::uint32_t, std::size_t, std::size_t>;

    Edit& m_edit;
    std::vector<bool> m_is_gone;  ///< by row: another change dropped it
    /// What comes again does so in all of the run: one iteration alone shows only what comes again within it.
    bool m_is_of_part;
    bool m_is_first;  ///< graphs are created in the run, and none has been
    std::vector<CaptureEdge> m_edges;  ///< by name of a call
    std::map<What, std::uint32_t> m_whats;
    std::map<std::uint32_t, Sequence> m_sequences;  ///< of a thread, by stream
    std::set<std::uint32_t> m_needs_batch;  ///< items that came after a wait for workers that load
    std::set<Made> m_created;  ///< by what repeats, place in it, and length
    std::uint32_t m_repeats = 0;
};

bool GraphMaker::is_node(const Item& item) const
{
    if (item.kind != Item::call || item.operations != 1 || item.actions > 0 || item.wait != Item::nothing
        || item.type == CallClass::graph_launch) {
        return false;
    }
    const auto& node = m_edit.script.operations[item.first_operation];
    const bool can_be = node.kind == OperationKind::kernel || node.kind == OperationKind::memset
        || node.kind == OperationKind::d2d
        || ((node.kind == OperationKind::h2d || node.kind == OperationKind::d2h) && !node.pageable);
    return can_be && !node.of_graph && node.gang == none && !node.dropped
        && (m_is_of_part || m_edit.on.operation(node.row));
}

/// By kind, name and grid, or bytes.
std::uint32_t GraphMaker::what_of(const Operation& operation)
{
    const auto& ops = m_edit.trace.operations;
    What what {operation.kind, 0, {}, 0};
    if (operation.kind == OperationKind::kernel) {
        const auto& grid = m_edit.trace.kernels[ops.detail[operation.row]].grid;
        std::get<1>(what) = ops.name[operation.row];
        std::get<2>(what) = {grid[0], grid[1], grid[2]};
    } else if (operation.kind == OperationKind::memset) {
        std::get<3>(what) = m_edit.trace.memsets[ops.detail[operation.row]].bytes;
    } else {
        std::get<3>(what) = m_edit.trace.bytes_of(operation.row);
    }
    return m_whats.try_emplace(what, static_cast<std::uint32_t>(m_whats.size())).first->second;
}

/// Whether what happened between the sequence's last node and that of the item `index` keeps them apart: another thread
/// put work into the stream, the thread made what is uploaded, or it worked for longer than launching takes, which no
/// graph does in its place.
bool GraphMaker::is_apart(const Sequence& sequence, std::uint32_t index) const
{
    const auto& item = m_edit.script.items[index];
    const auto& operation = m_edit.script.operations[item.first_operation];
    const Row before = operation_of(sequence.nodes.back()).row;
    for (Row row = before + 1; row < operation.row; ++row) {
        if (!m_is_gone[row]) {
            return true;
        }
    }
    return operation.row < before || item.gap > longest_between_launches
        || (operation.kind == OperationKind::h2d && item.gap > longest_own_gap);
}

/// Those that the ranges of PyTorch name. Of a part of the run, those in it: what it gains is a gain of the part,
/// though the thread may wait for it afterwards.
void GraphMaker::find_batches()
{
    const auto& trace = m_edit.trace;
    const auto& items = m_edit.script.items;
    const auto part = limited_part(m_edit.change.on);
    for (const auto& range : trace.ranges) {
        if (range.thread == no_row || range.open || range.end - range.start <= longest_taking
            || !waits_for_batch(trace.text(range.name)) || fetches_batch_itself(trace.text(range.name))
            || (part && (range.end < part->start || range.end >= part->end))) {
            continue;
        }
        const auto end = items.begin() + m_edit.script.first_item[range.thread + 1];
        auto next = std::lower_bound(items.begin() + m_edit.script.first_item[range.thread], end, range.end,
            [](const Item& item, Ns time) { return item.start < time; });
        next = std::find_if(next, end, [](const Item& item) { return !item.dropped; });
        if (next != end && next->workers == 0) {  // else a change says when the batch comes
            m_needs_batch.insert(static_cast<std::uint32_t>(next - items.begin()));
        }
    }
}

/// The workers have a batch no earlier because the thread asks for it earlier: it waits for that much longer.
void GraphMaker::keep_batches()
{
    if (m_edit.add_assumption("batches_as_recorded", {{"count", std::to_string(m_needs_batch.size())}})) {
        return;
    }
    for (const auto index : m_needs_batch) {
        auto& item = m_edit.script.items[index];
        item.not_before = item.start;
    }
}

void GraphMaker::find_nodes(std::uint32_t thread)
{
    const auto cut = [&](std::uint32_t but) {
        for (auto& [stream, sequence] : m_sequences) {
            sequence.is_cut = sequence.is_cut || stream != but;
        }
    };
    for (auto index = m_edit.script.first_item[thread]; index < m_edit.script.first_item[thread + 1]; ++index) {
        const auto& item = m_edit.script.items[index];
        if (item.dropped || (is_look(item) && !captures(item))) {
            continue;
        }
        if (!is_node(item)) {
            cut(none);
            continue;
        }
        const auto& operation = m_edit.script.operations[item.first_operation];
        cut(operation.stream);
        auto& sequence = m_sequences[operation.stream];
        auto& nodes = sequence.nodes;
        const Ns idle = nodes.empty() ? item.gap : item.start - m_edit.script.items[nodes.back().item].end;
        const bool is_cut = nodes.empty() || sequence.is_cut || is_apart(sequence, index);
        nodes.push_back({index, what_of(operation), is_cut, idle, m_edit.on.operation(operation.row)});
        sequence.is_cut = false;
    }
}

/// Whether a good part of the time lies before uploads, in which the thread may have waited for workers that load,
/// though no range says so: then they set the pace with graphs, too.
bool GraphMaker::may_wait_for_batches(const std::vector<Node>& nodes) const
{
    constexpr double good_part = 0.3;
    constexpr Ns least = 1'000'000;
    Ns idle = 0;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const bool may_wait = operation_of(nodes[i]).kind == OperationKind::h2d && nodes[i].idle >= least
            && !m_needs_batch.contains(nodes[i].item);
        idle += may_wait ? nodes[i].idle : 0;
    }
    const auto& items = m_edit.script.items;
    return !nodes.empty()
        && static_cast<double>(idle)
        > good_part * static_cast<double>(items[nodes.back().item].end - items[nodes.front().item].start);
}

/// Makes graphs of a thread's nodes on one stream: of as many as asked for, or of those that come again and again.
void GraphMaker::make(const std::vector<Node>& nodes)
{
    if (m_edit.change.amount > 0) {
        const auto size = static_cast<std::size_t>(m_edit.change.amount);
        std::size_t begin = 0;
        for (std::size_t at = 1; size > 1 && at <= nodes.size(); ++at) {
            const bool is_cut = at == nodes.size() || nodes[at].is_cut || nodes[at].is_meant != nodes[begin].is_meant;
            if (at - begin == size && nodes[begin].is_meant) {
                make_one(nodes, begin, at, m_is_first ? 1 : 0);
                m_is_first = false;
                begin = at;
            }
            begin = is_cut ? at : begin;
        }
        return;
    }
    constexpr std::uint32_t worth_a_graph = 16;
    std::vector<std::uint32_t> whats;
    std::vector<Ns> idle;
    for (const auto& node : nodes) {
        whats.push_back(node.what);
        idle.push_back(node.idle);
    }
    for (const auto& repeats : find_repeats(std::move(whats), idle, worth_a_graph)) {
        // One creation serves all of the run: a part of it bears its share.
        const auto meant = std::count_if(
            repeats.begins.begin(), repeats.begins.end(), [&](std::uint32_t begin) { return nodes[begin].is_meant; });
        const double share = static_cast<double>(std::max<std::ptrdiff_t>(1, meant))
            / static_cast<double>(std::max<std::size_t>(1, repeats.begins.size()));
        for (const auto begin : repeats.begins) {
            make_each(nodes, begin, begin + repeats.length, m_repeats, share);
        }
        ++m_repeats;
    }
}

/// A graph of each part between cuts, where that is worth it.
void GraphMaker::make_each(
    const std::vector<Node>& nodes, std::size_t begin, std::size_t end, std::uint32_t repeats, double share)
{
    constexpr std::size_t least = 4;  // launching as many kernels takes longer than a graph of them
    for (auto from = begin; from < end;) {
        auto to = from + 1;
        while (to < end && !nodes[to].is_cut && nodes[to].is_meant == nodes[from].is_meant) {
            ++to;
        }
        if (nodes[from].is_meant && to - from >= least) {
            const bool is_new = m_created.insert({repeats, from - begin, to - from}).second;
            make_one(nodes, from, to, m_is_first && is_new ? share : 0);
        }
        from = to;
    }
}

/// `share`: of what creating it takes.
void GraphMaker::make_one(const std::vector<Node>& nodes, std::size_t begin, std::size_t end, double share)
{
    auto& script = m_edit.script;
    const auto& table = script.constants.table;
    const auto size = static_cast<Ns>(end - begin);
    const auto last = nodes[end - 1].item;
    auto& head = script.items[nodes[begin].item];
    head.own = table.graph_call + size * table.graph_node;
    head.own += part_of(size * (table.capture_call + table.instantiate_node) + table.instantiate_call, share);
    head.type = CallClass::graph_launch;
    head.full = false;
    head.operations = script.items[last].first_operation + 1 - head.first_operation;
    auto before = none;
    for (auto at = begin; at < end; ++at) {
        const auto index = at == begin ? head.first_operation : script.items[nodes[at].item].first_operation;
        auto& node = script.operations[index];
        node.of_graph = true;
        node.bound = StartCause::unknown;
        node.after = before;
        before = index;
    }
    // With the thread's own time before each of them, which went into that launch.
    for (auto index = nodes[begin].item + 1; index <= last; ++index) {
        script.items[index].operations = 0;
        script.items[index].dropped = true;
    }
    m_edit.applied.count += static_cast<std::uint64_t>(size);
}

}  // namespace

void graph(Edit& edit)
{
    GraphMaker(edit).run();
    edit.applied.reliability = Reliability::conditional;
    if (edit.applied.count > 0) {
        const auto& table = edit.script.constants.table;
        edit.add_assumption("graph_once", {{"time", shown_time(table.instantiate_call)}});
        edit.assume("graph_repeats");
    }
}

}  // namespace lanes::replay::changes
