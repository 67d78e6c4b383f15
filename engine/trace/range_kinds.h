// SPDX-License-Identifier: MIT
// What the ranges of a thread's stack are. PyTorch's profiler records Python frames, modules and operators with
// `with_stack`. Many of the frames are plumbing: they only call the next one.
#pragma once

#include "engine/trace/trace.h"

#include <string_view>
#include <vector>

namespace lanes {

/// The category of Python's frames in PyTorch's traces, kept as the domain of a range.
inline constexpr auto frame_domain = "python_function";

/// `range`: of the program itself or of another tool. `sampled`: where Python was, by samples (sampled_range.h).
enum class RangeKind : std::uint8_t { range, frame, module, torch_operator, plumbing, sampled };

/// Cost: one look at each name of the trace; a byte a name.
class RangeKinds {
public:
    explicit RangeKinds(const Trace& trace);
    RangeKind of(Row range) const;
    /// Whether a range does nothing itself: plumbing, but for built-in functions, which call no other frame.
    bool only_leads_on(Row range) const;
    bool has_frames() const { return m_frame != 0; }
    bool is_frame(Row range) const { return m_frame != 0 && m_trace->ranges[range].domain == m_frame; }
    bool is_sampled(Row range) const { return m_sampled != 0 && m_trace->ranges[range].domain == m_sampled; }

private:
    const Trace* m_trace;
    StringId m_frame = 0;  // 0: there are no frames
    StringId m_sampled = 0;  // the same of samples
    std::vector<RangeKind> m_by_name;  // of frames
};

/// Begins the name of a module's frame.
inline constexpr std::string_view module_prefix = "nn.Module: ";

/// Whether a frame only calls the next one, by its name.
bool is_plumbing(std::string_view frame);

/// What of a frame's name is read first: "execute_model" of "vllm/worker.py(263): execute_model", "Linear_3" of
/// "nn.Module: Linear_3"; other names as they are.
std::string_view frame_name(std::string_view name);

}  // namespace lanes
