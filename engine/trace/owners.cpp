// SPDX-License-Identifier: MIT
#include "engine/trace/owners.h"

#include "engine/ascii.h"
#include "engine/split.h"
#include "engine/trace/range_around.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace lanes {

namespace {

constexpr std::uint8_t bit_of(OwnerPart part)
{
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(part));
}

/// The place of a call that ends a name: "train.py:42" of "Net (train.py:42)"; "" if there is none.
std::string_view place_in(std::string_view name)
{
    const auto open = name.rfind(" (");
    const auto colon = name.rfind(':');
    if (open == std::string_view::npos || colon == std::string_view::npos || !name.ends_with(')') || colon < open + 3
        || colon + 2 >= name.size()) {
        return {};
    }
    const auto line = name.substr(colon + 1, name.size() - colon - 2);
    return ascii::is_all_digits(line) ? name.substr(open + 2, name.size() - open - 3) : std::string_view();
}

/// The module in a name that the recorder gives it: "layers.0.fc1: Linear", with "backward of " before it, and "Net" of
/// "Net (train.py:42)", whose class begins with a capital; "" if it is none.
std::string_view module_in(std::string_view name)
{
    constexpr std::string_view backward = "backward of ";
    const auto rest = name.starts_with(backward) ? name.substr(backward.size()) : name;
    if (const auto colon = rest.find(": "); colon != std::string_view::npos) {
        const auto path = rest.substr(0, colon);
        const bool is_path = !path.empty()
            && std::all_of(path.begin(), path.end(), [](char c) { return ascii::continues_identifier(c) || c == '.'; });
        return is_path && ascii::is_identifier(rest.substr(colon + 2)) ? name : std::string_view();
    }
    if (place_in(rest).empty()) {
        return {};
    }
    const auto model = rest.substr(0, rest.rfind(" ("));
    return ascii::is_identifier(model) && ascii::is_upper(model.front()) ? name.substr(0, name.rfind(" ("))
                                                                         : std::string_view();
}

/// "model.py(42): forward"
bool is_frame_name(std::string_view name)
{
    return name.find(".py(") != std::string_view::npos && name.find("): ") != std::string_view::npos;
}

/// Whether a frame is a line of the program: PyTorch's own files say nothing of who called them.
bool is_line_of_program(std::string_view frame)
{
    return is_frame_name(frame) && !is_plumbing(frame) && frame.find("/torch/") == std::string_view::npos
        && !frame.starts_with("torch/");
}

/// What a range of that name says of a part that it has.
std::string_view part_in(std::string_view name, OwnerPart part)
{
    if (part == OwnerPart::module) {
        return name.starts_with(module_prefix) ? frame_name(name) : module_in(name);
    }
    return part == OwnerPart::line && !is_frame_name(name) ? place_in(name) : name;
}

/// The open ranges of each thread, as time goes on.
class OpenRanges {
public:
    /// `around`: filled with the range around each that begins.
    OpenRanges(const Trace& trace, const RangeKinds& kinds, std::vector<Row>& around)
        : m_trace(trace)
        , m_kinds(kinds)
        , m_around(around)
        , m_open(trace.threads.size())
    {
        m_around.assign(trace.ranges.size(), no_row);
    }
    /// The innermost range of the thread at `time`, which is not earlier than that of the call before.
    Row innermost(Row thread, Ns time)
    {
        go_to(time);
        return thread == no_row ? no_row : top(m_open[thread], time);
    }
    void go_to(Ns time)
    {
        const auto& ranges = m_trace.ranges;
        while (m_next < ranges.size() && ranges[m_next].start <= time) {
            m_together.clear();
            for (const Ns start = ranges[m_next].start; m_next < ranges.size() && ranges[m_next].start == start;
                 ++m_next) {
                m_together.push_back(m_next);
            }
            std::stable_sort(
                m_together.begin(), m_together.end(), [&](Row a, Row b) { return ranges[a].depth < ranges[b].depth; });
            for (const Row row : m_together) {
                if (const auto& range = ranges[row];
                    !range.mark && range.thread != no_row && !m_kinds.is_sampled(row)) {
                    m_around[row] = top(m_open[range.thread], range.start);
                    m_open[range.thread].push_back(row);
                }
            }
        }
    }

private:
    /// Leaves out what has ended on top: a range below it that has ended too is seen when it is asked for.
    Row top(std::vector<Row>& open, Ns time) const
    {
        while (!open.empty() && !holds(m_trace.ranges[open.back()], time)) {
            open.pop_back();
        }
        return open.empty() ? no_row : open.back();
    }

    const Trace& m_trace;
    const RangeKinds& m_kinds;
    std::vector<Row>& m_around;
    std::vector<std::vector<Row>> m_open;  // by thread, the last to begin on top
    std::vector<Row> m_together;  // ranges that begin together
    Row m_next = 0;
};

}  // namespace

void add_to_within(std::string& within, std::string_view name, bool is_operator)
{
    within += (within.empty() ? "" : "\n") + std::string(is_operator ? "\t" : "");
    std::replace_copy(name.begin(), name.end(), std::back_inserter(within), '\n', ' ');
}

std::string_view name_of(OwnerPart part)
{
    constexpr std::array<std::string_view, owner_parts.size()> names {"operator", "module", "range", "line"};
    return names[static_cast<std::size_t>(part)];
}

std::string_view name_of(Owner::From from)
{
    return from == Owner::From::launch ? "launch" : from == Owner::From::capture ? "capture" : "";
}

std::string_view name_of(Owner::Missing missing)
{
    constexpr std::array<std::string_view, 4> names {"", "call", "capture", "ranges"};
    return names[static_cast<std::size_t>(missing)];
}

std::optional<OwnerPart> Owner::part() const
{
    const auto* const found
        = std::find_if(owner_parts.begin(), owner_parts.end(), [this](OwnerPart part) { return has(part); });
    return found == owner_parts.end() ? std::nullopt : std::optional(*found);
}

Owners::Owners(const Trace& trace)
    : m_trace(&trace)
    , m_kinds(trace)
{
    classify_names();
    name_earlier();
    find_captures();
    find_ranges();
}

/// One look at each name, so that questions compare no texts.
void Owners::classify_names()
{
    constexpr std::uint8_t is_known = 0x80;
    m_parts.resize(m_trace->ranges.empty() ? 0 : m_trace->strings.size());
    for (Row row = 0; row < m_trace->ranges.size(); ++row) {
        auto& parts = m_parts[m_trace->ranges[row].name];
        if (parts != 0) {
            continue;
        }
        parts = is_known | parts_of(m_trace->text(m_trace->ranges[row].name), m_kinds.is_frame(row));
    }
}

/// Bits of what a range of that name says, if it is no operator.
std::uint8_t Owners::parts_of(std::string_view name, bool is_frame) const
{
    if (name.starts_with(module_prefix)) {
        return bit_of(OwnerPart::module);
    }
    if (is_frame || is_frame_name(name)) {
        return is_line_of_program(name) ? bit_of(OwnerPart::line) : 0;
    }
    // Only our own recorder names modules so.
    const bool is_module = m_trace->source == Source::cupti && !module_in(name).empty();
    return static_cast<std::uint8_t>(bit_of(is_module ? OwnerPart::module : OwnerPart::range)
        | (place_in(name).empty() ? 0 : bit_of(OwnerPart::line)));
}

void Owners::name_earlier()
{
    for (const auto& made : m_trace->graph_nodes) {
        if (made.within == 0 || m_earlier.contains(made.within)) {
            continue;
        }
        auto& found = m_earlier[made.within];
        for (const auto name : split_at(m_trace->text(made.within), '\n')) {
            const bool is_operator = name.starts_with('\t');
            const auto bare = is_operator ? name.substr(1) : name;
            const auto parts = is_operator ? bit_of(OwnerPart::torch_operator) : parts_of(bare, false);
            for (const auto part : owner_parts) {
                auto& text = found[static_cast<std::size_t>(part)];
                text = text.empty() && (parts & bit_of(part)) != 0 ? part_in(bare, part) : text;
            }
        }
    }
}

bool Owners::has(OwnerPart part, Row range) const
{
    const bool is_operator = m_kinds.of(range) == RangeKind::torch_operator;
    return part == OwnerPart::torch_operator
        ? is_operator
        : !is_operator && (m_parts[m_trace->ranges[range].name] & bit_of(part)) != 0;
}

Owners::Node Owners::node_at(Row row) const
{
    const auto& made = m_trace->graph_nodes[row];
    return {made.thread == no_row ? no_id : m_trace->threads[made.thread].process, made.graph, made.graph_node};
}

Owners::Node Owners::node_of(Row operation) const
{
    const auto& ops = m_trace->operations;
    const auto process = m_trace->streams[ops.stream[operation]].process;
    const auto of = [process](const auto& detail) { return Node {process, detail.graph, detail.graph_node}; };
    const auto detail = ops.detail[operation];
    return ops.kind[operation] == OperationKind::kernel ? of(m_trace->kernels[detail])
        : ops.kind[operation] == OperationKind::memset  ? of(m_trace->memsets[detail])
                                                        : of(m_trace->copies[detail]);
}

/// The last row that made `node` until then, of those before row `before`; no_row: none.
Row Owners::last_made(const Node& node, Ns until, Row before) const
{
    // A number may be given to another graph once its own is gone.
    const auto behind = std::partition_point(m_nodes.begin(), m_nodes.end(), [&](Row row) {
        const auto made = node_at(row);
        return made != node ? made < node : m_trace->graph_nodes[row].time <= until && row < before;
    });
    return behind == m_nodes.begin() || node_at(*(behind - 1)) != node ? no_row : *(behind - 1);
}

void Owners::find_captures()
{
    const auto& made = m_trace->graph_nodes;
    m_nodes.resize(made.size());
    std::iota(m_nodes.begin(), m_nodes.end(), Row {0});
    std::stable_sort(m_nodes.begin(), m_nodes.end(), [this](Row a, Row b) { return node_at(a) < node_at(b); });
    m_captured.resize(made.size());
    for (Row row = 0; row < made.size(); ++row) {
        Row captured = row;
        if (made[row].original_node != 0) {
            const Row original = last_made(
                {node_at(row).process, made[row].original_graph, made[row].original_node}, made[row].time, row);
            captured = original == no_row ? no_row : m_captured[original];
        }
        m_captured[row] = captured;
    }
}

void Owners::find_ranges()
{
    const auto& calls = m_trace->calls;
    const auto& made = m_trace->graph_nodes;
    OpenRanges open(*m_trace, m_kinds, m_around);
    m_of_call.reserve(calls.size());
    m_of_node.reserve(made.size());
    for (Row call = 0; call < calls.size(); ++call) {
        for (; m_of_node.size() < made.size() && made[m_of_node.size()].time <= calls.start[call];) {
            const auto& node = made[m_of_node.size()];
            m_of_node.push_back(open.innermost(node.thread, node.time));
        }
        m_of_call.push_back(open.innermost(calls.thread[call], calls.start[call]));
    }
    while (m_of_node.size() < made.size()) {
        const auto& node = made[m_of_node.size()];
        m_of_node.push_back(open.innermost(node.thread, node.time));
    }
    open.go_to(m_trace->duration);
}

/// Takes from the next range outward what none within it says.
void Owners::take(Owner& owner, Row range) const
{
    owner.innermost = owner.innermost == no_row ? range : owner.innermost;
    for (const auto part : owner_parts) {
        auto& found = owner.parts[static_cast<std::size_t>(part)];
        if (found == no_row && has(part, range)) {
            found = range;
        }
    }
}

void Owners::fill(Owner& owner, Row innermost) const
{
    for (Row range = innermost; range != no_row; range = m_around[range]) {
        if (holds(m_trace->ranges[range], owner.time)) {  // else it ended within one that began in it
            take(owner, range);
        }
    }
}

Owner Owners::around(Row thread, Ns time, Row but) const
{
    Owner owner;
    owner.thread = thread;
    owner.time = time;
    for (const Row range : ranges_around(*m_trace, thread, time)) {
        if (range != but) {
            take(owner, range);
        }
    }
    owner.from = owner ? Owner::From::launch : Owner::From::nothing;
    owner.missing = owner ? Owner::Missing::nothing : Owner::Missing::ranges;
    return owner;
}

/// Of the node that is row `made` of Trace::graph_nodes; `from` is nothing where its capture is not recorded.
Owner Owners::of_capture(Row made) const
{
    Owner owner;
    const Row captured = m_captured[made];
    if (captured == no_row) {
        return owner;
    }
    const auto& node = m_trace->graph_nodes[captured];
    owner.from = Owner::From::capture;
    owner.thread = node.thread;
    owner.time = node.time;
    fill(owner, m_of_node[captured]);
    if (node.within != 0) {
        owner.within = node.within;
        for (const auto part : owner_parts) {
            const auto& name = m_earlier.at(node.within)[static_cast<std::size_t>(part)];
            owner.named |= name.empty() ? 0 : bit_of(part);
        }
    }
    return owner;
}

std::string in_one_line(const std::vector<std::string_view>& nodes, std::size_t most)
{
    std::string line;
    for (auto first = nodes.begin(); first != nodes.end();) {
        const auto next = std::find_if(first, nodes.end(), [&](std::string_view name) { return name != *first; });
        line += line.empty() ? "" : ", ";
        if (most-- == 0) {
            return line + "…";
        }
        line += first->empty() ? std::string_view("–") : *first;
        if (next - first > 1) {
            line += " ×" + std::to_string(next - first);
        }
        first = next;
    }
    return line;
}

std::vector<std::string_view> Owners::nodes_of(Row operation) const
{
    const auto& ops = m_trace->operations;
    const auto graph = node_of(operation);
    if (ops.kind[operation] != OperationKind::kernel || !is_whole_graph(m_trace->kernels[ops.detail[operation]])) {
        return {};
    }
    std::map<std::uint32_t, std::string_view> names;
    for (Row row = 0; row < ops.size(); ++row) {
        const auto node = node_of(row);
        if (node.graph == graph.graph && node.node != 0 && node.process == graph.process) {
            names.try_emplace(node.node, m_trace->text(ops.name[row]));
        }
    }
    if (names.empty()) {
        const Row call = ops.call[operation];
        const Ns launched = call == no_row ? ops.start[operation] : m_trace->calls.start[call];
        bool any = false;
        for (auto row = std::lower_bound(m_nodes.begin(), m_nodes.end(), graph,
                 [&](Row made, const Node&wanted) { return node_at(made) < wanted; });
             row != m_nodes.end() && node_at(*row).process == graph.process && node_at(*row).graph == graph.graph;
             ++row) {
            if (m_trace->graph_nodes[*row].time <= launched) {  // the last one of that number
                names[node_at(*row).node] = text(of_capture(*row));
                any = any || !names[node_at(*row).node].empty();
            }
        }
        if (!any) {
            return {};
        }
    }
    std::vector<std::string_view> nodes;
    for (const auto& [node, name] : names) {
        nodes.push_back(name);
    }
    return nodes;
}

Owner Owners::of(Row operation) const
{
    const auto& ops = m_trace->operations;
    const Row call = ops.call[operation];
    const auto node = node_of(operation);
    Owner owner;
    if (node.node != 0 && !m_nodes.empty()) {
        const Ns launched = call == no_row ? ops.start[operation] : m_trace->calls.start[call];
        const Row made = last_made(node, launched, no_row);
        owner = made == no_row ? Owner() : of_capture(made);
        if (owner) {
            return owner;
        }
    }
    const bool was_captured = owner.from == Owner::From::capture && owner.time >= 0;
    owner = {};
    if (call == no_row || m_trace->calls.thread[call] == no_row) {
        owner.missing = Owner::Missing::call;
        return owner;
    }
    owner.thread = m_trace->calls.thread[call];
    owner.time = m_trace->calls.start[call];
    fill(owner, m_of_call[call]);
    if (owner) {
        owner.from = Owner::From::launch;
    } else {
        owner.missing = node.node != 0 && !was_captured ? Owner::Missing::capture : Owner::Missing::ranges;
    }
    return owner;
}

std::string_view Owners::text(const Owner& owner, OwnerPart part) const
{
    const Row range = owner.of(part);
    if (range == no_row) {
        return owner.within == 0 ? std::string_view() : m_earlier.at(owner.within)[static_cast<std::size_t>(part)];
    }
    return part_in(m_trace->text(m_trace->ranges[range].name), part);
}

std::vector<std::string_view> Owners::around(const Owner& owner) const
{
    std::vector<std::string_view> names;
    if (owner.within != 0) {
        for (const auto name : split_at(m_trace->text(owner.within), '\n')) {
            names.push_back(name.starts_with('\t') ? name.substr(1) : name);
        }
    } else {
        for (const Row range : ranges_around(*m_trace, owner.thread, owner.time)) {
            names.push_back(m_trace->text(m_trace->ranges[range].name));
        }
    }
    return names;
}

std::string_view Owners::text(const Owner& owner) const
{
    const auto part = owner.part();
    return part ? text(owner, *part) : std::string_view();
}

}  // namespace lanes
