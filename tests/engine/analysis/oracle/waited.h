// SPDX-License-Identifier: MIT
// What a call waits for, and whether it was held until that was done. Each question walks through the whole recording.
#pragma once

#include "tests/engine/analysis/oracle/purpose.h"
#include "tests/engine/analysis/oracle/recorded.h"

namespace oracle {

/// What a call may take without waiting for anything.
inline constexpr Ns working = 20'000;

enum class Answer { no, yes, unknown };

class Waited {
public:
    explicit Waited(const Recorded& recorded);

    Purpose purpose(int call) const { return m_purpose[static_cast<std::size_t>(call)]; }
    /// The operations that a call issued.
    const std::vector<int>& own(int call) const { return m_own[static_cast<std::size_t>(call)]; }
    /// The type of a synchronisation: the name of its call is more reliable than the record's type, which several
    /// exports write wrongly.
    Sync::Type type_of(const Sync& sync) const;

    /// Whether a call from `start` to `end` was held until work was done that ran from `began` to `done`.
    static bool holds(const Call& call, Ns began, Ns done);

    /// Was the call held by its own operations?
    Answer by_own(const Call& call, const std::vector<int>& operations) const;
    Answer by_stream(const Call& call, const StreamKey& stream) const;
    Answer by_context(const Call& call, const StreamKey& context) const;
    Answer by_record(const Call& call, const Sync& sync) const;
    /// If the stream, context or event is not known: the answer that holds for all of the process.
    Answer by_any_stream(const Call& call) const;
    Answer by_any_context(const Call& call) const;
    Answer by_any_event(const Call& call) const;

private:
    /// The time up to which work submitted to a stream is waited for.
    using Reach = std::map<StreamKey, Ns>;
    /// A part of the work to wait for.
    struct Work {
        Ns began, done;
    };

    const Call& call_at(int index) const { return m_r.calls[static_cast<std::size_t>(index)]; }
    bool is_legacy(const StreamKey& key) const;
    static bool extend(Reach& reach, const StreamKey& stream, Ns until);
    bool extend_with_blocking(Reach& reach, const StreamKey& stream, Ns until) const;
    const EventRecord* record_of(const Sync& of, Ns before) const;
    bool extend_by_event(Reach& reach, const EventRecord& record) const;
    void extend_by_waits(Reach& reach) const;
    std::optional<Ns> last_seen(const StreamKey& stream, Ns until) const;
    bool unseen_in(const Reach& reach) const;
    /// The work submitted to the stream from `from` on and before `until`.
    bool unseen_between(const StreamKey& stream, Ns from, Ns until) const;
    Answer by_reach(const Call& call, Reach reach) const;
    static Answer by_work(const Call& call, const std::vector<Work>& sure, const std::vector<Work>& maybe, bool unseen);

    const Recorded& m_r;
    std::vector<Purpose> m_purpose;
    std::vector<std::vector<int>> m_own;
};

}  // namespace oracle
