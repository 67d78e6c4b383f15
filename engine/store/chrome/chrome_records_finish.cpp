// SPDX-License-Identifier: MIT
// What is known only after all events: the processes of operations, names of processes and threads, the trace.
#include "engine/store/chrome/chrome_records.h"
#include "engine/store/own_meta.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/ranks.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace lanes {

/// Rows of a GPU do not name their process: see ChromeOwners.
void ChromeRecords::place_operations()
{
    for (const auto& [pid, process] : m_own_rows.processes()) {
        m_used_processes.insert(process);
    }
    std::optional<std::uint32_t> idle;  // a process without any call
    for (const auto process : m_used_processes) {
        if (!m_xla_devices.contains(process)) {
            idle = std::min(idle.value_or(process), process);
        }
    }
    m_owners.find(m_calls, m_process_texts, idle.value_or(0), [this](auto use) {
        const auto of = [&](const auto& records) {
            for (const auto& r : records) {
                use(r.process, r.correlation, r.start);
            }
        };
        of(m_kernels);
        of(m_copies);
        of(m_memsets);
    });
    const auto place = [&](auto& records, auto start) {
        for (auto& r : records) {
            r.process = m_owners.process_of(r.process, r.correlation, start(r));
            m_used_processes.insert(r.process);
        }
    };
    const auto start = [](const auto& r) { return r.start; };
    place(m_kernels, start);
    place(m_copies, start);
    place(m_memsets, start);
    place(m_syncs, start);
    place(m_overheads, start);
    place(m_events, [](const auto&) { return Ns {0}; });
    for (auto& r : m_counters) {
        r.process = m_own && r.device != no_id ? m_owners.process_of(r.process, 0, r.time) : r.process;
    }
    for (auto& r : m_copies) {
        if (const auto size = m_sizes.find(pair_key(r.process, r.correlation)); r.bytes == 0 && size != m_sizes.end()) {
            r.bytes = static_cast<std::uint64_t>(size->second);
        }
    }
    m_used_processes.insert(m_owners.main_process());
}

/// Names the streams that have a text instead of a number.
void ChromeRecords::name_streams()
{
    if (m_streams.empty() && !m_own) {
        return;
    }
    const auto name_of = [this](const auto& r) {
        if (m_own) {
            return m_own_rows.stream_name(r.device, r.stream);
        }
        if (!is_made_up(r.stream)) {
            return std::string();
        }
        const auto& text = m_streams.text_of(r.stream);
        const bool is_number = text.find_first_not_of("-0123456789abcdefABCDEFxX.") == std::string::npos;
        return (is_number ? "stream " : "") + text;
    };
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> named;
    const auto of = [&](const auto& records) {
        for (const auto& r : records) {
            if (!named.emplace(r.process, r.context, r.stream).second) {
                continue;
            }
            if (const auto name = name_of(r); !name.empty()) {
                m_builder.write(StreamRecord {.process = r.process,
                    .context = r.context,
                    .stream = r.stream,
                    .priority = 0,
                    .flag = StreamRecord::unknown,
                    .name = m_builder.intern(name)});
            }
        }
    };
    of(m_kernels);
    of(m_copies);
    of(m_memsets);
}

/// A file of one process says its rank itself. In a file of several, the texts that distinguish them may name the
/// ranks; else ranks follow the order of the file.
void ChromeRecords::find_ranks()
{
    std::set<std::uint32_t> busy;
    const auto of = [&](const auto& records) {
        for (const auto& r : records) {
            busy.insert(r.process);
        }
    };
    of(m_kernels);
    of(m_copies);
    of(m_memsets);
    if (busy.size() < 2) {
        if (m_rank >= 0) {
            m_builder.write_meta(meta::ranks, text_of(std::vector {Rank {m_owners.main_process(), m_rank, m_world}}));
        }
        return;
    }
    m_rank = -1;  // it was that of the first file put into this one
    std::vector<Rank> ranks;
    std::set<std::int64_t> told;
    const auto world = static_cast<std::int64_t>(busy.size());
    for (const auto process : m_processes) {
        if (!busy.contains(process)) {
            continue;
        }
        auto rank = rank_in(name_of_process(process));
        if (rank) {
            told.insert(*rank);
        }
        ranks.push_back({process, rank.value_or(-1), world});
    }
    if (told.size() != ranks.size()) {
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            ranks[i].rank = static_cast<std::int64_t>(i);
        }
    } else {
        for (auto& rank : ranks) {
            rank.world = std::max(world, *told.rbegin() + 1);
        }
    }
    const bool is_order_of_ids = std::is_sorted(
        ranks.begin(), ranks.end(), [](const Rank& a, const Rank& b) { return a.process < b.process; });
    if (told.size() == ranks.size() || !is_order_of_ids) {
        m_builder.write_meta(meta::ranks, text_of(ranks));
    }
}

std::string ChromeRecords::name_of_process(std::uint32_t process) const
{
    const auto in = [process](const auto& names) {
        const auto found = names.find(process);
        return found == names.end() ? std::string() : found->second;
    };
    if (const auto text = in(m_process_texts); !text.empty()) {
        return text;
    }
    const auto name = in(m_process_names);
    const auto label = in(m_process_labels);
    // "CPU" and "GPU 0" are Kineto's, and do not describe a process.
    const bool says = !label.empty() && !label.starts_with("CPU") && !label.starts_with("GPU");
    return says ? name + (name.empty() ? "" : ", ") + label : name;
}

void ChromeRecords::describe()
{
    for (const auto process : std::set(m_used_processes.begin(), m_used_processes.end())) {
        const auto name = name_of_process(process);
        if (!name.empty()) {
            const auto shown = m_rank >= 0 ? name + ", rank " + std::to_string(m_rank) : name;
            m_builder.write(ProcessRecord {.process = process, .parent = 0, .name = m_builder.intern(shown)});
        }
    }
    for (const auto key : m_used_threads) {
        if (const auto thread = static_cast<std::uint32_t>(key); is_made_up(thread) && !m_own) {
            const auto& text = m_made_up.text_of(thread);
            m_thread_names.try_emplace(key, text.starts_with('-') ? "thread " + text.substr(1) : text);
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
    if (!m_async.empty()) {  // their lanes come after all threads, even those without a name
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
    m_told.finish();
    m_builder.take(std::move(m_kernels));
    m_builder.take(std::move(m_copies));
    m_builder.take(std::move(m_memsets));
    m_builder.take(std::move(m_syncs));
    m_builder.take(std::move(m_events));
    m_builder.take(std::move(m_calls));
    m_builder.take(std::move(m_ranges));
    m_builder.take(std::move(m_overheads));
    m_builder.take(std::move(m_counters));
}

Trace ChromeRecords::finish(const Progress& progress)
{
    if (m_own) {
        m_rank = -1;  // meta has the rank
    }
    place_operations();
    name_streams();
    find_ranks();
    describe();
    give_all();
    m_async.finish(m_builder, m_made_up.next(), m_next_range);
    if (m_own) {
        m_builder.keep_times_and_devices(m_base);
    } else {
        m_builder.count_from(m_base);
    }
    auto trace = m_builder.finish(m_own ? m_own->source : m_kineto ? Source::kineto : Source::chrome, progress);
    if (m_own) {
        trace.dropped = m_own->dropped;
        take_own(trace, std::move(m_own->meta), std::move(m_marks), m_base);
    }
    if (auto lines = not_shown(); !lines.empty()) {
        trace.meta[meta::not_shown] = std::move(lines);
    }
    meta::add(trace.meta, meta::skipped_rows, m_timeless);
    return trace;
}

}  // namespace lanes
