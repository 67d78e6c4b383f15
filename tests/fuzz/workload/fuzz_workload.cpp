// SPDX-License-Identifier: MIT
// Any bytes as a workload: a program or a WorkloadError on one line, nothing else.
#include "engine/workload/machine_need.h"
#include "engine/workload/workload.h"
#include "tests/fuzz/heap_peak.h"

#include <cstdlib>

namespace {

/// Every index of the program points into what it should.
bool is_sound(const lanes::Program& program)
{
    for (const auto& thread : program.threads) {
        for (const auto& instruction : thread.instructions) {
            bool sound = instruction.step < program.steps.size();
            std::visit(
                [&](const auto& action) {
                    if constexpr (requires { action.stream; }) {
                        sound = sound && (action.stream == lanes::no_id || action.stream < program.streams.size());
                    }
                    if constexpr (requires { action.event; }) {
                        sound = sound && action.event < program.events.size();
                    }
                    if constexpr (requires { action.queue; }) {
                        sound = sound && action.queue < program.queues.size();
                    }
                    if constexpr (requires { action.graph; }) {
                        sound = sound && action.graph < program.graphs.size();
                    }
                    if constexpr (requires {
                                      action.to;
                                      action.offset;
                                  }) {
                        sound = sound && action.to < program.buffers.size()
                            && action.offset + action.bytes <= program.buffers[action.to].bytes;
                    }
                    if constexpr (requires { action.target; }) {
                        sound = sound && action.target <= thread.instructions.size();
                    }
                },
                instruction.action);
            if (!sound) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const lanes::HeapPeak heap(size, std::size_t {64} << 20U);  // a step that repeats is short to write
    try {
        const lanes::Workload workload = lanes::parse_workload(text, "fuzz.yaml");
        const lanes::Program program
            = lanes::compile(workload, workload.variants.empty() ? "" : workload.variants.back().name);
        lanes::count(program);
        lanes::memory_needed(program);
        if (!is_sound(program)) {
            std::abort();
        }
    } catch (const lanes::WorkloadError& error) {
        if (std::string(error.what()).find('\n') != std::string::npos) {
            std::abort();
        }
    }
    return 0;
}
