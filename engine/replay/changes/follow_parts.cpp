// SPDX-License-Identifier: MIT
#include "engine/replay/changes/follow_parts.h"

#include "engine/analysis/facts/communication.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes::replay::changes {

namespace {

/// A collective, and how many kernels of a stream it follows: of the stream whose event its stream waited for last
/// (PyTorch's), or of its own stream if that has had kernels since.
struct Standing {
    std::uint32_t collective;
    std::size_t behind;
};

/// The kernels of a stream, and the collectives that follow them.
struct Behind {
    std::vector<std::uint32_t> kernels;  ///< in the order of submission
    std::vector<std::uint32_t> threads;  ///< of the items that launched them
    std::vector<Standing> collectives;
};

/// Where an event was recorded.
struct Recorded {
    std::uint32_t stream = none;
    std::size_t behind = 0;
};

/// Collectives whose other ranks are not in the recording, by their names: they have no gang.
class LoneCollectives {
public:
    explicit LoneCollectives(const Trace& trace)
        : m_trace(trace)
    {
    }
    bool has(const Operation& operation)
    {
        if (operation.gang != none || operation.kind != OperationKind::kernel) {
            return false;
        }
        const auto name = m_trace.kernels[m_trace.operations.detail[operation.row]].full_name;
        const auto [known, is_new] = m_names.try_emplace(name, false);
        if (is_new) {
            const auto does = communication_of(m_trace.text(name));
            known->second = !does.empty() && !is_send(does);
        }
        return known->second;
    }

private:
    const Trace& m_trace;
    std::map<StringId, bool> m_names;
};

/// The items in the order in which they were made; only those that submit or order something.
std::vector<std::uint32_t> by_time(const Script& script)
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t index = 0; index < script.items.size(); ++index) {
        const auto& item = script.items[index];
        if (!item.dropped && (item.operations > 0 || item.actions > 0)) {
            order.push_back(index);
        }
    }
    std::stable_sort(
        order.begin(), order.end(), [&](auto a, auto b) { return script.items[a].start < script.items[b].start; });
    return order;
}

std::vector<Behind> find_standing(const Script& script, LoneCollectives& lone, const auto& is_wanted)
{
    std::vector<Behind> streams(script.streams.size());
    std::vector<Recorded> events(script.events);
    std::vector<Recorded> waited(script.streams.size());
    for (const auto index : by_time(script)) {
        const auto& item = script.items[index];
        for (std::uint32_t i = 0; i < item.operations; ++i) {
            const auto at = item.first_operation + i;
            const auto& operation = script.operations[at];
            if (operation.dropped || operation.of_graph || script.streams[operation.stream].home != none) {
                continue;
            }
            auto& own = streams[operation.stream];
            if (operation.gang == none && !lone.has(operation)) {
                if (operation.kind == OperationKind::kernel && is_wanted(operation)) {
                    own.kernels.push_back(at);
                    own.threads.push_back(item.thread);
                    waited[operation.stream] = {};
                }
            } else if (const auto& from = waited[operation.stream]; from.stream != none) {
                streams[from.stream].collectives.push_back({at, from.behind});
            } else if (!own.kernels.empty()) {
                own.collectives.push_back({at, own.kernels.size()});
            }
        }
        for (std::uint32_t i = 0; i < item.actions; ++i) {
            const auto& action = script.actions[item.first_action + i];
            if (action.kind == Action::record) {
                events[action.event] = {action.stream, streams[action.stream].kernels.size()};
            } else if (events[action.event].behind > 0) {
                waited[action.stream] = events[action.event];
            }
        }
    }
    return streams;
}

constexpr Ns good_part = 5;  // a fifth of the time

/// Collectives in a row, and the kernels that they follow.
struct InARow {
    std::size_t first, last;  ///< into Behind::collectives
    std::size_t from, to;  ///< [from, to) of Behind::kernels
};

Ns length_of(const Script& script, const Behind& of, std::size_t from, std::size_t to)
{
    Ns sum = 0;
    for (auto i = from; i < to; ++i) {
        sum += script.operations[of.kernels[i]].length;
    }
    return sum;
}

/// Short kernels between collectives, which work on the sums, do not separate them. Longer ones do: these come by turns
/// with collectives, so each collective follows its own.
std::vector<InARow> rows_of(const Script& script, const Behind& of)
{
    const auto& all = of.collectives;
    std::vector<InARow> rows;
    std::size_t done = 0;  // kernels before the row
    std::size_t by_turns = 0;  // collectives before this one come by turns with kernels
    for (std::size_t first = 0; first < all.size();) {
        auto last = first;
        while (last + 1 < all.size()
            && length_of(script, of, all[last].behind, all[last + 1].behind)
                < script.operations[all[last].collective].length) {
            ++last;
        }
        const Ns between = length_of(script, of, all[first].behind, all[last].behind);
        if (good_part * between >= length_of(script, of, done, all[last].behind)) {
            by_turns = last + 1;
        }
        while (first < by_turns && all[last].behind > all[first].behind) {
            --last;  // but for pieces of one
        }
        rows.push_back({first, last, done, all[first].behind});
        done = all[last].behind;
        first = last + 1;
    }
    return rows;
}

/// Where those of the kernels of a row begin whose gradients its collectives sum up: those of the backward pass.
class Backward {
public:
    Backward(const Edit& edit, const Behind& of, const std::vector<InARow>& rows)
        : m_edit(edit)
        , m_of(of)
        , m_usual(usual(rows))
        , m_is_by_turns(are_longer_again_and_again(rows))
        , m_is_told(std::any_of(rows.begin(), rows.end(), [&](const InARow& row) { return told(row).has_value(); }))
    {
    }

    struct Begin {
        std::size_t at;
        bool is_told;  ///< false: all kernels count, as nothing says which are of the forward pass
    };
    Begin of(const InARow& row)
    {
        if (const auto begin = told(row)) {
            return {*begin, true};
        }
        // Where other rows have kernels of the forward pass, too, this one has none.
        const bool is_guess = !m_is_told && m_edit.way.has_forward;
        return {is_guess ? last_of(row, length(row.from, row.to) / 2) : row.from, m_is_told};
    }

private:
    enum class Pass : std::uint8_t { none, forward, backward };

    std::optional<std::size_t> told(const InARow& row)
    {
        if (!m_edit.change.on.empty()) {
            return row.from;  // the user says which
        }
        if (const auto begin = of_last_thread(row); begin > row.from) {
            return begin;
        }
        if (const auto begin = by_names(row)) {
            return begin;
        }
        return m_is_by_turns && is_longer(row) ? std::optional(last_of(row, m_usual)) : std::nullopt;
    }

    /// Than usual, by more than a fifth.
    bool is_longer(const InARow& row) const { return good_part * length(row.from, row.to) > (good_part + 1) * m_usual; }
    /// Once is a warm-up.
    bool are_longer_again_and_again(const std::vector<InARow>& rows) const
    {
        constexpr std::size_t part = 10;  // at least a tenth
        const auto longer = static_cast<std::size_t>(
            std::count_if(rows.begin(), rows.end(), [&](const InARow& row) { return is_longer(row); }));
        return longer > 1 && part * longer >= rows.size();
    }

    Ns length(std::size_t from, std::size_t to) const { return length_of(m_edit.script, m_of, from, to); }

    /// How long the kernels before a row usually take: those of half of the time of collectives take less. The first
    /// bucket of a step also follows the forward pass, the others follow their own part of the backward pass.
    Ns usual(const std::vector<InARow>& rows) const
    {
        std::vector<std::pair<Ns, Ns>> lengths;  // of the kernels, of the collectives
        Ns all = 0;
        for (const auto& row : rows) {
            Ns weight = 0;
            for (auto i = row.first; i <= row.last; ++i) {
                weight += m_edit.script.operations[m_of.collectives[i].collective].length;
            }
            all += weight;
            lengths.emplace_back(length(row.from, row.to), weight);
        }
        std::sort(lengths.begin(), lengths.end());
        Ns sum = 0;
        for (const auto& [kernels, weight] : lengths) {
            sum += weight;
            if (2 * sum >= all) {
                return kernels;
            }
        }
        return 0;
    }

    /// The last kernels of a row that take that long together; at least one.
    std::size_t last_of(const InARow& row, Ns most) const
    {
        auto begin = row.to;
        Ns sum = 0;
        while (begin > row.from) {
            sum += m_edit.script.operations[m_of.kernels[begin - 1]].length;
            if (sum > most && begin < row.to) {
                break;
            }
            --begin;
        }
        return begin;
    }

    /// The last that one thread launched and that take a good part of the time. PyTorch's backward pass has its own
    /// thread.
    std::size_t of_last_thread(const InARow& row) const
    {
        const Ns all = length(row.from, row.to);
        auto begin = row.to;
        while (begin > row.from) {
            const auto thread = m_of.threads[begin - 1];
            while (begin > row.from && m_of.threads[begin - 1] == thread) {
                --begin;
            }
            if (good_part * length(begin, row.to) >= all) {
                break;
            }
        }
        return begin;
    }

    /// Those after the last one in a range of the forward pass; without such a range, from the first one of a backward
    /// pass on.
    std::optional<std::size_t> by_names(const InARow& row)
    {
        std::optional<std::size_t> backward;
        for (auto i = row.to; i > row.from; --i) {
            const auto pass = pass_of(m_edit.script.operations[m_of.kernels[i - 1]].row);
            if (pass == Pass::forward) {
                const bool is_enough = i < row.to && good_part * length(i, row.to) >= length(row.from, row.to);
                return is_enough ? std::optional(i) : backward;
            }
            backward = pass == Pass::backward ? std::optional(i - 1) : backward;
        }
        return backward;
    }

    /// What the kernel's name says, else what the ranges around its launch say: a backward pass may run parts of the
    /// forward pass again.
    Pass pass_of(Row operation)
    {
        const auto& trace = m_edit.trace;
        if (pass_in(trace.operations.name[operation]) == Pass::backward) {
            return Pass::backward;
        }
        auto found = Pass::none;
        const auto& owners = m_edit.owners;
        for (Row range = owners.of(operation).innermost; range != no_row; range = owners.outside(range)) {
            const auto pass = pass_in(trace.ranges[range].name);
            if (pass == Pass::backward) {
                return pass;
            }
            found = found == Pass::none ? pass : found;
        }
        return found;
    }

    Pass pass_in(StringId name)
    {
        const auto [known, is_new] = m_passes.try_emplace(name, Pass::none);
        if (is_new) {
            const auto text = m_edit.trace.text(name);
            const bool is_forward = text.find("orward") != std::string_view::npos;
            const bool is_backward = text.find("ackward") != std::string_view::npos;
            known->second = is_forward == is_backward ? Pass::none : is_forward ? Pass::forward : Pass::backward;
        }
        return known->second;
    }

    const Edit& m_edit;
    const Behind& m_of;
    std::map<StringId, Pass> m_passes;
    const Ns m_usual;
    const bool
        m_is_by_turns;  ///< some rows follow the forward pass, too, the others only their part of the backward pass
    const bool m_is_told;  ///< of any row
};

}  // namespace

void follow_parts(Edit& edit)
{
    LoneCollectives lone(edit.trace);
    std::uint64_t alone = 0;
    const auto streams
        = find_standing(edit.script, lone, [&](const Operation& each) { return edit.on.operation(each.row); });
    bool is_all_told = true;
    for (const auto& of : streams) {
        const auto rows = rows_of(edit.script, of);
        Backward backward(edit, of, rows);
        for (const auto& row : rows) {
            const auto n = row.last + 1 - row.first;
            if (n < 2 || row.to < row.from + 2) {
                continue;
            }
            const auto [from, is_told] = backward.of(row);
            if (row.to < from + 2) {
                continue;
            }
            is_all_told = is_all_told && is_told;
            for (std::size_t k = 0; k < n; ++k) {
                const auto index = of.collectives[row.first + k].collective;
                const auto home = edit.script.operations[index].stream;
                if (edit.script.streams[home].collectives == none) {
                    const auto made = edit.new_stream(home);
                    edit.script.streams[home].collectives = made;
                }
                edit.move(index, edit.script.streams[home].collectives);
                edit.script.operations[index].bound = StartCause::unknown;
                const auto part = ((row.to - from) * (k + 1) + n - 1) / n;
                edit.script.operations[index].needs = of.kernels[from + part - 1];
                ++edit.applied.count;
                alone += lone.has(edit.script.operations[index]) ? 1 : 0;
            }
        }
    }
    if (!is_all_told) {
        edit.add_assumption("all_backward", {});
        edit.applied.may_have_forward = true;
    }
    if (alone > 0) {
        edit.applied.assumptions.push_back(
            {{"whatif.assumes.rank_alone", {{"count", std::to_string(alone)}}}, Assumption::condition});
    }
}

}  // namespace lanes::replay::changes
