// SPDX-License-Identifier: MIT
#include "engine/workload/check.h"
#include "engine/workload/effects.h"

#include <algorithm>

namespace lanes {

namespace {

bool waits_for_thread(const Effects& effects)
{
    return effects.wait == Effects::Wait::room || effects.wait == Effects::Wait::item
        || effects.wait == Effects::Wait::thread;
}

/// True if a branch may skip a put, get or join: then the threads' actions depend on data.
bool waits_depend_on_data(const Program& program)
{
    bool depend = false;
    for (const auto& thread : program.threads) {
        Index branched_until = 0;
        each_effects(program, thread, [&](const Effects& effects, Index at) {
            depend = depend || (at < branched_until && waits_for_thread(effects));
            if (effects.may_go_to != no_id) {
                branched_until = std::max(branched_until, effects.may_go_to);
            }
        });
    }
    return depend;
}

/// The threads as far as they have come.
class Play {
public:
    explicit Play(const Program& program)
        : m_program(program)
        , m_at(program.threads.size())
        , m_filled(program.queues.size())
    {
    }

    bool run(const std::function<void(Index, Index, const Effects&)>& visit)
    {
        for (bool moved = true; moved;) {
            moved = false;
            for (Index thread = 0; thread < m_at.size(); ++thread) {
                const auto& instructions = m_program.threads[thread].instructions;
                while (m_at[thread] < instructions.size() && goes_on(instructions[m_at[thread]])) {
                    visit(thread, m_at[thread], m_effects);
                    ++m_at[thread];
                    moved = true;
                }
            }
        }
        for (Index thread = 0; thread < m_at.size(); ++thread) {
            if (!ended(thread)) {
                if (waits_depend_on_data(m_program)) {
                    return false;
                }
                fail(thread);
            }
        }
        return true;
    }

private:
    bool ended(Index thread) const { return m_at[thread] == m_program.threads[thread].instructions.size(); }

    /// Does a put or get if it can be done; false: the thread waits.
    bool goes_on(const Instruction& instruction)
    {
        effects_of(m_program, instruction.action, m_effects);
        const Index awaited = m_effects.awaited;
        switch (m_effects.wait) {
        case Effects::Wait::room:
            if (m_filled[awaited] == m_program.queues[awaited].capacity) {
                return false;
            }
            ++m_filled[awaited];
            return true;
        case Effects::Wait::item:
            if (m_filled[awaited] == 0) {
                return false;
            }
            --m_filled[awaited];
            return true;
        case Effects::Wait::thread:
            return ended(awaited);
        case Effects::Wait::nothing:
        case Effects::Wait::stream:
        case Effects::Wait::device:
        case Effects::Wait::event:
            return true;  // GPUs continue by themselves
        }
        return true;
    }

    std::string reason(Index thread) const
    {
        const Effects effects = effects_of(m_program, m_program.threads[thread].instructions[m_at[thread]].action);
        const std::string name = "'" + m_program.threads[thread].name + "' ";
        if (effects.wait == Effects::Wait::room) {
            return name + "for room in queue '" + m_program.queues[effects.awaited].name + "'";
        }
        if (effects.wait == Effects::Wait::item) {
            return name + "for something in queue '" + m_program.queues[effects.awaited].name + "'";
        }
        return name + "for the end of '" + m_program.threads[effects.awaited].name + "'";
    }

    [[noreturn]] void fail(Index first) const
    {
        std::string message = "threads wait here forever: " + reason(first);
        std::size_t named = 1;
        for (Index thread = first + 1; thread < m_at.size(); ++thread) {
            if (!ended(thread) && ++named <= 8) {
                const auto& instruction = m_program.threads[thread].instructions[m_at[thread]];
                message
                    += ", " + reason(thread) + " (line " + std::to_string(m_program.steps[instruction.step].line) + ')';
            }
        }
        if (named > 8) {
            message += ", and " + std::to_string(named - 8) + " more";
        }
        fail_at(m_program, m_program.threads[first].instructions[m_at[first]], message);
    }

    const Program& m_program;
    std::vector<Index> m_at;
    std::vector<std::uint32_t> m_filled;
    Effects m_effects;  ///< of the instruction that a thread is at
};

}  // namespace

void fail_at(const Program& program, const Instruction& instruction, const std::string& message)
{
    const StepInfo& step = program.steps[instruction.step];
    throw WorkloadError(program.file, step.line, step.column, message);
}

bool play_threads(const Program& program, const std::function<void(Index, Index, const Effects&)>& visit)
{
    return Play(program).run(visit);
}

}  // namespace lanes
