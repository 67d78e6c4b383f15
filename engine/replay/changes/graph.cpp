// SPDX-License-Identifier: MIT
#include "engine/analysis/words/shown.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"

#include <algorithm>
#include <vector>

namespace lanes::replay::changes {

namespace {

/// After how many launches and memsets the sequence repeats, by names and grids or bytes; a multiple of it if that is
/// too few to be worth a graph. 0: nothing repeats.
std::uint32_t period_of(Edit& edit, const std::vector<std::uint32_t>& launches)
{
    constexpr std::uint32_t longest = 2048;
    constexpr std::uint32_t worth_a_graph = 16;
    const auto same = [&](std::size_t a, std::size_t b) {
        const Row row_a = edit.script.operations[edit.script.items[launches[a]].first_operation].row;
        const Row row_b = edit.script.operations[edit.script.items[launches[b]].first_operation].row;
        const auto& ops = edit.trace.operations;
        if (ops.kind[row_a] != ops.kind[row_b]) {
            return false;
        }
        return ops.kind[row_a] == OperationKind::memset
            ? edit.trace.memsets[ops.detail[row_a]].bytes == edit.trace.memsets[ops.detail[row_b]].bytes
            : ops.name[row_a] == ops.name[row_b]
                && edit.trace.kernels[ops.detail[row_a]].grid == edit.trace.kernels[ops.detail[row_b]].grid;
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

/// Makes graphs of launches of one thread on one stream with nothing else between them.
void make_graphs(Edit& edit, const std::vector<std::uint32_t>& launches, bool& is_first)
{
    const auto period
        = edit.change.amount > 0 ? static_cast<std::uint32_t>(edit.change.amount) : period_of(edit, launches);
    const auto& table = edit.script.constants.table;
    for (std::size_t at = 0; period > 1 && at + period <= launches.size(); at += period) {
        auto& head = edit.script.items[launches[at]];
        const auto first = head.first_operation;
        head.own = table.graph_call + period * table.graph_node;
        if (is_first) {
            head.own += period * (table.capture_call + table.instantiate_node) + table.instantiate_call;
            is_first = false;
        }
        head.type = CallClass::graph_launch;
        head.operations = period;
        for (std::uint32_t i = 0; i < period; ++i) {
            auto& node = edit.script.operations[first + i];
            node.of_graph = true;
            node.bound = StartCause::unknown;
            node.after = i > 0 ? first + i - 1 : none;
            if (i > 0) {  // with the thread's own time before it, which went into that launch
                auto& item = edit.script.items[launches[at + i]];
                item.operations = 0;
                item.dropped = true;
            }
        }
        edit.applied.count += period;
    }
}

}  // namespace

void graph(Edit& edit)
{
    bool is_first = !edit.is_lifted("graph-once");
    for (std::size_t thread = 0; thread + 1 < edit.script.first_item.size(); ++thread) {
        std::vector<std::uint32_t> launches;
        const auto end = [&] {
            make_graphs(edit, launches, is_first);
            launches.clear();
        };
        for (auto index = edit.script.first_item[thread]; index < edit.script.first_item[thread + 1]; ++index) {
            const auto& item = edit.script.items[index];
            if (item.dropped || item.type == CallClass::own_state) {
                continue;
            }
            const bool is_launch = item.kind == Item::call && item.operations == 1 && item.actions == 0
                && item.wait == Item::nothing && !item.full;
            const auto* const node = is_launch ? &edit.script.operations[item.first_operation] : nullptr;
            const bool is_node = node != nullptr
                && (node->kind == OperationKind::kernel || node->kind == OperationKind::memset) && !node->of_graph
                && node->gang == none && !node->dropped && edit.on.operation(node->row);
            if (!is_node) {
                end();
                continue;
            }
            const auto last = launches.empty() ? none : edit.script.items[launches.back()].first_operation;
            if (last != none
                && (edit.script.operations[last].stream != node->stream || last + 1 != item.first_operation)) {
                end();
            }
            launches.push_back(index);
        }
        end();
    }
    edit.applied.reliability = Reliability::conditional;
    if (edit.applied.count > 0) {
        const auto& table = edit.script.constants.table;
        edit.add_assumption("graph_once", {{"time", shown_time(table.instantiate_call)}});
        edit.assume("graph_repeats");
    }
}

}  // namespace lanes::replay::changes
