// SPDX-License-Identifier: MIT
// How the staging of a pageable copy may have looked, if a recording has only the call and the copy: the steps that a
// model device would record, in its proportions, fitted into the recorded call. None of it was
// measured: no figure is computed from it.
//
// Cost: constant, also of a part.
#pragma once

#include "engine/run/model/model_device.h"
#include "engine/run/model/staging_division.h"

#include <optional>

namespace lanes {

/// A copy between pageable memory and a GPU, as recorded; times in ns.
struct PageableCopy {
    bool up = true;  ///< H2D
    bool async = true;  ///< issued by an Async call
    double bytes = 0;
    Ns call_start = 0, call_end = 0;
    Ns copy_start = 0;  ///< on the GPU
};

class StagingSketch {
public:
    StagingSketch(const ModelDevice& device, const PageableCopy& copy);

    /// In the order of time, within the call; some may be empty.
    std::size_t size() const { return 1 + (m_once ? 1 : m_division->size()); }
    StagingPart part(std::size_t i) const;
    std::size_t pieces() const { return m_once ? 1 : m_division->pieces(); }
    /// The time of a piece, in ns.
    double each() const { return m_once ? static_cast<double>(m_once->end - m_once->start) : m_division->each(); }
    /// The first part that ends after `time`; size() if the call has ended.
    std::size_t part_at(Ns time) const;

private:
    StagingPart m_wait;
    std::optional<StagingPart> m_once;  ///< the only part: a small upload that does not wait
    std::optional<StagingDivision> m_division;
};

}  // namespace lanes
