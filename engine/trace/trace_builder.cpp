// SPDX-License-Identifier: MIT
#include "engine/trace/trace_builder.h"
#include "engine/trace/large_vector.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_assembly.h"
#include "engine/trace/trace_records.h"

#include <algorithm>

namespace lanes {

struct TraceBuilder::State {
    Trace trace;  ///< strings and meta are filled as records come, the rest in finish()
    TraceRecords records;
    std::unordered_map<std::uint32_t, StringMap> writers;
};

TraceBuilder::TraceBuilder()
    : m_state(std::make_unique<State>())
{
}
TraceBuilder::~TraceBuilder() = default;

std::string_view TraceBuilder::text(StringId id) const
{
    return m_state->trace.strings.text(id);
}

StringId TraceBuilder::intern(std::string_view text)
{
    return m_state->trace.strings.intern(text);
}

void TraceBuilder::write_meta(std::string_view key, std::string_view value)
{
    m_state->trace.meta.insert_or_assign(std::string(key), value);
}

std::string TraceBuilder::meta_of(std::string_view key) const
{
    return std::string(meta::text_of(m_state->trace.meta, std::string(key)));
}

void TraceBuilder::expect(RecordKind kind, std::size_t records)
{
    m_state->records.expect(kind, records);
}

template <Record R> void TraceBuilder::take(std::vector<R>&& records)
{
    if constexpr (std::is_same_v<Kept<R>, R>) {
        if (auto& known = m_state->records.of<R>(); known.empty()) {
            known.swap(records);
        }
    }
    write(std::span<const R>(records));
    release(records);
}

template void TraceBuilder::take(std::vector<ApiCallRecord>&&);
template void TraceBuilder::take(std::vector<KernelRecord>&&);
template void TraceBuilder::take(std::vector<CopyRecord>&&);
template void TraceBuilder::take(std::vector<MemsetRecord>&&);
template void TraceBuilder::take(std::vector<SyncRecord>&&);
template void TraceBuilder::take(std::vector<EventRecord>&&);
template void TraceBuilder::take(std::vector<OverheadRecord>&&);
template void TraceBuilder::take(std::vector<RangeRecord>&&);
template void TraceBuilder::take(std::vector<CounterRecord>&&);
template void TraceBuilder::take(std::vector<AutogradRecord>&&);

void TraceBuilder::take(const SpoolChunk& chunk)
{
    if (chunk.kind == RecordKind::meta) {
        for (const auto& [key, value] : lanes::meta_of(chunk)) {
            write_meta(key, value);
        }
        return;
    }
    auto& strings = m_state->writers[chunk.writer];
    if (chunk.kind == RecordKind::strings) {
        for (const auto& [id, text] : strings_of(chunk)) {
            strings.insert_or_assign(id, intern(text));
        }
        return;
    }
    m_state->records.append(chunk.kind, chunk.payload, &strings);
}

void TraceBuilder::append(RecordKind kind, std::span<const std::byte> payload, std::size_t)
{
    m_state->records.append(kind, payload, nullptr);
}

void TraceBuilder::keep_times_and_devices(Ns origin)
{
    m_state->records.kept_origin = origin;
}

void TraceBuilder::count_from(Ns base)
{
    m_state->records.base = base;
}

void TraceBuilder::keep_repetition(std::size_t repetition)
{
    m_state->records.repetition = repetition;
}

void TraceBuilder::keep_part(Interval part)
{
    m_state->records.cut = part;
}

void TraceBuilder::keep_recorded(Interval part)
{
    m_state->records.recorded = part;
}

void TraceBuilder::begin_by(Ns origin)
{
    m_state->records.latest_origin = origin;
}

Trace TraceBuilder::finish(Source source, const Progress& progress)
{
    auto state = std::make_unique<State>();
    state.swap(m_state);
    state->trace.source = source;
    const auto& lines = state->trace.meta.find(meta::step_names);
    if (lines != state->trace.meta.end()) {
        std::string_view rest = lines->second;
        while (!rest.empty()) {
            const auto end = rest.find('\n');
            state->records.step_names.emplace_back(rest.substr(0, end));
            rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
        }
    }
    TraceAssembly(state->trace, state->records, progress).run();
    return std::move(state->trace);
}

}  // namespace lanes
