// SPDX-License-Identifier: MIT
#include "engine/replay/changes/follow_parts.h"

#include "engine/analysis/facts/communication.h"

#include <algorithm>
#include <map>
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

/// Where those of the kernels [from, to) begin that the collectives after them can follow one by one: the last that one
/// thread launched and that take a good part of the time. PyTorch's backward pass has its own thread.
std::size_t begin_of_backward(const Script& script, const Behind& of, std::size_t from, std::size_t to)
{
    constexpr Ns good_part = 5;  // a fifth of the time
    const auto length = [&](std::size_t first, std::size_t last) {
        Ns sum = 0;
        for (auto i = first; i < last; ++i) {
            sum += script.operations[of.kernels[i]].length;
        }
        return sum;
    };
    const Ns all = length(from, to);
    auto begin = to;
    while (begin > from) {
        const auto thread = of.threads[begin - 1];
        while (begin > from && of.threads[begin - 1] == thread) {
            --begin;
        }
        if (good_part * length(begin, to) >= all) {
            break;
        }
    }
    return begin;
}

}  // namespace

void follow_parts(Edit& edit)
{
    LoneCollectives lone(edit.trace);
    std::uint64_t alone = 0;
    const auto streams
        = find_standing(edit.script, lone, [&](const Operation& each) { return edit.on.operation(each.row); });
    for (const auto& of : streams) {
        std::size_t done = 0;  // kernels before the collectives in a row
        for (std::size_t first = 0; first < of.collectives.size();) {
            auto last = first;
            for (; last + 1 < of.collectives.size(); ++last) {
                Ns between = 0;
                for (auto i = of.collectives[last].behind; i < of.collectives[last + 1].behind; ++i) {
                    between += edit.script.operations[of.kernels[i]].length;
                }
                if (between >= edit.script.operations[of.collectives[last].collective].length) {
                    break;
                }
            }
            const auto to = of.collectives[first].behind;
            const auto from = begin_of_backward(edit.script, of, done, to);
            const auto n = last + 1 - first;
            for (std::size_t k = 0; k < n && n > 1 && to > from + 1; ++k) {
                const auto index = of.collectives[first + k].collective;
                const auto home = edit.script.operations[index].stream;
                if (edit.script.streams[home].collectives == none) {
                    const auto made = edit.new_stream(home);
                    edit.script.streams[home].collectives = made;
                }
                edit.move(index, edit.script.streams[home].collectives);
                edit.script.operations[index].bound = StartCause::unknown;
                const auto part = ((to - from) * (k + 1) + n - 1) / n;
                edit.script.operations[index].needs = of.kernels[from + part - 1];
                ++edit.applied.count;
                alone += lone.has(edit.script.operations[index]) ? 1 : 0;
            }
            done = of.collectives[last].behind;
            first = last + 1;
        }
    }
    if (alone > 0) {
        edit.applied.assumptions.push_back(
            {{"whatif.assumes.rank_alone", {{"count", std::to_string(alone)}}}, Assumption::condition});
    }
}

}  // namespace lanes::replay::changes
