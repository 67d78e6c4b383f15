// SPDX-License-Identifier: MIT
#include "engine/run/cuda/lowering.h"

#include "engine/workload/check_memory.h"
#include "engine/workload/collective.h"
#include "engine/workload/effects.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace lanes {

namespace {

[[noreturn]] void refuse(const Program& program, Index step, const std::string& message)
{
    const auto& info = program.steps[step];
    throw WorkloadError(program.file, info.line, info.column, message);
}

/// Lowers the instructions of one thread: one function for each kind of action, and none for the others. The compiler
/// asks for what is missing.
class Lowering {
public:
    Lowering(const Program& program, Machine& machine, Communicators& communicators, const ExpectedContents& expected,
        RecordSink& sink, const WorkOf& work_of)
        : m_program(program)
        , m_machine(machine)
        , m_communicators(communicators)
        , m_expected(expected)
        , m_sink(sink)
        , m_work_of(work_of)
        , m_checks_memory(allocation_is_uncertain(program))
    {
    }

    ThreadCode lower(const ThreadProgram& thread)
    {
        m_code = {};
        m_code.ops.reserve(thread.instructions.size());
        if (m_checks_memory) {
            m_code.needs = buffers_needed(m_program, thread);
        }
        each_effects(m_program, thread, [&](const Effects& effects, Index at) {
            const auto& instruction = thread.instructions[at];
            Op op {};
            op.step = instruction.step;
            op.gpu = current_gpu(effects);
            std::visit([&](const auto& action) { fill(op, action); }, instruction.action);
            follow_capture(op, effects);
            m_code.jumps_back |= effects.may_go_to <= at;
            m_code.ops.push_back(op);
        });
        return std::move(m_code);
    }

private:
    bool on_host(Index buffer) const { return m_program.buffers[buffer].gpu == no_id; }

    /// Formulas load from slots: each distinct buffer gets one.
    static std::vector<ValueItem> items_of(const ValueCode& code, std::vector<Index>& buffers)
    {
        std::vector<ValueItem> items;
        for (const auto& item : code.items) {
            std::uint32_t slot = 0;
            if (item.op == ValueCode::Op::load) {
                const auto known = std::find(buffers.begin(), buffers.end(), item.buffer);
                slot = static_cast<std::uint32_t>(known - buffers.begin());
                if (known == buffers.end()) {
                    buffers.push_back(item.buffer);
                }
            }
            items.push_back({item.number, slot, item.op});
        }
        return items;
    }

    std::uint64_t work_for(const KernelAction& kernel, std::uint32_t blocks, std::uint64_t words) const
    {
        const auto gpu = m_program.streams[kernel.stream].gpu;
        const double threads = static_cast<double>(blocks) * fma_threads;
        if (kernel.flops > 0) {
            return static_cast<std::uint64_t>(std::llround(kernel.flops / (2.0 * fma_per_round * threads)));
        }
        if (kernel.bytes > 0) {
            return static_cast<std::uint64_t>(std::llround(kernel.bytes / memory_bytes_per_unit));
        }
        return kernel.time > 0 ? m_work_of({gpu, kernel.work, blocks, kernel.time, words}) : 0;
    }

    void fill(Op& op, const KernelAction& kernel)
    {
        for (const Index buffer : kernel.writes) {
            if (on_host(buffer) && m_program.buffers[buffer].memory != MemoryKind::pinned) {
                refuse(m_program, op.step,
                    "a kernel cannot write pageable host memory: " + m_program.buffers[buffer].name);
            }
        }
        const auto gpu = m_program.streams[kernel.stream].gpu;
        auto work_kind = kernel.work;
        if (kernel.flops > 0) {
            work_kind = KernelWork::fma;
        } else if (kernel.bytes > 0) {
            work_kind = KernelWork::memory;
        }
        // A formula without loads is a number; only values read on the GPU need the slower kernel.
        const bool fixed = !kernel.value.empty()
            && std::none_of(kernel.value.items.begin(), kernel.value.items.end(),
                [](const auto& item) { return item.op == ValueCode::Op::load; });
        const bool plain = kernel.writes.size() <= 1 && (kernel.value.empty() || fixed);
        const void* const function = plain ? plain_kernel(work_kind) : computed_kernel(work_kind);
        const auto blocks = kernel.blocks != 0 ? kernel.blocks : m_machine.full_wave(function, gpu);
        std::uint64_t words = 0;
        for (const Index buffer : kernel.writes) {
            words += allocated_bytes(m_program.buffers[buffer]) / 8;
        }
        const std::uint64_t work = work_for(kernel, blocks, words);
        op.stream = m_machine.stream(kernel.stream);
        if (plain) {
            op.code = OpCode::plain_kernel;
            op.kernel = {function, nullptr, {work, m_machine.scratch(gpu, kernel.stream), nullptr, words, 0}, {},
                blocks, !fixed};
            if (fixed) {
                const auto& items = kernel.value.items;
                const double value = evaluate(
                    items.data(), static_cast<std::uint32_t>(items.size()), [](const ValueCode::Item&) { return 0.0; });
                op.kernel.args.value = std::bit_cast<std::uint64_t>(value);
            }
            if (!kernel.writes.empty()) {
                op.kernel.output = m_machine.slot(kernel.writes[0]);
                op.kernel.expected = m_expected.span_of(kernel.writes[0]);
            }
            return;
        }
        op.code = OpCode::computed_kernel;
        op.extra = static_cast<Index>(m_code.kernels.size());
        m_code.kernels.push_back(computed(op.step, kernel, function, blocks, work));
    }

    ComputedKernel computed(
        Index step, const KernelAction& kernel, const void* function, std::uint32_t blocks, std::uint64_t work)
    {
        ComputedKernel made {};
        made.function = function;
        made.blocks = blocks;
        made.items = items_of(kernel.value, made.load_buffers);
        if (kernel.writes.size() > most_buffers || made.load_buffers.size() > most_buffers) {
            refuse(m_program, step, "a kernel may write at most 16 buffers and compute from at most 16");
        }
        made.args.work = work;
        const auto gpu = m_program.streams[kernel.stream].gpu;
        made.args.scratch = m_machine.scratch(gpu, kernel.stream);
        made.args.outputs = static_cast<std::uint32_t>(kernel.writes.size());
        made.args.items = static_cast<std::uint32_t>(made.items.size());
        if (!made.items.empty()) {
            made.args.code = static_cast<const ValueItem*>(
                m_machine.keep_on_gpu(gpu, made.items.data(), made.items.size() * sizeof(ValueItem)));
            made.args.cell = static_cast<ValueCell*>(m_machine.keep_on_gpu(gpu, nullptr, sizeof(ValueCell)));
        }
        for (std::size_t k = 0; k < kernel.writes.size(); ++k) {
            made.outputs.push_back(m_machine.slot(kernel.writes[k]));
            made.expected.push_back(m_expected.span_of(kernel.writes[k]));
            made.args.words[k] = allocated_bytes(m_program.buffers[kernel.writes[k]]) / 8;
        }
        for (const Index buffer : made.load_buffers) {
            if (on_host(buffer) && m_program.buffers[buffer].memory != MemoryKind::pinned) {
                refuse(m_program, step, "a kernel cannot read pageable host memory: " + m_program.buffers[buffer].name);
            }
            made.loads.push_back(m_machine.slot(buffer));
        }
        return made;
    }

    void fill(Op& op, const CopyAction& copy)
    {
        const bool from_host = on_host(copy.from);
        const bool to_host = on_host(copy.to);
        const auto kind = from_host ? (to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                                    : (to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice);
        const auto from = m_expected.span_of(copy.from, copy.offset, copy.bytes);
        op.code = OpCode::copy;
        op.blocking = copy.blocking;
        op.stream = m_machine.stream(copy.stream);
        op.copy = {m_machine.slot(copy.from), m_machine.slot(copy.to), copy.offset, copy.bytes, from.first,
            m_expected.span_of(copy.to, copy.offset, copy.bytes), kind, copy.call == CopyAction::Call::memcpy, -1, -1};
        const auto from_gpu = m_program.buffers[copy.from].gpu;
        const auto to_gpu = m_program.buffers[copy.to].gpu;
        if (!from_host && !to_host && from_gpu != to_gpu) {
            op.copy.from_device = static_cast<std::int8_t>(m_machine.device(from_gpu));
            op.copy.to_device = static_cast<std::int8_t>(m_machine.device(to_gpu));
        }
    }
    void fill(Op& op, const MemsetAction& memset)
    {
        op.code = OpCode::memset;
        op.blocking = memset.blocking;
        op.stream = m_machine.stream(memset.stream);
        op.memset = {m_machine.slot(memset.to), memset.offset, memset.bytes,
            m_expected.span_of(memset.to, memset.offset, memset.bytes), memset.value};
    }
    void fill(Op& op, const CpuAction& cpu)
    {
        static constexpr const char* names[] = {"spin", "sleep", "memcpy"};
        static constexpr OpCode codes[] = {OpCode::cpu_spin, OpCode::cpu_sleep, OpCode::cpu_memcpy};
        const auto kind = static_cast<std::size_t>(cpu.kind);
        op.code = codes[kind];
        op.cpu
            = {cpu.time, cpu.bytes, m_sink.intern(cpu.name.empty() ? names[kind] : cpu.name), nullptr, nullptr, 0, {}};
        if (cpu.kind != CpuAction::Kind::memcpy) {
            return;
        }
        if (cpu.reads.empty() || cpu.writes.empty()) {
            m_code.memcpy_bytes = std::max(m_code.memcpy_bytes, cpu.bytes);
            return;
        }
        op.cpu.from = m_machine.slot(cpu.reads.front());
        op.cpu.to = m_machine.slot(cpu.writes.front());
        op.cpu.expected_from = m_expected.span_of(cpu.reads.front(), 0, cpu.bytes).first;
        op.cpu.expected_to = m_expected.span_of(cpu.writes.front(), 0, cpu.bytes);
    }
    void fill(Op& op, const ReadAction& read)
    {
        ReadOp made {read.buffers, m_sink.intern(read.name), read.expect_stale ? 1U : 0U, 0};
        for (const Index buffer : read.buffers) {
            if (!on_host(buffer)) {
                refuse(m_program, op.step, "the host cannot read GPU memory: " + m_program.buffers[buffer].name);
            }
            made.bytes += m_program.buffers[buffer].bytes;
        }
        op.code = OpCode::read;
        op.extra = static_cast<Index>(m_code.reads.size());
        m_code.reads.push_back(std::move(made));
    }
    void fill(Op& op, const WriteAction& write)
    {
        op.code = OpCode::write;
        op.write = {m_machine.slot(write.buffer), allocated_bytes(m_program.buffers[write.buffer]) / 8,
            std::bit_cast<std::uint64_t>(write.value), m_expected.span_of(write.buffer), m_sink.intern(write.name)};
    }
    void fill(Op& op, const RecordAction& record) { with_event(op, OpCode::record, record.event, record.stream); }
    void fill(Op& op, const WaitAction& wait) { with_event(op, OpCode::wait, wait.event, wait.stream); }
    void with_event(Op& op, OpCode code, Index event, Index stream)
    {
        op.code = code;
        op.stream = m_machine.stream(stream);
        op.event = m_machine.event(event);
    }
    void fill(Op& op, const SyncDeviceAction&) { op.code = OpCode::sync_device; }
    void fill(Op& op, const SyncStreamAction& sync)
    {
        op.code = OpCode::sync_stream;
        op.stream = m_machine.stream(sync.stream);
    }
    void fill(Op& op, const SyncEventAction& sync)
    {
        op.code = OpCode::sync_event;
        op.event = m_machine.event(sync.event);
    }
    void fill(Op& op, const RangeBeginAction& range)
    {
        op.code = OpCode::range_begin;
        op.text = range.name.c_str();
    }
    void fill(Op& op, const RangeEndAction&) { op.code = OpCode::range_end; }
    void fill(Op& op, const PutAction& put)
    {
        op.code = OpCode::put;
        op.queue = {put.queue, m_sink.intern(m_program.queues[put.queue].name)};
    }
    void fill(Op& op, const GetAction& get)
    {
        op.code = OpCode::get;
        op.queue = {get.queue, m_sink.intern(m_program.queues[get.queue].name)};
    }
    void fill(Op& op, const JoinAction& join)
    {
        op.code = OpCode::join;
        op.queue = {join.thread, m_sink.intern(m_program.threads[join.thread].name)};
    }
    void fill(Op& op, const AllocAction& alloc) { with_memory(op, OpCode::alloc, alloc.buffer, alloc.stream); }
    void fill(Op& op, const FreeAction& free) { with_memory(op, OpCode::free, free.buffer, free.stream); }
    void with_memory(Op& op, OpCode code, Index buffer, Index stream)
    {
        op.code = code;
        op.memory = {buffer, stream != no_id};
        op.stream = stream != no_id ? m_machine.stream(stream) : nullptr;
    }
    void fill(Op& op, const FaultAction& fault)
    {
        op.code = OpCode::fault;
        op.stream = m_machine.stream(fault.stream);
    }
    void fill(Op& op, const BranchAction& branch)
    {
        BranchOp made {};
        std::vector<Index> buffers;
        made.items = items_of(branch.condition, buffers);
        made.target = branch.target;
        for (const Index buffer : buffers) {
            if (!on_host(buffer)) {
                refuse(m_program, op.step, "a condition reads host memory only: " + m_program.buffers[buffer].name);
            }
            made.loads.push_back(m_machine.slot(buffer));
        }
        if (made.loads.size() > most_buffers) {
            refuse(m_program, op.step, "a condition reads at most 16 buffers");
        }
        op.code = OpCode::branch;
        op.extra = static_cast<Index>(m_code.branches.size());
        m_code.branches.push_back(std::move(made));
    }
    void fill(Op& op, const CaptureBeginAction& begin)
    {
        m_captured_streams = {begin.stream};
        m_captured_events.clear();
        with_graph(op, OpCode::capture_begin, begin.graph, begin.stream);
    }
    void fill(Op& op, const CaptureEndAction& end)
    {
        m_captured_streams.clear();
        m_captured_events.clear();
        with_graph(op, OpCode::capture_end, end.graph, end.stream);
    }
    void fill(Op& op, const LaunchAction& launch) { with_graph(op, OpCode::launch_graph, launch.graph, launch.stream); }
    void with_graph(Op& op, OpCode code, Index graph, Index stream)
    {
        op.code = code;
        op.graph = graph;
        op.stream = m_machine.stream(stream);
    }
    void fill(Op& op, const CollectiveAction& action)
    {
        CollectiveOp made {};
        std::vector<int> devices;
        const std::uint64_t bytes = m_program.buffers[action.buffers.front()].bytes;
        for (std::size_t rank = 0; rank < action.buffers.size(); ++rank) {
            devices.push_back(m_machine.device(m_program.streams[action.streams[rank]].gpu));
            made.data.push_back(m_machine.slot(action.buffers[rank]));
            made.streams.push_back(m_machine.stream(action.streams[rank]));
        }
        for (const auto& part : parts_of(action, bytes)) {
            auto& sum = made.sums.emplace_back();
            for (const std::uint32_t rank : part.from) {
                sum.from.push_back(m_expected.span_of(action.buffers[rank], part.offset, part.bytes));
            }
            for (const std::uint32_t rank : part.to) {
                sum.to.push_back(m_expected.span_of(action.buffers[rank], part.offset, part.bytes));
            }
        }
        made.kind = action.kind;
        made.words = allocated_bytes(m_program.buffers[action.buffers.front()]) / 8;
        made.group = m_communicators.group(devices);
        op.code = OpCode::collective;
        op.captured = m_captured_streams.contains(action.streams.front());
        op.extra = static_cast<Index>(m_code.collectives.size());
        m_code.collectives.push_back(std::move(made));
    }

    /// As in CUDA, a stream that waits for an event recorded in a capture becomes part of that capture.
    void follow_capture(Op& op, const Effects& effects)
    {
        if (m_captured_streams.empty()) {
            return;
        }
        if (effects.records != no_id) {
            if (m_captured_streams.contains(effects.stream)) {
                m_captured_events.insert(effects.records);
            }
        } else if (effects.stream_awaits != no_id) {
            if (m_captured_events.contains(effects.stream_awaits)) {
                m_captured_streams.insert(effects.stream);
            }
        } else if (effects.stream != no_id) {
            op.captured = m_captured_streams.contains(effects.stream);
        }
    }

    /// The device that must be current: launches fail on another device's streams, and the default streams are the
    /// current device's. Waiting for an explicit stream or an event works from any device.
    std::uint8_t current_gpu(const Effects& effects) const
    {
        const Index stream = effects.stream;
        const bool waits
            = effects.stream_awaits != no_id || (effects.wait == Effects::Wait::stream && !effects.is_work);
        const auto kind = stream != no_id ? m_program.streams[stream].kind : StreamSpec::Kind::non_blocking;
        const bool is_explicit = kind == StreamSpec::Kind::non_blocking || kind == StreamSpec::Kind::blocking;
        return effects.gpu == no_id || (waits && is_explicit) ? any_gpu : static_cast<std::uint8_t>(effects.gpu);
    }

    const Program& m_program;
    Machine& m_machine;
    Communicators& m_communicators;
    const ExpectedContents& m_expected;
    RecordSink& m_sink;
    const WorkOf& m_work_of;
    bool m_checks_memory;
    ThreadCode m_code;
    std::set<Index> m_captured_streams, m_captured_events;  ///< of the capture that the thread is in
};

}  // namespace

std::vector<ThreadCode> lower(const Program& program, Machine& machine, Communicators& communicators,
    const ExpectedContents& expected, RecordSink& sink, const WorkOf& work_of)
{
    Lowering lowering(program, machine, communicators, expected, sink, work_of);
    std::vector<ThreadCode> threads;
    for (const auto& thread : program.threads) {
        threads.push_back(lowering.lower(thread));
    }
    return threads;
}

}  // namespace lanes
