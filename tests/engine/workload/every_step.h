// SPDX-License-Identifier: MIT
// A small workload of every kind of step, and what either runner must have done at its end. A new kind gets a line
// here: tst_workload_steps fails as long as it has none.
#pragma once

#include <string>
#include <vector>

namespace lanes {

/// All that can be counted before the run. Every buffer that it writes is copied to the host, where `every_step` checks
/// its value. The first stream is not used, so that the numbers of the others change.
inline const std::string counted_steps = R"(
buffers:
  x: {on: gpu 0, bytes: 64 KiB}
  half: {on: gpu 0, bytes: 64 KiB}
  a: {on: gpu 0, bytes: 64 KiB}
  b: {on: gpu 1, bytes: 64 KiB}
  pool: {on: gpu 0, bytes: 64 KiB}
  captured: {on: gpu 0, bytes: 64 KiB}
  h: {on: host, memory: pinned, bytes: 64 KiB}
  filled: {on: host, memory: pinned, bytes: 64 KiB}
  x_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  half_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  a_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  b_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  pool_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  captured_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  p: {on: gpu 0, bytes: 64 KiB, value: 3}
  q: {on: gpu 1, bytes: 64 KiB, value: 4}
  r: {on: gpu 1, bytes: 64 KiB}
  sent: {on: gpu 0, bytes: 64 KiB}
  cached: {on: gpu 0, memory: cached, bytes: 64 KiB}
  p_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  q_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  r_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  sent_cpu: {on: host, memory: pinned, bytes: 64 KiB}
  cached_cpu: {on: host, memory: pinned, bytes: 64 KiB}
cache: {limit: 8 MiB}
streams: {unused: {gpu: 0}, s: {gpu: 0}, t: {gpu: 0}, u: {gpu: 1}}
events: {e: }
queues: {q: {capacity: 1}}
parts:
  one_more:
    - kernel: {name: one more, stream: s, time: 10 us, reads: x, writes: x, value: x + 1}
threads:
  other:
    - get: q
  main:
    - write: {buffer: h, value: 3}
    - cpu: {memcpy: 64 KiB, reads: h, writes: filled, name: fill}
    - copy: {from: filled, to: x, stream: s}
    - range: twice
      do:
        - repeat: 2
          do: [{call: one_more}]
    - memset: {to: half, stream: s, range: 0 B .. 32 KiB, value: 1}
    - record: {event: e, stream: s}
    - wait: {event: e, stream: t}
    - alloc: {buffer: pool, stream: t}
    - copy: {from: x, to: pool, stream: t}
    - copy: {from: pool, to: pool_cpu, stream: t}
    - free: {buffer: pool, stream: t}
    - kernel: {name: two, stream: s, time: 10 us, writes: a, value: 2}
    - kernel: {name: five, stream: u, time: 10 us, writes: b, value: 5}
    - all_reduce: {buffers: [a, b], streams: [s, u]}
    - reduce_scatter: {buffers: [p, q], streams: [s, u]}
    - all_gather: {buffers: [p, q], streams: [s, u]}
    - broadcast: {buffers: [a, r], streams: [s, u]}
    - send_recv: {buffers: [r, sent], streams: [u, s]}
    - alloc: {buffer: cached, stream: s}
    - copy: {from: x, to: cached, stream: s}
    - copy: {from: cached, to: cached_cpu, stream: s}
    - free: {buffer: cached}
    - copy: {from: p, to: p_cpu, stream: s}
    - copy: {from: q, to: q_cpu, stream: u}
    - copy: {from: r, to: r_cpu, stream: u}
    - copy: {from: sent, to: sent_cpu, stream: s}
    - capture:
        graph: g
        stream: s
        do: [{kernel: {name: doubled, stream: s, time: 10 us, reads: x, writes: captured, value: 2 * x}}]
    - launch: {graph: g, stream: s}
    - copy: {from: x, to: x_cpu, stream: s}
    - copy: {from: half, to: half_cpu, stream: s}
    - copy: {from: a, to: a_cpu, stream: s}
    - copy: {from: b, to: b_cpu, stream: u}
    - copy: {from: captured, to: captured_cpu, stream: s}
    - record: {event: e, stream: s}
    - sync: {event: e}
    - sync: {stream: t}
    - sync: device
    - read:
        buffer: [h, x_cpu, half_cpu, a_cpu, b_cpu, pool_cpu, captured_cpu, p_cpu, q_cpu, r_cpu, sent_cpu, cached_cpu]
        expect: fresh
    - put: q
    - join: other
)";

/// All but `fault`, which ends a run. The contents of the buffers decide which of the steps at its end run.
inline const std::string every_step = counted_steps + R"(
    - if: x_cpu == 5
      then: [{cpu: {name: x is 5, time: 1 us}}]
    - if: half_cpu > 0
      then: [{cpu: {name: half is set, time: 1 us}}]
    - if: a_cpu == 7 and b_cpu == 7
      then: [{cpu: {name: the sum is 7, time: 1 us}}]
    - if: pool_cpu == 5
      then: [{cpu: {name: the pool held 5, time: 1 us}}]
    - if: captured_cpu == 10
      then: [{cpu: {name: the graph made 10, time: 1 us}}]
    - if: p_cpu == 7 and q_cpu == 7 and r_cpu == 7 and sent_cpu == 7
      then: [{cpu: {name: the other collectives made 7, time: 1 us}}]
    - if: cached_cpu == 5
      then: [{cpu: {name: the cache held 5, time: 1 us}}]
    - while: h == 3
      at_most: 2
      do:
        - write: {buffer: h, value: 4}
)";

/// The names of its main thread's work on the host, in order.
inline const std::vector<std::string> work_of_every_step = {"write h", "fill", "x is 5", "half is set", "the sum is 7",
    "the pool held 5", "the graph made 10", "the other collectives made 7", "the cache held 5", "write h"};

inline const std::string fault_step = R"(
streams: {s: }
threads:
  main:
    - fault: {stream: s}
    - sync: {stream: s}
)";

}  // namespace lanes
