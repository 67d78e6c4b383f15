// SPDX-License-Identifier: MIT
#include "engine/job/summarize.h"

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/facts/iteration_spans.h"
#include "engine/analysis/facts/steady_state.h"
#include "engine/input_error.h"
#include "engine/ranks/clock_set.h"
#include "engine/ranks/issuer_time.h"
#include "engine/ranks/merge_ranks.h"
#include "engine/ranks/rank_collectives.h"
#include "engine/ranks/without_ranks.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/ranks.h"
#include "probes/inject/process_identity.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace lanes {

namespace {

/// The number after "rank" or "worker" in a file's name: rank0003.host.sqlite, worker7_step_12.json. One of seven
/// digits or more is a date or a time.
std::optional<std::int64_t> rank_in_name(const std::string& file)
{
    const auto name = std::filesystem::path(file).filename().string();
    for (const std::string_view word : {"rank", "worker"}) {
        for (auto at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
            const char* from = name.data() + at + word.size();
            const char* const end = name.data() + name.size();
            from += from != end && (*from == '_' || *from == '-') ? 1 : 0;
            std::int64_t rank = 0;
            if (std::from_chars(from, end, rank).ec == std::errc {} && rank >= 0 && rank < 1'000'000) {
                return rank;
            }
        }
    }
    return std::nullopt;
}

/// The host in the name that PyTorch's own handler gives a trace (torch.profiler.tensorboard_trace_handler):
/// HOST_PROCESS.TIME.pt.trace.json. Empty: the file has another name.
std::string host_in_name(const std::string& file, std::uint32_t process)
{
    const auto name = std::filesystem::path(file).filename().string();
    const auto at = name.find('_' + std::to_string(process) + '.');
    return at != std::string::npos && name.find(".pt.trace.json", at) != std::string::npos ? name.substr(0, at) : "";
}

/// What repeats in a recording.
struct Steps {
    std::vector<Interval> all;  // those of the warm-up too
    Interval steady;  // from the first one after the warm-up on
};

std::optional<Steps> steps_of(const Trace& trace)
{
    const auto repetition = find_repetition(trace);
    if (!repetition) {
        return std::nullopt;
    }
    auto all = iteration_spans(trace, *repetition).all;
    const Ns start = all[all.size() - repetition->steady.count].start;
    return Steps {std::move(all), {start, repetition->steady.span.end}};
}

/// Sums up what is known of one device of one process.
class Summarizer {
public:
    /// `of_all`: the steps of the recording of several ranks that `trace` was cut from; null: it was not cut.
    Summarizer(const Trace& trace, std::uint32_t process, const std::string& file, const Steps* of_all = nullptr)
        : m_trace(trace)
        , m_process(process)
        , m_of_all(of_all)
        , m_communicates(trace)
        , m_blocking(find_blocking(trace))
    {
        m_summary.file = file;
        m_summary.identity = identity_of(trace, process, file);
    }

    RankSummary make()
    {
        m_device = main_device();
        m_rows = add_collectives(m_trace, m_communicates, {m_process, m_device}, m_summary);
        add_intervals();
        auto host = issuer_time(m_trace, {m_process, m_device});
        m_loading = Coverage(std::move(host.loading));
        m_recording = Coverage(std::move(host.recording));
        add_device();
        measure_collectives();
        m_summary.chain = chain_of(m_trace, m_device, m_rows, held());
        m_summary.start += m_trace.origin;
        m_summary.end += m_trace.origin;
        add_steps();
        m_summary.times = times_of({m_first, m_last});
        for (std::size_t i = 0; i < rank_bins; ++i) {
            m_summary.bins[i] = times_of({edge(i), edge(i + 1)});
        }
        m_summary.clock_set = clock_set(m_trace);
        m_summary.dropped = m_trace.dropped;
        m_summary.complete = meta::text_of(m_trace.meta, meta::complete) != "no";
        return std::move(m_summary);
    }

private:
    /// The device on which most of the process's kernels communicate, else with most operations.
    std::uint32_t main_device() const
    {
        std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> counts;
        for (Row stream = 0; stream < m_trace.streams.size(); ++stream) {
            if (m_trace.streams[stream].process != m_process) {
                continue;
            }
            auto& [communicating, all] = counts[m_trace.streams[stream].device];
            const auto rows = m_trace.operations_of(stream);
            all += rows.size();
            for (Row row = rows.begin; row < rows.end; ++row) {
                communicating += m_communicates.has(m_trace, row) ? 1 : 0;
            }
        }
        const auto most = std::max_element(
            counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        if (most == counts.end() || most->second.second == 0) {
            throw InputError("'" + m_summary.file + "' has no GPU work of process "
                + m_trace.process_label_of(m_process) + ": there is nothing to summarize");
        }
        return most->first;
    }

    bool is_of_device(Row row) const
    {
        const auto& stream = m_trace.streams[m_trace.operations.stream[row]];
        return stream.device == m_device && stream.process == m_process;
    }

    void add_intervals()
    {
        const auto& ops = m_trace.operations;
        std::vector<Interval> all, computing, communicating, copying, blocked;
        m_first = record_time_limit;
        m_last = -record_time_limit;
        for (Row row = 0; row < ops.size(); ++row) {
            if (!is_of_device(row)) {
                continue;
            }
            ++m_summary.operations;
            const Interval time {ops.start[row], ops.end[row]};
            m_first = std::min(m_first, time.start);
            m_last = std::max(m_last, time.end);
            all.push_back(time);
            if (ops.kind[row] != OperationKind::kernel) {
                copying.push_back(time);
            } else if (m_communicates.has(m_trace, row)) {
                communicating.push_back(time);
            } else {
                computing.push_back(time);
                m_kernel_starts.push_back(time.start);
            }
        }
        std::sort(m_kernel_starts.begin(), m_kernel_starts.end());
        find_issuing_thread();
        for (const auto& call : m_blocking.calls) {
            if (m_trace.calls.thread[call.call] == m_thread) {
                blocked.push_back({call.start, call.end});
            }
        }
        const auto compute = unite(std::move(computing));
        auto communication = unite(std::move(communicating));
        auto exposed = subtract(communication, compute);
        auto copies = unite(std::move(copying));
        m_copies_alone = Coverage(subtract(copies, compute));
        m_all = Coverage(unite(std::move(all)));
        m_computing = Coverage(compute);
        m_communicating = Coverage(std::move(communication));
        m_exposed = Coverage(std::move(exposed));
        m_copying = Coverage(std::move(copies));
        m_blocked = Coverage(unite(std::move(blocked)));
        m_summary.start = m_first;
        m_summary.end = m_last;
    }

    /// The one with most calls that issue what communicates, else any operation.
    void find_issuing_thread()
    {
        const auto& ops = m_trace.operations;
        std::map<Row, std::size_t> counts;
        const auto count = [&](Row row) {
            if (const Row call = outermost(m_trace.calls, ops.call[row]); call != no_row) {
                ++counts[m_trace.calls.thread[call]];
            }
        };
        for (const Row row : m_rows) {
            count(row);
        }
        for (Row row = 0; counts.empty() && row < ops.size(); ++row) {
            if (is_of_device(row)) {
                count(row);
            }
        }
        const auto most = std::max_element(
            counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        m_thread = most == counts.end() ? no_row : most->first;
    }

    void add_device()
    {
        for (const auto& device : m_trace.devices) {
            if (device.id == m_device) {
                m_summary.device = m_trace.text(device.name);
                const auto uuid = m_trace.text(device.uuid);
                m_summary.identity.gpu = uuid.empty() ? m_trace.text(device.pci) : uuid;
            }
        }
    }

    void measure_collectives()
    {
        const auto& ops = m_trace.operations;
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            auto& one = m_summary.collectives[i];
            const Row row = m_rows[i];
            one.exposed = m_exposed.within({ops.start[row], ops.end[row]});
            const Interval before {m_first, ops.start[row]};
            one.compute_before = m_computing.within(before);
            one.copies_before = m_copies_alone.within(before);
            one.kernels_before = static_cast<std::uint64_t>(
                std::lower_bound(m_kernel_starts.begin(), m_kernel_starts.end(), ops.start[row])
                - m_kernel_starts.begin());
            const Interval until_issued {-record_time_limit, one.issued - m_trace.origin};
            one.loading_before = m_loading.within(until_issued);
            one.recording_before = m_recording.within(until_issued);
        }
    }

    std::vector<HeldThread> held() const
    {
        std::vector<HeldThread> held;
        for (const auto& stretch : m_blocking.calls) {
            const Row thread = m_trace.calls.thread[stretch.call];
            if (m_trace.threads[thread].process == m_process) {
                held.push_back({thread, stretch.start, stretch.end, stretch.released_by});
            }
        }
        return held;
    }

    /// Ranks of one recording have their steps in common: the host of one may be ahead of those of the others by whole
    /// steps.
    void add_steps()
    {
        const bool is_of_all = m_of_all != nullptr && m_all.within(m_of_all->steady) > 0;
        const auto own = is_of_all ? std::nullopt : steps_of(m_trace);
        const auto* const steps = is_of_all ? m_of_all : own ? &*own : nullptr;
        if (steps == nullptr) {
            return;
        }
        for (const auto& step : steps->all) {
            m_summary.steps.push_back({m_trace.origin + step.start, m_trace.origin + step.end, times_of(step)});
        }
        m_summary.steady = {m_trace.origin + steps->steady.start, m_trace.origin + steps->steady.end};
    }

    RankTimes times_of(Interval part) const
    {
        return {m_all.within(part), m_computing.within(part), m_communicating.within(part), m_exposed.within(part),
            m_copying.within(part), m_blocked.within(part)};
    }
    Ns edge(std::size_t bin) const
    {
        const Ns all = m_last - m_first;
        const auto part = static_cast<Ns>(bin);
        constexpr auto parts = static_cast<Ns>(rank_bins);
        return m_first + all / parts * part + all % parts * part / parts;
    }

    const Trace& m_trace;
    std::uint32_t m_process;
    const Steps* m_of_all;
    CommunicationKernels m_communicates;
    Blocking m_blocking;
    std::uint32_t m_device = 0;
    Row m_thread = no_row;  ///< that issues what communicates
    std::vector<Row> m_rows;  ///< that communicate
    std::vector<Ns> m_kernel_starts;  ///< of kernels that do not
    Ns m_first = 0, m_last = 0;
    Coverage m_all {{}}, m_computing {{}}, m_communicating {{}}, m_exposed {{}}, m_copying {{}}, m_copies_alone {{}},
        m_blocked {{}}, m_loading {{}}, m_recording {{}};
    RankSummary m_summary;
};

/// The process whose GPU did most; nothing: no process used one.
std::optional<std::uint32_t> busiest_process(const Trace& trace)
{
    std::map<std::uint32_t, std::size_t> operations;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        operations[trace.streams[stream].process] += trace.operations_of(stream).size();
    }
    const auto most = std::max_element(
        operations.begin(), operations.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == operations.end() || most->second == 0 ? std::nullopt : std::optional(most->first);
}

}  // namespace

RankIdentity identity_of(const Trace& trace, std::uint32_t process, const std::string& file)
{
    RankIdentity identity;
    identity.process = process;
    identity.host = meta::text_of(trace.meta, meta::host);
    identity.host = identity.host.empty() ? host_in_name(file, process) : identity.host;
    identity.clock = meta::text_of(trace.meta, meta::boot_id);
    for (const auto& rank : told_ranks(trace)) {
        if (rank.process == process) {
            identity.rank = rank.rank;
            identity.world = rank.world > 0 ? rank.world : -1;
            identity.rule = "file";
        }
    }
    if (const auto text = meta::text_of(trace.meta, meta::identity_of(process)); !text.empty()) {
        const auto here = identity_of_text(text);
        const auto number
            = [](const std::string& word) { return word.empty() ? std::int64_t {-1} : std::int64_t {std::stol(word)}; };
        identity.rank = identity.rank < 0 ? number(here.rank) : identity.rank;
        identity.world = number(here.world) >= 0 ? number(here.world) : identity.world;
        identity.restarts = number(here.restarts);
        identity.rule = here.rule.empty() ? identity.rule : here.rule;
        identity.told = {here.told.begin(), here.told.end()};
    }
    if (identity.rank < 0) {
        if (const auto rank = rank_in_name(file)) {
            identity.rank = *rank;
            identity.rule = "name";
        }
    }
    return identity;
}

std::vector<RankSummary> summarize(const Trace& trace, const std::string& file)
{
    const auto ranks = ranks_of(trace);
    std::vector<RankSummary> found;
    if (ranks.size() < 2) {
        const auto process = ranks.empty() ? busiest_process(trace) : std::optional(ranks.front().process);
        if (!process) {
            throw InputError("'" + file + "' has no GPU work: there is nothing to summarize");
        }
        found.push_back(Summarizer(trace, *process, file).make());
        return found;
    }
    const auto steps = steps_of(trace);
    const auto boot = trace.meta.find(meta::boot_id);
    const bool is_merged = trace.meta.contains(meta::clock_uncertainty_ns);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto part = part_of(trace, ranks, i);
        found.push_back(Summarizer(part, ranks[i].process, file, steps ? &*steps : nullptr).make());
        auto& identity = found.back().identity;
        if (told_ranks(trace).empty()) {
            identity.rank = ranks[i].rank;
            identity.rule = "order";
        }
        // One recording has one clock. In one that was merged from several each rank keeps its own: they were aligned
        // as well as their collectives allow, and meet() says again how well that is.
        identity.clock = is_merged     ? "file " + file + ", rank " + std::to_string(ranks[i].rank)
            : boot == trace.meta.end() ? "file " + file
                                       : boot->second;
    }
    return found;
}

}  // namespace lanes
