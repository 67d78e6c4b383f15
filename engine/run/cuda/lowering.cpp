// SPDX-License-Identifier: MIT
#include "engine/run/cuda/lowering.h"

#include "engine/workload/workload.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lanes {

namespace {

[[noreturn]] void refuse(const Program& program, Index step, const std::string& message)
{
    const auto& info = program.steps[step];
    throw WorkloadError(program.file, info.line, info.column, message);
}

/// Lowers the instructions of one thread, one function a kind of action.
class Lowering {
public:
    Lowering(const Program& program, Machine& machine, const ExpectedContents& expected, RecordSink& sink,
        const WorkOf& work_of)
        : m_program(program)
        , m_machine(machine)
        , m_expected(expected)
        , m_sink(sink)
        , m_work_of(work_of)
    {
    }

    ThreadCode lower(const ThreadProgram& thread)
    {
        m_code = {};
        m_code.ops.reserve(thread.instructions.size());
        for (Index i = 0; i < thread.instructions.size(); ++i) {
            const auto& instruction = thread.instructions[i];
            Op op {};
            op.step = instruction.step;
            std::visit([&](const auto& action) { fill(op, action); }, instruction.action);
            if (const auto* branch = std::get_if<BranchAction>(&instruction.action)) {
                m_code.jumps_back |= branch->target <= i;
            }
            m_code.ops.push_back(op);
        }
        return std::move(m_code);
    }

private:
    bool on_host(Index buffer) const { return m_program.buffers[buffer].gpu == no_id; }

    /// Formulas load from slots: each distinct buffer gets one.
    std::vector<ValueItem> items_of(Index step, const ValueCode& code, std::vector<Index>& buffers)
    {
        std::vector<ValueItem> items;
        int depth = 0;
        for (const auto& item : code.items) {
            std::uint32_t slot = 0;
            if (item.op == ValueCode::Op::load) {
                const auto known = std::find(buffers.begin(), buffers.end(), item.buffer);
                slot = static_cast<std::uint32_t>(known - buffers.begin());
                if (known == buffers.end()) {
                    buffers.push_back(item.buffer);
                }
            }
            const bool pushes = item.op == ValueCode::Op::load || item.op == ValueCode::Op::constant;
            const bool unary = item.op == ValueCode::Op::negate || item.op == ValueCode::Op::logical_not;
            depth += pushes ? 1 : unary ? 0 : -1;
            if (depth > value_stack) {
                refuse(m_program, step, "the formula is nested too deeply: at most 32 values may wait");
            }
            items.push_back({item.number, slot, item.op});
        }
        return items;
    }

    std::uint64_t work_for(const KernelAction& kernel, std::uint32_t blocks, std::uint64_t words) const
    {
        const double threads = static_cast<double>(blocks) * fma_threads;
        if (kernel.flops > 0) {
            return static_cast<std::uint64_t>(std::llround(kernel.flops / (2.0 * fma_per_round * threads)));
        }
        if (kernel.bytes > 0) {
            return static_cast<std::uint64_t>(std::llround(kernel.bytes / memory_bytes_per_unit));
        }
        return kernel.time > 0 ? m_work_of({kernel.work, blocks, kernel.time, words}) : 0;
    }

    void fill(Op& op, const KernelAction& kernel)
    {
        for (const Index buffer : kernel.writes) {
            if (on_host(buffer) && m_program.buffers[buffer].memory != MemoryKind::pinned) {
                refuse(m_program, op.step,
                    "a kernel cannot write pageable host memory: " + m_program.buffers[buffer].name);
            }
        }
        auto work_kind = kernel.work;
        if (kernel.flops > 0) {
            work_kind = KernelWork::fma;
        } else if (kernel.bytes > 0) {
            work_kind = KernelWork::memory;
        }
        // A formula without loads is a number; only what must be read on the GPU needs the slower kernel.
        const bool fixed = !kernel.value.empty()
            && std::none_of(kernel.value.items.begin(), kernel.value.items.end(),
                [](const auto& item) { return item.op == ValueCode::Op::load; });
        const bool plain = kernel.writes.size() <= 1 && (kernel.value.empty() || fixed);
        const void* const function = plain ? plain_kernel(work_kind) : computed_kernel(work_kind);
        const auto blocks = kernel.blocks != 0 ? kernel.blocks : m_machine.full_wave(function);
        std::uint64_t words = 0;
        for (const Index buffer : kernel.writes) {
            words += allocated_bytes(m_program.buffers[buffer]) / 8;
        }
        const std::uint64_t work = work_for(kernel, blocks, words);
        op.stream = m_machine.stream(kernel.stream);
        if (plain) {
            op.code = OpCode::plain_kernel;
            op.kernel = {function, nullptr, {work, m_machine.scratch(), nullptr, words, 0}, {}, blocks, !fixed};
            if (fixed) {
                std::vector<Index> none;
                const auto items = items_of(op.step, kernel.value, none);
                const double value = evaluate(
                    items.data(), static_cast<std::uint32_t>(items.size()), [](std::uint32_t) { return 0.0; });
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
        made.items = items_of(step, kernel.value, made.load_buffers);
        if (kernel.writes.size() > most_buffers || made.load_buffers.size() > most_buffers) {
            refuse(m_program, step, "a kernel may write at most 16 buffers and compute from at most 16");
        }
        made.args.work = work;
        made.args.scratch = m_machine.scratch();
        made.args.outputs = static_cast<std::uint32_t>(kernel.writes.size());
        made.args.items = static_cast<std::uint32_t>(made.items.size());
        if (!made.items.empty()) {
            made.args.code = static_cast<const ValueItem*>(
                m_machine.keep_on_gpu(made.items.data(), made.items.size() * sizeof(ValueItem)));
            made.args.cell = static_cast<ValueCell*>(m_machine.keep_on_gpu(nullptr, sizeof(ValueCell)));
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
            m_expected.span_of(copy.to, copy.offset, copy.bytes), kind, copy.call == CopyAction::Call::memcpy};
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
        op.cpu = {cpu.time, cpu.bytes, m_sink.intern(cpu.name.empty() ? names[kind] : cpu.name)};
        m_code.memcpy_bytes = std::max(m_code.memcpy_bytes, cpu.bytes);
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
        made.items = items_of(op.step, branch.condition, buffers);
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
    // refuse_unsupported() has stopped these before.
    void fill(Op& op, const CaptureBeginAction&) { refuse(m_program, op.step, "not yet supported on a GPU"); }
    void fill(Op& op, const CaptureEndAction&) { refuse(m_program, op.step, "not yet supported on a GPU"); }
    void fill(Op& op, const LaunchAction&) { refuse(m_program, op.step, "not yet supported on a GPU"); }
    void fill(Op& op, const AllReduceAction&) { refuse(m_program, op.step, "not yet supported on a GPU"); }

    const Program& m_program;
    Machine& m_machine;
    const ExpectedContents& m_expected;
    RecordSink& m_sink;
    const WorkOf& m_work_of;
    ThreadCode m_code;
};

const char* unsupported(const Action& action)
{
    if (std::holds_alternative<AllReduceAction>(action)) {
        return "all_reduce is not yet supported on a GPU";
    }
    if (std::holds_alternative<CaptureBeginAction>(action) || std::holds_alternative<CaptureEndAction>(action)
        || std::holds_alternative<LaunchAction>(action)) {
        return "graph capture is not yet supported on a GPU";
    }
    return nullptr;
}

/// The GPU that an action uses, 0 if none.
std::uint32_t gpu_of(const Program& program, const Action& action)
{
    return std::visit(
        [&](const auto& it) -> std::uint32_t {
            if constexpr (requires { it.gpu; }) {
                return it.gpu;
            } else if constexpr (requires { it.stream; }) {
                return it.stream != no_id ? program.streams[it.stream].gpu : 0;
            } else {
                return 0;
            }
        },
        action);
}

}  // namespace

void refuse_unsupported(const Program& program)
{
    for (const auto& thread : program.threads) {
        for (const auto& instruction : thread.instructions) {
            if (const char* const what = unsupported(instruction.action)) {
                refuse(program, instruction.step, what);
            }
            if (gpu_of(program, instruction.action) > 0) {
                refuse(program, instruction.step, "several GPUs are not yet supported by the CUDA runner");
            }
        }
    }
    if (program.gpus > 1) {
        throw WorkloadError(program.file, 0, 0, "several GPUs are not yet supported by the CUDA runner");
    }
}

std::vector<ThreadCode> lower(
    const Program& program, Machine& machine, const ExpectedContents& expected, RecordSink& sink, const WorkOf& work_of)
{
    Lowering lowering(program, machine, expected, sink, work_of);
    std::vector<ThreadCode> threads;
    for (const auto& thread : program.threads) {
        threads.push_back(lowering.lower(thread));
    }
    return threads;
}

}  // namespace lanes
