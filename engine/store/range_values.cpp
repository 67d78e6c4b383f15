// SPDX-License-Identifier: MIT
#include "engine/store/range_values.h"

#include <algorithm>
#include <utility>

namespace lanes {

void RangeValues::take(const Of& of, std::vector<PayloadValue> values)
{
    if (is_of_collective(values)) {
        m_collectives.push_back({of, std::move(values)});
    } else {
        write(of, values);
    }
}

void RangeValues::finish()
{
    std::stable_sort(m_collectives.begin(), m_collectives.end(),
        [](const Collective& a, const Collective& b) { return a.of.start < b.of.start; });
    CollectiveCounter calls;
    for (auto& collective : m_collectives) {
        calls.count(collective.of.process, m_builder.text(collective.of.function), collective.values);
        write(collective.of, collective.values);
    }
    m_collectives.clear();
}

void RangeValues::write(const Of& of, std::span<const PayloadValue> values)
{
    std::uint16_t place = 0;
    for (const auto& value : values) {
        m_builder.write(RangeValueRecord {of.range, value.value, of.process, m_builder.intern(value.name),
            value.words.empty() ? 0 : m_builder.intern(value.words), value.type, place++});
    }
}

}  // namespace lanes
