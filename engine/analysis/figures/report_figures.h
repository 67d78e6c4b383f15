// SPDX-License-Identifier: MIT
// What is counted and measured in a range of a recording, before it is judged: the plain figures of a Report.
// docs/definitions.md defines each; names are those of `lanes report --json`.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/trace/trace.h"
#include "engine/trace/units.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// A figure; nothing if the recording lacks the data for it.
using MaybeNs = std::optional<Ns>;

struct StreamFigures {
    Row stream;
    std::uint64_t operations = 0;
    Ns busy = 0;
};
struct GpuFigures {
    std::uint32_t device = 0;
    Ns busy = 0, idle = 0, kernel = 0, copy = 0, memset = 0, h2d = 0, d2h = 0, d2d = 0, p2p = 0;
    Ns copy_hidden = 0, copy_exposed = 0, h2d_d2h_overlap = 0, kernel_concurrency = 0, overlap = 0;
    Ns communication = 0, communication_exposed = 0;  ///< while NCCL kernels ran; the part while no other kernel ran
    std::vector<StreamFigures> streams;
};
struct ThreadFigures {
    Row thread;
    MaybeNs api;  ///< nothing if the recording has no calls
    MaybeNs host_wait, blocked;
    MaybeNs held, held_cost;  ///< the part of `blocked` that cost something, and what (wait_costs.h); only of a report
    std::array<MaybeNs, block_cause_count> blocked_by;
};
/// All ranges of one name; `wall` is the length of their union.
struct NamedRangeFigures {
    StringId name;
    bool is_frame = false;  ///< a function of Python, no module
    bool only_leads_on = false;  ///< RangeKinds::only_leads_on()
    std::uint64_t count = 0;
    Ns wall = 0, gpu_busy = 0;
    MaybeNs blocked;
};
/// api_calls: outermost calls; syncs: calls that block the host; waits: waits of streams; ranges: without marks.
struct Counts {
    std::uint64_t api_calls = 0, kernels = 0, copies = 0, memsets = 0, syncs = 0, waits = 0, ranges = 0, dropped = 0;
};

struct ReportFigures {
    Interval range {0, 0};  ///< within [0, Trace::duration]
    Ns wall = 0, gpu_busy = 0, overlap = 0;
    std::array<Ns, 4> concurrency {};  ///< idle, one, two, three or more
    MaybeNs cpu_free;
    std::vector<GpuFigures> gpus;  ///< those with streams; if none has any, all GPUs
    std::vector<ThreadFigures> threads;  ///< those that did anything, in the order of Trace::threads
    std::vector<NamedRangeFigures> ranges;  ///< by first start
    std::vector<Row> reads;  ///< into Trace::reads
    Counts counts;
    std::uint64_t read_bytes = 0, wrong_bytes = 0;  ///< bytes of `reads`, and those of them that were wrong
    /// Bytes of the copies in `counts`, uncut, without fetches_number() (value_copies.h).
    std::uint64_t copied_bytes = 0;
    std::string workload;  ///< its name; "": a program
    bool complete = true;  ///< is_complete() (record_ends.h)
    bool gpu_recorded = true;  ///< gpu_work_is_recorded() (recorded_part.h); false: figures of GPUs mean nothing
    /// Whether an operation of a GPU lies in the range, of whatever length.
    bool has_operations() const
    {
        return std::any_of(gpus.begin(), gpus.end(), [](const GpuFigures& gpu) {
            return std::any_of(gpu.streams.begin(), gpu.streams.end(),
                [](const StreamFigures& stream) { return stream.operations > 0; });
        });
    }
    /// A figure of GPUs as it may be shown: nothing if their work was not recorded.
    MaybeNs of_gpus(Ns figure) const { return gpu_recorded ? MaybeNs(figure) : std::nullopt; }
    /// CUDA graphs are recorded as a whole, so how many kernels and copies there were, and when, is not known.
    bool has_whole_graphs = false;
    /// A figure of kernels, copies or memsets, or a number of them, as it may be shown.
    MaybeNs of_nodes(Ns figure) const { return has_whole_graphs ? std::nullopt : of_gpus(figure); }

    /// The GPU whose communication is exposed for longest. Each GPU has its own side of one communication, so what is
    /// said of communication is said of this one, nowhere of a sum. Null: none communicates.
    const GpuFigures* communicating_gpu() const
    {
        const GpuFigures* most = nullptr;
        for (const GpuFigures& gpu : gpus) {
            if (gpu.communication > 0 && (most == nullptr || gpu.communication_exposed > most->communication_exposed)) {
                most = &gpu;
            }
        }
        return most;
    }
    /// The thread of cpu_free, RecordingBounds::first_thread. Null: no thread did anything.
    const ThreadFigures* first_thread() const { return first < threads.size() ? &threads[first] : nullptr; }
    std::size_t first = 0;  ///< its index in `threads`
};

}  // namespace lanes
