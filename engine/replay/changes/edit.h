// SPDX-License-Identifier: MIT
// One change being made in a Script: what the files of changes have in common. Private to engine/replay.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/query/query_matcher.h"
#include "engine/replay/changes/changes.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/sampled_range.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes::replay {

/// What a change is limited to: the events that its query matches and, for a finding's change, that the finding found.
class Selection {
public:
    Selection(const Change& change, const Graph& graph);
    bool operation(Row row) const
    {
        return m_query.operation(row) && (m_rows == nullptr || m_rows->has_operation(row));
    }
    bool call(Row row) const { return m_query.call(row) && (m_rows == nullptr || m_rows->has_call(row)); }
    /// A finding limits changes to no ranges or host work but those of FoundRows::own_time.
    bool range(Row row) const { return m_rows == nullptr && m_query.range(row) && !is_sampled(m_trace, row); }
    /// Likewise; but of a finding, ranges in which its threads' own time was found, or part of it.
    bool range_with_own_time(Row row) const;
    bool host_span(Row row) const { return m_rows == nullptr && m_query.host_span(row); }
    /// Null: no finding limits it.
    const FoundRows* found() const { return m_rows; }

private:
    const Trace& m_trace;
    const QueryMatcher m_query;
    const FoundRows* const m_rows;
};

/// How much of a thread's own time before a call may have gone into that call. PyTorch takes 25 to 67 µs for an
/// .item(), most of it before the copy (docs/whatif.md); what is longer is something else that the thread did.
inline constexpr Ns longest_own_gap = 50'000;

class Edit {
public:
    Edit(Script& script, const Graph& graph, const Change& change, Way way, const Answers& answers)
        : script(script)
        , trace(graph.trace())
        , blocking(graph.blocking())
        , owners(graph.owners())
        , change(change)
        , on(change, graph)
        , way(way)
        , answers(answers)
    {
    }

    /// Whether it is a wait by asking again and again.
    static bool is_spin(const Item& item)
    {
        return !item.dropped && item.type == CallClass::query && item.wait == Item::operation;
    }
    static bool is_sync(const Item& item)
    {
        const bool waits = item.wait == Item::stream || item.wait == Item::context || item.wait == Item::event;
        return !item.dropped && waits && item.kind == Item::call
            && (item.type == CallClass::stream_sync || item.type == CallClass::device_sync
                || item.type == CallClass::event_sync);
    }
    /// Whether it is the one of every N that stays.
    bool stays(std::uint64_t number) const
    {
        const auto every = static_cast<std::uint64_t>(change.amount);
        return every > 0 && number % every == 0;
    }
    std::uint32_t end_of(const Item& item) const { return script.first_item[item.thread + 1]; }
    /// The thread's next item, without looks at its own state; the thread's end if there is none.
    std::uint32_t next(std::uint32_t index) const;
    bool issues_more(std::uint32_t index) const;
    /// Whether the thread waits for that stream later on.
    bool waits_again(std::uint32_t index, std::uint32_t stream) const;
    /// Whether the host reads before it waits again, or most likely does: it waits for a value right after its copy,
    /// or, where reads are not recorded, works for a millisecond after it waited for a copy to it.
    bool is_read_next(std::uint32_t index) const;
    /// The copy to the host that an item waits for: its own, or that of the item that issued work before it; null:
    /// none.
    const Operation* result_of(std::uint32_t index) const;
    /// Whether it waits for a copy to the host, and no recorded read proves that the wait is needless.
    bool guards_result(std::uint32_t index) const { return !records_reads() && result_of(index) != nullptr; }
    /// Workloads record what the host reads, other programs do not.
    bool records_reads() const { return trace.meta.contains(meta::workload) || !trace.reads.empty(); }
    /// For how long the thread works on its own after an item, until it issues something or waits again.
    Ns works_after(std::uint32_t index) const;
    /// The item goes, with what it issued.
    void drop(std::uint32_t index);
    /// The one copy that an item issued; null: it issued something else.
    const Operation* copy_of(const Item& item) const;
    /// Whether the change is made to that copy: it is one of its direction, and no value that the host fetches
    /// (.item()).
    bool is_meant(const Operation& copy) const;
    /// How long a copy of `bytes` of pinned memory takes.
    Ns copy_time(std::uint64_t bytes, OperationKind kind) const;
    /// The operations that can be changed: those issued before the recording stay as they were.
    std::span<Operation> operations() const { return std::span(script.operations).subspan(script.before); }
    /// What was issued to each stream, in that order; without nodes of graphs and what another change moved.
    std::vector<std::vector<std::uint32_t>> issued() const;
    /// A new stream to which work of `home` moves.
    std::uint32_t new_stream(std::uint32_t home);
    void move(std::uint32_t operation, std::uint32_t stream);

    /// Whether the user says that the assumption does not hold.
    bool is_lifted(std::string_view word) const
    {
        const auto found = answers.find(word);
        return found != answers.end() && !found->second;
    }
    /// Adds an assumption without which the change cannot be made.
    void assume(const char* id, Message::Arguments arguments = {})
    {
        applied.is_refused = add_assumption(id, std::move(arguments)) || applied.is_refused;
    }
    /// Adds an assumption without which the prediction is another one. True: the user says that it does not hold.
    bool add_assumption(const char* id, Message::Arguments arguments);

    Script& script;
    const Trace& trace;
    const Blocking& blocking;
    const Owners& owners;
    const Change& change;
    const Selection on;
    const Way way;
    const Answers& answers;
    Applied applied;
};

}  // namespace lanes::replay
