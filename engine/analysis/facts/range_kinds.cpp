// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/range_kinds.h"

#include "engine/analysis/facts/operator_range.h"

#include <algorithm>
#include <array>

namespace lanes {

namespace {

constexpr std::string_view module_prefix = "nn.Module: ";
constexpr std::array<std::string_view, 8> plumbing {
    "_call_impl", "decorate_context", "<built-in", "<eval", "eval_frame", "graph_module", "_ops.py", "contextlib"};

RangeKind kind_of_frame(std::string_view name)
{
    if (name.starts_with(module_prefix)) {
        return RangeKind::module;
    }
    const bool is_plumbing = std::any_of(plumbing.begin(), plumbing.end(),
        [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
    return is_plumbing ? RangeKind::plumbing : RangeKind::frame;
}

}  // namespace

RangeKinds::RangeKinds(const Trace& trace)
    : m_trace(&trace)
{
    for (const Range& range : trace.ranges) {
        if (m_frame == 0 && range.domain != 0 && trace.text(range.domain) == frame_domain) {
            m_frame = range.domain;
        }
        if (m_frame != 0 && range.domain == m_frame) {
            m_by_name.resize(std::max<std::size_t>(m_by_name.size(), range.name + 1), RangeKind::range);
            if (m_by_name[range.name] == RangeKind::range) {
                m_by_name[range.name] = kind_of_frame(trace.text(range.name));
            }
        }
    }
}

RangeKind RangeKinds::of(Row range) const
{
    if (is_frame(range)) {
        return m_by_name[m_trace->ranges[range].name];
    }
    return is_operator(*m_trace, range) ? RangeKind::torch_operator : RangeKind::range;
}

std::string_view frame_name(std::string_view name)
{
    if (name.starts_with(module_prefix)) {
        return name.substr(module_prefix.size());
    }
    // "file.py(263): function"; a name that only looks like one is another tool's.
    const auto at = name.rfind("): ");
    return at == std::string_view::npos || name.find(".py(") == std::string_view::npos ? name : name.substr(at + 3);
}

}  // namespace lanes
