// SPDX-License-Identifier: MIT
#include "gui/lanes/staged_copies.h"

#include "engine/analysis/facts/pinned_rates.h"

#include <algorithm>

namespace lanes::gui {

bool isStaged(const Trace& trace, Row operation)
{
    const OperationKind kind = trace.operations.kind[operation];
    if (kind != OperationKind::h2d && kind != OperationKind::d2h) {
        return false;
    }
    const CopyDetail& copy = trace.copies[trace.operations.detail[operation]];
    return (kind == OperationKind::h2d ? copy.source : copy.target) == MemoryKind::pageable;
}

std::optional<double> stagedShare(const Trace& trace, Row operation, double rate)
{
    const Ns length = trace.operations.end[operation] - trace.operations.start[operation];
    if (!isStaged(trace, operation) || length <= 0 || rate <= 0) {
        return {};
    }
    const CopyDetail& copy = trace.copies[trace.operations.detail[operation]];
    return std::min(1.0, static_cast<double>(copy.bytes) / rate / static_cast<double>(length));
}

const std::vector<double>& PinnedRates::of(const Trace& trace) const
{
    std::call_once(m_once, [&] { m_rates = pinned_rates(trace); });
    return m_rates;
}

}  // namespace lanes::gui
