// SPDX-License-Identifier: MIT
#include "engine/workload/check_memory.h"

#include "engine/workload/check.h"

namespace lanes {

namespace {

constexpr std::size_t most_branch_steps = 100'000'000;

/// The buffer that the instruction allocates or frees; no_id: none.
Index moved_by(const Effects& effects)
{
    return effects.allocates != no_id ? effects.allocates : effects.frees;
}

}  // namespace

MemoryCheck::MemoryCheck(const Program& program)
    : m_program(program)
    , m_places(program.buffers.size(), no_id)
    , m_graphs(program.graphs.size())
    , m_flows(program.threads.size())
{
    std::size_t branches = 0;
    each_effects(program, [&](const Effects& effects, const Instruction&, Index) {
        const Index buffer = moved_by(effects);
        if (buffer != no_id && m_places[buffer] == no_id) {
            m_places[buffer] = static_cast<Index>(m_buffers.size());
            m_moving.push_back(buffer);
            m_buffers.push_back(
                {program.buffers[buffer].allocated_by_step ? Buffer::State::never : Buffer::State::allocated});
        }
        branches += effects.may_go_to != no_id ? 1 : 0;
    });
    if (branches * m_buffers.size() > most_branch_steps) {  // the runners find out
        m_places.assign(program.buffers.size(), no_id);
        m_buffers.clear();
    }
}

void MemoryCheck::visit(Index thread, Index at, const Effects& effects)
{
    if (m_buffers.empty()) {
        return;
    }
    Flow& flow = m_flows[thread];
    land(flow, at);
    m_instruction = &m_program.threads[thread].instructions[at];
    for (const Access& access : effects.accesses) {
        use(access, flow);
    }
    if (effects.allocates != no_id) {
        allocate(effects.allocates, effects.stream);
    }
    if (effects.frees != no_id) {
        release(effects.frees);
    }
    if (effects.begins != no_id) {
        flow.capturing = effects.begins;
        m_graphs[effects.begins].clear();
    }
    if (effects.ends != no_id) {
        flow.capturing = no_id;
    }
    if (effects.launches != no_id) {
        launch(effects.launches, effects.stream);
    }
    if (effects.may_go_to != no_id) {
        branch(flow, effects.may_go_to);
    }
}

/// A branch may have come here from elsewhere: only what is the same on both ways is known.
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

void MemoryCheck::use(const Access& access, const Flow& flow)
{
    const Index buffer = access.buffer;
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
    if (flow.capturing == no_id) {
        expect_own_stream(buffer, found, access.stream);
    }
    if (flow.capturing != no_id) {
        m_graphs[flow.capturing].push_back({place, found.frees});
    }
}

void MemoryCheck::allocate(Index buffer, Index stream)
{
    Buffer& found = m_buffers[m_places[buffer]];
    if (found.state == Buffer::State::allocated) {
        fail("'" + m_program.buffers[buffer].name + "' is allocated already, expected a 'free' before");
    }
    found.state = Buffer::State::allocated;
    found.stream = stream;
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

/// Of memory of the caching allocator.
void MemoryCheck::expect_own_stream(Index buffer, const Buffer& found, Index stream) const
{
    if (m_program.buffers[buffer].cached && found.state == Buffer::State::allocated && stream != found.stream) {
        fail("'" + m_program.buffers[buffer].name + "' is used on another stream than the one whose block it has ('"
            + m_program.streams[found.stream].name
            + "'), expected its uses there: its memory goes to the next buffer of that stream as soon as it is freed");
    }
}

void MemoryCheck::launch(Index graph, Index stream)
{
    for (const auto& captured : m_graphs[graph]) {
        const Buffer& found = m_buffers[captured.buffer];
        expect_own_stream(m_moving[captured.buffer], found, stream);
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
    each_effects(program, [&](const Effects& effects, const Instruction&, Index) {
        moves = moves || moved_by(effects) != no_id;
        branches = branches || effects.may_go_to != no_id;
    });
    return moves && branches;
}

std::vector<BuffersNeeded> buffers_needed(const Program& program, const ThreadProgram& thread)
{
    std::vector<bool> moves(program.buffers.size());
    each_effects(program, [&](const Effects& effects, const Instruction&, Index) {
        if (const Index buffer = moved_by(effects); buffer != no_id) {
            moves[buffer] = true;
        }
    });
    std::vector<BuffersNeeded> needed;
    needed.reserve(thread.instructions.size());
    std::vector<std::vector<Index>> graphs(program.graphs.size());
    Index capturing = no_id;
    each_effects(program, thread, [&](const Effects& effects, Index) {
        auto& [buffers, allocated] = needed.emplace_back();
        allocated = effects.allocates == no_id;
        for (const Access& access : effects.accesses) {
            if (moves[access.buffer]) {
                buffers.push_back(access.buffer);
            }
        }
        if (const Index buffer = moved_by(effects); buffer != no_id) {
            buffers.push_back(buffer);
        } else if (effects.begins != no_id) {
            capturing = effects.begins;
            graphs[capturing].clear();
        } else if (effects.ends != no_id) {
            capturing = no_id;
        } else if (effects.launches != no_id) {
            buffers = graphs[effects.launches];
        } else if (capturing != no_id) {
            graphs[capturing].insert(graphs[capturing].end(), buffers.begin(), buffers.end());
        }
    });
    return needed;
}

std::string allocation_problem(const std::string& buffer, bool wanted)
{
    return "'" + buffer + "' is " + (wanted ? "not allocated here, or was freed before" : "allocated already");
}

}  // namespace lanes
