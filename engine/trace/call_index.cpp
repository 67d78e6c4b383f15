// SPDX-License-Identifier: MIT
#include "engine/trace/call_index.h"

#include "engine/trace/large_vector.h"

#include <algorithm>
#include <map>

namespace lanes {

void CallIndex::fill(const std::vector<ApiCallRecord>& calls, const std::function<bool(const ApiCallRecord&)>& kept)
{
    std::map<std::uint32_t, Process> processes;
    Process* process = nullptr;
    const auto find = [&](const ApiCallRecord& call) {
        if (process == nullptr || call.process != process->id) {
            process = &processes[call.process];  // a map's elements stay where they are
            process->id = call.process;
        }
    };
    for (const auto& call : calls) {
        if (call.correlation != 0) {
            find(call);
            process->first = std::min(process->first, call.correlation);
            process->last = std::max(process->last, call.correlation);
            ++process->count;
        }
    }
    for (auto& [key, each] : processes) {
        constexpr std::size_t loose = 4;  // ids for each call
        const auto span = std::size_t {each.last} - each.first + 1;
        if (span <= loose * each.count) {
            reserve_large(each.rows, span);
            each.rows.resize(span, absent);
        } else {
            reserve_large(each.sorted, each.count);
        }
    }
    Row next = 0;
    for (const auto& call : calls) {
        const Row row = kept(call) ? next++ : no_row;
        if (call.correlation == 0) {
            continue;
        }
        find(call);
        if (process->rows.empty()) {
            process->sorted.push_back({call.correlation, row});
        } else if (auto& place = process->rows[call.correlation - process->first]; place == absent) {
            place = row;
        }
    }
    for (auto& [key, each] : processes) {
        std::stable_sort(each.sorted.begin(), each.sorted.end(),
            [](const Entry& a, const Entry& b) { return a.correlation < b.correlation; });
        m_processes.push_back(std::move(each));
    }
}

void CallIndex::replace(const std::vector<Row>& by)
{
    const auto put = [&](Row& row) { row = row < by.size() ? by[row] : row; };
    for (auto& process : m_processes) {
        std::for_each(process.rows.begin(), process.rows.end(), put);
        for (auto& entry : process.sorted) {
            put(entry.row);
        }
    }
}

Row CallIndex::at(std::uint32_t process, std::uint32_t correlation) const
{
    const auto of = std::lower_bound(m_processes.begin(), m_processes.end(), process,
        [](const Process& one, std::uint32_t wanted) { return one.id < wanted; });
    if (of == m_processes.end() || of->id != process || correlation < of->first || correlation > of->last) {
        return absent;
    }
    if (!of->rows.empty()) {
        return of->rows[correlation - of->first];
    }
    const auto& sorted = of->sorted;
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), correlation,
        [](const Entry& entry, std::uint32_t wanted) { return entry.correlation < wanted; });
    return found != sorted.end() && found->correlation == correlation ? found->row : absent;
}

}  // namespace lanes
