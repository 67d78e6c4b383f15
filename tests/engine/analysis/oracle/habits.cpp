// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/habits.h"

#include <algorithm>

namespace oracle {

namespace {

constexpr std::int64_t not_ready = 600;
/// The most between two queries of a spin.
constexpr Ns pause = 100'000;

/// What a query asks for, in words; nothing where no record tells.
std::string asked(const Recorded& r, int call)
{
    for (const auto& s : r.syncs) {
        if (s.call == call) {
            return std::to_string(s.about[1]) + "/" + std::to_string(s.about[2]) + "/" + std::to_string(s.event_id)
                + "/" + std::to_string(s.event_sync);
        }
    }
    return {};
}

std::vector<Poll> polls_of(const Recorded& r, const Waited& waited, const ThreadId& thread)
{
    std::vector<int> calls;
    for (std::size_t i = 0; i < r.calls.size(); ++i) {
        if (r.calls[i].thread == thread && r.calls[i].outer == none
            && waited.purpose(static_cast<int>(i)) != Purpose::own_state) {
            calls.push_back(static_cast<int>(i));
        }
    }
    const auto at = [&r](int call) { return r.calls[static_cast<std::size_t>(call)]; };
    std::stable_sort(calls.begin(), calls.end(), [&](int a, int b) { return at(a).start < at(b).start; });
    std::vector<Poll> polls;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const int first = calls[i];
        if (waited.purpose(first) != Purpose::query) {
            continue;
        }
        const auto joined = std::find_if(
            r.query_spins.begin(), r.query_spins.end(), [&](const QuerySpin& s) { return s.call == first; });
        if (joined != r.query_spins.end()) {
            if (joined->queries > 1 && joined->succeeded != 0) {
                polls.push_back({first, first, joined->succeeded == 1});
            }
            continue;
        }
        // As long as it is the same question, asked at once again, and the answer is "not ready".
        std::size_t last = i;
        const auto goes_on = [&](std::size_t next) {
            return next < calls.size() && at(calls[next - 1]).result == not_ready
                && at(calls[next]).name == at(first).name && asked(r, calls[next]) == asked(r, first)
                && at(calls[next]).start - at(calls[next - 1]).end <= pause
                && std::none_of(r.query_spins.begin(), r.query_spins.end(),
                    [&](const QuerySpin& s) { return s.call == calls[next]; });
        };
        while (goes_on(last + 1)) {
            ++last;
        }
        if (last > i && at(calls[last]).result == 0) {
            polls.push_back({first, calls[last], !asked(r, first).empty()});
        }
        i = last;
    }
    return polls;
}

}  // namespace

std::vector<Poll> polls_in(const Recorded& recorded, const Waited& waited)
{
    std::set<ThreadId> threads;
    for (std::size_t i = 0; i < recorded.calls.size(); ++i) {
        if (waited.purpose(static_cast<int>(i)) == Purpose::query) {
            threads.insert(recorded.calls[i].thread);
        }
    }
    std::vector<Poll> polls;
    for (const auto& thread : threads) {
        for (const auto& poll : polls_of(recorded, waited, thread)) {
            polls.push_back(poll);
        }
    }
    return polls;
}

/// An ordinary launch may return just as a tiny kernel of its own ends. That a process waits in its launches is told by
/// all of them: 95 % returned only when their work was done, and one at least stayed while more than 20 us of its work
/// ran, and not for more than 20 us and a fiftieth of that longer.
std::set<int> waiting_launches_in(const Recorded& recorded, const Waited& waited)
{
    struct Of {
        std::set<int> waiting;
        int launches = 0;
        bool evident = false;
    };
    std::map<std::int64_t, Of> processes;
    for (std::size_t i = 0; i < recorded.calls.size(); ++i) {
        const auto& call = recorded.calls[i];
        const auto purpose = waited.purpose(static_cast<int>(i));
        const Operation* last = nullptr;
        for (const int index : waited.own(static_cast<int>(i))) {
            const auto& o = recorded.operations[static_cast<std::size_t>(index)];
            const bool launched
                = purpose == Purpose::graph || (purpose == Purpose::other && o.kind == Operation::kernel);
            if (launched && (last == nullptr || o.end > last->end)) {
                last = &o;
            }
        }
        if (last == nullptr) {
            continue;
        }
        auto& of = processes[call.thread.first];
        ++of.launches;
        if (Waited::holds(call, last->start, last->end)) {
            of.waiting.insert(static_cast<int>(i));
            const auto stayed = std::min(call.end, last->end) - last->start;
            of.evident = of.evident || (stayed > working && (call.end - last->end - working) * 50 <= stayed);
        }
    }
    std::set<int> all;
    for (const auto& [process, of] : processes) {
        if (of.evident && static_cast<int>(of.waiting.size()) * 100 >= of.launches * 95) {
            all.insert(of.waiting.begin(), of.waiting.end());
        }
    }
    return all;
}

}  // namespace oracle
