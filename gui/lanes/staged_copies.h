// SPDX-License-Identifier: MIT
// Copies between pageable memory and a GPU. The driver stages them: bytes move in pieces, between which the copy engine
// waits for the host to fill or empty a buffer of pinned memory. Only the copy as a whole is recorded; its share of
// moving bytes is computed from the rate of pinned copies.
#pragma once

#include "engine/trace/trace.h"

#include <mutex>
#include <optional>
#include <vector>

namespace lanes::gui {

/// Whether an operation copies between pageable memory and a GPU.
bool isStaged(const Trace& trace, Row operation);

/// The part of such a copy's time in which its bytes move at `rate` (bytes/ns, pinned_rates.h), at most 1; nothing of
/// other operations. Cost: none.
std::optional<double> stagedShare(const Trace& trace, Row operation, double rate);

/// pinned_rates() of one trace, computed when first asked for. Any thread may ask.
class PinnedRates {
public:
    /// Bytes/ns, by stream. Always of the same trace.
    const std::vector<double>& of(const Trace& trace) const;

private:
    mutable std::once_flag m_once;
    mutable std::vector<double> m_rates;
};

}  // namespace lanes::gui
