// SPDX-License-Identifier: MIT
// Names of kernels that were launched by a CUDA graph. All kernels of one launch have the same call and step; only
// their graph nodes tell them apart.
//
// CUDA numbers the nodes of a graph in the order of capture, and the workload lists the names in that order too.
// Cost: a sort of the distinct nodes of each step.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

class GraphNames {
public:
    static constexpr char separator = '\t';  ///< between the names in a step's line of meta::step_names

    /// `lines`: meta::step_names, one line a step. A line with separators is a launch of a graph whose kernels have
    /// different names.
    explicit GraphNames(const std::vector<std::string>& lines);

    bool concerns(std::uint32_t step) const { return m_steps.contains(step); }
    bool empty() const { return m_steps.empty(); }
    /// Takes a kernel of the step and its node. Call it for all kernels, then finish().
    void see(std::uint32_t step, std::uint32_t node) { m_steps.at(step).nodes.push_back(node); }
    void finish();
    /// The name of the kernel; "" if the step had other nodes than it has names.
    std::string_view name(std::uint32_t step, std::uint32_t node) const;

private:
    struct Step {
        std::vector<std::string> names;
        std::vector<std::uint32_t> nodes;
    };
    std::map<std::uint32_t, Step> m_steps;
};

}  // namespace lanes
