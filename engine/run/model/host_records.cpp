// SPDX-License-Identifier: MIT
#include "engine/run/model/host_records.h"

#include <algorithm>

namespace lanes::model {

namespace {

/// Each buffer has a separate stretch of a made-up address space.
std::uint64_t address_of(Index buffer)
{
    return (std::uint64_t {buffer} + 1) << 40;
}

}  // namespace

CallLog::Call CallLog::begin(const char* name)
{
    return {m_core.now, ++m_core.last_correlation, m_core.records.text(name)};
}

void CallLog::waited(ModelTruth::Wait cause, Ns start, ModelTruth::Work for_what)
{
    if (m_core.now > start) {
        m_waited = {0, cause, start, m_core.now, for_what};
    }
}

void CallLog::end(const Call& call, std::int32_t result)
{
    m_failed = m_failed || m_core.reported;
    if (m_waited && m_core.truth != nullptr) {
        m_waited->correlation = call.correlation;
        m_core.truth->waits.push_back(*m_waited);
    }
    m_waited.reset();
    m_core.records.add(ApiCallRecord {.start = call.start,
        .end = m_core.now,
        .process = process_id,
        .thread = m_thread,
        .correlation = call.correlation,
        .name = call.name,
        .api = ApiCallRecord::runtime,
        .result = m_core.reported ? fault_code : result});
}

void record_host_span(
    Core& core, std::uint32_t thread, Interval span, HostSpanRecord::Type type, const std::string& name)
{
    core.records.add(HostSpanRecord {.start = span.start,
        .end = span.end,
        .process = process_id,
        .thread = thread,
        .name = core.records.text(name),
        .type = type});
}

void record_staging(Core& core, std::uint32_t thread, StagingPart part)
{
    if (part.end > part.start) {
        core.records.add(HostSpanRecord {.start = part.start,
            .end = part.end,
            .process = process_id,
            .thread = thread,
            .name = core.records.text(name_of(part.step)),
            .type = HostSpanRecord::staging});
    }
}

void record_staging(Core& core, std::uint32_t thread, CopyKind kind, double bytes, Ns start, Ns end)
{
    const auto& device = core.device;
    const bool up = kind == CopyKind::h2d;
    const StagingDivision parts(
        up, bytes, device.staging_chunk, up ? device.h2d_bandwidth : device.d2h_bandwidth, start, end);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        record_staging(core, thread, parts[i]);
    }
}

MemoryOfCall memory_of(const Program& program, Index index, std::uint32_t stream)
{
    const auto& buffer = program.buffers[index];
    return {address_of(index), buffer.bytes, buffer.memory, buffer.gpu == no_id ? 0 : buffer.gpu, stream};
}

MemoryOfCall memory_of_segment(const Program& program, std::uint32_t gpu, std::uint32_t segment, std::uint64_t bytes)
{
    // After the buffers', those of the GPUs in turn.
    const auto place = program.buffers.size() + std::size_t {segment} * std::max(program.gpus, 1U) + gpu;
    return {address_of(static_cast<Index>(place)), bytes, MemoryKind::device, gpu, no_id};
}

void record_memory(Core& core, std::uint32_t correlation, const MemoryOfCall& memory, MemoryRecord::Operation what)
{
    core.records.add(MemoryRecord {.time = core.now,
        .address = memory.address,
        .bytes = memory.bytes,
        .process = process_id,
        .device = memory.gpu,
        .context = memory.gpu + 1,
        .stream = memory.stream,
        .correlation = correlation,
        .operation = what,
        .memory = memory.memory,
        .async = static_cast<std::uint8_t>(memory.stream == no_id ? 0 : 1)});
}

}  // namespace lanes::model
