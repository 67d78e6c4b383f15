// SPDX-License-Identifier: MIT
// Programs that differ in what a finding advises alone, for the model device: steps of a workload whose variants are
// bad and good.
#pragma once

#include "engine/workload/workload.h"

#include <string>
#include <vector>

namespace lanes {

struct FindingPair {
    const char* name;
    const char* rule;
    const char* steps;
};

inline const std::vector<FindingPair>& finding_pairs()
{
    static const std::vector<FindingPair> pairs {
        {"copies too small", "copies-too-small", R"(
buffers:
  small_cpu: {on: host, memory: pinned, bytes: 4 KiB, count: 200}
  small: {on: gpu 0, bytes: 4 KiB, count: 200}
  all_cpu: {on: host, memory: pinned, bytes: 800 KiB}
  all: {on: gpu 0, bytes: 800 KiB}
streams: {s: {gpu: 0}}
threads:
  main:
    - kernel: {name: first, stream: s, time: 10 us}
    - if: $is_bad
      then:
        - repeat: 200
          as: k
          do:
            - copy: {from: small_cpu.$k, to: small.$k, stream: s, blocking: false}
      else:
        - copy: {from: all_cpu, to: all, stream: s, blocking: false}
    - kernel: {name: last, stream: s, time: 10 us}
    - sync: {stream: s}
)"},
        {"one direction at a time", "one-direction", R"(
buffers:
  up_cpu: {on: host, memory: pinned, bytes: 64 MiB, count: 4}
  up: {on: gpu 0, bytes: 64 MiB, count: 4}
  down: {on: gpu 0, bytes: 64 MiB, count: 4}
  down_cpu: {on: host, memory: pinned, bytes: 64 MiB, count: 4}
streams: {s: {gpu: 0, count: 2}}
threads:
  main:
    - repeat: 4
      as: k
      do:
        - copy: {from: up_cpu.$k, to: up.$k, stream: s.0, blocking: false}
        - if: $is_bad
          then: [{copy: {from: down.$k, to: down_cpu.$k, stream: s.0, blocking: false}}]
          else: [{copy: {from: down.$k, to: down_cpu.$k, stream: s.1, blocking: false}}]
    - sync: device
)"},
        {"one GPU has more to do", "communication-late", R"(
buffers:
  g0: {on: gpu 0, bytes: 16 MiB}
  g1: {on: gpu 1, bytes: 16 MiB}
streams:
  s0: {gpu: 0}
  s1: {gpu: 1}
threads:
  main:
    - repeat: 4
      as: k
      do:
        - if: $is_bad
          then:
            - kernel: {name: backward, stream: s0, time: 1 ms, blocks: 66}
            - kernel: {name: backward, stream: s1, time: 3 ms, blocks: 66}
          else:
            - kernel: {name: backward, stream: s0, time: 2 ms, blocks: 66}
            - kernel: {name: backward, stream: s1, time: 2 ms, blocks: 66}
        - all_reduce: {buffers: [g0, g1], streams: [s0, s1]}
    - sync: {stream: s0}
    - sync: {stream: s1}
)"},
        {"between iterations", "idle-between-iterations", R"(
buffers:
  y: {on: gpu 0, bytes: 8 MiB}
  y_cpu: {on: host, memory: pinned, bytes: 8 MiB}
streams: {s: {gpu: 0}}
threads:
  main:
    - repeat: 8
      as: k
      do:
        - range: step $k
          do:
            - kernel: {name: forward, stream: s, time: 2 ms, writes: y, value: 3}
            - kernel: {name: backward, stream: s, time: 2 ms}
            - copy: {from: y, to: y_cpu, stream: s, blocking: false}
            - sync: {stream: s}
            - read: {buffer: y_cpu, expect: fresh}
            - if: $is_bad
              then: [{cpu: {time: 1 ms}}]
)"},
    };
    return pairs;
}

inline Workload workload_of(const FindingPair& pair)
{
    return parse_workload(std::string("title: {en: Pair}\nvariants: {bad: {is_bad: true}, good: {is_bad: false}}\n"
                                      "parameters: {is_bad: {default: true}}\n")
            + pair.steps,
        "pair.yaml");
}

}  // namespace lanes
