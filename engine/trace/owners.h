// SPDX-License-Identifier: MIT
// Who owns an operation of a GPU: the ranges in which a thread was when it issued it. For an operation of a CUDA graph
// these are the ranges in which its node was captured; those around the launch of the graph only if the capture is not
// recorded or was in no range.
//
//     capture:  |-- layers.0.fc1: Linear --|          node 3 of graph 1 is made here
//                    |- aten::addmm -|
//     instantiation:                                  node 3 of graph 2 is a copy of it
//     replay:                 cudaGraphLaunch         the kernel is of node 3 of graph 2: aten::addmm, layers.0.fc1
//
// Of each kind of range the innermost counts. Made once, then only asked, by any thread. The trace must outlive it.
// Cost: linear in ranges and calls, n log n in the nodes of graphs; 4 bytes each for the first two, 12 for a node.
// A question walks up the ranges around one moment.
#pragma once

#include "engine/trace/range_kinds.h"
#include "engine/trace/trace.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanes {

/// What a range says about the work in it. The first of them that an operation has is its name.
/// `line`: where the program called it, "train.py:42"; `range`: any that is neither operator nor module nor Python's
/// frame.
enum class OwnerPart : std::uint8_t { torch_operator, module, range, line };
inline constexpr std::array owner_parts {
    OwnerPart::torch_operator, OwnerPart::module, OwnerPart::range, OwnerPart::line};

/// "operator", "module", "range", "line".
std::string_view name_of(OwnerPart part);

struct Owner {
    /// The moment whose ranges count: the call that issued the operation, or the capture of its node.
    enum class From : std::uint8_t { nothing, launch, capture };
    /// Why there is none. `call`: neither the call that issued it nor its thread is recorded. `capture`: it is of a
    /// graph whose capture is not recorded, and whose launch was in no range. `ranges`: it was issued outside of every
    /// range.
    enum class Missing : std::uint8_t { nothing, call, capture, ranges };

    From from = From::nothing;
    Missing missing = Missing::nothing;
    Row thread = no_row;  ///< the thread that issued or captured it; no_row: not known
    Ns time = 0;  ///< when it did
    Row innermost = no_row;  ///< of the ranges around that; into Trace::ranges
    std::array<Row, owner_parts.size()> parts {no_row, no_row, no_row, no_row};  ///< by OwnerPart, into Trace::ranges
    /// Of a capture before the recorded part there are only the ranges' names: GraphNode::within, bits of the parts.
    StringId within = 0;
    std::uint8_t named = 0;

    Row of(OwnerPart part) const { return parts[static_cast<std::size_t>(part)]; }
    bool has(OwnerPart part) const { return of(part) != no_row || (named >> static_cast<unsigned>(part) & 1U) != 0; }
    /// What names it; nothing: it has no owner.
    std::optional<OwnerPart> part() const;
    explicit operator bool() const { return part().has_value(); }
};

inline constexpr std::array owner_misses {Owner::Missing::call, Owner::Missing::capture, Owner::Missing::ranges};

/// "launch", "capture", ""; "call", "capture", "ranges", "".
std::string_view name_of(Owner::From from);
std::string_view name_of(Owner::Missing missing);

/// "aten::addmm ×2, –, aten::relu, …": Owners::nodes_of() in one line, equal ones that follow one another once, "–"
/// where nothing is known, at most `most` of them.
std::string in_one_line(const std::vector<std::string_view>& nodes, std::size_t most);

/// Adds a range, the one outside of those that are in it, to the text of GraphNode::within.
void add_to_within(std::string& within, std::string_view name, bool is_operator);

class Owners {
public:
    explicit Owners(const Trace& trace);

    Owner of(Row operation) const;
    /// What runs in a whole CUDA graph, a word for each node in the order of their numbers: names of operations, of
    /// launches of that graph that were recorded by nodes; else what owned its nodes when they were captured, or ""
    /// where that is not known. Empty: the operation is no whole graph, or nothing is known. Cost: that of all
    /// operations.
    std::vector<std::string_view> nodes_of(Row operation) const;

    /// Of what a thread did at a time: of a call, of host work. `but`: a range that does not count, the event itself.
    /// Cost: that of ranges_around().
    Owner around(Row thread, Ns time, Row but = no_row) const;
    /// The range around a range at its start; no_row: none. Cost: constant.
    Row outside(Row range) const { return m_around[range]; }
    const RangeKinds& kinds() const { return m_kinds; }

    /// The name of that part, without what only says its kind: "train.py:42" of "Net (train.py:42)", "Linear_3" of
    /// "nn.Module: Linear_3"; "" if it has none.
    std::string_view text(const Owner& owner, OwnerPart part) const;
    /// The names of all ranges around it, the innermost first.
    std::vector<std::string_view> around(const Owner& owner) const;
    /// That of owner.part(); "" if it has none.
    std::string_view text(const Owner& owner) const;

private:
    struct Node {
        std::uint32_t process = 0, graph = 0, node = 0;
        friend auto operator<=>(const Node&, const Node&) = default;
    };
    bool has(OwnerPart part, Row range) const;
    void classify_names();
    std::uint8_t parts_of(std::string_view name, bool is_frame) const;
    void name_earlier();
    void find_captures();
    void find_ranges();
    Owner of_capture(Row made) const;
    Node node_of(Row operation) const;
    Node node_at(Row row) const;
    Row last_made(const Node& node, Ns until, Row before) const;
    void take(Owner& owner, Row range) const;
    void fill(Owner& owner, Row innermost) const;

    const Trace* m_trace;
    RangeKinds m_kinds;
    std::vector<std::uint8_t> m_parts;  ///< by name: bits of what a range says that is no operator; 0: not a range's
    /// By GraphNode::within: the name of each part; "": it has none.
    std::unordered_map<StringId, std::array<std::string_view, owner_parts.size()>> m_earlier;
    std::vector<Row> m_around;  ///< by range: the one around it at its start
    std::vector<Row> m_of_call;  ///< by call: the innermost range around its start
    std::vector<Row> m_nodes;  ///< rows of Trace::graph_nodes, by node, then time
    /// By row of Trace::graph_nodes: the row of the captured node, found by following copies; a captured node's own
    /// row; no_row: that node is not recorded.
    std::vector<Row> m_captured;
    std::vector<Row> m_of_node;  ///< by row of Trace::graph_nodes: the innermost range around its time
};

}  // namespace lanes
