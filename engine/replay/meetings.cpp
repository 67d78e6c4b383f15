// SPDX-License-Identifier: MIT
#include "engine/replay/meetings.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanes::replay {

void join_queues(const Graph& graph, const std::vector<std::uint32_t>& item_of_span, Script& script)
{
    const auto& trace = graph.trace();
    std::map<std::pair<std::uint32_t, StringId>, std::uint32_t> numbers;
    std::vector<std::vector<std::pair<Ns, int>>> steps;
    std::vector<bool> was_full;
    const auto& spans = trace.host_spans;
    for (Row row = 0; row < spans.size(); ++row) {
        const auto index = item_of_span[row];
        if (index == none || script.items[index].kind == Item::join) {
            continue;
        }
        auto& item = script.items[index];
        script.queue_of.resize(script.items.size(), none);
        const auto queue = numbers
                               .try_emplace({trace.threads[item.thread].process, spans[row].name},
                                   static_cast<std::uint32_t>(numbers.size()))
                               .first->second;
        script.queue_of[index] = queue;
        steps.resize(numbers.size());
        was_full.resize(numbers.size());
        const bool waited = item.end - item.start > waits_in_queue;
        steps[queue].emplace_back(item.end, item.kind == Item::put ? 1 : -1);
        was_full[queue] = was_full[queue] || (waited && item.kind == Item::put);
        item.held = waited;
        item.own = waited ? std::min(item.own, short_call) : item.own;
    }
    for (const auto& handover : graph.dependencies().handovers) {
        const auto index = item_of_span[handover.span];
        if (index == none || !script.items[index].held) {
            continue;
        }
        auto& item = script.items[index];
        item.post = spans[handover.span].end - spans[handover.from].end;
        if (spans[handover.from].end < item.start) {  // the item was there already: the thread itself took that long
            item.held = false;
            item.own = item.end - item.start;
        }
    }
    for (std::size_t queue = 0; queue < steps.size(); ++queue) {
        std::sort(steps[queue].begin(), steps[queue].end());
        std::int64_t level = 0;
        std::int64_t most = 0;
        for (const auto& [time, step] : steps[queue]) {
            level += step;
            most = std::max(most, level);
        }
        script.queues.push_back({was_full[queue] ? static_cast<std::uint64_t>(most) : 0});
    }
}

void join_ends(const Trace& trace, const std::vector<std::uint32_t>& item_of_span, Script& script)
{
    for (const auto index : item_of_span) {
        if (index == none || script.items[index].kind != Item::join) {
            continue;
        }
        auto& join = script.items[index];
        Ns latest = -1;
        for (std::uint32_t thread = 0; thread + 1 < script.first_item.size(); ++thread) {
            const auto end = script.first_item[thread + 1];
            if (thread == join.thread || end == script.first_item[thread]
                || trace.threads[thread].process != trace.threads[join.thread].process) {
                continue;
            }
            if (const auto& last = script.items[end - 1]; last.end <= join.end && last.end > latest) {
                latest = last.end;
                join.wait = Item::item;
                join.target = end - 1;
            }
        }
        join.held = join.wait == Item::item && latest > join.start;
        if (join.held) {
            join.post = join.end - latest;
            join.own = std::min(join.own, short_call);
        }
    }
}

void join_gangs(
    const Graph& graph, const std::vector<std::uint32_t>& operation_of, const std::vector<Ns>& placed, Script& script)
{
    const auto& ops = graph.trace().operations;
    const auto& partners = graph.dependencies().partners;
    std::map<Row, std::uint32_t> numbers;  // by the partner that began last
    std::map<Row, Ns> begins;  // likewise: when all had their multiprocessors
    for (const auto& [row, last] : partners) {
        auto& begin = begins.try_emplace(last, placed[last]).first->second;
        begin = std::max(begin, placed[row]);
    }
    const auto join = [&](Row row, std::uint32_t number, Row last) {
        if (const auto index = operation_of[row]; index != none && operation_of[last] != none) {
            auto& operation = script.operations[index];
            operation.gang = number;
            operation.length = std::max<Ns>(0, ops.end[row] - begins[last]);
            ++script.gang_sizes[number];
        }
    };
    for (const auto& [row, last] : partners) {
        const auto [found, is_new] = numbers.try_emplace(last, static_cast<std::uint32_t>(script.gang_sizes.size()));
        if (is_new) {
            script.gang_sizes.push_back(0);
            join(last, found->second, last);
        }
        join(row, found->second, last);
    }
}

}  // namespace lanes::replay
