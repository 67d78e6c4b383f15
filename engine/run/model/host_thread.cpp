// SPDX-License-Identifier: MIT
#include "engine/run/model/host_thread.h"

#include "engine/run/model/host_records.h"
#include "engine/workload/check_memory.h"
#include "engine/workload/read_sample.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace lanes::model {

/// The host fills memory from its start to its end, in whole words: what a copy reads meanwhile is partly new.
struct HostPieces {
    static constexpr std::uint64_t count = 64;
    Ns start;
    double time;  ///< of all
    std::uint64_t size;  ///< of all, in bytes

    Ns written(std::uint64_t piece) const
    {
        return start + std::llround(time * static_cast<double>(piece + 1) / count);
    }
    /// Where the piece begins and ends.
    std::pair<std::uint64_t, std::uint64_t> bytes(std::uint64_t piece) const
    {
        return {bound(piece), bound(piece + 1)};
    }

private:
    std::uint64_t bound(std::uint64_t piece) const { return piece == count ? size : size / 8 * piece / count * 8; }
};

namespace {

constexpr std::uint32_t most_inline_steps = 4096;  // then the loop checks its limits

/// The problem with the buffers that an instruction needs; "": none.
std::string memory_problem(const HostSide& side, const BuffersNeeded& needs)
{
    for (const Index buffer : needs.buffers) {
        if (side.allocated[buffer] != needs.allocated) {
            return allocation_problem(side.core.program.buffers[buffer].name, needs.allocated);
        }
    }
    return {};
}

/// False for a mark, which takes no time, and for a branch, which has another constant.
bool takes_step_time(const Action& action)
{
    return !std::holds_alternative<RangeBeginAction>(action) && !std::holds_alternative<RangeEndAction>(action)
        && !std::holds_alternative<BranchAction>(action);
}

}  // namespace

HostSide::HostSide(Core& core_, GpuSide& gpus_)
    : core(core_)
    , gpus(gpus_)
    , queues(core_.program.queues.size())
    , events(core_.program.events.size())
    , checks_memory(allocation_is_uncertain(core_.program))
{
    for (const auto& buffer : core.program.buffers) {
        allocated.push_back(!buffer.allocated_by_step);
    }
    caches.assign(std::max(core.program.gpus, 1U), CachingAllocator(core.program.cache_limit));
    for (std::uint32_t index = 0; index < core.program.threads.size(); ++index) {
        threads.push_back(std::make_unique<HostThread>(*this, index));
    }
}

// The driver needs some time to find out. Nothing in a program decides how long.
void HostSide::fault()
{
    core.agenda.push(core.now + core.device.fault_report, Due::Kind::fault_report, 0);
}

void HostSide::end_waits()
{
    for (const auto& thread : threads) {
        thread->end_host_wait();
    }
}

void HostSide::fail(const RunFailure& what, std::uint32_t thread)
{
    core.stopped = true;
    if (!failure) {
        failure = what;
        core.records.add(ErrorRecord {.time = core.now,
            .process = process_id,
            .thread = thread,
            .step = what.step,
            .code = what.code,
            .message = core.records.text(what.message)});
    }
    end_waits();
}

HostThread::HostThread(HostSide& side, std::uint32_t index)
    : m_side(side)
    , m_index(index)
    , m_program(side.core.program.threads[index])
    , m_calls(side.core, index + 1)
{
    if (side.checks_memory) {
        m_needs = buffers_needed(side.core.program, m_program);
    }
}

void HostThread::released()
{
    m_released_by = core().ending;
    if (m_pending > 0 && --m_pending == 0 && m_handle && !m_is_scheduled) {
        m_is_scheduled = true;
        core().agenda.push(core().now, Due::Kind::thread, m_index);
    }
}

void HostThread::end_host_wait()
{
    if (m_pending > 0 && m_handle && !m_is_scheduled && (m_waits_for_host || core().reported)) {
        m_pending = 0;
        m_is_scheduled = true;
        core().agenda.push(core().now, Due::Kind::thread, m_index);
    }
}

void HostThread::resume()
{
    m_is_scheduled = false;
    m_inline_steps = 0;
    if (m_has_begun) {
        std::exchange(m_handle, {}).resume();
    } else {
        m_has_begun = true;
        m_task = run();
    }
    while (m_side.next) {
        std::exchange(m_side.next, {}).resume();
    }
    m_task.rethrow_failure();
}

bool HostThread::Until::await_ready()
{
    auto& core = thread.core();
    if (time <= core.now) {
        return true;
    }
    if (core.agenda.next_time() <= time || ++thread.m_inline_steps > most_inline_steps) {
        return false;
    }
    ++core.work;
    core.now = time;  // nothing else happens before that
    return true;
}

void HostThread::Until::await_suspend(std::coroutine_handle<> handle)
{
    thread.m_handle = handle;
    thread.m_is_scheduled = true;
    thread.core().agenda.push(time, Due::Kind::thread, thread.m_index);
}

bool HostThread::Released::await_ready()
{
    return thread.m_pending == 0;
}

void HostThread::Released::await_suspend(std::coroutine_handle<> handle)
{
    thread.m_handle = handle;
}

Task HostThread::run()
{
    const auto& instructions = m_program.instructions;
    while (m_next < instructions.size() && !core().stopped) {
        m_position = m_next++;
        const auto& instruction = instructions[m_position];
        m_step = instruction.step;
        core().records.add(StepRecord {.start = core().now,
            .process = process_id,
            .thread = id(),
            .step = instruction.step,
            .instruction = static_cast<std::uint32_t>(m_position)});
        if (const auto problem = m_needs.empty() ? std::string() : memory_problem(m_side, m_needs[m_position]);
            !problem.empty()) {
            fail(0, problem);
            break;
        }
        if (takes_step_time(instruction.action)) {
            co_await until(core().now + core().device.step);
        }
        Task task = execute(instruction);
        co_await task.then(m_side.next);
        if (m_calls.failed()) {
            fail(fault_code, fault_text);
        }
    }
    if (m_captures) {  // as the runner does: no stream may stay capturing
        m_captures = false;
        const auto call = m_calls.begin("cudaStreamEndCapture");
        co_await until(core().now + core().device.capture_call);
        m_calls.end(call, invalidated_code);
    }
    m_done = true;
    for (const auto thread : m_joiners) {
        m_side.threads[thread]->released();
    }
}

void HostThread::fail(std::int32_t code, const std::string& what)
{
    const auto& step = core().program.steps[m_step];
    m_side.fail({code, m_step,
                    "step \"" + step.label + "\" (" + std::filesystem::path(core().program.file).filename().string()
                        + ":" + std::to_string(step.line) + ") failed: " + what},
        id());
}

Task HostThread::execute(const Instruction& instruction)
{
    return std::visit([this](const auto& action) { return take(action); }, instruction.action);
}

Task HostThread::take(const BranchAction& action)
{
    co_await until(core().now + core().device.branch);
    for (const auto& item : action.condition.items) {
        if (item.op == ValueCode::Op::load) {
            m_side.gpus.land(item.buffer);
        }
    }
    if (value_of(action.condition, core().memory.actual) == 0) {
        m_next = action.target;
    }
}

void HostThread::mark_range(RangeRecord::Edge edge, StringId name)
{
    core().records.add(RangeRecord {.time = core().now,
        .id = m_ranges.back(),
        .process = process_id,
        .thread = id(),
        .name = name,
        .domain = 0,
        .color = 0,
        .edge = edge});
}

Task HostThread::take(const RangeBeginAction& action)
{
    m_ranges.push_back(m_side.next_range++);
    mark_range(RangeRecord::begin, core().records.text(action.name));
    return {};
}

Task HostThread::take(const RangeEndAction&)
{
    if (!m_ranges.empty()) {
        mark_range(RangeRecord::finish, 0);
        m_ranges.pop_back();
    }
    return {};
}

Task HostThread::wait_places(std::vector<Place> places, Ns least)
{
    bool waits = false;
    for (const auto& place : places) {
        if (!core().reported && !m_side.gpus.is_done(place)) {
            m_side.gpus.wait_for(place, m_index);
            ++m_pending;
            waits = true;
        }
    }
    co_await Released {*this};
    co_await until(waits ? std::max(core().now + core().device.wake_up, least) : least);
}

Task HostThread::wait_for_host(const std::string& what)
{
    m_waiting_for = what;
    m_waits_for_host = true;
    m_pending = 1;
    co_await Released {*this};
    m_waits_for_host = false;
    m_waiting_for.clear();
    if (!core().stopped) {
        co_await until(core().now + core().device.thread_wake_up);
    }
}

Task HostThread::take(const CpuAction& action)
{
    const Ns start = core().now;
    const auto& device = core().device;
    const char* name = "spin";
    Ns time = action.time;
    if (action.kind == CpuAction::Kind::sleep) {
        name = "sleep";
        time += device.sleep_overshoot;
    } else if (action.kind == CpuAction::Kind::memcpy) {
        name = "memcpy";
        time = std::llround(time_of(static_cast<double>(action.bytes), device.host_memcpy_bandwidth));
    }
    if (action.kind == CpuAction::Kind::memcpy && !action.reads.empty() && !action.writes.empty()) {
        auto& memory = core().memory;
        const Index from = action.reads.front();
        const Index to = action.writes.front();
        memory.expected[to].write(memory.size(to), 0, action.bytes, memory.expected[from]);
        const HostPieces pieces {start, static_cast<double>(time), action.bytes};
        for (std::uint64_t piece = 0; piece < HostPieces::count; ++piece) {
            co_await until(pieces.written(piece));
            const auto [begin, end] = pieces.bytes(piece);
            if (end > begin) {
                memory.actual[to].write(
                    memory.size(to), begin, end - begin, memory.actual[from].slice(begin, end - begin));
            }
        }
    }
    co_await until(start + time);
    record_host_span(core(), id(), {start, core().now}, HostSpanRecord::work, action.name.empty() ? name : action.name);
}

Task HostThread::take(const ReadAction& action)
{
    auto& memory = core().memory;
    ReadRecord record {.start = core().now,
        .end = 0,
        .process = process_id,
        .thread = id(),
        .buffer = core().records.text(action.name),
        .expect_stale = action.expect_stale ? 1U : 0U,
        .bytes = 0,
        .wrong_bytes = 0};
    for (const auto buffer : action.buffers) {
        m_side.gpus.land(buffer);
        const auto size = memory.size(buffer);
        const auto in_full = std::min(size, read_in_full);
        const auto pages = (size - in_full) / read_page;
        const double time = time_of(static_cast<double>(in_full), core().device.read_bandwidth)
            + static_cast<double>(pages) * static_cast<double>(core().device.read_page_time);
        record.bytes += size;
        record.wrong_bytes += wrong_bytes(memory.actual[buffer], memory.expected[buffer], size);
        co_await until(core().now + std::llround(time));
    }
    record.end = core().now;
    core().records.add(record);
}

// Piece by piece: a copy that begins meanwhile gets what is written so far.
Task HostThread::take(const WriteAction& action)
{
    const Ns start = core().now;
    auto& memory = core().memory;
    const auto size = memory.size(action.buffer);
    const Values value(action.value);
    memory.expected[action.buffer].write(size, 0, size, value);
    const HostPieces pieces {start, time_of(static_cast<double>(size), core().device.host_memcpy_bandwidth), size};
    for (std::uint64_t piece = 0; piece < HostPieces::count; ++piece) {
        co_await until(pieces.written(piece));
        const auto [begin, end] = pieces.bytes(piece);
        if (end > begin) {
            memory.actual[action.buffer].write(size, begin, end - begin, value);
        }
    }
    record_host_span(core(), id(), {start, core().now}, HostSpanRecord::work, action.name);
}

Task HostThread::take(const PutAction& action)
{
    const Ns start = core().now;
    auto& queue = m_side.queues[action.queue];
    const auto& spec = core().program.queues[action.queue];
    while (queue.filled >= spec.capacity && !core().stopped) {
        queue.putters.push_back(m_index);
        Task task = wait_for_host("room in queue " + spec.name);
        co_await task.then(m_side.next);
    }
    if (core().stopped) {
        co_return;
    }
    ++queue.filled;
    if (!queue.getters.empty()) {
        m_side.threads[queue.getters.front()]->released();
        queue.getters.erase(queue.getters.begin());
    }
    co_await until(core().now + core().device.queue_call);
    record_host_span(core(), id(), {start, core().now}, HostSpanRecord::queue_put, spec.name);
}

Task HostThread::take(const GetAction& action)
{
    const Ns start = core().now;
    auto& queue = m_side.queues[action.queue];
    const auto& spec = core().program.queues[action.queue];
    while (queue.filled == 0 && !core().stopped) {
        queue.getters.push_back(m_index);
        Task task = wait_for_host("an item of queue " + spec.name);
        co_await task.then(m_side.next);
    }
    if (core().stopped) {
        co_return;
    }
    --queue.filled;
    if (!queue.putters.empty()) {
        m_side.threads[queue.putters.front()]->released();
        queue.putters.erase(queue.putters.begin());
    }
    co_await until(core().now + core().device.queue_call);
    record_host_span(core(), id(), {start, core().now}, HostSpanRecord::queue_get, spec.name);
}

Task HostThread::take(const JoinAction& action)
{
    const Ns start = core().now;
    auto& other = *m_side.threads[action.thread];
    if (!other.is_done()) {
        other.m_joiners.push_back(m_index);
        Task task = wait_for_host("thread " + core().program.threads[action.thread].name);
        co_await task.then(m_side.next);
    }
    co_await until(core().now + core().device.queue_call);
    record_host_span(
        core(), id(), {start, core().now}, HostSpanRecord::join, core().program.threads[action.thread].name);
}

}  // namespace lanes::model
