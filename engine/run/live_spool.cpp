// SPDX-License-Identifier: MIT
#include "engine/run/live_spool.h"

#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"

#include <algorithm>
#include <utility>

namespace lanes {

namespace {

/// Whether such records are written once and hold from then on.
bool is_description(RecordKind kind)
{
    switch (kind) {
    case RecordKind::strings:
    case RecordKind::meta:
    case RecordKind::device:
    case RecordKind::context:
    case RecordKind::stream:
    case RecordKind::thread:
    case RecordKind::process:
    case RecordKind::window:
    case RecordKind::dropped:
    case RecordKind::error:
    case RecordKind::graph_node:
        return true;
    default:
        return false;
    }
}

/// From the first start to the last end of a chunk's records; empty for records without a time.
struct Span {
    Ns first = INT64_MAX, last = INT64_MIN;
    void see(Ns start, Ns end)
    {
        if (is_sane(start) && is_sane(end) && (start != 0 || end != 0)) {
            first = std::min(first, start);
            last = std::max({last, start, end});
        }
    }
};

template <class R> void see_all(const SpoolChunk& chunk, Span& span)
{
    if (chunk.kind != R::kind) {
        return;
    }
    for (const auto& record : records_of<R>(chunk)) {
        if constexpr (requires {
                          record.start;
                          record.end;
                      }) {
            span.see(record.start, record.end);
        } else if constexpr (requires { record.start; }) {
            span.see(record.start, record.start);
        } else if constexpr (requires { record.time; }) {
            span.see(record.time, record.time);
        }
    }
}

template <class... Rs> Span span_of(const SpoolChunk& chunk, RecordList<Rs...>)
{
    Span span;
    (see_all<Rs>(chunk, span), ...);
    return span;
}

}  // namespace

LiveSpool::LiveSpool(std::string path)
    : LiveSpool(std::move(path), Limits())
{
}

LiveSpool::LiveSpool(std::string path, const Limits& limits)
    : m_follower(std::move(path))
    , m_limits(limits)
{
}

bool LiveSpool::read()
{
    const auto before = m_newest;
    const auto kept = m_kept_records;
    m_follower.read([this](const SpoolChunk& chunk) {
        take(chunk);
        if (m_kept_records > m_limits.records) {
            drop_old();
        }
    });
    return m_newest != before || m_kept_records != kept;
}

void LiveSpool::take(const SpoolChunk& chunk)
{
    if (is_description(chunk.kind)) {
        m_descriptions.push_back(
            {chunk.kind, chunk.writer, chunk.count, 0, {chunk.payload.begin(), chunk.payload.end()}});
        return;
    }
    // Events without the GPU's time are at the times of their calls, whose records come beside them.
    auto span = span_of(chunk, AllRecords {});
    if (chunk.kind == RecordKind::event) {
        span.last = std::max(span.last, m_newest);
    }
    if (chunk.kind == RecordKind::clock || span.last == INT64_MIN) {
        return;  // no events, or an unknown kind
    }
    m_first = std::min(m_first, span.first);
    m_newest = std::max(m_newest, span.last);
    m_kept_records += chunk.count;  // records_of() has checked it against the payload
    m_happenings.push_back(
        {chunk.kind, chunk.writer, chunk.count, span.last, {chunk.payload.begin(), chunk.payload.end()}});
}

void LiveSpool::drop_old()
{
    while (m_happenings.size() > 1) {
        const auto& oldest = m_happenings.front();
        const bool too_many = m_kept_records > m_limits.most;
        if (!too_many
            && (m_kept_records - oldest.count < m_limits.records || oldest.newest >= m_newest - m_limits.least)) {
            return;
        }
        m_kept_records -= oldest.count;
        m_happenings.pop_front();
        m_is_whole = false;
    }
}

Trace LiveSpool::make(const Progress& progress)
{
    TraceBuilder builder;
    const auto give = [&](const Chunk& chunk) { builder.take({chunk.kind, chunk.writer, chunk.count, chunk.payload}); };
    std::for_each(m_descriptions.begin(), m_descriptions.end(), give);
    std::for_each(m_happenings.begin(), m_happenings.end(), give);
    if (m_first != INT64_MAX) {
        builder.begin_by(m_first);
    }
    auto trace = builder.finish(source_of(builder.meta_of(meta::source)), progress);
    trace.meta.erase(meta::spool_begin);
    trace.meta.erase(meta::spool_end);
    trace.meta.erase(meta::not_begun);
    trace.meta.erase(meta::unflushed);  // the program still runs
    trace.meta.erase(meta::refused_profiler);
    return trace;
}

}  // namespace lanes
