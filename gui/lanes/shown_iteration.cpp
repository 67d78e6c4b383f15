// SPDX-License-Identifier: MIT
#include "gui/lanes/shown_iteration.h"

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr Ns part_beside = 12;  // of the longer one
constexpr double low_share = 0.05, high_share = 0.95;

Ns lengthAt(const std::vector<Ns>& sorted, double share)
{
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

}  // namespace

std::shared_ptr<const ShownIteration> shownIteration(const Iterations& iterations, std::size_t at)
{
    const Iteration& of = iterations.all[at];
    ShownIteration shown {
        of.span, at + 1, iterations.all.size(), at == iterations.typical, of.kernels, of.copies, {}, 0, 0};
    for (const Iteration& each : iterations.all) {
        if (each.outlier != Iteration::Outlier::warm_up) {
            shown.lengths.push_back(each.wall());
        }
    }
    shown.average = average_wall(iterations);
    std::sort(shown.lengths.begin(), shown.lengths.end());
    if (!shown.lengths.empty()) {
        shown.low = lengthAt(shown.lengths, low_share);
        shown.high = lengthAt(shown.lengths, high_share);
    }
    return std::make_shared<const ShownIteration>(std::move(shown));
}

Interval rangeOfBoth(const ShownIteration& a, const ShownIteration& b)
{
    const Ns length = std::max(a.length(), b.length());
    return {a.span.start, a.span.start + length + length / part_beside};
}

}  // namespace lanes::gui
