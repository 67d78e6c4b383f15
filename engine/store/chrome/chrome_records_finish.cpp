// SPDX-License-Identifier: MIT
// What is known only when all events are there: whose the operations are, names of processes and threads, the trace.
#include "engine/store/chrome/chrome_records.h"
#include "engine/store/own_meta.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/ranks.h"

#include <algorithm>
#include <set>

namespace lanes {

/// Rows of a GPU do not say which process they are of: that of the call with the same correlation, else the one that
/// made most calls.
void ChromeRecords::place_operations()
{
    std::unordered_map<std::uint32_t, std::uint32_t> by_correlation;
    std::map<std::uint32_t, std::size_t> calls;
    for (std::size_t i = 0; i < m_calls.size();) {  // runs of one process are the rule
        const auto process = m_calls[i].process;
        auto& count = calls[process];
        for (; i < m_calls.size() && m_calls[i].process == process; ++i) {
            ++count;
        }
    }
    if (calls.size() > 1) {
        for (const auto& call : m_calls) {
            by_correlation.try_emplace(call.correlation, call.process);
        }
    }
    std::uint32_t most
        = m_used_processes.empty() ? 0 : *std::min_element(m_used_processes.begin(), m_used_processes.end());
    std::size_t most_calls = 0;
    for (const auto& [process, count] : calls) {
        if (count > most_calls) {
            most = process;
            most_calls = count;
        }
    }
    const auto place = [&](auto& records) {
        for (auto& r : records) {
            const auto found = calls.size() > 1 ? by_correlation.find(r.correlation) : by_correlation.end();
            r.process = found == by_correlation.end() ? most : found->second;
        }
    };
    place(m_kernels);
    place(m_copies);
    place(m_memsets);
    place(m_syncs);
    place(m_events);
    for (auto& r : m_overheads) {
        r.process = most;
    }
    for (auto& r : m_copies) {
        if (const auto size = m_sizes.find(r.correlation); r.bytes == 0 && size != m_sizes.end()) {
            r.bytes = static_cast<std::uint64_t>(size->second);
        }
    }
    m_used_processes.insert(most);
    if (m_rank >= 0) {
        m_builder.write_meta(meta::ranks, text_of(std::vector {Rank {most, m_rank, m_world}}));
    }
}

void ChromeRecords::describe()
{
    for (const auto& [text, id] : m_text_ids) {
        if (m_used_processes.contains(id)) {
            m_process_names.try_emplace(id, text);
        }
    }
    for (const auto& [process, name] : m_process_names) {
        if (m_used_processes.contains(process)) {
            const auto shown = m_rank >= 0 ? name + ", rank " + std::to_string(m_rank) : name;
            m_builder.write(ProcessRecord {.process = process, .parent = 0, .name = m_builder.intern(shown)});
        }
    }
    for (const auto& [text, id] : m_text_ids) {
        for (const auto process : m_used_processes) {
            m_thread_names.try_emplace(
                pair_key(process, id), text.starts_with('-') ? "thread " + text.substr(1) : text);
        }
    }
    std::uint32_t order = 0;
    for (const auto& [key, name] : m_thread_names) {
        const auto process = static_cast<std::uint32_t>(key >> 32U);
        if (m_used_threads.contains(key)) {
            m_builder.write(ThreadRecord {.process = process,
                .thread = static_cast<std::uint32_t>(key),
                .name = m_builder.intern(name),
                .order = order++});
        }
    }
    if (!m_async.empty()) {  // their lanes come behind all threads, also behind those without a name
        for (const auto key : std::set(m_used_threads.begin(), m_used_threads.end())) {
            if (!m_thread_names.contains(key)) {
                m_builder.write(
                    ThreadRecord {static_cast<std::uint32_t>(key >> 32U), static_cast<std::uint32_t>(key), 0, order++});
            }
        }
    }
    for (const auto& [id, device] : m_devices) {
        if (m_used_devices.contains(id)) {
            DeviceRecord r {};
            r.device = id;
            r.name = m_builder.intern(device.name);
            r.memory_bytes = device.memory;
            r.multiprocessors = device.multiprocessors;
            r.compute_major = device.major;
            r.compute_minor = device.minor;
            m_builder.write(r);
        }
    }
}

std::string ChromeRecords::not_shown() const
{
    std::string lines;
    for (const auto& [what, count] : m_unshown) {
        if (count > 0) {
            lines += (lines.empty() ? "" : "\n") + what + ' ' + std::to_string(count);
        }
    }
    return lines;
}

void ChromeRecords::give_all()
{
    m_unshown["flows"] += m_autograd.finish(m_ranges, m_own.has_value(), m_builder);
    m_builder.take(std::move(m_kernels));
    m_builder.take(std::move(m_copies));
    m_builder.take(std::move(m_memsets));
    m_builder.take(std::move(m_syncs));
    m_builder.take(std::move(m_events));
    m_builder.take(std::move(m_calls));
    m_builder.take(std::move(m_ranges));
    m_builder.take(std::move(m_overheads));
    m_builder.take(std::move(m_host_spans));
    m_builder.take(std::move(m_reads));
    m_builder.take(std::move(m_counters));
}

/// What Lanescope wrote says everything itself.
Trace ChromeRecords::finish_own(const Progress& progress)
{
    order_by_place(m_syncs, m_sync_places);
    order_by_place(m_calls, m_call_places);
    order_by_place(m_ranges, m_range_places);
    order_by_place(m_overheads, m_overhead_places);
    order_by_place(m_host_spans, m_span_places);
    order_by_place(m_reads, m_read_places);
    m_builder.keep_times_and_devices(m_base);
    if (const auto names = m_own->meta.find(meta::step_names); names != m_own->meta.end()) {
        m_builder.write_meta(meta::step_names, names->second);
    }
    give_all();
    auto trace = m_builder.finish(m_own->source, progress);
    trace.dropped = m_own->dropped;
    take_own(trace, std::move(m_own->meta), std::move(m_own->marks), m_base);
    return trace;
}

Trace ChromeRecords::finish(const Progress& progress)
{
    if (m_own) {
        return finish_own(progress);
    }
    place_operations();
    describe();
    give_all();
    m_async.finish(m_builder, first_text_id + static_cast<std::uint32_t>(m_text_ids.size()), m_next_range);
    m_builder.count_from(m_base);
    auto trace = m_builder.finish(m_kineto ? Source::kineto : Source::chrome, progress);
    if (auto lines = not_shown(); !lines.empty()) {
        trace.meta[meta::not_shown] = std::move(lines);
    }
    meta::add(trace.meta, meta::skipped_rows, m_timeless);
    return trace;
}

}  // namespace lanes
