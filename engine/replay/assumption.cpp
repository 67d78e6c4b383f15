// SPDX-License-Identifier: MIT
#include "engine/replay/assumption.h"

#include <algorithm>
#include <array>

namespace lanes::replay {

std::string Assumption::word() const
{
    auto word = said.id.substr(said.id.rfind('.') + 1);
    std::replace(word.begin(), word.end(), '_', '-');
    return word;
}

std::string_view name_of(Assumption::State state)
{
    constexpr std::array<std::string_view, 4> names {"assumed", "confirmed", "lifted", "condition"};
    return names[static_cast<std::size_t>(state)];
}

const std::vector<std::string>& assumption_words()
{
    static const std::vector<std::string> words {"old-bytes", "handovers", "gaps-go", "pinned-before",
        "pinned-by-thread", "no-read-before-sync", "source-unchanged", "gpu-order-is-enough", "sync-is-needless",
        "value-is-needless", "no-hidden-order", "kernels-need-uploads", "buffers-enough", "brings-back",
        "pool-has-room", "graph-once", "graph-repeats", "batches-as-recorded", "pieces-independent", "no-more-calls",
        "gradients-in-order", "all-backward", "loads-ahead", "behind-launch", "can-be-cut", "can-be-buckets",
        "lies-together", "workers-load", "workers-run", "own-time-loads", "link-alone", "same-share", "takes-no-time",
        "peer-access"};
    return words;
}

}  // namespace lanes::replay
