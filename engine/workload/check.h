// SPDX-License-Identifier: MIT
// What a Program must keep to before it may run, beyond what one step alone can break:
//   - the threads' puts, gets and joins all end;
//   - every `wait` and `sync` for an event has a `record` that can come before it, every `launch` a `capture`;
//   - a buffer is used, and freed, only while it is allocated (where branches on data leave that open, the runners
//     check it);
//   - no two writers of a buffer without an order between them;
//   - no host read (or branch on a host buffer's value) without an order behind the copy that filled the buffer, unless
//     the workload expects it to be stale.
//
// Order is happens-before: the order of a thread, of a stream, of the legacy stream with the blocking ones; event to
// wait; synchronisation; copies that the host waits for (`blocking`, cudaMemcpy but from GPU to GPU, pageable from GPU
// to host, host to host); put to get, get to the put that needs its room; end of a thread to its join. Threads are
// played through once, each as far as it gets: where two threads share a stream without an order, only that one order
// is seen.
#pragma once

#include "engine/workload/program.h"

#include <functional>

namespace lanes {

/// Throws WorkloadError at the step that breaks a rule. Cost: linear in the instructions, times threads and streams for
/// the order; order is not checked in programs of more than 200,000 instructions, or where its clocks
/// would take more than 5e8 steps or 256 MiB.
void check(const Program& program);

/// Calls `visit` for every instruction, thread by thread, each as far as its puts, gets and joins let it; branches are
/// not taken. Throws WorkloadError where threads wait for one another for ever; where branches make that uncertain,
/// it ends there without and returns false.
bool play_threads(const Program& program, const std::function<void(Index thread, Index instruction)>& visit);

/// The error of `instruction`, at its step.
[[noreturn]] void fail_at(const Program& program, const Instruction& instruction, const std::string& message);

}  // namespace lanes
