// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/held.h"
#include "tests/engine/analysis/oracle/habits.h"
#include "tests/engine/analysis/oracle/spans.h"
#include "tests/engine/analysis/oracle/waited.h"

namespace oracle {

namespace {

class Judging {
public:
    explicit Judging(const Recorded& recorded)
        : m_r(recorded)
        , m_waited(recorded)
    {
        m_held.known = std::any_of(
            m_r.operations.begin(), m_r.operations.end(), [](const Operation& o) { return o.call != none; });
    }

    Held all()
    {
        if (!m_held.known) {
            return m_held;
        }
        m_launches = waiting_launches_in(m_r, m_waited);
        for (std::size_t i = 0; i < m_r.calls.size(); ++i) {
            if (m_r.calls[i].outer == none && m_waited.purpose(static_cast<int>(i)) != Purpose::query) {
                judge(static_cast<int>(i));
            }
        }
        for (const auto& poll : polls_in(m_r, m_waited)) {
            if (poll.known) {
                add(poll.last, call(poll.first).start, call(poll.last).end, "poll");
            } else if (call(poll.last).end - call(poll.first).start > working) {
                doubt(poll.first, "poll");
            }
        }
        return m_held;
    }

private:
    const Call& call(int index) const { return m_r.calls[static_cast<std::size_t>(index)]; }
    Ns took(int index) const { return call(index).end - call(index).start; }

    void add(int index, Ns start, Ns end, const std::string& cause)
    {
        if (start < end) {
            m_held.stretches.push_back({start, end, index, cause});
        }
    }
    void doubt(int index, const std::string& cause) { m_held.unknown.insert({call(index).thread, cause}); }

    /// True where the answer is final.
    bool settle(int index, Answer answer, const std::string& cause)
    {
        if (answer == Answer::yes) {
            add(index, call(index).start, call(index).end, cause);
            return true;
        }
        // In a run cut short, what it waited for may not be in the record.
        if (answer == Answer::unknown || (took(index) > working && call(index).end > known_until())) {
            doubt(index, cause);
            return true;
        }
        return false;
    }
    Ns known_until() const
    {
        Ns last = 0;
        for (const auto& o : m_r.operations) {
            last = std::max(last, o.end);
        }
        return m_r.complete ? INT64_MAX : m_r.gpu_end.value_or(last);
    }

    void judge(int index)
    {
        if (call(index).result >= 900 && call(index).result <= 908) {
            return;  // a capture refused it
        }
        if (m_launches.count(index) != 0) {
            add(index, launch_held_from(index), call(index).end, "launch");
        } else if (!by_own_work(index) && !by_record(index) && !by_queue(index)) {
            by_memory(index);
        }
    }
    /// A launch that loaded code for a millisecond or more while its GPU did nothing: it waited for nothing.
    Ns launch_held_from(int index) const
    {
        const Operation* last = nullptr;
        for (const int own : m_waited.own(index)) {
            const auto& o = m_r.operations[static_cast<std::size_t>(own)];
            last = last == nullptr || o.end > last->end ? &o : last;
        }
        const Ns start = call(index).start;
        if (m_waited.purpose(index) == Purpose::graph || last->kind != Operation::kernel
            || last->start - start < 1'000'000) {
            return start;
        }
        const bool busy = std::any_of(m_r.operations.begin(), m_r.operations.end(),
            [&](const Operation& o) { return o.device == last->device && o.start < last->start && o.end > start; });
        return busy ? start : last->start;
    }
    bool by_own_work(int index);
    bool by_record(int index);
    bool by_queue(int index);
    void by_memory(int index);

    const Recorded& m_r;
    const Waited m_waited;
    std::set<int> m_launches;
    Held m_held;
};

/// A long copy of host memory whose kind is not recorded, until whose end its call stayed.
bool was_awaited(const Operation& o, const Call& call)
{
    constexpr std::int64_t not_recorded = 7;
    const bool up = o.copy_kind == 1 || o.copy_kind == 3;
    const bool down = o.copy_kind == 2 || o.copy_kind == 4;
    return o.kind == Operation::copy && ((up && o.source == not_recorded) || (down && o.target == not_recorded))
        && o.end - o.start > working && Waited::holds(call, o.start, o.end);
}

/// Copies and memsets that their own call waits for: synchronous or pageable, or of memory of no recorded kind.
bool Judging::by_own_work(int index)
{
    if (m_waited.purpose(index) == Purpose::graph) {
        return false;
    }
    std::vector<int> waited;
    bool pageable = false;
    std::string cause;
    Ns last = INT64_MIN;
    for (const int i : m_waited.own(index)) {
        const auto& o = m_r.operations[static_cast<std::size_t>(i)];
        const bool host_memory = o.target == 0 || o.target == 1 || o.target == 4 || o.target == 6;
        const bool of_pageable = o.kind == Operation::copy && (o.source == 0 || o.target == 0);
        if ((o.kind == Operation::copy && !o.async) || of_pageable || was_awaited(o, call(index))
            || (o.kind == Operation::memset && !o.async && host_memory)) {
            waited.push_back(i);
            pageable = pageable || of_pageable;
            if (o.end > last) {
                last = o.end;
                cause = o.kind == Operation::copy ? "copy" : "other";
            }
        }
    }
    if (!waited.empty()) {
        const auto answer = m_waited.by_own(call(index), waited);
        if (answer != Answer::yes && pageable && call(index).end < last) {
            add(index, call(index).start + working, call(index).end, "staging");
            return true;
        }
        return settle(index, answer, cause);
    }
    if (m_waited.purpose(index) != Purpose::copy || !m_waited.own(index).empty() || call(index).result != 0) {
        return false;
    }
    // Its copy is not in the record; or it is one of those without a call.
    bool lost = took(index) > working;
    for (const auto& o : m_r.operations) {
        lost = lost
            || (o.call == none && o.stream[0] == call(index).thread.first && o.start >= call(index).start
                && Waited::holds(call(index), o.start, o.end));
    }
    if (lost) {
        doubt(index, "copy");
        doubt(index, "staging");
    }
    return lost;
}

/// Calls that synchronise by name, and others with a record of a synchronisation.
bool Judging::by_record(int index)
{
    const auto& c = call(index);
    const auto purpose = m_waited.purpose(index);
    const Sync* record = nullptr;
    for (const auto& s : m_r.syncs) {
        if (s.call == index && record == nullptr) {
            record = &s;
        }
    }
    switch (purpose) {
    case Purpose::stream_sync:
        return settle(index, record ? m_waited.by_record(c, *record) : m_waited.by_any_stream(c), "stream_sync");
    case Purpose::device_sync:
        return settle(index, record ? m_waited.by_record(c, *record) : m_waited.by_any_context(c), "device_sync");
    case Purpose::event_sync:
        return settle(index, record ? m_waited.by_record(c, *record) : m_waited.by_any_event(c), "event_sync");
    case Purpose::memory:
    case Purpose::other:
        return record != nullptr && (record->type == Sync::stream || record->type == Sync::context)
            && settle(index, m_waited.by_record(c, *record), purpose == Purpose::memory ? "memory" : "other");
    default:
        return false;
    }
}

bool Judging::by_queue(int index)
{
    const auto& c = call(index);
    Spans full;
    for (const auto& o : m_r.overheads) {
        if (o.call == index && o.type == 8) {
            full.push_back({std::max(o.start, c.start), std::min(o.end, c.end)});
        }
    }
    for (const auto& [start, end] : union_of(full)) {
        add(index, start, end, "queue_full");
    }
    if (!full.empty()) {
        return true;
    }
    const auto& own = m_waited.own(index);
    if (own.empty() || took(index) <= working) {
        return false;
    }
    const auto& context = m_r.operations[static_cast<std::size_t>(own.front())].stream;
    int pending = 0;
    int maybe = 0;
    for (const auto& o : m_r.operations) {
        if (o.stream[0] == context[0] && o.stream[1] == context[1] && o.end > c.start) {
            const bool sure = (o.call == none ? o.start : call(o.call).start) < c.start;
            pending += sure ? 1 : 0;
            maybe += !sure && o.call == none ? 1 : 0;
        }
    }
    constexpr int many = 1000;
    if (pending >= many) {
        add(index, c.start + working, c.end, "queue_full");
        return true;
    }
    if (pending + maybe >= many) {
        doubt(index, "queue_full");
    }
    return false;
}

/// Allocation and freeing: while that GPU is busy: the one in the call's record, else the one where the thread issued
/// its last work.
void Judging::by_memory(int index)
{
    const auto& c = call(index);
    std::set<std::int64_t> devices;
    bool allocates = m_waited.purpose(index) == Purpose::memory;
    for (const auto& a : m_r.allocations) {
        if (a.call == index) {
            allocates = true;
            if (a.device != no_number) {
                devices = {a.device};
            }
        }
    }
    if (!allocates) {
        return;
    }
    if (devices.empty()) {
        Ns last = INT64_MIN;
        for (const auto& o : m_r.operations) {
            if (o.call != none && call(o.call).thread == c.thread && call(o.call).start < c.start
                && call(o.call).start > last) {
                last = call(o.call).start;
                devices = {o.device};
            }
        }
    }
    if (devices.empty()) {
        for (const auto& [key, stream] : m_r.streams) {
            if (key[0] == c.thread.first) {
                devices.insert(stream.device);
            }
        }
    }
    std::set<Spans> answers;
    for (const auto device : devices) {
        Spans busy;
        for (const auto& o : m_r.operations) {
            if (o.device == device) {
                busy.push_back({o.start, o.end});
            }
        }
        answers.insert(common(busy, {{c.start + working, c.end}}));
    }
    if (answers.size() > 1) {
        doubt(index, "memory");
    } else if (answers.size() == 1) {
        for (const auto& [start, end] : *answers.begin()) {
            add(index, start, end, "memory");
        }
    }
}

}  // namespace

const std::vector<std::string>& causes()
{
    static const std::vector<std::string> names {"copy", "staging", "launch", "stream_sync", "device_sync",
        "event_sync", "poll", "queue_full", "memory", "other"};
    return names;
}

bool Held::knows(const ThreadId& thread) const
{
    return std::all_of(causes().begin(), causes().end(), [&](const auto& cause) { return knows(thread, cause); });
}

bool Held::knows(const ThreadId& thread, const std::string& cause) const
{
    return known && unknown.count({thread, cause}) == 0;
}

Held held_in(const Recorded& recorded)
{
    return Judging(recorded).all();
}

}  // namespace oracle
