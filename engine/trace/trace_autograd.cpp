// SPDX-License-Identifier: MIT
// Joins PyTorch's backward operators to their forward operators.
#include "engine/trace/large_vector.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>
#include <unordered_map>

namespace lanes {

void TraceAssembly::make_autograd()
{
    auto& records = m_records.of<AutogradRecord>();
    if (records.empty()) {
        return;
    }
    // Ranges and autograd records come in the same order, so one pass over both joins nearly all. The rest, and the
    // forward operators that records refer to, are looked up.
    std::unordered_map<ProcessId, Row, ProcessIdHash> wanted;
    for (const auto& r : records) {
        if (r.forward != 0) {
            wanted.emplace(std::pair(r.process, r.forward), no_row);
        }
    }
    std::vector<Row> rows(records.size(), no_row);
    std::size_t next = 0;
    each_range_id([&](const RangeId& r, Row row) {
        if (next < records.size() && records[next].range == r.id && records[next].process == r.process) {
            rows[next++] = row;
        }
        if (const auto found = wanted.empty() ? wanted.end() : wanted.find({r.process, r.id}); found != wanted.end()) {
            found->second = row;
        }
    });
    if (next < records.size()) {
        std::unordered_map<ProcessId, std::size_t, ProcessIdHash> missing;
        for (auto i = next; i < records.size(); ++i) {
            missing.insert_or_assign({records[i].process, records[i].range}, i);
        }
        each_range_id([&](const RangeId& r, Row row) {
            if (const auto found = missing.find({r.process, r.id}); found != missing.end()) {
                rows[found->second] = row;
            }
        });
    }
    release(m_range_ids);
    release(m_range_rows);
    auto& all = m_trace.autograd;
    reserve_large(all, records.size());
    bool search = false;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto& r = records[i];
        if (rows[i] == no_row) {
            continue;  // it began outside the window
        }
        const auto forward = r.forward == 0 ? wanted.end() : wanted.find({r.process, r.forward});
        all.push_back({rows[i], forward == wanted.end() ? no_row : forward->second, r.number, r.forward_thread});
        search = search || (r.search != 0 && r.forward_thread != 0);
    }
    release(records);
    const auto earlier = [](const AutogradOperator& a, const AutogradOperator& b) { return a.range < b.range; };
    if (!std::is_sorted(all.begin(), all.end(), earlier)) {
        std::stable_sort(all.begin(), all.end(), earlier);
    }
    all.erase(std::unique(all.begin(), all.end(),
                  [](const AutogradOperator& a, const AutogradOperator& b) { return a.range == b.range; }),
        all.end());
    if (search) {
        find_forward();
    }
}

/// Several operators may have the same number before the node of that number is made: it belongs to the last of them.
void TraceAssembly::find_forward()
{
    struct Last {
        Row range = no_row;
        bool of_several_threads = false;
    };
    std::unordered_map<std::uint64_t, Last> last;  // by process and number
    for (auto& a : m_trace.autograd) {
        const auto thread = m_trace.ranges[a.range].thread;
        if (a.number == no_id || thread == no_row) {
            continue;
        }
        auto& known = last[pair_of(m_trace.threads[thread].process, a.number)];
        if (a.forward_thread == 0) {
            known.of_several_threads
                = known.of_several_threads || (known.range != no_row && m_trace.ranges[known.range].thread != thread);
            known.range = a.range;
        } else if (a.forward == no_row && !known.of_several_threads) {
            a.forward = known.range;
        }
    }
}

}  // namespace lanes
