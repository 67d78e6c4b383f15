// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/waited.h"

#include <algorithm>
#include <set>

namespace oracle {

namespace {

/// How exactly the clocks of CPU and GPU agree, for a call of this length.
Ns tolerance(Ns took)
{
    return std::min<Ns>(2'000 + took / 500, 20'000);
}

bool same_context(const StreamKey& a, const StreamKey& b)
{
    return a[0] == b[0] && a[1] == b[1];
}

Answer agreed(const std::set<Answer>& answers)
{
    return answers.empty() ? Answer::no : answers.size() > 1 ? Answer::unknown : *answers.begin();
}

}  // namespace

Waited::Waited(const Recorded& recorded)
    : m_r(recorded)
    , m_own(recorded.calls.size())
{
    for (const auto& c : m_r.calls) {
        m_purpose.push_back(purpose_of(c.name));
    }
    for (std::size_t i = 0; i < m_r.operations.size(); ++i) {
        if (m_r.operations[i].call != none) {
            m_own[static_cast<std::size_t>(m_r.operations[i].call)].push_back(static_cast<int>(i));
        }
    }
}

Sync::Type Waited::type_of(const Sync& sync) const
{
    switch (sync.call == none ? Purpose::other : purpose(sync.call)) {
    case Purpose::stream_sync:
        return Sync::stream;
    case Purpose::device_sync:
        return Sync::context;
    case Purpose::event_sync:
        return Sync::event;
    case Purpose::wait:
        return Sync::stream_waits;
    default:
        return sync.type;
    }
}

bool Waited::holds(const Call& call, Ns began, Ns done)
{
    return done > call.start && began < call.end && call.end + tolerance(call.end - call.start) >= done;
}

/// `sure` is waited for, `maybe` perhaps; `unseen`: there is more work, and it is not known when that was done.
Answer Waited::by_work(const Call& call, const std::vector<Work>& sure, const std::vector<Work>& maybe, bool unseen)
{
    Ns done = INT64_MIN;
    Ns began = INT64_MAX;
    for (const auto& work : sure) {
        began = work.done > done ? work.began : work.done == done ? std::min(began, work.began) : began;
        done = std::max(done, work.done);
    }
    const bool held = !sure.empty() && holds(call, began, done);
    if (held) {
        return Answer::yes;
    }
    const bool may
        = std::any_of(maybe.begin(), maybe.end(), [&](const Work& work) { return holds(call, work.began, work.done); });
    return may || (unseen && call.end - call.start > working) ? Answer::unknown : Answer::no;
}

Answer Waited::by_own(const Call& call, const std::vector<int>& operations) const
{
    std::vector<Work> sure;
    for (const int i : operations) {
        const auto& o = m_r.operations[static_cast<std::size_t>(i)];
        sure.push_back({o.start, o.end});
    }
    return by_work(call, sure, {}, false);
}

bool Waited::is_legacy(const StreamKey& key) const
{
    const auto of_context = m_r.null_streams.find({key[0], key[1]});
    const auto known = m_r.streams.find(key);
    return (of_context != m_r.null_streams.end() && of_context->second == key[2])
        || (known != m_r.streams.end() && known->second.flag == 3);
}

/// True if that is more than before.
bool Waited::extend(Reach& reach, const StreamKey& stream, Ns until)
{
    auto& known = reach.try_emplace(stream, INT64_MIN).first->second;
    const bool more = until > known;
    known = std::max(known, until);
    return more;
}

/// A wait for the legacy default stream is one for the blocking streams of its context too.
bool Waited::extend_with_blocking(Reach& reach, const StreamKey& stream, Ns until) const
{
    bool more = extend(reach, stream, until);
    if (is_legacy(stream)) {
        for (const auto& [key, other] : m_r.streams) {
            if (same_context(key, stream) && other.flag == 1) {
                more = extend(reach, key, until) || more;
            }
        }
    }
    return more;
}

/// The record of the event: the one that is waited for if its number is known, else the last one before.
const EventRecord* Waited::record_of(const Sync& of, Ns before) const
{
    const EventRecord* last = nullptr;
    for (const auto& e : m_r.events) {
        const bool same = of.event_sync != 0 && e.event_sync != 0
            ? e.event_sync == of.event_sync
            : e.event_id == of.event_id && e.stream[1] == of.about[1];
        if (same && e.stream[0] == of.about[0] && e.time < before && (last == nullptr || e.time >= last->time)) {
            last = &e;
        }
    }
    return last;
}

/// An event is done when all is done that its stream had to do when it was recorded; on a blocking stream also the work
/// of the legacy stream.
bool Waited::extend_by_event(Reach& reach, const EventRecord& record) const
{
    bool more = extend_with_blocking(reach, record.stream, record.time);
    const auto stream = m_r.streams.find(record.stream);
    if (stream != m_r.streams.end() && stream->second.flag == 1) {
        for (const auto& [key, other] : m_r.streams) {
            if (same_context(key, record.stream) && is_legacy(key)) {
                more = extend(reach, key, record.time) || more;
            }
        }
    }
    return more;
}

/// When the last work with a time was submitted to a stream before `until`.
std::optional<Ns> Waited::last_seen(const StreamKey& stream, Ns until) const
{
    std::optional<Ns> last;
    const auto see = [&](const StreamKey& of, Ns submitted) {
        if (of == stream && submitted < until) {
            last = std::max(last.value_or(submitted), submitted);
        }
    };
    for (const auto& o : m_r.operations) {
        see(o.stream, o.call == none ? o.start : call_at(o.call).start);
    }
    for (const auto& f : m_r.host_functions) {
        if (f.timed) {
            see(f.stream, f.submitted);
        }
    }
    return last;
}

/// Adds the work that the streams had to wait for through events.
void Waited::extend_by_waits(Reach& reach) const
{
    for (bool more = true; more;) {
        more = false;
        for (const auto& s : m_r.syncs) {
            if (s.call == none || type_of(s) != Sync::stream_waits) {
                continue;
            }
            const Ns time = call_at(s.call).start;
            if (const auto found = reach.find(s.about); found != reach.end() && time < found->second) {
                const auto* record = record_of(s, time);
                more = (record != nullptr && extend_by_event(reach, *record)) || more;
            }
        }
    }
}

/// Is there work whose end the file does not say, and that nothing else shows to be done? Work before the last work
/// of a stream that has a time was done when that began, as was what the stream had waited for
/// until then.
bool Waited::unseen_in(const Reach& reach) const
{
    Reach done;
    for (const auto& [stream, until] : reach) {
        if (const auto last = last_seen(stream, until)) {
            extend(done, stream, *last);
        }
    }
    extend_by_waits(done);
    return std::any_of(reach.begin(), reach.end(), [&](const auto& part) {
        const auto known = done.find(part.first);
        return unseen_between(part.first, known == done.end() ? INT64_MIN : known->second, part.second);
    });
}

bool Waited::unseen_between(const StreamKey& stream, Ns from, Ns until) const
{
    const auto inside = [&](Ns time) { return time >= from && time < until; };
    for (const auto& f : m_r.host_functions) {
        if (f.stream == stream && !f.timed && inside(f.submitted)) {
            return true;
        }
    }
    for (std::size_t i = 0; i < m_r.calls.size(); ++i) {
        const auto& c = m_r.calls[i];
        if (m_purpose[i] != Purpose::unseen || c.outer != none || c.thread.first != stream[0] || !inside(c.start)) {
            continue;
        }
        const bool seen = std::any_of(m_r.host_functions.begin(), m_r.host_functions.end(),
            [i](const HostFunction& f) { return f.call == static_cast<int>(i); });
        if (!seen && m_own[i].empty()) {
            return true;
        }
    }
    return false;
}

Answer Waited::by_reach(const Call& call, Reach reach) const
{
    extend_by_waits(reach);
    std::vector<Work> sure, maybe;
    for (const auto& o : m_r.operations) {
        const auto until = reach.find(o.stream);
        if (until == reach.end()) {
            continue;
        }
        if ((o.call == none ? o.start : call_at(o.call).start) >= until->second) {
            if (o.call == none) {  // it may have been submitted long before it started
                maybe.push_back({o.start, o.end});
            }
            continue;
        }
        sure.push_back({o.start, o.end});
        if (o.call != none && purpose(o.call) == Purpose::graph) {  // with its nodes on streams of their own
            for (const int node : own(o.call)) {
                const auto& other = m_r.operations[static_cast<std::size_t>(node)];
                sure.push_back({other.start, other.end});
            }
        }
    }
    for (const auto& f : m_r.host_functions) {
        if (const auto until = reach.find(f.stream); f.timed && until != reach.end() && f.submitted < until->second) {
            sure.push_back({f.start, f.end});
        }
    }
    return by_work(call, sure, maybe, unseen_in(reach));
}

Answer Waited::by_stream(const Call& call, const StreamKey& stream) const
{
    Reach reach;
    extend_with_blocking(reach, stream, call.start);
    return by_reach(call, reach);
}

Answer Waited::by_context(const Call& call, const StreamKey& context) const
{
    Reach reach;
    for (const auto& [key, stream] : m_r.streams) {
        if (same_context(key, context)) {
            extend(reach, key, call.start);
        }
    }
    return by_reach(call, reach);
}

Answer Waited::by_record(const Call& call, const Sync& sync) const
{
    switch (type_of(sync)) {
    case Sync::stream:
        return by_stream(call, sync.about);
    case Sync::context:
        return by_context(call, sync.about);
    case Sync::event:
        if (const auto* record = record_of(sync, call.start)) {
            Reach reach;
            extend_by_event(reach, *record);
            return by_reach(call, reach);
        }
        return by_any_event(call);
    default:
        return Answer::no;
    }
}

Answer Waited::by_any_stream(const Call& call) const
{
    std::set<Answer> answers;
    for (const auto& [key, stream] : m_r.streams) {
        if (key[0] == call.thread.first) {
            answers.insert(by_stream(call, key));
        }
    }
    return agreed(answers);
}

/// It may have been recorded after any work, or never.
Answer Waited::by_any_event(const Call& call) const
{
    Reach all;
    for (const auto& [key, stream] : m_r.streams) {
        if (key[0] == call.thread.first) {
            extend(all, key, call.start);
        }
    }
    bool may = call.end - call.start > working && unseen_in(all);
    for (const auto& o : m_r.operations) {
        const bool submitted = o.call == none || call_at(o.call).start < call.start;
        may = may || (o.stream[0] == call.thread.first && submitted && holds(call, o.start, o.end));
    }
    for (const auto& f : m_r.host_functions) {
        may = may
            || (f.stream[0] == call.thread.first && f.timed && f.submitted < call.start && holds(call, f.start, f.end));
    }
    return may ? Answer::unknown : Answer::no;
}

Answer Waited::by_any_context(const Call& call) const
{
    std::set<Answer> answers;
    for (const auto& [key, stream] : m_r.streams) {
        if (key[0] == call.thread.first) {
            answers.insert(by_context(call, key));
        }
    }
    return agreed(answers);
}

}  // namespace oracle
