// SPDX-License-Identifier: MIT
// Names of kernels that came from a graph: all of one launch have the launch's call
// and step, so only their graph nodes distinguish them.
//
// CUDA numbers the nodes upward in the order of capture, which is the order of the
// names. A step that launches several graphs in turn sees the nodes of each in turn.
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
    static constexpr char separator = '\t';  ///< between the names in a step's line of "step_names"

    /// `lines`: of the steps. Those that hold a separator are launches of graphs with kernels of several names.
    explicit GraphNames(const std::vector<std::string>& lines);

    bool concerns(std::uint32_t step) const { return m_steps.contains(step); }
    bool empty() const { return m_steps.empty(); }
    /// A kernel of the step came from this node. To be called for all of them, then finish().
    void see(std::uint32_t step, std::uint32_t node) { m_steps.at(step).nodes.push_back(node); }
    void finish();
    /// "" where the nodes that were seen are not those of the names.
    std::string_view name(std::uint32_t step, std::uint32_t node) const;

private:
    struct Step {
        std::vector<std::string> names;
        std::vector<std::uint32_t> nodes;
    };
    std::map<std::uint32_t, Step> m_steps;
};

}  // namespace lanes
