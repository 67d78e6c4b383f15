// SPDX-License-Identifier: MIT
// How long steps take that a replay adds: as in the recording if it has eight samples or more of a step, else as on the
// model device fitted to the GPU of that name (resources/devices), else as on the nearest one. Rates of pinned memory:
// as copies of a MiB or more in the recording have them, in either direction, else as that device if it is of that
// name, else as link_rates() has them.
#pragma once

#include "engine/analysis/graph/graph.h"
#include "engine/run/model/model_device.h"

#include <array>
#include <string_view>

namespace lanes::replay {

inline constexpr std::size_t enough_samples = 8;

struct Constants {
    enum Issue : std::size_t { of_kernel, of_copy, of_staged, of_memset, of_graph, issue_count };
    /// What a step leads to. A staged copy, of pageable memory, begins when the host has copied its first piece.
    enum Next : std::size_t { kernel, copy, staged, next_count };

    std::array<Ns, issue_count> issue {};  ///< from a call's start to the start of its operation on an idle stream
    std::array<std::array<Ns, next_count>, 2> step {};  ///< from one to the next on a stream: [was a copy][Next]
    Ns cross = 0;  ///< how much longer a step from one stream to another takes
    Ns node = 0;  ///< between two nodes of a graph
    Ns graph = 0;  ///< from the start of a graph to that of its first node
    Ns wake = 0;  ///< from the end of what a synchronisation waits for to its return
    Ns copy_return = 0;  ///< from a copy's end to the return of the call that waits for it
    double staged_return = 0;  ///< the same after a download to pageable memory, as a part of its length: the host
                               ///< still copies the last piece, as slowly as those before it; 0: as copy_return
    Ns release = 0;  ///< from an idle GPU to the return of cudaFree
    Ns get = 0;  ///< from a put to the return of the get that waited for it
    Ns copy_call = 0;  ///< the call of a copy that returns at once
    double h2d_rate = 0, d2h_rate = 0;  ///< of pinned memory, bytes/ns
    double links_slower = 0;  ///< by how much longer copies of pinned memory may take, as a part: neither the recording
                              ///< nor a fitted device says how long
    ModelDevice table;  ///< of the nearest GPU that was fitted
    bool is_of_gpu = false;  ///< `table` is of the recording's GPU
    std::size_t learnt = 0;  ///< how many of the above come from the recording itself

    Ns step_of(bool was_copy, Next next) const { return step[was_copy ? 1 : 0][next]; }
    static Next next_of(bool is_copy, bool is_pageable) { return !is_copy ? kernel : is_pageable ? staged : copy; }
};

/// Whether a call that allocates, frees or pins waits until its GPU is idle.
bool waits_for_device(std::string_view name);

/// Throws ModelDeviceError or std::exception if resources/devices is missing. Cost: linear in operations.
Constants find_constants(const Graph& graph);

/// The same with every delay times `factor`: for the ends of an interval.
Constants scaled(const Constants& constants, double factor);

}  // namespace lanes::replay
