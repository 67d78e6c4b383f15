// SPDX-License-Identifier: MIT
// How a thread's time in a pageable copy's call divides into the steps of its staging: piece after piece, each over the
// link and through the host's copying. The model device records these steps; for recordings of other sources, which
// lack them, they are sketched.
//
// Invariant: the parts follow one another without a gap, from `start` to `end`. Cost: constant, also of a part.
#pragma once

#include "engine/trace/units.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace lanes {

enum class StagingStep : std::uint8_t {
    wait,  ///< for earlier work, or for the first piece
    pinned_buffer,  ///< the first buffer of an upload is made ready
    transfer,  ///< a piece over the link
    host_copy,  ///< the host copies a piece into or out of the driver's pinned buffer
};

/// The names in recordings of model devices.
inline const char* name_of(StagingStep step)
{
    constexpr const char* names[] = {"wait", "pinned buffer", "transfer", "host copy"};
    return names[static_cast<std::size_t>(step)];
}

struct StagingPart {
    StagingStep step;
    Ns start, end;
};

class StagingDivision {
public:
    /// `chunk`: bytes of a piece; `link`: bytes a second over the link. For an upload, the link carries the piece
    /// before the one that the host copies; it carries the last one after the call.
    StagingDivision(bool up, double bytes, double chunk, double link, Ns start, Ns end)
        : m_up(up)
        , m_start(start)
        , m_pieces(std::max(1.0, std::ceil(bytes / chunk)))
        , m_each(static_cast<double>(end - start) / m_pieces)
        , m_link(std::min(m_each / 2, bytes / m_pieces / link * 1e9))
    {
    }

    std::size_t pieces() const { return static_cast<std::size_t>(m_pieces); }
    /// The time of a piece, in ns.
    double each() const { return m_each; }
    Ns start() const { return m_start; }
    /// Two parts a piece; one can be empty.
    std::size_t size() const { return 2 * pieces(); }
    StagingPart operator[](std::size_t i) const
    {
        const std::size_t number = i / 2;
        const auto piece = static_cast<double>(number);
        const auto at = [this](double time) { return static_cast<Ns>(m_start + std::llround(time)); };
        if (i % 2 == 1) {
            return {StagingStep::host_copy, at(piece * m_each + m_link), at((piece + 1) * m_each)};
        }
        return {m_up && i == 0 ? StagingStep::pinned_buffer : StagingStep::transfer, at(piece * m_each),
            at(piece * m_each + m_link)};
    }

private:
    bool m_up;
    Ns m_start;
    double m_pieces, m_each, m_link;
};

}  // namespace lanes
