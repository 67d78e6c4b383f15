// SPDX-License-Identifier: MIT
// The values of one counter of a recording, with fast queries for any time span, however many samples it has.
//
// A value holds from its sample until the next one, the last one until the recording's end; before the first nobody
// knows. Refers to the recording, which must outlive it. In memory 2 bytes a sample; making it is one pass.
#pragma once

#include "engine/trace/trace.h"

#include <optional>
#include <vector>

namespace lanes::gui {

class CounterCurve {
public:
    struct Values {
        double least, most;
        friend bool operator==(const Values&, const Values&) = default;
    };
    /// `until`: the end of the recording.
    CounterCurve(const Trace& trace, Row counter, Ns until);

    CounterRecord::Unit unit() const { return m_unit; }
    /// Of all samples.
    const Values& values() const { return m_values; }
    /// The value at `time`; nothing before the first sample and from the recording's end on. log n.
    std::optional<double> at(Ns time) const;
    /// The least and the most of [start, end), with what holds at `start`. log n.
    std::optional<Values> in(Ns start, Ns end) const;
    std::size_t bytes() const;

private:
    static constexpr std::size_t group = 16;  ///< samples, or entries of the level below
    /// Of samples [first, last), not empty.
    Values of(std::size_t first, std::size_t last) const;

    const Ns* m_times;
    const double* m_numbers;
    std::size_t m_size;
    Ns m_until;
    CounterRecord::Unit m_unit;
    std::vector<std::vector<Values>> m_levels;  ///< entry i of level k: group^(k + 1) samples
    Values m_values {};
};

}  // namespace lanes::gui
