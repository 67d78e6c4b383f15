// SPDX-License-Identifier: MIT
// `-o FILE_OR_DIR`: where the recordings of a run go.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace lanes {

/// The words were wrong: exit status 2.
class OutputWordsError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// One file a variant: WORKLOAD.VARIANT.sqlite (WORKLOAD.sqlite for the unnamed variant) in the folder `output`
/// ("": the current one, made if it is not there), or `output` itself if it ends in .sqlite and there is one variant.
std::vector<std::string> output_files(
    const std::string& output, const std::string& workload, const std::vector<std::string>& variants);

/// X.spool of X.sqlite.
std::string spool_of(const std::string& recording);

}  // namespace lanes
