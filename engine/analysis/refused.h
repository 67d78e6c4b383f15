// SPDX-License-Identifier: MIT
// What a report cannot say of a recording, and what must not be concluded from it: for those who read the figures
// without having seen how they were recorded.
#pragma once

#include "engine/analysis/report.h"
#include "engine/analysis/words/refused.h"

namespace lanes {

/// Why figures and lists of this report are null or empty.
std::vector<Refused> refused_by(const Trace& trace, const Report& report);

/// What the recording has nothing of, so that nothing can be concluded about it: ids not_recorded.*, such as samples of
/// the CPU, counters of the GPU, times of some operations, what the recorder itself costs. Cost: a pass over ranges.
std::vector<Message> not_recorded(const Trace& trace);

/// The key "not_in_the_recording": [{"id": "counters", "text": "…"}].
void write_not_recorded(JsonWriter& json, const Trace& trace, const Messages& messages);

}  // namespace lanes
