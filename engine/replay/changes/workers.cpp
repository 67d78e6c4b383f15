// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/batches.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/words/shown.h"
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"
#include "engine/trace/median.h"
#include "engine/trace/operator_range.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace lanes::replay::changes {

namespace {

// PyTorch's workers, six loops on an H100 with batches of 0.2 to 37 MiB and 2 or 4 workers (docs/whatif.md): a worker,
// which computes with one thread, takes 0.6 to 3.2 times as long as the thread itself; the thread takes 1.2 to 1.8 ms
// to map a batch, and about 0.15 ns a byte to unmap it once it is copied.
constexpr double longer_in_worker = 1.5;
constexpr Ns taking_batch = 1'500'000;
constexpr double unmapping_per_byte = 0.15;
/// What starting a worker takes of the thread's time: on an H200's host 14 to 25 ms under the recorder, 8 ms without.
constexpr Ns starting_worker = 25'000'000;
/// Own time of a thread before an upload that may be loading, where nothing says so.
constexpr Ns least_loading = 1'000'000;
/// Loading takes about as long each time: the longest tenth at most this many times the shortest tenth. Times between
/// requests that come by chance differ by 20 times and more.
constexpr Ns loads_alike = 6;

/// Time of a thread that goes if other processes load its batches.
struct Loading {
    Interval when;
    Ns by_worker = 0;  ///< how long a worker took for that batch; 0: the thread loads it itself
};

/// The threads' ranges in which they fetch batches of PyTorch's DataLoader or wait for them, and what workers did.
class Batches {
public:
    explicit Batches(Edit& edit)
        : m_threads(edit.trace.threads.size())
        , m_waits_for_others(edit.trace.threads.size())
    {
        const auto& trace = edit.trace;
        std::vector<std::pair<Interval, Row>> fetched;  // by workers; and the thread of each
        for (const auto& range : trace.ranges) {
            if (range.thread != no_row && !range.open && trace.text(range.name) == batch_fetch) {
                fetched.emplace_back(Interval {range.start, range.end}, range.thread);
            }
        }
        std::sort(
            fetched.begin(), fetched.end(), [](const auto& a, const auto& b) { return a.first.end < b.first.end; });
        std::vector<Ns> waits;
        for (Row row = 0; row < trace.ranges.size(); ++row) {
            const auto& range = trace.ranges[row];
            if (range.thread == no_row || range.open || !waits_for_batch(trace.text(range.name))
                || !edit.on.range_with_own_time(row)) {
                continue;
            }
            const Interval when {range.start, range.end};
            if (fetches_batch_itself(trace.text(range.name))) {
                m_threads[range.thread].push_back({when});
            } else if (const auto batch = fetch_of(fetched, when)) {
                // Before the worker began with the batch, it started, or all that it may load ahead was loaded.
                m_threads[range.thread].push_back(
                    {{std::max(when.start, batch->start), when.end}, batch->end - batch->start});
                waits.push_back(when.end - when.start);
            } else {
                m_waits_for_others[range.thread] = true;
            }
        }
        if (!waits.empty()) {
            // A tenth: of batches that were ready, if any were.
            m_taking = std::min(taking_batch, nth_part(waits, 1, 10));
        }
        for (auto& thread : m_threads) {
            std::sort(
                thread.begin(), thread.end(), [](const auto& a, const auto& b) { return a.when.start < b.when.start; });
        }
    }
    /// In order.
    const std::vector<Loading>& of(std::uint32_t thread) const
    {
        static const std::vector<Loading> none_of_them;
        return thread < m_threads.size() ? m_threads[thread] : none_of_them;
    }
    /// Whether the thread waits for workers whose times are not recorded.
    bool waits_for_others(std::uint32_t thread) const
    {
        return thread < m_waits_for_others.size() && m_waits_for_others[thread];
    }
    /// What it costs a thread to take a batch from a worker.
    Ns taking() const { return m_taking; }
    /// How many workers there are already, in the median over the waits.
    std::size_t workers() const
    {
        auto counts = m_workers;
        if (counts.empty()) {
            return 0;
        }
        return nth_part(counts, 1, 2);
    }

private:
    /// When a worker fetched the batch that the wait was for: the last that was done before it ended. Nothing: no
    /// worker is in the recording.
    std::optional<Interval> fetch_of(const std::vector<std::pair<Interval, Row>>& fetched, const Interval& wait)
    {
        auto last = std::upper_bound(
            fetched.begin(), fetched.end(), wait.end, [](Ns end, const auto& each) { return end < each.first.end; });
        if (last == fetched.begin()) {
            return std::nullopt;
        }
        const auto batch = *--last;
        std::set<Row> busy;  // while that one worked
        for (auto at = last;; --at) {
            if (at->first.end <= batch.first.start) {
                break;
            }
            busy.insert(at->second);
            if (at == fetched.begin()) {
                break;
            }
        }
        m_workers.push_back(busy.size());
        return batch.first;
    }

    std::vector<std::vector<Loading>> m_threads;
    std::vector<bool> m_waits_for_others;
    std::vector<std::size_t> m_workers;
    Ns m_taking = taking_batch;
};

/// Takes from a thread its part of `loading` from item `from` up to the gap of `index`: time between calls, and items
/// that neither issue nor wait. Returns how long that took.
Ns take_loading(Edit& edit, std::uint32_t from, std::uint32_t index, const Coverage& loading)
{
    Ns taken = 0;
    Ns rest = 0;  // the rest of the gaps before dropped items
    for (auto at = from; at <= index; ++at) {
        auto& item = edit.script.items[at];
        if (item.dropped) {
            continue;
        }
        const Ns gap = std::min(item.gap, loading.within({item.start - item.gap, item.start}));
        item.gap += rest - gap;
        taken += gap;
        const Ns length = item.end - item.start;
        const bool does_nothing_else = item.operations == 0 && item.actions == 0 && item.wait == Item::nothing;
        item.dropped
            = at < index && does_nothing_else && length > 0 && loading.within({item.start, item.end}) == length;
        taken += item.dropped ? length : 0;
        rest = item.dropped ? item.gap : 0;
    }
    return taken;
}

/// Adds the time to unmap a batch that a worker loaded, after the first upload from `index` on has copied it.
void unmap_behind(Edit& edit, std::uint32_t index)
{
    const auto end = edit.end_of(edit.script.items[index]);
    for (; index < end; ++index) {
        const auto* const copy = edit.copy_of(edit.script.items[index]);
        if (copy != nullptr && copy->kind == OperationKind::h2d) {
            if (const auto behind = edit.next(index); behind < end) {
                edit.script.items[behind].taking
                    += static_cast<Ns>(static_cast<double>(edit.trace.bytes_of(copy->row)) * unmapping_per_byte);
            }
            return;
        }
    }
}

/// Finds what threads do to have their next batches, and leaves it to workers.
class WorkerMaker {
public:
    explicit WorkerMaker(Edit& edit)
        : m_edit(edit)
        , m_batches(edit)
    {
        const auto usual = std::max<std::size_t>(4, 2 * m_batches.workers());
        m_count = static_cast<std::uint32_t>(
            edit.change.amount >= 1 ? static_cast<std::size_t>(edit.change.amount) : usual);
        m_starts = std::max<Ns>(0, static_cast<Ns>(m_count) - static_cast<Ns>(m_batches.workers()));
    }

    void run()
    {
        for (std::uint32_t thread = 0; thread + 1 < m_edit.script.first_item.size(); ++thread) {
            if (!m_batches.of(thread).empty()) {
                by_ranges(thread);
            } else if (!by_host_work(thread) && !m_batches.waits_for_others(thread)) {
                by_own_time(thread);
            }
        }
        auto& applied = m_edit.applied;
        applied.reliability = m_by_torch ? Reliability::conditional : Reliability::good;
        if (applied.count > 0) {
            m_edit.assume(
                "workers_load", {{"count", std::to_string(applied.count)}, {"workers", std::to_string(m_count)}});
        }
        if (m_guessed > 0) {
            m_edit.assume("own_time_loads", {{"count", std::to_string(m_guessed)}});
            applied.guesses_loading = true;
        }
        if (m_by_torch && m_edit.script.before == 0) {  // else they ran before the recording
            m_edit.add_assumption("workers_run", {{"time", shown_time(starting_worker * m_starts)}});
            applied.may_start_workers = true;
        }
    }

private:
    void by_ranges(std::uint32_t thread);
    bool by_host_work(std::uint32_t thread);
    void by_own_time(std::uint32_t thread);
    void take(std::uint32_t from, std::uint32_t index, const std::vector<Loading>& loading, bool is_torch);
    static bool does_gpu_work(const Item& item)
    {
        return item.operations > 0 || item.actions > 0 || item.wait != Item::nothing || item.kind == Item::read;
    }

    Edit& m_edit;
    const Batches m_batches;
    std::uint32_t m_count;
    std::uint64_t m_guessed = 0;  ///< batches whose loading is the thread's own time before an upload
    bool m_by_torch = false;
    bool m_has_started = false;
    Ns m_starts = 0;  ///< how many workers there are not yet
};

/// When the thread was in operators of PyTorch.
IntervalSet operators_of(const Trace& trace, std::uint32_t thread)
{
    IntervalSet operators;
    for (Row row = 0; row < trace.ranges.size(); ++row) {
        const auto& range = trace.ranges[row];
        if (range.thread == thread && !range.open && is_operator(trace, row)) {
            operators.push_back({range.start, range.end});
        }
    }
    return unite(std::move(operators));
}

/// The item needs the batch that was loaded since `from`.
void WorkerMaker::take(std::uint32_t from, std::uint32_t index, const std::vector<Loading>& loading, bool is_torch)
{
    auto& item = m_edit.script.items[index];
    IntervalSet when;
    Ns by_worker = 0;
    for (const auto& each : loading) {
        when.push_back(each.when);
        by_worker = std::max(by_worker, each.by_worker);
    }
    if (item.inferred) {  // it waited for the batch, not for what another thread happened to call last
        const bool is_first = index == m_edit.script.first_item[item.thread];
        item.gap = item.start - (is_first ? 0 : m_edit.script.items[index - 1].end);
        item.behind = none;
        item.inferred = false;
    }
    item.loading = take_loading(m_edit, from, index, Coverage(unite(std::move(when))));
    item.workers = m_count;
    item.not_before = 0;  // that was for the recorded workers
    ++m_edit.applied.count;
    if (is_torch) {
        item.loading
            = by_worker > 0 ? by_worker : static_cast<Ns>(static_cast<double>(item.loading) * longer_in_worker);
        item.gap += m_edit.way.starts_workers && !m_has_started ? starting_worker * m_starts : 0;
        m_has_started = true;
        item.taking = by_worker > 0 ? std::max<Ns>(1, m_batches.taking()) : taking_batch;
        m_by_torch = true;
        if (by_worker == 0) {
            unmap_behind(m_edit, index);
        }
    }
}

void WorkerMaker::by_ranges(std::uint32_t thread)
{
    const auto& ranges = m_batches.of(thread);
    const bool has_workers = ranges.front().by_worker > 0;
    if (has_workers && m_count == m_batches.workers()) {
        return;  // it is so already
    }
    auto next = ranges.begin();
    auto from = m_edit.script.first_item[thread];
    for (auto index = from; index < m_edit.script.first_item[thread + 1]; ++index) {
        const auto& item = m_edit.script.items[index];
        if (item.dropped) {
            continue;
        }
        std::vector<Loading> loading;
        for (; next != ranges.end() && next->when.end <= item.start; ++next) {
            loading.push_back(*next);
        }
        if (!loading.empty()) {
            take(from, index, loading, true);
        }
        from = !loading.empty() || does_gpu_work(item) ? index + 1 : from;
    }
}

/// Loading is recorded host work before an upload. False: the thread has none.
bool WorkerMaker::by_host_work(std::uint32_t thread)
{
    bool any = false;
    std::vector<Loading> loading;
    auto from = m_edit.script.first_item[thread];
    for (auto index = from; index < m_edit.script.first_item[thread + 1]; ++index) {
        const auto& item = m_edit.script.items[index];
        if (item.dropped) {
            continue;
        }
        if (item.kind == Item::work) {
            any = true;
            if (m_edit.on.host_span(item.row)) {
                loading.push_back({{item.start, item.end}});
                continue;
            }
        }
        const auto* const copy = m_edit.copy_of(item);
        const bool takes = copy != nullptr && copy->kind == OperationKind::h2d && !loading.empty();
        if (takes) {
            take(from, index, loading, false);
        }
        if (takes || does_gpu_work(item)) {
            loading.clear();
            from = index + 1;
        }
    }
    return any;
}

/// Nothing says what the thread did: in the part that repeats, its longest own time since its last work with a GPU is
/// loading, if an upload comes next. A loop loads before most of its batches: longer pauses now and then, or
/// at irregular times, are for something else, as those of a server that waits for requests. What operators of PyTorch
/// did is no loading.
void WorkerMaker::by_own_time(std::uint32_t thread)
{
    if (m_edit.on.found() != nullptr) {
        return;
    }
    const auto& part = m_edit.script.repeats;
    const Coverage in_operators(operators_of(m_edit.trace, thread));
    std::vector<std::uint64_t> uploaded;  // bytes of uploads with other work with a GPU since the last one
    std::vector<std::uint64_t> loaded;  // bytes of those in `found`
    bool has_worked = false;
    struct Found {
        std::uint32_t from, index;
        Interval when;
    };
    std::vector<Found> found;
    auto from = m_edit.script.first_item[thread];
    Interval longest {};
    for (auto index = from; part && index < m_edit.script.first_item[thread + 1]; ++index) {
        const auto& item = m_edit.script.items[index];
        if (item.dropped) {
            continue;
        }
        const bool is_first = index == m_edit.script.first_item[thread];
        const Ns before = is_first ? 0 : m_edit.script.items[index - 1].end;
        if (item.start - before > longest.end - longest.start) {
            longest = {before, item.start};
        }
        const auto* const copy = m_edit.copy_of(item);
        const bool uploads = copy != nullptr && copy->kind == OperationKind::h2d && m_edit.on.operation(copy->row)
            && item.start >= part->start && item.start <= part->end;
        if (uploads && has_worked) {
            uploaded.push_back(m_edit.trace.bytes_of(copy->row));
        }
        has_worked = item.operations > 0 ? copy == nullptr || copy->kind != OperationKind::h2d : has_worked;
        const Ns took = longest.end - longest.start;
        if (uploads && took >= least_loading && longest.start >= part->start
            && 2 * in_operators.within(longest) < took) {
            found.push_back({from, index, longest});
            loaded.push_back(m_edit.trace.bytes_of(copy->row));
        }
        if (item.operations > 0 || item.wait != Item::nothing) {  // an event is recorded when a pinned batch is freed
            longest = {};
            from = index + 1;
        }
    }
    if (found.size() < least_iterations) {
        return;
    }
    const auto size = nth_part(loaded, 1, 2);  // what is much smaller, such as labels, is a part of a batch
    const auto batches
        = std::count_if(uploaded.begin(), uploaded.end(), [&](std::uint64_t bytes) { return 2 * bytes >= size; });
    if (2 * found.size() < static_cast<std::size_t>(batches)) {
        return;
    }
    std::vector<Ns> took;
    for (const auto& each : found) {
        took.push_back(each.when.end - each.when.start);
    }
    if (nth_part(took, 9, 10) > loads_alike * nth_part(took, 1, 10)) {
        return;
    }
    for (const auto& each : found) {
        take(each.from, each.index, {{each.when}}, true);
    }
    m_guessed += found.size();
}

}  // namespace

/// N other processes load the batches in turn; the thread takes them in order. A process takes as long as the thread
/// took, one of PyTorch's longer, and workers that there are already as long as before.
void workers(Edit& edit)
{
    WorkerMaker(edit).run();
}

}  // namespace lanes::replay::changes
