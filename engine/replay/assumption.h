// SPDX-License-Identifier: MIT
// What a prediction takes for granted because the recording cannot prove it, and what the user says about it.
#pragma once

#include "engine/analysis/words/messages.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::replay {

struct Assumption {
    enum State : std::uint8_t {
        assumed,
        confirmed,  ///< the user says that it holds
        lifted,  ///< that it does not: the prediction does without it, or without the change that needs it
        condition,  ///< nothing to answer: what limits the prediction
    };
    Message said;
    State state = assumed;
    /// As command line and JSON have it: "pool-has-room".
    std::string word() const;
};
std::string_view name_of(Assumption::State state);

/// By word: whether it holds. Assumptions that are not in it are taken to hold.
using Answers = std::map<std::string, bool, std::less<>>;

/// Those that can be answered.
const std::vector<std::string>& assumption_words();

}  // namespace lanes::replay
