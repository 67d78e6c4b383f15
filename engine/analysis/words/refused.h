// SPDX-License-Identifier: MIT
// What an answer does not say, and why. A script must tell "there is none" from "it is not known", so no figure is
// null and no list empty without an entry here.
#pragma once

#include "engine/analysis/words/messages.h"

#include <string>
#include <vector>

namespace lanes {

class JsonWriter;

struct Refused {
    std::string what;  ///< the key of the answer that is null or empty: "gpu", "findings", "changes"
    std::string code;  ///< why, as a word: "nothing_found", "waits_unknown"
    Message why;
    Message needs = {};  ///< what would answer it; empty: nothing would, since there is none
};

/// A refusal whose sentences are refused.CODE and, where `is_curable`, refused.needs.CODE.
Refused refused(std::string what, std::string code, bool is_curable = false);

/// The key "refused": [{"what", "code", "why", "needs"}]; empty if all is answered.
void write_refused(JsonWriter& json, const std::vector<Refused>& all, const Messages& messages);

}  // namespace lanes
