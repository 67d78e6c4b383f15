// SPDX-License-Identifier: MIT
#include "engine/workload/effects.h"

#include "engine/workload/collective.h"

#include <utility>

namespace lanes {

namespace {

/// One function for each kind of action, and none for the others: the compiler asks for what is missing.
class Describer {
public:
    Describer(const Program& program, Effects& effects)
        : m_program(program)
        , m_effects(effects)
    {
    }

    void describe(const KernelAction& kernel)
    {
        work_of(kernel.stream);
        for (const Index buffer : kernel.reads) {
            whole(Access::Kind::read, buffer, kernel.stream);
        }
        for (const Index buffer : kernel.writes) {
            whole(Access::Kind::write, buffer, kernel.stream);
        }
        loads(kernel.value, kernel.stream);
        m_effects.kernel_name = kernel.name;
        m_effects.counts.kernels = 1;
    }
    void describe(const CopyAction& copy)
    {
        const BufferElement& from = m_program.buffers[copy.from];
        const BufferElement& to = m_program.buffers[copy.to];
        work_of(copy.stream);
        m_effects.accesses.push_back({Access::Kind::read, copy.from, copy.offset, copy.bytes, copy.stream});
        m_effects.accesses.push_back({Access::Kind::write, copy.to, copy.offset, copy.bytes, copy.stream, copy.from});
        const bool between_gpus = from.gpu != no_id && to.gpu != no_id;
        const bool call_waits = copy.call == CopyAction::Call::memcpy && !between_gpus;
        const bool on_host = from.gpu == no_id && to.gpu == no_id;
        if (copy.blocking || call_waits || on_host || to.memory == MemoryKind::pageable) {
            wait_for(Effects::Wait::stream, copy.stream);
        }
        m_effects.counts.copies = 1;
        m_effects.counts.syncs = copy.blocking ? 1 : 0;
    }
    void describe(const MemsetAction& memset)
    {
        work_of(memset.stream);
        m_effects.accesses.push_back({Access::Kind::write, memset.to, memset.offset, memset.bytes, memset.stream});
        if (memset.blocking) {
            wait_for(Effects::Wait::stream, memset.stream);
        }
        m_effects.counts.memsets = 1;
        m_effects.counts.syncs = memset.blocking ? 1 : 0;
    }
    void describe(const CpuAction& cpu)
    {
        const bool copies = cpu.kind == CpuAction::Kind::memcpy;
        const auto bytes = [&](Index buffer) { return copies ? cpu.bytes : m_program.buffers[buffer].bytes; };
        for (const Index buffer : cpu.reads) {
            m_effects.accesses.push_back({Access::Kind::read, buffer, 0, bytes(buffer), no_id});
        }
        for (const Index buffer : cpu.writes) {
            const Index from = copies && !cpu.reads.empty() ? cpu.reads.front() : no_id;
            m_effects.accesses.push_back({Access::Kind::write, buffer, 0, bytes(buffer), no_id, from});
        }
    }
    void describe(const ReadAction& read)
    {
        for (const Index buffer : read.buffers) {
            whole(Access::Kind::read, buffer, no_id);
        }
        m_effects.may_race = read.expect_stale;
    }
    void describe(const WriteAction& write)
    {
        whole(Access::Kind::write, write.buffer, no_id);
        m_effects.may_race = write.racing;
    }
    void describe(const RecordAction& record)
    {
        on(record.stream);
        m_effects.records = record.event;
    }
    void describe(const WaitAction& wait)
    {
        on(wait.stream);
        m_effects.stream_awaits = wait.event;
        m_effects.counts.waits = 1;
    }
    void describe(const SyncDeviceAction& sync)
    {
        m_effects.gpu = sync.gpu;
        synchronise(Effects::Wait::device, sync.gpu);
    }
    void describe(const SyncStreamAction& sync)
    {
        on(sync.stream);
        synchronise(Effects::Wait::stream, sync.stream);
    }
    void describe(const SyncEventAction& sync) { synchronise(Effects::Wait::event, sync.event); }
    void describe(const RangeBeginAction&) { m_effects.counts.ranges = 1; }
    void describe(const RangeEndAction&) { }
    void describe(const PutAction& put) { wait_for(Effects::Wait::room, put.queue); }
    void describe(const GetAction& get) { wait_for(Effects::Wait::item, get.queue); }
    void describe(const JoinAction& join) { wait_for(Effects::Wait::thread, join.thread); }
    void describe(const AllocAction& alloc)
    {
        memory(alloc.buffer, alloc.stream);
        m_effects.allocates = alloc.buffer;
    }
    void describe(const FreeAction& free)
    {
        memory(free.buffer, free.stream);
        m_effects.frees = free.buffer;
    }
    void describe(const CaptureBeginAction& begin)
    {
        on(begin.stream);
        m_effects.begins = begin.graph;
    }
    void describe(const CaptureEndAction& end)
    {
        on(end.stream);
        m_effects.ends = end.graph;
    }
    void describe(const LaunchAction& launch)
    {
        work_of(launch.stream);
        m_effects.launches = launch.graph;
    }
    void describe(const CollectiveAction& collective)
    {
        m_effects.is_work = true;
        m_effects.joins_streams = true;
        for (const auto& part : parts_of(collective, m_program.buffers[collective.buffers.front()].bytes)) {
            const auto access = [&](Access::Kind kind, std::uint32_t rank, Index copied_from) {
                m_effects.accesses.push_back(
                    {kind, collective.buffers[rank], part.offset, part.bytes, collective.streams[rank], copied_from});
            };
            for (const std::uint32_t rank : part.from) {
                access(Access::Kind::read, rank, no_id);
            }
            for (const std::uint32_t rank : part.to) {
                access(
                    Access::Kind::write, rank, part.from.size() == 1 ? collective.buffers[part.from.front()] : no_id);
            }
        }
        m_effects.kernel_name = names_of(collective.kind).kernel;
        m_effects.counts.kernels = collective.buffers.size();
    }
    void describe(const FaultAction& fault)
    {
        work_of(fault.stream);
        m_effects.makes_counts_unknown = true;
    }
    void describe(const BranchAction& branch)
    {
        loads(branch.condition, no_id);
        m_effects.may_go_to = branch.target;
        m_effects.makes_counts_unknown = true;
    }

private:
    void on(Index stream)
    {
        m_effects.stream = stream;
        m_effects.gpu = m_program.streams[stream].gpu;
    }
    void work_of(Index stream)
    {
        on(stream);
        m_effects.is_work = true;
    }
    /// `stream`: whose pool is used; no_id: none.
    void memory(Index buffer, Index stream)
    {
        if (stream != no_id) {
            on(stream);
        } else {
            m_effects.gpu = m_program.buffers[buffer].gpu;
        }
    }
    void wait_for(Effects::Wait wait, Index awaited)
    {
        m_effects.wait = wait;
        m_effects.awaited = awaited;
    }
    void synchronise(Effects::Wait wait, Index awaited)
    {
        wait_for(wait, awaited);
        m_effects.counts.syncs = 1;
    }
    void whole(Access::Kind kind, Index buffer, Index stream)
    {
        m_effects.accesses.push_back({kind, buffer, 0, m_program.buffers[buffer].bytes, stream});
    }
    void loads(const ValueCode& code, Index stream)
    {
        for (const auto& item : code.items) {
            if (item.op == ValueCode::Op::load) {
                whole(Access::Kind::read, item.buffer, stream);
            }
        }
    }

    const Program& m_program;
    Effects& m_effects;
};

}  // namespace

void effects_of(const Program& program, const Action& action, Effects& into)
{
    auto memory = std::move(into.accesses);
    memory.clear();
    into = {};
    into.accesses = std::move(memory);
    std::visit([describer = Describer(program, into)](const auto& it) mutable { describer.describe(it); }, action);
}

Effects effects_of(const Program& program, const Action& action)
{
    Effects effects;
    effects_of(program, action, effects);
    return effects;
}

}  // namespace lanes
