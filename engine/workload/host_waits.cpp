// SPDX-License-Identifier: MIT
#include "engine/workload/check.h"
#include "engine/workload/workload.h"

#include <algorithm>

namespace lanes {

namespace {

bool is_host_wait(const Action& action)
{
    return std::holds_alternative<PutAction>(action) || std::holds_alternative<GetAction>(action)
        || std::holds_alternative<JoinAction>(action);
}

/// True if a branch may skip a put, get or join: what the threads do then depends on data.
bool waits_depend_on_data(const Program& program)
{
    for (const auto& thread : program.threads) {
        std::size_t branched_until = 0;
        for (std::size_t at = 0; at < thread.instructions.size(); ++at) {
            const Action& action = thread.instructions[at].action;
            if (at < branched_until && is_host_wait(action)) {
                return true;
            }
            if (const auto* branch = std::get_if<BranchAction>(&action)) {
                branched_until = std::max<std::size_t>(branched_until, branch->target);
            }
        }
    }
    return false;
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

    bool run(const std::function<void(Index, Index)>& visit)
    {
        for (bool moved = true; moved;) {
            moved = false;
            for (Index thread = 0; thread < m_at.size(); ++thread) {
                const auto& instructions = m_program.threads[thread].instructions;
                while (m_at[thread] < instructions.size() && goes_on(instructions[m_at[thread]].action)) {
                    visit(thread, m_at[thread]);
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
    bool goes_on(const Action& action)
    {
        if (const auto* put = std::get_if<PutAction>(&action)) {
            if (m_filled[put->queue] == m_program.queues[put->queue].capacity) {
                return false;
            }
            ++m_filled[put->queue];
        } else if (const auto* get = std::get_if<GetAction>(&action)) {
            if (m_filled[get->queue] == 0) {
                return false;
            }
            --m_filled[get->queue];
        } else if (const auto* join = std::get_if<JoinAction>(&action)) {
            return ended(join->thread);
        }
        return true;
    }

    std::string reason(Index thread) const
    {
        const Action& action = m_program.threads[thread].instructions[m_at[thread]].action;
        const std::string name = "'" + m_program.threads[thread].name + "' ";
        if (const auto* put = std::get_if<PutAction>(&action)) {
            return name + "for room in queue '" + m_program.queues[put->queue].name + "'";
        }
        if (const auto* get = std::get_if<GetAction>(&action)) {
            return name + "for something in queue '" + m_program.queues[get->queue].name + "'";
        }
        return name + "for the end of '" + m_program.threads[std::get<JoinAction>(action).thread].name + "'";
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
};

}  // namespace

void fail_at(const Program& program, const Instruction& instruction, const std::string& message)
{
    const StepInfo& step = program.steps[instruction.step];
    throw WorkloadError(program.file, step.line, step.column, message);
}

bool play_threads(const Program& program, const std::function<void(Index, Index)>& visit)
{
    return Play(program).run(visit);
}

}  // namespace lanes
