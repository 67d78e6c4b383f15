// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/value_copies.h"
#include "engine/whatif/edit.h"

#include <algorithm>

namespace lanes::whatif {

namespace {

constexpr std::size_t a_batch = 4;  // as the finding has it

}  // namespace

/// Small copies of one direction that one thread issues one behind another on a stream become the last of them, which
/// brings the bytes of all. What waits, reads or issues anything else between them keeps them apart.
void Edit::gather()
{
    const auto& table = m_script.constants.table;
    const auto small = [&](const Item& item) {
        const auto* const copy = copy_of(item);
        return copy != nullptr && m_trace.bytes_of(copy->row) <= most_of_a_value && m_on.operation(copy->row) ? copy
                                                                                                              : nullptr;
    };
    for (std::size_t thread = 0; thread + 1 < m_script.first_item.size(); ++thread) {
        const auto end = m_script.first_item[thread + 1];
        for (auto index = m_script.first_item[thread]; index < end; ++index) {
            const auto* const first = small(m_script.items[index]);
            if (first == nullptr) {
                continue;
            }
            std::vector<std::uint32_t> row {index};
            for (auto at = index + 1; at < end; ++at) {
                const auto& item = m_script.items[at];
                const auto* const copy = small(item);
                if (copy != nullptr && copy->kind == first->kind && copy->stream == first->stream
                    && copy->pageable == first->pageable && item.type == m_script.items[index].type) {
                    row.push_back(at);
                } else if (!item.dropped
                    && (item.operations > 0 || item.actions > 0 || item.wait != Item::nothing || item.behind != none
                        || (item.kind != Item::call && item.kind != Item::work))) {
                    break;
                }
            }
            index = row.back();
            if (row.size() < a_batch) {
                continue;
            }
            auto& all = m_script.operations[m_script.items[row.back()].first_operation];
            const Ns once = all.kind == OperationKind::h2d ? table.h2d_overhead : table.d2h_overhead;
            Ns length = std::min(once, all.length);
            all.bytes = 0;
            for (const auto each : row) {
                const auto& copy = m_script.operations[m_script.items[each].first_operation];
                length += std::max<Ns>(0, copy.length - once);
                all.bytes += m_trace.bytes_of(copy.row);
            }
            all.length = std::max(length, all.length);
            const auto& begins = m_script.operations[m_script.items[row.front()].first_operation];
            all.bound = begins.bound;  // it follows what the first of them followed
            all.delay = begins.delay;
            for (const auto each : row) {
                if (each != row.back()) {
                    drop(each);
                    ++m_applied.count;
                }
            }
        }
    }
    m_applied.reliability = Reliability::good;
    if (m_applied.count > 0) {
        assume("lies_together");
    }
}

}  // namespace lanes::whatif
