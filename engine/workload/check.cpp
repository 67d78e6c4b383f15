// SPDX-License-Identifier: MIT
#include "engine/workload/check.h"

#include "engine/workload/check_memory.h"
#include "engine/workload/check_order.h"

#include <algorithm>
#include <memory>
#include <set>

namespace lanes {

namespace {

constexpr std::size_t most_for_order = 200'000;
constexpr std::size_t most_order_steps = 500'000'000;
constexpr std::size_t most_clock_words = std::size_t {1} << 26;

/// Checks that every event and graph exists when it is used.
class UseCheck {
public:
    explicit UseCheck(const Program& program)
        : m_program(program)
        , m_recorded_by(program.events.size())
        , m_captured_by(program.graphs.size())
    {
        each_effects(program, [&](const Effects& effects, const Instruction&, Index thread) {
            if (effects.records != no_id) {
                m_recorded_by[effects.records].others.insert(thread);
            }
            if (effects.begins != no_id) {
                m_captured_by[effects.begins].others.insert(thread);
            }
        });
    }

    void visit(Index thread, Index at, const Effects& effects)
    {
        m_instruction = &m_program.threads[thread].instructions[at];
        if (effects.records != no_id) {
            m_recorded_by[effects.records].done.insert(thread);
        }
        if (effects.begins != no_id) {
            m_captured_by[effects.begins].done.insert(thread);
        }
        const Index event = effects.wait == Effects::Wait::event ? effects.awaited : effects.stream_awaits;
        if (event != no_id) {
            need(m_recorded_by[event], thread, "event '" + m_program.events[event] + "'", "record");
        }
        if (effects.launches != no_id) {
            const Index graph = effects.launches;
            need(m_captured_by[graph], thread, "graph '" + m_program.graphs[graph] + "'", "capture");
        }
    }

private:
    struct Makers {
        std::set<Index> others;  // threads that make it at some time
        std::set<Index> done;  // threads that have made it so far
    };

    /// What another thread makes may come first: the order check decides whether it does.
    void need(const Makers& makers, Index thread, const std::string& what, const std::string& how)
    {
        const bool by_another
            = std::any_of(makers.others.begin(), makers.others.end(), [&](Index other) { return other != thread; });
        if (!makers.done.contains(thread) && !by_another) {
            fail_at(m_program, *m_instruction,
                "nothing has made " + what + " yet, expected a '" + how + "' before this step");
        }
    }

    const Program& m_program;
    std::vector<Makers> m_recorded_by, m_captured_by;
    const Instruction* m_instruction = nullptr;
};

}  // namespace

void check(const Program& program)
{
    std::size_t instructions = 0;
    for (const auto& thread : program.threads) {
        instructions += thread.instructions.size();
    }
    UseCheck use(program);
    MemoryCheck memory(program);
    std::unique_ptr<OrderCheck> order;
    const std::size_t width = OrderCheck::width(program);
    std::size_t kept = width + program.events.size();
    for (const auto& queue : program.queues) {
        kept += std::min<std::size_t>(queue.capacity, instructions);
    }
    if (instructions <= most_for_order && width * instructions <= most_order_steps
        && width * kept <= most_clock_words) {
        order = std::make_unique<OrderCheck>(program);
    }
    const bool ended = play_threads(program, [&](Index thread, Index at, const Effects& effects) {
        use.visit(thread, at, effects);
        memory.visit(thread, at, effects);
        if (order) {
            order->visit(thread, at, effects);
        }
    });
    if (order && ended) {
        order->finish();
    }
}

}  // namespace lanes
