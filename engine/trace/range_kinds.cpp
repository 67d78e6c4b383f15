// SPDX-License-Identifier: MIT
#include "engine/trace/range_kinds.h"

#include "engine/trace/operator_range.h"
#include "engine/trace/sampled_range.h"

#include <algorithm>
#include <array>

namespace lanes {

namespace {

constexpr std::string_view built_in = "<built-in";
constexpr std::array<std::string_view, 12> plumbing_words {"_call_impl", "decorate_context", built_in, "<eval",
    "eval_frame", "graph_module", "_ops.py", "contextlib", "__torch_function__", "torch/_dynamo/", "torch/_functorch/",
    "torch/_inductor/"};

RangeKind kind_of_frame(std::string_view name)
{
    if (name.starts_with(module_prefix)) {
        return RangeKind::module;
    }
    return is_plumbing(name) ? RangeKind::plumbing : RangeKind::frame;
}

}  // namespace

bool is_plumbing(std::string_view frame)
{
    return std::any_of(plumbing_words.begin(), plumbing_words.end(),
        [frame](std::string_view word) { return frame.find(word) != std::string_view::npos; });
}

bool RangeKinds::only_leads_on(Row range) const
{
    return of(range) == RangeKind::plumbing && !m_trace->text(m_trace->ranges[range].name).starts_with(built_in);
}

RangeKinds::RangeKinds(const Trace& trace)
    : m_trace(&trace)
{
    for (const Range& range : trace.ranges) {
        if (m_frame == 0 && range.domain != 0 && trace.text(range.domain) == frame_domain) {
            m_frame = range.domain;
        }
        if (m_sampled == 0 && lanes::is_sampled(trace, range)) {
            m_sampled = range.domain;
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
    if (is_sampled(range)) {
        return RangeKind::sampled;
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
