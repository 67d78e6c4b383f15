// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/held.h"
#include "tests/engine/analysis/oracle/spans.h"

namespace oracle {

namespace {

/// What a call may take without waiting for anything.
constexpr Ns working = 20'000;

/// The clocks of CPU and GPU agree to this, for a call that took so long.
Ns tolerance(Ns took)
{
    return std::min<Ns>(2'000 + took / 500, 20'000);
}

bool starts(const std::string& text, const std::string& with)
{
    return text.rfind(with, 0) == 0;
}

/// Up to when what was submitted to each stream is waited for.
using Reach = std::map<StreamKey, Ns>;

class Judging {
public:
    explicit Judging(const Recorded& recorded)
        : m_r(recorded)
        , m_own(recorded.calls.size())
    {
        for (const auto& c : m_r.calls) {
            m_purpose.push_back(purpose_of(c.name));
        }
        for (std::size_t i = 0; i < m_r.operations.size(); ++i) {
            if (m_r.operations[i].call != none) {
                m_own[static_cast<std::size_t>(m_r.operations[i].call)].push_back(static_cast<int>(i));
                m_held.known = true;
            }
        }
    }

    Held all()
    {
        if (m_held.known) {
            for (std::size_t i = 0; i < m_r.calls.size(); ++i) {
                if (m_r.calls[i].outer == none) {
                    judge(static_cast<int>(i));
                }
            }
        }
        return m_held;
    }

private:
    enum class Answer { no, yes, unknown };

    const Operation& operation(int index) const { return m_r.operations[static_cast<std::size_t>(index)]; }
    Purpose purpose(int index) const { return m_purpose[static_cast<std::size_t>(index)]; }
    const Call& call(int index) const { return m_r.calls[static_cast<std::size_t>(index)]; }

    void add(int index, Ns start, Ns end, const std::string& cause)
    {
        if (start < end) {
            m_held.stretches.push_back({start, end, index, cause});
        }
    }
    void add_beyond(int index, const std::string& cause)
    {
        add(index, call(index).start + working, call(index).end, cause);
    }
    void doubt(int index, const std::string& cause) { m_held.unknown.insert({call(index).thread, cause}); }

    /// Was the call held until the last of `sure` was done? Of `maybe` it is not known whether they are of it.
    Answer held_until(const Call& c, const std::vector<int>& sure, const std::vector<int>& maybe = {}) const
    {
        Ns last = INT64_MIN;
        Ns began = INT64_MAX;
        for (const int i : sure) {
            const auto& o = operation(i);
            began = o.end > last ? o.start : o.end == last ? std::min(began, o.start) : began;
            last = std::max(last, o.end);
        }
        const auto holds = [&c](Ns start, Ns end) {
            return end > c.start && start < c.end && c.end + tolerance(c.end - c.start) >= end;
        };
        const bool answer = !sure.empty() && holds(began, last);
        for (const int i : maybe) {
            if (operation(i).end > last && holds(operation(i).start, operation(i).end) != answer) {
                return Answer::unknown;
            }
        }
        return answer ? Answer::yes : Answer::no;
    }
    void settle(int index, Answer answer, const std::string& cause)
    {
        if (answer == Answer::unknown) {
            doubt(index, cause);
        } else if (answer == Answer::yes) {
            add(index, call(index).start, call(index).end, cause);
        }
    }

    bool is_null(const StreamKey& key) const
    {
        const auto found = m_r.null_streams.find({key[0], key[1]});
        const auto known = m_r.streams.find(key);
        return (found != m_r.null_streams.end() && found->second == key[2])
            || (known != m_r.streams.end() && known->second.flag == 3);
    }
    /// The streams of a context that take turns with its legacy default stream.
    std::vector<StreamKey> blocking_streams(const StreamKey& of) const
    {
        std::vector<StreamKey> keys;
        for (const auto& [key, stream] : m_r.streams) {
            if (key[0] == of[0] && key[1] == of[1] && stream.flag == 1) {
                keys.push_back(key);
            }
        }
        return keys;
    }
    static void extend(Reach& reach, const StreamKey& stream, Ns until, bool& more)
    {
        auto& known = reach.try_emplace(stream, INT64_MIN).first->second;
        more = more || until > known;
        known = std::max(known, until);
    }
    void extend_legacy(Reach& reach, const StreamKey& stream, Ns until, bool& more) const
    {
        extend(reach, stream, until, more);
        if (is_null(stream)) {
            for (const auto& other : blocking_streams(stream)) {
                extend(reach, other, until, more);
            }
        }
    }
    /// What an event stands for: all that its stream had to do when it was recorded last before `time`.
    /// False where its record is not in the file.
    bool extend_event(Reach& reach, const Sync& of, Ns time, bool& more) const
    {
        const EventRecord* last = nullptr;
        for (const auto& e : m_r.events) {
            const bool same = of.event_sync != 0 && e.event_sync != 0
                ? e.event_sync == of.event_sync
                : e.event_id == of.event_id && e.stream[1] == of.about[1];
            if (same && e.stream[0] == of.about[0] && e.time < time && (last == nullptr || e.time >= last->time)) {
                last = &e;
            }
        }
        if (last == nullptr) {
            return false;
        }
        extend_legacy(reach, last->stream, last->time, more);
        const auto stream = m_r.streams.find(last->stream);
        if (stream != m_r.streams.end() && stream->second.flag == 1) {  // recorded behind legacy work
            for (const auto& [key, other] : m_r.streams) {
                if (key[0] == last->stream[0] && key[1] == last->stream[1] && is_null(key)) {
                    extend(reach, key, last->time, more);
                }
            }
        }
        return true;
    }
    /// Adds what streams were told to wait for.
    void follow_waits(Reach& reach) const
    {
        for (bool more = true; more;) {
            more = false;
            for (const auto& s : m_r.syncs) {
                if (s.call == none || type_of(s) != Sync::stream_waits) {
                    continue;
                }
                const auto found = reach.find(s.about);
                if (found != reach.end() && call(s.call).start < found->second) {
                    extend_event(reach, s, call(s.call).start, more);
                }
            }
        }
    }
    Answer held_by(const Call& c, Reach reach) const
    {
        follow_waits(reach);
        std::vector<int> sure, maybe;
        for (std::size_t i = 0; i < m_r.operations.size(); ++i) {
            const auto& o = m_r.operations[i];
            const auto until = reach.find(o.stream);
            if (until == reach.end()) {
                continue;
            }
            if ((o.call != none ? call(o.call).start : o.start) < until->second) {
                sure.push_back(static_cast<int>(i));
                if (o.call != none && purpose(o.call) == Purpose::graph) {
                    for (const int other : m_own[static_cast<std::size_t>(o.call)]) {
                        sure.push_back(other);
                    }
                }
            } else if (o.call == none) {
                maybe.push_back(static_cast<int>(i));
            }
        }
        return held_until(c, sure, maybe);
    }
    Answer held_by_stream(const Call& c, const StreamKey& stream) const
    {
        Reach reach;
        bool more = false;
        extend_legacy(reach, stream, c.start, more);
        return held_by(c, reach);
    }
    Answer held_by_context(const Call& c, const StreamKey& of) const
    {
        Reach reach;
        for (const auto& [key, stream] : m_r.streams) {
            if (key[0] == of[0] && key[1] == of[1]) {
                reach[key] = c.start;
            }
        }
        return held_by(c, reach);
    }
    Answer held_by_event(const Call& c, const Sync& of) const
    {
        Reach reach;
        bool more = false;
        return extend_event(reach, of, c.start, more) ? held_by(c, reach) : held_by_any_stream(c, true);
    }
    /// What all streams of the process agree on, and, where `or_none`, nothing to wait for.
    Answer held_by_any_stream(const Call& c, bool or_none) const
    {
        std::set<Answer> answers;
        if (or_none) {
            answers.insert(Answer::no);
        }
        for (const auto& [key, stream] : m_r.streams) {
            if (key[0] == c.thread.first) {
                answers.insert(held_by_stream(c, key));
            }
        }
        return answers.size() > 1 ? Answer::unknown : answers.empty() ? Answer::no : *answers.begin();
    }
    Answer held_by_record(const Call& c, const Sync& s) const
    {
        switch (type_of(s)) {
        case Sync::stream:
            return held_by_stream(c, s.about);
        case Sync::context:
            return held_by_context(c, s.about);
        case Sync::event:
            return held_by_event(c, s);
        default:
            return Answer::no;
        }
    }

    void judge(int index);
    void judge_sync(int index, Purpose kind);
    bool judge_copy(int index);
    void judge_memory(int index);
    void judge_queue(int index);
    /// What a record of synchronisation is about: the name of its call says it better than its own type, which several
    /// exports write wrongly.
    Sync::Type type_of(const Sync& s) const
    {
        switch (s.call == none ? Purpose::other : purpose(s.call)) {
        case Purpose::stream_sync:
            return Sync::stream;
        case Purpose::device_sync:
            return Sync::context;
        case Purpose::event_sync:
            return Sync::event;
        case Purpose::wait:
            return Sync::stream_waits;
        default:
            return s.type;
        }
    }
    std::vector<const Sync*> records_of(int index) const
    {
        std::vector<const Sync*> records;
        for (const auto& s : m_r.syncs) {
            if (s.call == index && type_of(s) != Sync::stream_waits) {
                records.push_back(&s);
            }
        }
        return records;
    }

    const Recorded& m_r;
    /// Behind it operations may be missing.
    Ns gpu_end() const
    {
        Ns last = 0;
        for (const auto& o : m_r.operations) {
            last = std::max(last, o.end);
        }
        return m_r.gpu_end.value_or(last);
    }

    std::vector<Purpose> m_purpose;  // of each call
    std::vector<std::vector<int>> m_own;  // the operations that each call issued
    Held m_held;
};

void Judging::judge(int index)
{
    switch (purpose(index)) {
    case Purpose::stream_sync:
    case Purpose::device_sync:
    case Purpose::event_sync:
        judge_sync(index, purpose(index));
        break;
    case Purpose::query:
        break;
    case Purpose::copy:
        if (!judge_copy(index)) {
            judge_queue(index);
        }
        break;
    case Purpose::memory:
        judge_memory(index);
        break;
    default:
        for (const auto* record : records_of(index)) {
            settle(index, held_by_record(call(index), *record), "other");
        }
        judge_queue(index);
    }
}

void Judging::judge_sync(int index, Purpose kind)
{
    const auto& c = call(index);
    const std::string cause = kind == Purpose::stream_sync ? "stream_sync"
        : kind == Purpose::device_sync                     ? "device_sync"
                                                           : "event_sync";
    if (!m_r.complete && c.end - c.start > working && c.end > gpu_end()) {
        doubt(index, cause);
        return;
    }
    const auto records = records_of(index);
    if (!records.empty()) {
        settle(index, held_by_record(c, *records.front()), cause);
        return;
    }
    if (kind != Purpose::device_sync) {
        settle(index, held_by_any_stream(c, kind == Purpose::event_sync), cause);
        return;
    }
    std::set<Answer> answers;
    for (const auto& [key, stream] : m_r.streams) {
        if (key[0] == c.thread.first) {
            answers.insert(held_by_context(c, key));
        }
    }
    settle(index, answers.size() > 1 ? Answer::unknown : answers.empty() ? Answer::no : *answers.begin(), cause);
}

/// True where the call was held by its copy or in doubt.
bool Judging::judge_copy(int index)
{
    const auto& c = call(index);
    std::vector<int> copies;
    bool synchronous = false;
    bool pageable = false;
    for (const int i : m_own[static_cast<std::size_t>(index)]) {
        const auto& o = operation(i);
        if (o.kind == Operation::copy) {
            copies.push_back(i);
            synchronous = synchronous || !o.async;
            pageable = pageable || o.source == 0 || o.target == 0;
        }
    }
    if (copies.empty()) {
        if (c.end - c.start > working) {
            doubt(index, "copy");
            doubt(index, "staging");
            return true;
        }
        return false;
    }
    if (!synchronous && !pageable) {
        return false;
    }
    if (held_until(c, copies) == Answer::yes) {
        add(index, c.start, c.end, "copy");
        return true;
    }
    Ns last = 0;
    for (const int i : copies) {
        last = std::max(last, operation(i).end);
    }
    if (pageable && c.end < last) {
        add_beyond(index, "staging");
        return true;
    }
    return false;
}

void Judging::judge_memory(int index)
{
    const auto& c = call(index);
    for (const auto* record : records_of(index)) {
        if (held_by_record(c, *record) == Answer::yes) {
            add(index, c.start, c.end, "memory");
            return;
        }
    }
    // On which GPU: as its own record says, else where the thread issued its last work.
    std::set<std::int64_t> devices;
    for (const auto& a : m_r.allocations) {
        if (a.call == index && a.device != no_number) {
            devices = {a.device};
        }
    }
    Ns last = INT64_MIN;
    for (const auto& o : m_r.operations) {
        if (devices.empty() || last != INT64_MIN) {
            const Ns issued = o.call == none || call(o.call).thread != c.thread ? INT64_MIN : call(o.call).start;
            if (issued < c.start && issued > last) {
                last = issued;
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

void Judging::judge_queue(int index)
{
    const auto& c = call(index);
    bool recorded = false;
    for (const auto& o : m_r.overheads) {
        if (o.call == index && o.type == 8) {
            add(index, std::max(o.start, c.start), std::min(o.end, c.end), "queue_full");
            recorded = true;
        }
    }
    const auto& own = m_own[static_cast<std::size_t>(index)];
    if (recorded || own.empty()) {
        return;
    }
    const auto& context = operation(own.front()).stream;
    const auto pending = std::count_if(m_r.operations.begin(), m_r.operations.end(), [&](const Operation& o) {
        return o.stream[0] == context[0] && o.stream[1] == context[1] && o.call != none && call(o.call).start < c.start
            && o.end > c.start;
    });
    if (pending >= 1000) {
        add_beyond(index, "queue_full");
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

Purpose purpose_of(std::string name)
{
    for (const std::string variant : {"_ptsz", "_ptds"}) {
        if (name.size() > variant.size() && name.substr(name.size() - variant.size()) == variant) {
            name.resize(name.size() - variant.size());
        }
    }
    const bool runtime = starts(name, "cuda") || starts(name, "hip");
    if (!runtime && !starts(name, "cu")) {
        return Purpose::other;
    }
    name = name.substr(starts(name, "cuda") ? 4 : starts(name, "hip") ? 3 : 2);
    static const std::map<std::string, Purpose> whole {{"StreamSynchronize", Purpose::stream_sync},
        {"DeviceSynchronize", Purpose::device_sync}, {"ThreadSynchronize", Purpose::device_sync},
        {"CtxSynchronize", Purpose::device_sync}, {"EventSynchronize", Purpose::event_sync},
        {"StreamQuery", Purpose::query}, {"EventQuery", Purpose::query}, {"StreamWaitEvent", Purpose::wait}};
    if (const auto found = whole.find(name); found != whole.end()) {
        return found->second;
    }
    static const std::vector<std::pair<std::string, Purpose>> begins {{"EventRecord", Purpose::record},
        {"GraphLaunch", Purpose::graph}, {"Memcpy", Purpose::copy}, {"Launch", Purpose::launch},
        {"Malloc", Purpose::memory}, {"Free", Purpose::memory}, {"Host", Purpose::memory},
        {"MemAlloc", Purpose::memory}, {"MemFree", Purpose::memory}, {"MemHost", Purpose::memory},
        {"Array", Purpose::memory}};
    for (const auto& [prefix, purpose] : begins) {
        if (starts(name, prefix)) {
            return purpose;
        }
    }
    return Purpose::other;
}

Held held_in(const Recorded& recorded)
{
    return Judging(recorded).all();
}

}  // namespace oracle
