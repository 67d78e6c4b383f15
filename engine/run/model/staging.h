// SPDX-License-Identifier: MIT
// How a copy from or to pageable memory goes through the driver's pinned buffers, piece by piece, and the times of host
// and link. Seen in calibration recordings of an H100 and an H200.
//
// Up: the host copies the first piece (then the copy on the GPU begins), then each piece while the link carries the one
// before. The call returns with the last piece staged, which the link still has to carry. Data that fits into one piece
// goes over the link as a whole. Down: the first two pieces come at the speed of the link, each further one when the
// host has emptied a buffer; the call returns when the host has taken out the last piece.
#pragma once

#include "engine/run/model/core.h"

#include <algorithm>
#include <cmath>

namespace lanes::model {

/// Times in ns. Cost: constant.
class Staging {
public:
    Staging(const ModelDevice& device, double bytes)
        : m_device(device)
        , m_bytes(bytes)
        , m_piece(std::min(bytes, device.staging_chunk))
    {
    }

    /// The host's copy of the first piece up. Small copies go with the command itself.
    double first_up() const
    {
        const double rate = m_bytes <= m_device.inline_bytes ? m_device.inline_bandwidth
            : m_bytes <= m_device.staging_chunk              ? m_device.staging_bandwidth
                                                             : m_device.staged_h2d_bandwidth;
        return time_of(m_piece, rate);
    }
    /// The last piece's time on the link, after the call has returned.
    double last_up() const
    {
        return static_cast<double>(m_device.h2d_overhead) + time_of(m_piece, m_device.h2d_bandwidth);
    }
    /// The copy on the GPU.
    double up() const { return time_of(m_bytes - m_piece, m_device.staged_h2d_bandwidth) + last_up(); }

    double down() const
    {
        const auto overhead = static_cast<double>(m_device.d2h_overhead);
        return m_bytes <= 2 * m_device.staging_chunk
            ? overhead + time_of(m_bytes, m_device.d2h_bandwidth)
            : overhead + time_of(m_bytes - m_piece, m_device.staged_d2h_bandwidth);
    }
    /// The host's remaining copying when the copy on the GPU has ended.
    double rest_down() const
    {
        const double all = static_cast<double>(m_device.d2h_overhead) + time_of(m_piece, m_device.d2h_bandwidth)
            + time_of(m_bytes, m_device.staged_d2h_bandwidth);
        return std::max(0.0, all - down());
    }

private:
    const ModelDevice& m_device;
    double m_bytes, m_piece;
};

}  // namespace lanes::model
