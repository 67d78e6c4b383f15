// SPDX-License-Identifier: MIT
// One change made in a Script. Private to engine/whatif: apply.cpp has what is done to calls and copies,
// apply_streams.cpp what goes to other streams, apply_graphs.cpp launches that become graphs, apply_prefetch.cpp what
// comes earlier, apply_split.cpp what is cut into pieces, apply_collectives.cpp what several GPUs do together,
// apply_workers.cpp what other processes load.
#pragma once

#include "engine/analysis/figures/intervals.h"
#include "engine/analysis/query/query_matcher.h"
#include "engine/whatif/apply.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lanes::whatif {

class Edit {
public:
    Edit(Script& script, const Graph& graph, const Change& change, Way way, const Answers& answers)
        : m_script(script)
        , m_trace(graph.trace())
        , m_change(change)
        , m_on(change.on, graph.trace(), &graph.blocking())
        , m_way(way)
        , m_answers(answers)
    {
    }
    Applied run();

private:
    void pin();
    void non_blocking();
    void event_waits();
    void drop_syncs();
    void drop_values();
    void leave_legacy();
    void own_stream();
    void more_streams();
    void overlap_all_reduce();
    void buckets();
    void gather();
    void join(const std::vector<std::uint32_t>& items, Operation& all) const;
    void follow_parts();
    void faster_link();
    void prefetch();
    void split();
    void workers();
    std::vector<std::vector<Interval>> fetches() const;
    void unmap_behind(std::uint32_t index);
    Ns take_loading(std::uint32_t from, std::uint32_t index, const Coverage& loading);
    std::uint32_t end_of_pipeline(std::uint32_t index) const;
    struct Turn {
        std::uint32_t load, body;
    };
    std::vector<Turn> turns_of(std::uint32_t thread) const;
    void reorder(std::uint32_t first, const std::vector<std::uint32_t>& order);
    std::uint32_t new_stream(std::uint32_t home);
    void move(std::uint32_t operation, std::uint32_t stream);
    /// Those that a change can change: what was issued before the recording is done as it was.
    std::span<Operation> operations() const { return std::span(m_script.operations).subspan(m_script.before); }
    std::vector<std::vector<std::uint32_t>> issued() const;
    void pool();
    void faster();
    void graphs();
    std::uint32_t period_of(const std::vector<std::uint32_t>& launches) const;
    void make_graphs(const std::vector<std::uint32_t>& launches, bool& is_first);

    /// A wait by asking again and again.
    static bool is_spin(const Item& item)
    {
        return !item.dropped && item.type == CallClass::query && item.wait == Item::operation;
    }
    bool is_sync(const Item& item) const
    {
        const bool waits = item.wait == Item::stream || item.wait == Item::context || item.wait == Item::event;
        return !item.dropped && waits && item.kind == Item::call
            && (item.type == CallClass::stream_sync || item.type == CallClass::device_sync
                || item.type == CallClass::event_sync);
    }
    /// Whether it is one of every N that stay.
    bool stays(std::uint64_t number) const
    {
        const auto every = static_cast<std::uint64_t>(m_change.amount);
        return every > 0 && number % every == 0;
    }
    std::uint32_t end_of(const Item& item) const { return m_script.first_item[item.thread + 1]; }
    std::uint32_t next(std::uint32_t index) const;
    bool issues_more(std::uint32_t index) const;
    bool waits_again(std::uint32_t index, std::uint32_t stream) const;
    bool is_read_next(std::uint32_t index) const;
    void drop(std::uint32_t index);
    /// Whether the user says that it does not hold.
    bool is_lifted(std::string_view word) const
    {
        const auto found = m_answers.find(word);
        return found != m_answers.end() && !found->second;
    }
    /// Without it the change cannot be made.
    void assume(const char* id, Message::Arguments arguments = {})
    {
        m_applied.is_refused = add_assumption(id, std::move(arguments)) || m_applied.is_refused;
    }
    /// Without it there is another prediction. True: the user says that it does not hold.
    bool add_assumption(const char* id, Message::Arguments arguments)
    {
        Assumption assumption {{std::string("whatif.assumes.") + id, std::move(arguments)}};
        const auto found = m_answers.find(assumption.word());
        if (found != m_answers.end()) {
            assumption.state = found->second ? Assumption::confirmed : Assumption::lifted;
        }
        m_applied.assumptions.push_back(std::move(assumption));
        return m_applied.assumptions.back().state == Assumption::lifted;
    }
    Ns copy_time(std::uint64_t bytes, OperationKind kind) const;
    double staged_rate() const;
    bool serve(std::uint32_t index, Ns length);
    void find_returning(std::vector<std::uint32_t>& uploads);
    const Operation* copy_of(const Item& item) const;

    Script& m_script;
    const Trace& m_trace;
    const Change& m_change;
    const QueryMatcher m_on;
    const Way m_way;
    const Answers& m_answers;
    Applied m_applied;
};

}  // namespace lanes::whatif
