// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/habits.h"

#include <algorithm>

namespace oracle {

namespace {

constexpr std::int64_t not_ready = 600;
/// The most between two queries of a spin.
constexpr Ns pause = 100'000;

/// What a query asks for, in words; nothing if no record tells.
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

/// The answer to a query; if the recorder joined many, to the last.
enum class Told { not_ready, ready, failed, unknown };

struct Query {
    Told told;
    std::int64_t queries;
    bool joined;
};

Query query_of(const Recorded& r, int call)
{
    for (const auto& s : r.query_spins) {
        if (s.call == call) {
            const auto told = s.succeeded == 0 ? Told::not_ready : s.succeeded == 1 ? Told::ready : Told::unknown;
            return {told, s.queries, true};
        }
    }
    const auto result = r.calls[static_cast<std::size_t>(call)].result;
    return {result == not_ready ? Told::not_ready : result == 0 ? Told::ready : Told::failed, 1, false};
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
        // As long as the same is asked again at once, and the answer is "not ready". The recorder may have joined
        // only a piece of that.
        auto query = query_of(r, first);
        auto queries = query.queries;
        while (query.told == Told::not_ready && i + 1 < calls.size() && at(calls[i + 1]).name == at(first).name
            && asked(r, calls[i + 1]) == asked(r, first) && at(calls[i + 1]).start - at(calls[i]).end <= pause) {
            query = query_of(r, calls[++i]);
            queries += query.queries;
        }
        if (queries > 1 && (query.told == Told::ready || query.told == Told::unknown)) {
            // The recorder joins queries that it knows to ask the same.
            const bool known = query.told == Told::ready && (query.joined || !asked(r, first).empty());
            polls.push_back({first, calls[i], known});
        }
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

/// An ordinary launch may return just as its tiny kernel ends. A process waits in its launches if 95 % of all of them
/// returned only when their work was done, and if at least one stayed while more than 20 us of its work ran, and for at
/// most 20 us and a fiftieth of that work longer.
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
