// SPDX-License-Identifier: MIT
// Gives declared things their places in a Program: elements of counted buffers, streams, events, queues and threads.
#pragma once

#include "engine/workload/scope.h"

namespace lanes::syntax {

/// Sets the scope's parameters to the variant's values and then to `settings`. Throws WorkloadError; for a setting with
/// line 0, as it stands in no file.
void set_parameters(Scope& scope, const Workload& workload, const std::string& variant, const Settings& settings);

/// Fills the Program's buffers, streams, events, graphs, queues, threads (without instructions) and peers, and the
/// scope's tables. Streams are all declared ones and the reserved ones of every GPU; drop_unused_streams() comes later.
void declare(Scope& scope, const Workload::Body& body, Program& program);

/// How many GPUs the declared things need: the highest index + 1.
std::uint32_t gpus_needed(const Program& program);

/// Takes away the streams that no instruction names.
void drop_unused_streams(Program& program);

}  // namespace lanes::syntax
