// SPDX-License-Identifier: MIT
#include "engine/workload/check_memory.h"

#include "engine/workload/check.h"

namespace lanes {

namespace {

constexpr std::size_t most_branch_steps = 100'000'000;

/// What an `alloc` or `free` step names; no_id: it is neither.
Index moved_by(const Action& action)
{
    const auto* alloc = std::get_if<AllocAction>(&action);
    const auto* free = std::get_if<FreeAction>(&action);
    return alloc != nullptr ? alloc->buffer : free != nullptr ? free->buffer : no_id;
}

}  // namespace

MemoryCheck::MemoryCheck(const Program& program)
    : m_program(program)
    , m_places(program.buffers.size(), no_id)
    , m_graphs(program.graphs.size())
    , m_flows(program.threads.size())
{
    std::size_t branches = 0;
    for (const auto& thread : program.threads) {
        for (const auto& instruction : thread.instructions) {
            const Index buffer = moved_by(instruction.action);
            if (buffer != no_id && m_places[buffer] == no_id) {
                m_places[buffer] = static_cast<Index>(m_buffers.size());
                m_moving.push_back(buffer);
                m_buffers.push_back(
                    {program.buffers[buffer].allocated_by_step ? Buffer::State::never : Buffer::State::allocated});
            }
            branches += std::holds_alternative<BranchAction>(instruction.action) ? 1 : 0;
        }
    }
    if (branches * m_buffers.size() > most_branch_steps) {  // the runners find out
        m_places.assign(program.buffers.size(), no_id);
        m_buffers.clear();
    }
}

void MemoryCheck::visit(Index thread, Index at)
{
    if (m_buffers.empty()) {
        return;
    }
    Flow& flow = m_flows[thread];
    land(flow, at);
    m_instruction = &m_program.threads[thread].instructions[at];
    const Action& action = m_instruction->action;
    each_buffer(action, [&](Index buffer) { use(buffer, flow); });
    if (const auto* alloc = std::get_if<AllocAction>(&action)) {
        allocate(alloc->buffer);
    } else if (const auto* free = std::get_if<FreeAction>(&action)) {
        release(free->buffer);
    } else if (const auto* begin = std::get_if<CaptureBeginAction>(&action)) {
        flow.capturing = begin->graph;
        m_graphs[begin->graph].clear();
    } else if (std::holds_alternative<CaptureEndAction>(action)) {
        flow.capturing = no_id;
    } else if (const auto* run = std::get_if<LaunchAction>(&action)) {
        launch(run->graph);
    } else if (const auto* jump = std::get_if<BranchAction>(&action)) {
        branch(flow, jump->target);
    }
}

/// Where a branch comes from elsewhere, only what both ways agree on is known.
void MemoryCheck::land(Flow& flow, Index at)
{
    while (!flow.landings.empty() && flow.landings.begin()->first <= at) {
        const auto& found = flow.landings.begin()->second;
        for (std::size_t i = 0; i < m_buffers.size(); ++i) {
            if (!m_buffers[i].same_as(found[i])) {
                m_buffers[i].state = Buffer::State::unknown;
            }
        }
        flow.landings.erase(flow.landings.begin());
    }
}

void MemoryCheck::branch(Flow& flow, Index target)
{
    const auto [landing, is_new] = flow.landings.try_emplace(target, m_buffers);
    for (std::size_t i = 0; !is_new && i < m_buffers.size(); ++i) {
        if (!m_buffers[i].same_as(landing->second[i])) {
            landing->second[i].state = Buffer::State::unknown;
        }
    }
}

void MemoryCheck::use(Index buffer, const Flow& flow)
{
    const Index place = m_places[buffer];
    if (place == no_id) {
        return;
    }
    const Buffer& found = m_buffers[place];
    const std::string name = "'" + m_program.buffers[buffer].name + "' ";
    if (found.state == Buffer::State::never) {
        fail(name + "is not allocated here, expected an 'alloc' before this step");
    }
    if (found.state == Buffer::State::freed) {
        fail(name + "is used here, but was freed" + line_of_free(found) + ", expected an 'alloc' between the two");
    }
    if (flow.capturing != no_id) {
        m_graphs[flow.capturing].push_back({place, found.frees});
    }
}

void MemoryCheck::allocate(Index buffer)
{
    Buffer& found = m_buffers[m_places[buffer]];
    if (found.state == Buffer::State::allocated) {
        fail("'" + m_program.buffers[buffer].name + "' is allocated already, expected a 'free' before");
    }
    found.state = Buffer::State::allocated;
}

void MemoryCheck::release(Index buffer)
{
    Buffer& found = m_buffers[m_places[buffer]];
    const std::string name = "'" + m_program.buffers[buffer].name + "' ";
    if (found.state == Buffer::State::never) {
        fail(name + "is not allocated here, expected an 'alloc' before this step");
    }
    if (found.state == Buffer::State::freed) {
        fail(name + "is freed here, but was freed" + line_of_free(found) + ", expected an 'alloc' between the two");
    }
    found = {Buffer::State::freed, found.frees + 1, m_instruction->step};
}

void MemoryCheck::launch(Index graph)
{
    for (const auto& captured : m_graphs[graph]) {
        const Buffer& found = m_buffers[captured.buffer];
        if (found.state != Buffer::State::unknown && found.frees != captured.frees) {
            fail("graph '" + m_program.graphs[graph] + "' uses '" + m_program.buffers[m_moving[captured.buffer]].name
                + "', which was freed" + line_of_free(found) + " after the capture, expected another 'capture'");
        }
    }
}

std::string MemoryCheck::line_of_free(const Buffer& buffer) const
{
    return " at line " + std::to_string(m_program.steps[buffer.freed_by].line);
}

void MemoryCheck::fail(const std::string& message) const
{
    fail_at(m_program, *m_instruction, message);
}

bool allocation_is_uncertain(const Program& program)
{
    bool moves = false;
    bool branches = program.threads.size() > 1;
    for (const auto& thread : program.threads) {
        for (const auto& instruction : thread.instructions) {
            moves = moves || moved_by(instruction.action) != no_id;
            branches = branches || std::holds_alternative<BranchAction>(instruction.action);
        }
    }
    return moves && branches;
}

std::vector<std::vector<Index>> buffers_needed(const Program& program, const ThreadProgram& thread)
{
    std::vector<bool> moves(program.buffers.size());
    for (const auto& each : program.threads) {
        for (const auto& instruction : each.instructions) {
            if (const Index buffer = moved_by(instruction.action); buffer != no_id) {
                moves[buffer] = true;
            }
        }
    }
    std::vector<std::vector<Index>> needed;
    needed.reserve(thread.instructions.size());
    std::vector<std::vector<Index>> graphs(program.graphs.size());
    Index capturing = no_id;
    for (const auto& instruction : thread.instructions) {
        const Action& action = instruction.action;
        auto& buffers = needed.emplace_back();
        each_buffer(action, [&](Index buffer) {
            if (moves[buffer]) {
                buffers.push_back(buffer);
            }
        });
        if (const Index buffer = moved_by(action); buffer != no_id) {
            buffers.push_back(buffer);
        } else if (const auto* begin = std::get_if<CaptureBeginAction>(&action)) {
            capturing = begin->graph;
            graphs[capturing].clear();
        } else if (std::holds_alternative<CaptureEndAction>(action)) {
            capturing = no_id;
        } else if (const auto* launch = std::get_if<LaunchAction>(&action)) {
            buffers = graphs[launch->graph];
        } else if (capturing != no_id) {
            graphs[capturing].insert(graphs[capturing].end(), buffers.begin(), buffers.end());
        }
    }
    return needed;
}

std::string allocation_problem(const std::string& buffer, bool wanted)
{
    return "'" + buffer + "' is " + (wanted ? "not allocated here, or was freed before" : "allocated already");
}

}  // namespace lanes
