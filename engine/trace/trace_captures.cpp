// SPDX-License-Identifier: MIT
// Keeps the names of the ranges in which graphs were captured outside of the recorded part: their kernels are launched
// in it, and the ranges themselves are left out.
#include "engine/trace/owners.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace lanes {

namespace {

struct EarlierRange {
    Ns start, end;
    StringId name;
    bool is_operator;
};

}  // namespace

/// Before the ranges are left out. Nothing where no capture is outside of the window. Cost: that of the thread's
/// ranges.
void TraceAssembly::name_earlier_captures()
{
    std::map<std::uint64_t, std::vector<GraphNodeRecord*>> captures;  // by process and thread
    for (auto& node : m_records.of<GraphNodeRecord>()) {
        if (node.original_node == 0 && node.within == 0 && is_sane(node.time) && !in_window(node.process, node.time)) {
            captures[pair_of(node.process, node.thread)].push_back(&node);
        }
    }
    if (captures.empty()) {
        return;
    }
    std::unordered_map<ProcessId, Ns, ProcessIdHash> ends;
    const auto& records = m_records.of<RangeRecord>();
    for (const auto& r : records) {
        if (r.edge == RangeRecord::finish) {
            ends.insert_or_assign({r.process, r.id}, r.time);
        }
    }
    std::map<std::uint64_t, std::vector<EarlierRange>> ranges;
    for (const auto& r : records) {
        if (r.edge == RangeRecord::begin && is_sane(r.time) && captures.contains(pair_of(r.process, r.thread))) {
            const auto end = ends.find({r.process, r.id});
            ranges[pair_of(r.process, r.thread)].push_back(
                {r.time, end == ends.end() ? std::numeric_limits<Ns>::max() : end->second, r.name,
                    m_trace.text(r.domain) == operator_domain});
        }
    }
    for (auto& [thread, nodes] : captures) {
        auto& all = ranges[thread];
        std::stable_sort(all.begin(), all.end(), [](const EarlierRange& a, const EarlierRange& b) {
            return a.start != b.start ? a.start < b.start : a.end > b.end;
        });
        std::stable_sort(nodes.begin(), nodes.end(),
            [](const GraphNodeRecord* a, const GraphNodeRecord* b) { return a->time < b->time; });
        std::vector<EarlierRange> open;
        auto next = all.begin();
        for (auto* const node : nodes) {
            for (; next != all.end() && next->start <= node->time; ++next) {
                while (!open.empty() && open.back().end <= next->start) {
                    open.pop_back();
                }
                open.push_back(*next);
            }
            std::string names;
            for (auto range = open.rbegin(); range != open.rend(); ++range) {
                if (node->time < range->end) {
                    add_to_within(names, m_trace.text(range->name), range->is_operator);
                }
            }
            node->within = names.empty() ? 0 : m_trace.strings.intern(names);
        }
    }
}

}  // namespace lanes
