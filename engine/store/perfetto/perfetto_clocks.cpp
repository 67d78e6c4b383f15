// SPDX-License-Identifier: MIT
#include "engine/store/perfetto/perfetto_clocks.h"

#include "engine/store/perfetto/protobuf_fields.h"
#include "engine/trace/units.h"

#include <algorithm>
#include <vector>

namespace lanes {

PerfettoClocks::Key PerfettoClocks::key_of(std::uint32_t clock, std::uint32_t sequence)
{
    return {clock, clock >= 64 && clock < 128 ? sequence : 0};
}

void PerfettoClocks::take(std::string_view snapshot, std::uint32_t sequence)
{
    struct Stamp {
        std::uint32_t clock = 0;
        std::uint64_t time = 0;  ///< ns
    };
    std::vector<Stamp> stamps;
    ProtobufField field;
    for (ProtobufFields fields(snapshot); fields.next(field);) {
        if (!field.is(1, ProtobufField::bytes)) {
            continue;
        }
        std::uint64_t stamp = 0;
        std::uint32_t id = 0;
        Clock clock;
        ProtobufField part;
        for (ProtobufFields parts(field.text); parts.next(part);) {
            if (part.type == ProtobufField::varint) {
                id = part.number == 1 ? static_cast<std::uint32_t>(part.value) : id;
                stamp = part.number == 2 ? part.value : stamp;
                clock.is_incremental = part.number == 3 ? part.value != 0 : clock.is_incremental;
                clock.unit = part.number == 4 ? std::max<std::uint64_t>(part.value, 1) : clock.unit;
            }
        }
        clock.last = stamp;
        auto& known = m_clocks[key_of(id, sequence)];
        clock.ahead = known.ahead;
        clock.is_known = known.is_known;
        known = clock;
        stamps.push_back({id, stamp * clock.unit});
    }
    const auto target
        = std::find_if(stamps.begin(), stamps.end(), [](const Stamp& stamp) { return stamp.clock == boottime; });
    if (target == stamps.end()) {
        return;
    }
    for (const auto& stamp : stamps) {
        auto& clock = m_clocks[key_of(stamp.clock, sequence)];
        if (stamp.clock == realtime && !clock.is_known) {
            const auto since = static_cast<Ns>(stamp.time - target->time);
            m_since_1970 = is_sane(since) ? since : 0;
        }
        clock.ahead = target->time - stamp.time;
        clock.is_known = true;
    }
}

Ns PerfettoClocks::time_of(std::uint64_t stamp, std::uint32_t clock, std::uint32_t sequence)
{
    const auto found = m_clocks.find(key_of(clock, sequence));
    if (found == m_clocks.end()) {
        return static_cast<Ns>(stamp);
    }
    auto& known = found->second;
    if (known.is_incremental) {
        stamp += known.last;
        known.last = stamp;
    }
    return static_cast<Ns>(stamp * known.unit + known.ahead);
}

}  // namespace lanes
