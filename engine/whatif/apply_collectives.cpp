// SPDX-License-Identifier: MIT
#include "engine/whatif/edit.h"
#include "engine/whatif/rewritten.h"

#include <algorithm>
#include <utility>

namespace lanes::whatif {

namespace {

/// A collective, and how many kernels of a stream it stands behind: of its own, or (PyTorch's has none but it) of that
/// whose event its stream waited for last.
struct Standing {
    std::uint32_t collective;
    std::size_t behind;
};

/// What a stream has for collectives to stand behind.
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

std::vector<Behind> find_standing(const Script& script, const auto& is_wanted)
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
            if (operation.gang == none) {
                if (operation.kind == OperationKind::kernel && is_wanted(operation)) {
                    own.kernels.push_back(at);
                    own.threads.push_back(item.thread);
                }
            } else if (!own.kernels.empty()) {
                own.collectives.push_back({at, own.kernels.size()});
            } else if (const auto& from = waited[operation.stream]; from.stream != none) {
                streams[from.stream].collectives.push_back({at, from.behind});
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

/// Where those of the kernels [from, to) begin that collectives behind them can follow one by one: the last that one
/// thread launched and that make up a good part of them. PyTorch's backward has a thread of its own.
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

/// Collectives in a row that stand behind the same kernels: of n, each follows an n-th more of the kernels. Short
/// kernels between them, which work on what was added up, keep none apart.
void Edit::follow_parts()
{
    const auto streams = find_standing(m_script, [&](const Operation& each) { return m_on.operation(each.row); });
    for (const auto& of : streams) {
        std::size_t done = 0;  // kernels before the row
        for (std::size_t first = 0; first < of.collectives.size();) {
            auto last = first;
            for (; last + 1 < of.collectives.size(); ++last) {
                Ns between = 0;
                for (auto i = of.collectives[last].behind; i < of.collectives[last + 1].behind; ++i) {
                    between += m_script.operations[of.kernels[i]].length;
                }
                if (between >= m_script.operations[of.collectives[last].collective].length) {
                    break;
                }
            }
            const auto to = of.collectives[first].behind;
            const auto from = begin_of_backward(m_script, of, done, to);
            const auto n = last + 1 - first;
            for (std::size_t k = 0; k < n && n > 1 && to > from + 1; ++k) {
                const auto index = of.collectives[first + k].collective;
                const auto home = m_script.operations[index].stream;
                if (m_script.streams[home].collectives == none) {
                    const auto made = new_stream(home);
                    m_script.streams[home].collectives = made;
                }
                move(index, m_script.streams[home].collectives);
                m_script.operations[index].bound = StartCause::unknown;
                const auto part = ((to - from) * (k + 1) + n - 1) / n;
                m_script.operations[index].needs = of.kernels[from + part - 1];
                ++m_applied.count;
            }
            done = of.collectives[last].behind;
            first = last + 1;
        }
    }
}

void Edit::overlap_all_reduce()
{
    follow_parts();
    m_applied.reliability = Reliability::good;
    if (m_applied.count > 0) {
        assume("gradients_in_order");
    }
}

/// Each collective becomes N, of which each follows an N-th more of the kernels.
void Edit::buckets()
{
    constexpr std::uint16_t usual = 4;
    constexpr double most = 1024;
    const auto pieces = m_change.amount >= 1 ? static_cast<std::uint16_t>(std::min(most, m_change.amount)) : usual;
    const auto is_collective = [&](const Item& item) {
        return !item.dropped && item.operations == 1 && item.wait == Item::nothing
            && m_script.operations[item.first_operation].gang != none
            && m_script.streams[m_script.operations[item.first_operation].stream].home == none
            && m_script.operations[item.first_operation].pieces == 1;
    };
    std::vector<std::uint32_t> cut(m_script.gang_sizes.size());  // members that can be cut
    for (const auto& item : m_script.items) {
        if (is_collective(item)) {
            ++cut[m_script.operations[item.first_operation].gang];
        }
    }
    const auto gang_of = [&](std::uint32_t index) {
        const auto& item = m_script.items[index];
        const auto gang = is_collective(item) ? m_script.operations[item.first_operation].gang : none;
        return gang != none && cut[gang] == m_script.gang_sizes[gang] ? gang : none;
    };
    Rewritten to(m_script);
    bool any = false;
    for (std::size_t thread = 0; thread + 1 < m_script.first_item.size(); ++thread) {
        const auto end = m_script.first_item[thread + 1];
        for (auto index = m_script.first_item[thread]; index < end;) {
            const auto gang = gang_of(index);
            // What one thread launches on several GPUs comes for all of them a piece at a time.
            auto last = index;
            for (auto at = index + 1; gang != none && at < end; ++at) {
                if (gang_of(at) == gang) {
                    last = at;
                } else if (m_script.items[at].operations > 0 || m_script.items[at].wait != Item::nothing) {
                    break;
                }
            }
            const auto count = gang == none ? std::uint16_t {1} : pieces;
            any = any || count > 1;
            for (std::uint16_t piece = 0; piece < count; ++piece) {
                for (auto at = index; at <= last; ++at) {
                    if (gang_of(at) == gang) {
                        to.add(at, piece, count);
                    } else if (piece == 0) {
                        to.add(at);
                    }
                }
            }
            index = last + 1;
        }
        to.end_thread();
    }
    if (!any) {
        return;
    }
    to.finish(m_script);
    // A gang of each piece.
    const auto gangs = static_cast<std::uint32_t>(m_script.gang_sizes.size());
    for (auto& operation : m_script.operations) {
        if (operation.gang != none && operation.piece > 0) {
            operation.gang += gangs * operation.piece;
        }
    }
    const auto sizes = m_script.gang_sizes;
    for (std::uint16_t piece = 1; piece < pieces; ++piece) {
        m_script.gang_sizes.insert(m_script.gang_sizes.end(), sizes.begin(), sizes.end());
    }
    follow_parts();
    m_applied.reliability = Reliability::good;
    if (m_applied.count > 0) {
        assume("gradients_in_order");
        assume("can_be_buckets", {{"count", std::to_string(pieces)}});
    }
}

}  // namespace lanes::whatif
