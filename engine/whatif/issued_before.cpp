// SPDX-License-Identifier: MIT
#include "engine/whatif/issued_before.h"

#include <algorithm>
#include <map>

namespace lanes::whatif {

std::vector<Row> issued_before(const Trace& trace)
{
    const auto& ops = trace.operations;
    std::vector<Row> found;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto [begin, end] = trace.operations_of(stream);
        Row row = begin;
        while (row < end && ops.call[row] == no_row) {
            ++row;
        }
        for (Row before = begin; row < end && before < row; ++before) {
            found.push_back(before);
        }
    }
    std::stable_sort(found.begin(), found.end(), [&](Row a, Row b) { return ops.start[a] < ops.start[b]; });
    std::vector<Row> without_pause;
    std::map<std::uint32_t, Ns> busy_until;  // by device
    for (const Row row : found) {
        Ns& until = busy_until.try_emplace(trace.streams[ops.stream[row]].device, ops.start[row]).first->second;
        if (ops.start[row] <= until + most_idle_before) {  // so are none of the device behind a pause
            until = std::max(until, ops.end[row]);
            without_pause.push_back(row);
        }
    }
    return without_pause;
}

}  // namespace lanes::whatif
