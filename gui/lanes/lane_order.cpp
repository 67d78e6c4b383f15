// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_order.h"

#include "engine/analysis/figures/range_index.h"
#include "engine/trace/names/device_rows.h"

#include <algorithm>
#include <iterator>

namespace lanes::gui {

namespace {

constexpr std::size_t many_streams = 5;  // of a GPU: fewer are all looked at

/// By thread, the time of its outermost calls that issued work, in a span.
std::vector<Ns> issuingTimes(const Trace& trace, const RecordingBounds& bounds, Interval span)
{
    std::vector<Ns> times(trace.threads.size());
    const CallTable& calls = trace.calls;
    for (std::size_t call = 0; call < calls.size(); ++call) {
        if (bounds.issues[call] && calls.outer[call] == no_row && calls.thread[call] != no_row) {
            times[calls.thread[call]] += time_in(calls.start[call], calls.end[call], span);
        }
    }
    return times;
}

/// By thread: whether it was blocked in a call, in a span.
std::vector<bool> blockedThreads(const ShownRecording& recording, Interval span)
{
    const Trace& trace = *recording.trace;
    std::vector<bool> blocked(trace.threads.size());
    for (const BlockedCall& stretch : recording.blocking->calls) {
        const Row thread = trace.calls.thread[stretch.call];
        if (thread != no_row && time_in(stretch.start, stretch.end, span) > 0) {
            blocked[thread] = true;
        }
    }
    return blocked;
}

/// "0" before "1" before those whose rank is not known.
std::uint64_t rankOf(const ShownRecording& recording, std::uint32_t process)
{
    const auto found = std::find_if(recording.ranks.begin(), recording.ranks.end(),
        [process](const Rank& rank) { return rank.process == process; });
    return found == recording.ranks.end() ? UINT64_MAX : static_cast<std::uint64_t>(found->rank);
}

}  // namespace

ThreadOrder orderOfThreads(const ShownRecording& recording, const std::vector<bool>& active)
{
    const Trace& trace = *recording.trace;
    std::vector<Row> threads;
    for (Row thread = 0; thread < trace.threads.size(); ++thread) {
        if (active[thread] && device_of_row(trace, trace.threads[thread]) == no_id) {
            threads.push_back(thread);
        }
    }
    ThreadOrder order;
    std::vector<Ns> times;
    if (!isOfWorkload(trace) && recording.ranges && threads.size() > 1) {
        const Interval span = openedPart(recording);
        times = issuingTimes(trace, recording.ranges->bounds(), span);
        const auto byTime = [&](Row a, Row b) { return times[a] > times[b]; };
        std::stable_sort(threads.begin(), threads.end(), byTime);
        const auto idle = std::find_if(threads.begin(), threads.end(), [&](Row thread) { return times[thread] == 0; });
        if (idle != threads.begin()) {
            // A wait for the GPU is part of the story, as what issues its work is.
            const std::vector<bool> blocked = blockedThreads(recording, span);
            const auto rest = std::stable_partition(idle, threads.end(), [&](Row thread) { return blocked[thread]; });
            if (threads.end() - rest > 1) {
                order.others.assign(rest, threads.end());
                threads.erase(rest, threads.end());
                std::sort(order.others.begin(), order.others.end());
            }
        }
    } else {
        std::stable_sort(threads.begin(), threads.end(),
            [&](Row a, Row b) { return trace.threads[a].process < trace.threads[b].process; });
    }
    for (const Row thread : threads) {
        const std::uint32_t process = trace.threads[thread].process;
        auto found = std::find_if(order.processes.begin(), order.processes.end(),
            [process](const ThreadOrder::OfProcess& of) { return of.process == process; });
        if (found == order.processes.end()) {
            found = order.processes.insert(found, {process, {}});
        }
        found->threads.push_back(thread);
    }
    if (!times.empty()) {
        std::stable_sort(order.processes.begin(), order.processes.end(),
            [&](const auto& a, const auto& b) { return rankOf(recording, a.process) < rankOf(recording, b.process); });
    }
    return order;
}

StreamOrder orderOfStreams(const Trace& trace, const std::vector<StreamKinds>& kinds, const std::vector<Row>& streams)
{
    StreamOrder order;
    if (isOfWorkload(trace)) {
        for (const Row stream : streams) {
            order.lanes.push_back({stream, StreamPart::whole});
        }
        return order;
    }
    // Against the busiest one: beside a start-up of seconds all of them did little.
    Ns most = 0;
    for (const Row stream : streams) {
        most = std::max(most, kinds[stream].busyWithAll());
    }
    const auto isQuiet = [&](Row stream) {
        return static_cast<double>(kinds[stream].busyWithAll()) < quiet_stream_share * static_cast<double>(most);
    };
    const auto quiet = static_cast<std::size_t>(std::count_if(streams.begin(), streams.end(), isQuiet));
    const bool folds = streams.size() >= many_streams && quiet >= 2 && quiet < streams.size();
    std::size_t empty = 0;
    for (const Row stream : streams) {
        for (const StreamPart part : {StreamPart::compute, StreamPart::communication, StreamPart::copies}) {
            empty += kinds[stream].hasShown(part) && kinds[stream].busyWith(part) == 0 ? 1 : 0;
        }
    }
    const bool foldsEmpty = folds || empty >= 2;
    for (const StreamPart part : {StreamPart::compute, StreamPart::communication, StreamPart::copies}) {
        std::vector<Row> having;
        std::copy_if(streams.begin(), streams.end(), std::back_inserter(having),
            [&](Row stream) { return kinds[stream].hasShown(part); });
        std::stable_sort(having.begin(), having.end(),
            [&](Row a, Row b) { return kinds[a].busyWith(part) > kinds[b].busyWith(part); });
        bool isMain = true;
        for (const Row stream : having) {
            const bool isFolded = (folds && isQuiet(stream)) || (foldsEmpty && kinds[stream].busyWith(part) == 0);
            (isFolded ? order.quiet : order.lanes).push_back({stream, part, isMain && !isFolded});
            isMain = isMain && isFolded;
        }
    }
    return order;
}

}  // namespace lanes::gui
