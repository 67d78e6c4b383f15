// SPDX-License-Identifier: MIT
#include "engine/workload/check_memory.h"

#include "engine/workload/check.h"

namespace lanes {

namespace {

constexpr std::size_t most_branch_steps = 100'000'000;

}  // namespace

MemoryCheck::MemoryCheck(const Program& program)
    : m_program(program)
    , m_places(program.buffers.size(), no_id)
    , m_graphs(program.graphs.size())
    , m_flows(program.threads.size())
{
    const auto moves = [this](Index buffer) {
        if (m_places[buffer] == no_id) {
            m_places[buffer] = static_cast<Index>(m_buffers.size());
            m_moving.push_back(buffer);
            m_buffers.push_back({m_program.buffers[buffer].allocated_by_step ? Buffer::State::never
                                                                             : Buffer::State::allocated});
        }
    };
    std::size_t branches = 0;
    for (const auto& thread : program.threads) {
        for (const auto& instruction : thread.instructions) {
            if (const auto* alloc = std::get_if<AllocAction>(&instruction.action)) {
                moves(alloc->buffer);
            } else if (const auto* free = std::get_if<FreeAction>(&instruction.action)) {
                moves(free->buffer);
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

}  // namespace lanes
