// SPDX-License-Identifier: MIT
// The clocks of a Perfetto trace, brought to one: BOOTTIME, or the only one that is named; private to engine/store.
#pragma once

#include "probes/units.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace lanes {

class PerfettoClocks {
public:
    static constexpr std::uint32_t realtime = 1, boottime = 6;

    /// Takes a ClockSnapshot of a sequence. Throws ProtobufDamage.
    void take(std::string_view snapshot, std::uint32_t sequence);
    /// A time of a clock, ns of the trace. Of an incremental clock the time is since the one before it.
    Ns time_of(std::uint64_t stamp, std::uint32_t clock, std::uint32_t sequence);
    /// What makes a time of the trace one since 1970: 0 if the file does not say.
    Ns since_1970() const { return m_since_1970; }

private:
    /// Clocks from 64 to 127 belong to a sequence.
    using Key = std::pair<std::uint32_t, std::uint32_t>;
    static Key key_of(std::uint32_t clock, std::uint32_t sequence);
    struct Clock {
        std::uint64_t unit = 1;  ///< ns
        bool is_incremental = false;
        std::uint64_t last = 0;  ///< of an incremental clock, in its unit
        std::uint64_t ahead = 0;  ///< BOOTTIME less this clock, ns; wraps
        bool is_known = false;  ///< `ahead` is
    };

    std::map<Key, Clock> m_clocks;
    Ns m_since_1970 = 0;
};

}  // namespace lanes
