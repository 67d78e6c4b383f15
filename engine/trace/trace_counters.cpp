// SPDX-License-Identifier: MIT
// Makes the counters of a Trace from the records that TraceAssembly kept.
#include "engine/trace/large_vector.h"
#include "engine/trace/trace_assembly.h"

#include <algorithm>

namespace lanes {

namespace {

/// The ids that identify a counter.
using CounterKey = std::tuple<std::uint32_t, std::uint32_t, StringId, CounterRecord::Unit>;

CounterKey counter_key(const CounterRecord& record)
{
    return {record.process, record.device, record.name, record.unit};
}

/// A look-up of counters: millions of samples are of a handful of counters.
template <class Value> class ByCounter {
public:
    Value& operator[](const CounterRecord& record)
    {
        const auto key = counter_key(record);
        auto& recent = m_recent[(record.name * 31 + record.device + record.process) % m_recent.size()];
        if (recent.value == nullptr || recent.key != key) {
            recent = {key, &m_all[key]};  // a map's elements stay where they are
        }
        return *recent.value;
    }
    std::map<CounterKey, Value>& all() { return m_all; }

private:
    struct Slot {
        CounterKey key {};
        Value* value = nullptr;
    };
    std::map<CounterKey, Value> m_all;
    std::array<Slot, 64> m_recent;
};

}  // namespace

/// A value from before the window goes on in it: each counter's last sample before the window is moved to its begin.
void TraceAssembly::keep_values()
{
    auto& records = m_records.of<CounterRecord>();
    if (records.empty() || m_window_begin == std::numeric_limits<Ns>::min()) {
        return;
    }
    ByCounter<const CounterRecord*> before;
    for (const auto& record : records) {
        auto& last = before[record];
        if (record.time < m_window_begin && (last == nullptr || last->time <= record.time)) {
            last = &record;
        }
    }
    std::vector<CounterRecord> kept;
    for (const auto& [key, last] : before.all()) {
        if (last != nullptr) {
            kept.push_back(*last);
            kept.back().time = m_window_begin;
        }
    }
    for (const auto& record : records) {
        if (in_window(record.process, record.time)) {
            kept.push_back(record);
        }
    }
    records = std::move(kept);
}

/// A process with only counters counts as a process, too.
void TraceAssembly::see_counters()
{
    std::map<std::uint32_t, Process> processes;
    for (const auto& process : m_trace.processes) {
        processes.emplace(process.id, process);
    }
    for (const auto& record : m_records.of<CounterRecord>()) {
        processes.try_emplace(record.process, Process {record.process, 0, 0});
    }
    if (processes.size() > m_trace.processes.size()) {
        m_trace.processes.clear();
        for (const auto& [id, process] : processes) {
            m_trace.processes.push_back(process);
        }
    }
}

void TraceAssembly::make_counters()
{
    auto& records = m_records.of<CounterRecord>();
    struct Place {
        std::size_t counter = 0, samples = 0, next = 0;
    };
    ByCounter<Place> places;
    for (const auto& record : records) {
        ++places[record].samples;
    }
    std::vector<std::pair<CounterKey, Place*>> order;
    for (auto& [key, place] : places.all()) {
        order.emplace_back(key, &place);
    }
    std::sort(order.begin(), order.end(), [this](const auto& a, const auto& b) {
        const auto rank = [this](const CounterKey& key) {  // no_id + 1 is 0
            const auto& [process, device, name, unit] = key;
            return std::tuple(process, device + 1, m_trace.text(name), unit);
        };
        return rank(a.first) < rank(b.first);
    });
    auto& samples = m_trace.samples;
    Row begin = 0;
    for (const auto& [key, place] : order) {
        const auto& [process, device, name, unit] = key;
        const auto end = begin + static_cast<Row>(place->samples);
        m_trace.counters.push_back(
            {process, device, name, unit <= CounterRecord::percent ? unit : CounterRecord::none, {begin, end}});
        place->next = begin;
        begin = end;
    }
    reserve_large(samples.time, begin);
    reserve_large(samples.value, begin);
    samples.time.resize(begin);
    samples.value.resize(begin);
    // In the order of their times, in which the records nearly are.
    const auto earlier = [](const CounterRecord& a, const CounterRecord& b) { return a.time < b.time; };
    if (!std::is_sorted(records.begin(), records.end(), earlier)) {
        std::stable_sort(records.begin(), records.end(), earlier);
    }
    for (const auto& record : records) {
        const auto at = places[record].next++;
        samples.time[at] = record.time - m_origin;
        samples.value[at] = record.number();
    }
    release(records);
}

}  // namespace lanes
