// SPDX-License-Identifier: MIT
// Copies that a model's CPU thread makes: which ones the driver stages, and what the thread does meanwhile.
#include "engine/run/model/contents.h"
#include "engine/run/model/host_records.h"
#include "engine/run/model/host_thread.h"
#include "engine/run/model/staging.h"

#include <algorithm>
#include <cmath>

namespace lanes::model {

namespace {

CopyKind kind_of(const Program& program, const CopyAction& action)
{
    const auto from = program.buffers[action.from].gpu;
    const auto to = program.buffers[action.to].gpu;
    if (from == no_id) {
        return to == no_id ? CopyKind::h2h : CopyKind::h2d;
    }
    if (to == no_id) {
        return CopyKind::d2h;
    }
    return from == to ? CopyKind::d2d : CopyKind::p2p;
}

Ns copy_cost(const ModelDevice& device, CopyKind kind)
{
    switch (kind) {
    case CopyKind::d2h:
        return device.d2h_call;
    case CopyKind::d2d:
        return device.d2d_call;
    case CopyKind::p2p:
        return device.p2p_call;
    default:
        return device.h2d_call;
    }
}

}  // namespace

Task HostThread::take(const CopyAction& action)
{
    const auto& device = core().device;
    const auto& buffers = core().program.buffers;
    auto operation = operation_of(Operation::Kind::copy, action.stream);
    operation.copy = kind_of(core().program, action);
    operation.from = action.from;
    operation.to = action.to;
    operation.offset = action.offset;
    operation.bytes = action.bytes;
    operation.async = action.call == CopyAction::Call::memcpy_async;
    const auto kind = operation.copy;
    const char* name = !operation.async ? "cudaMemcpy"
        : kind == CopyKind::p2p         ? "cudaMemcpyPeerAsync"
                                        : "cudaMemcpyAsync";
    const bool pageable = (kind == CopyKind::h2d && buffers[action.from].memory == MemoryKind::pageable)
        || (kind == CopyKind::d2h && buffers[action.to].memory == MemoryKind::pageable);
    const bool at_once
        = kind == CopyKind::h2d && operation.async && static_cast<double>(action.bytes) <= device.staged_at_once;
    if (kind == CopyKind::h2h || (pageable && !at_once)) {
        operation.staged = true;
        Task task = waited_copy(name, std::move(operation), kind != CopyKind::d2h);
        co_await task.then(m_side.next);
    } else if (pageable) {
        operation.captured_source = true;
        operation.values = core().memory.actual[action.from].slice(action.offset, action.bytes);
        const Ns staging = std::llround(Staging(device, static_cast<double>(action.bytes)).first_up());
        const Ns cost = copy_cost(device, kind) + staging;
        Task task = submit(name, std::move(operation), cost, device.copy_latency + staging);
        co_await task.then(m_side.next);
        record_staging(core(), id(), {StagingStep::host_copy, core().now - cost, core().now - cost + staging});
    } else if (!operation.async && kind != CopyKind::d2d && kind != CopyKind::p2p) {
        Task task = waited_copy(name, std::move(operation), false);
        co_await task.then(m_side.next);
    } else {
        Task task = submit(name, std::move(operation), copy_cost(device, kind), device.copy_latency);
        co_await task.then(m_side.next);
    }
    if (action.blocking && !m_calls.failed()) {
        co_await until(core().now + device.step);
        Task task = take(SyncStreamAction {action.stream});
        co_await task.then(m_side.next);
    }
}

// For a copy staged from host memory, the stream's earlier work comes first, then the host's part. The GPU's part of a
// staged copy lasts from its first piece to its last. For uploads the thread is done before its end, for downloads
// after it.
Task HostThread::waited_copy(const char* name, Operation operation, bool waits_first)
{
    const auto& device = core().device;
    const auto call = m_calls.begin(name);
    const auto index = operation.stream;
    operation.correlation = call.correlation;
    const bool stages = operation.staged && operation.copy != CopyKind::h2h;
    const bool goes_up = stages && operation.copy == CopyKind::h2d;
    const auto bytes = static_cast<double>(operation.bytes);
    const Staging staging(device, bytes);
    Ns latency = device.copy_latency;
    const ModelTruth::Work own {call.correlation, 0};
    if (waits_first) {
        const Ns asked = core().now;
        Task task = wait_places(m_side.gpus.before(index), core().now);
        co_await task.then(m_side.next);
        if (core().now > asked) {  // late because of that work, not because of the call
            operation.arrival_for = {ModelTruth::Start::stream, m_released_by};
        }
        if (stages) {
            record_staging(core(), id(), {StagingStep::wait, call.start, core().now});
            latency += std::llround(staging.first_up());
        }
    }
    if (m_side.gpus.is_full(index)) {
        Task task = space(call, index);
        co_await task.then(m_side.next);
    }
    if (!core().reported) {
        const Ns issued = core().now;
        const auto kind = operation.copy;
        const auto cost = copy_cost(device, kind);
        operation.stager = stages ? m_index : none;
        operation.returns_staged = goes_up;
        operation.arrival = issued + latency;
        expect(core(), m_side.gpus, operation);
        m_issued = m_side.gpus.issue(std::move(operation));
        m_pending = goes_up ? 1 : 0;
        m_side.gpus.settle();
        if (goes_up) {
            m_pending = core().reported ? 0 : m_pending;
            co_await Released {*this};
            co_await until(call.start + cost);
        } else {
            Task task = wait_places({m_issued}, call.start + cost);
            co_await task.then(m_side.next);
        }
        if (stages && !goes_up && !core().reported) {  // the last piece is still in the staging buffer
            co_await until(core().now + std::llround(staging.rest_down()));
        }
        if (stages && !core().reported) {
            const Ns begun = goes_up ? issued : m_side.gpus.staged_copy_start(m_index);
            record_staging(core(), id(), {StagingStep::wait, issued, begun});
            record_staging(core(), id(), kind, bytes, begun, core().now);
        }
    }
    m_calls.waited(goes_up ? ModelTruth::Wait::staging : ModelTruth::Wait::copy, call.start, own);
    m_calls.end(call);
}

}  // namespace lanes::model
