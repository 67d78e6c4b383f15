// SPDX-License-Identifier: MIT
// Adds what the workload declares to a Program: the elements of buffers, streams, events, queues and threads.
#pragma once

#include "engine/workload/scope.h"

namespace lanes::syntax {

/// Sets the scope's parameters to the variant's values, then to `settings`. Throws WorkloadError; for a wrong setting
/// with line 0, since it is not in a file.
void set_parameters(Scope& scope, const Workload& workload, const std::string& variant, const Settings& settings);

/// Fills the Program's buffers, streams, events, graphs, queues, threads (without instructions) and peers, and the
/// scope's tables. Streams are all declared ones and the reserved ones of every GPU; drop_unused_streams() comes later.
void declare(Scope& scope, const Workload::Body& body, Program& program);

/// How many GPUs the declared things need: the highest index + 1.
std::uint32_t gpus_needed(const Program& program);

/// Removes the streams that no instruction uses.
void drop_unused_streams(Program& program);

}  // namespace lanes::syntax
