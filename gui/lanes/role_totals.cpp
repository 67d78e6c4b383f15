// SPDX-License-Identifier: MIT
#include "gui/lanes/role_totals.h"

#include "gui/lanes/family_role.h"
#include "gui/lanes/row_items.h"
#include "gui/lanes/wait_role.h"

namespace lanes::gui {

RoleTotals roleTotals(const Trace& trace, Interval range, const std::stop_token& stop)
{
    constexpr Row slice = 1U << 15U;
    const OperationTable& operations = trace.operations;
    const std::vector<std::uint8_t> looks = kernelLooks(trace, true);
    const RoleColumn roles(operations, looks);
    RoleTotals totals;
    for (Row row = 0; row < operations.size(); ++row) {
        if (row % slice == 0 && stop.stop_requested()) {
            return totals;
        }
        const Ns part = std::min(operations.end[row], range.end) - std::max(operations.start[row], range.start);
        if (part > 0) {
            totals.of[static_cast<std::size_t>(roles[row])] += part;
            totals.all += part;
        }
    }
    return totals;
}

void addWaits(RoleTotals& totals, const Recording& recording, Interval range)
{
    const auto& calls = recording.blocking->calls;
    for (std::size_t stretch = 0; stretch < calls.size(); ++stretch) {
        totals.of[static_cast<std::size_t>(waitRole(recording, static_cast<Row>(stretch)))]
            += length(common({calls[stretch].start, calls[stretch].end}, range));
    }
}

}  // namespace lanes::gui
