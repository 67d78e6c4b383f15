// SPDX-License-Identifier: MIT
#include "engine/run/model/staging_sketch.h"

#include "engine/run/model/staging.h"

namespace lanes {

StagingSketch::StagingSketch(const ModelDevice& device, const PageableCopy& copy)
    : m_wait {StagingStep::wait, copy.call_start, copy.call_start}
{
    const double first = copy.up ? model::Staging(device, copy.bytes).first_up() : 0;
    if (copy.up && copy.async && copy.bytes <= device.staged_at_once) {
        m_once = StagingPart {StagingStep::host_copy, copy.call_start,
            std::min(copy.call_end, copy.call_start + static_cast<Ns>(std::llround(first)))};
        return;
    }
    // For an upload, the copy on the GPU begins when the first piece is staged; for a download, the pieces begin with
    // the copy.
    const Ns begun = copy.copy_start - (copy.up ? std::llround(first) + device.copy_latency : 0);
    m_wait.end = std::clamp(begun, copy.call_start, copy.call_end);
    m_division.emplace(copy.up, copy.bytes, device.staging_chunk, copy.up ? device.h2d_bandwidth : device.d2h_bandwidth,
        m_wait.end, copy.call_end);
}

StagingPart StagingSketch::part(std::size_t i) const
{
    return i == 0 ? m_wait : m_once ? *m_once : (*m_division)[i - 1];
}

std::size_t StagingSketch::part_at(Ns time) const
{
    std::size_t i = 0;
    if (m_division && time > m_division->start() && m_division->each() > 0) {
        const auto piece
            = static_cast<std::size_t>(static_cast<double>(time - m_division->start()) / m_division->each());
        i = std::min(1 + 2 * piece, size());
        i -= i > 1 ? 1 : 0;  // edges are rounded
    }
    while (i < size() && part(i).end <= time) {
        ++i;
    }
    return i;
}

}  // namespace lanes
