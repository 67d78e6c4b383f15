// SPDX-License-Identifier: MIT
#include "engine/trace/trace_assembly.h"

#include <algorithm>

namespace lanes {

void TraceStreams::know(const std::vector<ContextRecord>& contexts)
{
    for (const auto& context : contexts) {
        if (context.device != no_id) {
            m_context_devices[pair_of(context.process, context.context)].told = context.device;
        }
    }
}

std::uint32_t TraceStreams::device_of(std::uint32_t process, std::uint32_t context) const
{
    const auto found = m_context_devices.find(pair_of(process, context));
    if (found == m_context_devices.end()) {
        return no_id;
    }
    const auto& [told, used, agrees] = found->second;
    return told != no_id && (agrees || used == no_id) ? told : used;
}

std::size_t TraceStreams::place_of(const Key& key)
{
    const auto [device, process, context, id] = key;
    return (id + device * 31 + context * 67 + process * 131) % std::tuple_size_v<decltype(m_recent)>;
}

std::uint32_t TraceStreams::see(
    std::uint32_t process, std::uint32_t device, std::uint32_t context, std::uint32_t stream, bool firm)
{
    const Key key {device, process, context, stream};  // no_id: resolve_devices()
    auto& recent = m_recent[place_of(key)];
    if (recent.used && recent.key == key && (recent.known.firm || !firm)) {
        return recent.known.number;
    }
    auto& known = m_streams.try_emplace(key).first->second;
    known.firm = known.firm || firm;
    if (known.number == no_id) {
        known.number = static_cast<std::uint32_t>(m_seen.size());
        m_seen.push_back(key);
    }
    recent = {key, known, true};
    if (device != no_id) {
        auto& of = m_context_devices[pair_of(process, context)];
        of.used = of.used == no_id ? device : of.used;
        of.agrees = of.agrees || device == of.told;
    }
    return known.number;
}

/// Records that named a stream before its device was known.
void TraceStreams::resolve_devices()
{
    for (auto at = m_streams.begin(); at != m_streams.end();) {
        const auto [device, process, context, id] = at->first;
        if (device == no_id) {
            const auto known = device_of(process, context);
            auto& stream = m_streams.try_emplace(Key {known == no_id ? 0 : known, process, context, id}).first->second;
            stream.firm = stream.firm || at->second.firm;
            auto& of = m_context_devices[pair_of(process, context)];
            of.used = known == no_id ? 0 : of.used;
            at = m_streams.erase(at);
        } else {
            ++at;
        }
    }
}

void TraceStreams::finish(
    Trace& trace, const std::vector<StreamRecord>& streams, const std::vector<ContextRecord>& contexts)
{
    for (const auto& record : streams) {
        see(record.process, no_id, record.context, record.stream, true);
    }
    resolve_devices();
    std::multimap<std::pair<std::uint32_t, std::uint32_t>, Key> firm;  // by process and stream id
    for (const auto& [key, known] : m_streams) {
        if (known.firm) {
            firm.emplace(std::pair(std::get<1>(key), std::get<3>(key)), key);
        }
    }
    std::vector<std::pair<Known*, Key>> elsewhere;
    std::multimap<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Row> by_id;
    for (auto& [key, known] : m_streams) {
        const auto [device, process, context, id] = key;
        if (!known.firm && firm.count({process, id}) == 1) {
            elsewhere.emplace_back(&known, firm.find({process, id})->second);
            continue;
        }
        known.row = static_cast<Row>(trace.streams.size());
        trace.streams.push_back({process, device, context, id, 0, 0, StreamRecord::unknown});
        by_id.emplace(std::tuple(process, context, id), known.row);
    }
    for (const auto& [known, key] : elsewhere) {
        known->row = m_streams.at(key).row;
    }
    for (const auto& record : streams) {
        const auto [begin, end] = by_id.equal_range(std::tuple(record.process, record.context, record.stream));
        for (auto at = begin; at != end; ++at) {
            auto& stream = trace.streams[at->second];
            stream.name = record.name != 0 ? record.name : stream.name;
            if (record.flag != StreamRecord::unknown) {
                stream.flag = record.flag;
                stream.priority = record.priority;
            }
        }
    }
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> null_streams;
    for (const auto& record : contexts) {
        null_streams[{record.process, record.device, record.context}] = record.null_stream;
    }
    for (const auto& [key, null_stream] : null_streams) {
        trace.contexts.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), null_stream});
    }
    m_recent = {};
    for (const auto& [device, process, context, id] : m_seen) {
        m_rows.push_back(row(process, device, context, id));
    }
}

Row TraceStreams::row(std::uint32_t process, std::uint32_t device, std::uint32_t context, std::uint32_t stream) const
{
    if (device == no_id) {
        device = device_of(process, context);
    }
    const Key key {device, process, context, stream};
    auto& recent = m_recent[place_of(key)];
    if (!recent.used || recent.key != key) {
        const auto found = m_streams.find(key);
        if (found == m_streams.end()) {
            return no_row;
        }
        recent = {key, found->second, true};
    }
    return recent.known.row;
}

}  // namespace lanes
