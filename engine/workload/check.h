// SPDX-License-Identifier: MIT
// The checks on a whole Program before it may run (single steps were checked before):
//   - no deadlock: all puts, gets and joins of threads end;
//   - every `wait` and `sync` for an event has a `record` that can come before it, every `launch` a `capture`;
//   - a buffer is used, and freed, only while it is allocated (if that depends on data, the runners check it);
//   - two writers of a buffer are ordered;
//   - what the host writes into a buffer (`write`, `cpu` with `writes`) is ordered after the copies from pinned memory
//     that read it, unless the workload means them to race;
//   - a host read (or a branch on a host buffer's value) is ordered after the copy that filled the buffer, unless the
//     workload expects it to be stale.
//
// Order is happens-before: the order in a thread, in a stream, and between the legacy stream and blocking streams;
// event to wait; synchronisation; copies that the host waits for (`blocking`, cudaMemcpy except from GPU to GPU,
// pageable from GPU to host, host to host); put to get, get to the put that needs its room; end of a thread to its
// join. Threads are simulated in one order only: if two threads use one stream without an order, other interleavings
// are not checked.
#pragma once

#include "engine/workload/effects.h"

#include <functional>

namespace lanes {

/// Throws WorkloadError at the step that breaks a rule. Cost: linear in the instructions; for the order, times threads
/// and streams. The order is not checked in programs of more than 200,000 instructions, or if that would take more than
/// 5e8 steps or 256 MiB.
void check(const Program& program);

/// Simulates the threads: calls `visit` with every instruction and its effects, in an order that puts, gets and joins
/// allow. Branches are not taken. Throws WorkloadError for a deadlock; if branches make a deadlock uncertain, stops
/// there and returns false.
bool play_threads(
    const Program& program, const std::function<void(Index thread, Index instruction, const Effects& effects)>& visit);

/// Throws WorkloadError at the step of `instruction`.
[[noreturn]] void fail_at(const Program& program, const Instruction& instruction, const std::string& message);

}  // namespace lanes
