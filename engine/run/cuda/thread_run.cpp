// SPDX-License-Identifier: MIT
#include "engine/run/cuda/thread_run.h"

#include "engine/workload/check_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <ctime>
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>
#include <utility>

namespace lanes {

namespace {

Ns now_on(clockid_t clock)
{
    timespec time {};
    clock_gettime(clock, &time);
    return static_cast<Ns>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

bool waits(const Op& op)
{
    return facts_of(op.code).waits || op.blocking || (op.code == OpCode::copy && op.copy.synchronous_call);
}

std::size_t foreseen(const ThreadCode& code)
{
    return code.jumps_back ? std::max<std::size_t>(code.ops.size() * 4, 1U << 16U) : code.ops.size();
}

}  // namespace

Ns realtime_now()
{
    return now_on(CLOCK_REALTIME);
}

ThreadRun::ThreadRun(const ThreadCode& code, Index thread, Machine& machine, ExpectedContents& expected,
    std::atomic<std::uint64_t>& numbers, Coordination& coordination, Communicators& communicators)
    : m_code(code)
    , m_thread(thread)
    , m_machine(machine)
    , m_expected(expected)
    , m_numbers(numbers)
    , m_coordination(coordination)
    , m_communicators(communicators)
    , m_steps(foreseen(code))
    , m_memcpy_from(code.memcpy_bytes, std::byte {1})
    , m_memcpy_to(code.memcpy_bytes, std::byte {2})
    , m_process(static_cast<std::uint32_t>(getpid()))
{
    spans.reserve(foreseen(code));
    reads.reserve(code.reads.size() + 16);
}

void ThreadRun::run()
{
    m_os_thread = static_cast<std::uint32_t>(gettid());
    const std::size_t count = m_code.ops.size();
    while (m_next < count && !m_coordination.stopped()) {
        const Op& op = m_code.ops[m_next];
        m_steps.push({realtime_now(), m_process, m_os_thread, op.step, static_cast<std::uint32_t>(m_next)});
        ++m_next;
        const bool has_memory = m_code.needs.empty() || has_its_memory(m_code.needs[m_next - 1]);
        if (const cudaError_t error = has_memory ? run_op(op) : cudaErrorInvalidValue; error != cudaSuccess) {
            m_failure.code = error;
            m_failure.step = op.step;
            m_failure.time = realtime_now();
            m_failed.store(true, std::memory_order_release);
            m_coordination.stop();
            break;
        }
    }
    if (m_capture != nullptr) {  // it was stopped: nothing can wait for a GPU while one of its streams captures
        end_capture(m_capture_stream);
    }
    m_end = realtime_now();
    m_coordination.end(m_thread);
}

Ns ThreadRun::last_call() const
{
    Ns end = m_end;
    for (std::size_t at = m_steps.size(); at > 0; --at) {
        const auto& step = m_steps.at(at - 1);
        const Op& op = m_code.ops[step.instruction];
        if (facts_of(op.code).calls_cuda) {
            return waits(op) ? end : m_end;
        }
        end = step.start;
    }
    return m_end;
}

bool ThreadRun::has_its_memory(const BuffersNeeded& needs)
{
    for (const Index buffer : needs.buffers) {
        if ((m_machine.slot(buffer)->load(std::memory_order_relaxed) != nullptr) != needs.allocated) {
            m_failure.text = allocation_problem(m_machine.name_of(buffer), needs.allocated);
            return false;
        }
    }
    return true;
}

cudaError_t ThreadRun::run_op(const Op& op)
{
    if (op.gpu != any_gpu && op.gpu != m_gpu) {
        if (const cudaError_t error = m_machine.use(op.gpu); error != cudaSuccess) {
            return error;
        }
        m_gpu = op.gpu;
    }
    switch (op.code) {
    case OpCode::plain_kernel:
        return launch(op.kernel, op);
    case OpCode::computed_kernel:
        return launch(m_code.kernels[op.extra], op);
    case OpCode::copy:
        return copy(op);
    case OpCode::memset:
        return memset(op);
    case OpCode::cpu_spin:
    case OpCode::cpu_sleep:
    case OpCode::cpu_memcpy:
        host_work(op);
        return cudaSuccess;
    case OpCode::read:
        read(m_code.reads[op.extra]);
        return cudaSuccess;
    case OpCode::write:
        write(op.write);
        return cudaSuccess;
    case OpCode::record:
        return cudaEventRecord(op.event, op.stream);
    case OpCode::wait:
        return cudaStreamWaitEvent(op.stream, op.event, 0);
    case OpCode::sync_device:
        return cudaDeviceSynchronize();
    case OpCode::sync_stream:
        return cudaStreamSynchronize(op.stream);
    case OpCode::sync_event:
        return cudaEventSynchronize(op.event);
    case OpCode::range_begin:
        nvtxRangePushA(op.text);
        return cudaSuccess;
    case OpCode::range_end:
        nvtxRangePop();
        return cudaSuccess;
    case OpCode::put:
    case OpCode::get:
    case OpCode::join:
        host_wait(op);
        return cudaSuccess;
    case OpCode::alloc:
        return m_machine.allocate(op.memory.buffer, op.memory.pooled ? &op.stream : nullptr);
    case OpCode::free:
        return m_machine.release(op.memory.buffer, op.memory.pooled ? &op.stream : nullptr);
    case OpCode::capture_begin:
        return begin_capture(op);
    case OpCode::capture_end:
        return end_capture(op.stream);
    case OpCode::launch_graph:
        return launch_graph(op);
    case OpCode::collective:
        return communicate(m_code.collectives[op.extra], op.captured);
    case OpCode::fault:
        return cudaLaunchKernel(faulting_kernel(), dim3(1), dim3(32), nullptr, 0, op.stream);
    case OpCode::branch:
        if (const auto& branch = m_code.branches[op.extra]; !holds(branch)) {
            m_next = branch.target;
        }
        return cudaSuccess;
    }
    return cudaErrorUnknown;
}

void ThreadRun::note(bool captured, const ExpectedWrite& write)
{
    if (captured) {
        m_capture->writes.push_back(write);
    } else {
        apply(write, m_expected);
    }
}

cudaError_t ThreadRun::launch(const PlainKernelOp& kernel, const Op& op)
{
    PlainArgs args = kernel.args;
    args.scratch.start = m_machine.next_units(args.work);
    if (kernel.output != nullptr) {
        if (kernel.numbered) {
            const auto number = static_cast<double>(m_numbers.fetch_add(1, std::memory_order_relaxed) + 1);
            args.value = std::bit_cast<std::uint64_t>(number);
        }
        args.output = static_cast<std::uint64_t*>(kernel.output->load(std::memory_order_relaxed));
        note(op.captured, {.kind = ExpectedWrite::Kind::set, .to = kernel.expected, .word = args.value});
    }
    void* parameters[] = {&args};
    return cudaLaunchKernel(kernel.function, dim3(kernel.blocks), dim3(kernel_threads), parameters, 0, op.stream);
}

cudaError_t ThreadRun::launch(const ComputedKernel& kernel, const Op& op)
{
    ComputedArgs args = kernel.args;
    args.scratch.start = m_machine.next_units(args.work);
    if (kernel.items.empty()) {
        const auto value = static_cast<double>(m_numbers.fetch_add(1, std::memory_order_relaxed) + 1);
        args.value = std::bit_cast<std::uint64_t>(value);
        for (const auto& span : kernel.expected) {
            note(op.captured, {.kind = ExpectedWrite::Kind::set, .to = span, .word = args.value});
        }
    } else {
        for (std::size_t k = 0; k < kernel.loads.size(); ++k) {
            args.load[k] = static_cast<const std::uint64_t*>(kernel.loads[k]->load(std::memory_order_relaxed));
        }
        note(op.captured, {.kind = ExpectedWrite::Kind::compute, .kernel = &kernel});
    }
    for (std::size_t k = 0; k < kernel.outputs.size(); ++k) {
        args.output[k] = static_cast<std::uint64_t*>(kernel.outputs[k]->load(std::memory_order_relaxed));
    }
    void* parameters[] = {&args};
    return cudaLaunchKernel(kernel.function, dim3(kernel.blocks), dim3(kernel_threads), parameters, 0, op.stream);
}

cudaError_t ThreadRun::copy(const Op& op)
{
    const CopyOp& it = op.copy;
    auto* const to = static_cast<std::byte*>(it.to->load(std::memory_order_relaxed)) + it.offset;
    const auto* const from = static_cast<const std::byte*>(it.from->load(std::memory_order_relaxed)) + it.offset;
    note(op.captured, {.kind = ExpectedWrite::Kind::copy, .from = it.expected_from, .to = it.expected_to});
    if (it.synchronous_call) {
        return cudaMemcpy(to, from, it.bytes, it.kind);
    }
    const cudaError_t error = it.to_device >= 0
        ? cudaMemcpyPeerAsync(to, it.to_device, from, it.from_device, it.bytes, op.stream)
        : cudaMemcpyAsync(to, from, it.bytes, it.kind, op.stream);
    return error == cudaSuccess && op.blocking ? cudaStreamSynchronize(op.stream) : error;
}

cudaError_t ThreadRun::memset(const Op& op)
{
    const MemsetOp& it = op.memset;
    auto* const to = static_cast<std::byte*>(it.to->load(std::memory_order_relaxed)) + it.offset;
    const auto word = 0x0101010101010101ULL * static_cast<std::uint8_t>(it.value);
    note(op.captured, {.kind = ExpectedWrite::Kind::set, .to = it.expected, .word = word});
    const cudaError_t error = cudaMemsetAsync(to, it.value, it.bytes, op.stream);
    return error == cudaSuccess && op.blocking ? cudaStreamSynchronize(op.stream) : error;
}

// Other threads may allocate and wait meanwhile: only this thread's calls must be allowed in a capture.
cudaError_t ThreadRun::begin_capture(const Op& op)
{
    auto& graph = m_machine.graph(op.graph);
    if (graph.exec != nullptr) {
        m_machine.retire(graph);  // it may still run
    }
    const cudaError_t error = cudaStreamBeginCapture(op.stream, cudaStreamCaptureModeThreadLocal);
    if (error == cudaSuccess) {
        graph.writes.clear();
        m_capture = &graph;
        m_capture_stream = op.stream;
    }
    return error;
}

cudaError_t ThreadRun::end_capture(cudaStream_t stream)
{
    auto& graph = *std::exchange(m_capture, nullptr);
    cudaError_t error = cudaStreamEndCapture(stream, &graph.graph);
    if (error == cudaSuccess && !m_coordination.stopped()) {
        error = cudaGraphInstantiate(&graph.exec, graph.graph, 0);
    }
    return error;
}

cudaError_t ThreadRun::launch_graph(const Op& op)
{
    const auto& graph = m_machine.graph(op.graph);
    for (const auto& write : graph.writes) {
        apply(write, m_expected);
    }
    return cudaGraphLaunch(graph.exec, op.stream);
}

cudaError_t ThreadRun::communicate(const CollectiveOp& collective, bool captured)
{
    note(captured, {.kind = ExpectedWrite::Kind::communicate, .collective = &collective});
    m_rank_data.clear();
    for (const Slot* const data : collective.data) {
        m_rank_data.push_back(data->load(std::memory_order_relaxed));
    }
    m_failure.text = m_communicators.communicate(
        collective.kind, collective.group, m_rank_data, collective.words, collective.streams);
    return m_failure.text.empty() ? cudaSuccess : cudaErrorUnknown;
}

void ThreadRun::host_work(const Op& op)
{
    const Ns start = realtime_now();
    if (op.code == OpCode::cpu_spin) {
        const Ns until = now_on(CLOCK_MONOTONIC) + op.cpu.time;
        while (now_on(CLOCK_MONOTONIC) < until && !m_coordination.stopped()) { }
    } else if (op.code == OpCode::cpu_sleep) {
        timespec rest {
            static_cast<time_t>(op.cpu.time / 1'000'000'000), static_cast<long>(op.cpu.time % 1'000'000'000)};
        while (clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, &rest) == EINTR && !m_coordination.stopped()) { }
    } else {
        host_copy(op.cpu);
    }
    spans.push_back({start, realtime_now(), m_process, m_os_thread, op.cpu.name, HostSpanRecord::work});
}

void ThreadRun::host_copy(const CpuOp& copy)
{
    const void* from = m_memcpy_from.data();
    void* to = m_memcpy_to.data();
    if (copy.to != nullptr) {
        m_expected.copy(copy.expected_from, copy.expected_to);
        from = copy.from->load(std::memory_order_relaxed);
        to = copy.to->load(std::memory_order_relaxed);
    }
    if (from != nullptr && to != nullptr) {
        std::memcpy(to, from, copy.bytes);
        asm volatile("" : : "r"(to) : "memory");  // keeps the copy: who reads it the compiler does not see
    }
}

void ThreadRun::host_wait(const Op& op)
{
    const Ns start = realtime_now();
    const Index target = op.queue.target;
    auto type = HostSpanRecord::join;
    if (op.code == OpCode::put) {
        type = HostSpanRecord::queue_put;
        m_coordination.put(target);
    } else if (op.code == OpCode::get) {
        type = HostSpanRecord::queue_get;
        m_coordination.get(target);
    } else {
        m_coordination.join(target);
    }
    spans.push_back({start, realtime_now(), m_process, m_os_thread, op.queue.name, type});
}

void ThreadRun::read(const ReadOp& read)
{
    const Ns start = realtime_now();
    std::uint64_t wrong = 0;
    for (const Index buffer : read.buffers) {
        if (const void* const data = m_machine.slot(buffer)->load(std::memory_order_relaxed)) {
            wrong += m_expected.wrong_bytes(buffer, data);
        }
    }
    reads.push_back({start, realtime_now(), m_process, m_os_thread, read.name, read.expect_stale, read.bytes, wrong});
}

void ThreadRun::write(const WriteOp& write)
{
    const Ns start = realtime_now();
    m_expected.set(write.expected, write.word);
    if (auto* const words = static_cast<std::uint64_t*>(write.to->load(std::memory_order_relaxed))) {
        std::fill_n(words, write.words, write.word);
        asm volatile("" : : "r"(words) : "memory");  // a copy reads them, which the compiler does not see
    }
    spans.push_back({start, realtime_now(), m_process, m_os_thread, write.name, HostSpanRecord::work});
}

bool ThreadRun::holds(const BranchOp& branch) const
{
    if (branch.items.empty()) {
        return false;
    }
    const auto load = [&](const ValueItem& item) {
        const void* const data = branch.loads[item.slot]->load(std::memory_order_relaxed);
        return data != nullptr ? *static_cast<const volatile double*>(data) : 0.0;
    };
    return evaluate(branch.items.data(), static_cast<std::uint32_t>(branch.items.size()), load) != 0;
}

}  // namespace lanes
