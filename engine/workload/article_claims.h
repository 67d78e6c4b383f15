// SPDX-License-Identifier: MIT
// What articles about PyTorch say, whether it is so, and which lessons show it: resources/text/claims.yaml. The page
// docs/what-the-articles-say.md and a page of the course are made from it.
#pragma once

#include "engine/workload/workload.h"

#include <string>
#include <vector>

namespace lanes {

struct ArticleClaim {
    enum class Truth : std::uint8_t { yes, no, partly };
    struct Place {
        std::string workload, variant;
    };
    Translated says;  ///< with code in backticks, as `answer`
    Truth truth = Truth::partly;
    Translated answer;
    std::vector<Place> shown;  ///< where it is to be seen; at least one
};

struct Article {
    Translated title;
    std::vector<ArticleClaim> claims;
};

/// Throws WorkloadError with the line of a mistake, std::runtime_error where there are no resources.
std::vector<Article> article_claims();

/// The same from text; `file` is for messages.
std::vector<Article> read_article_claims(const std::string& text, const std::string& file);

}  // namespace lanes
