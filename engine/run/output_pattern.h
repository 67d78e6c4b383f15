// SPDX-License-Identifier: MIT
// `lanes record -o run.%h.%r.%p.sqlite`: file names for each host, rank and process, as probes/inject/name_pattern.h
// has them.
#pragma once

#include "engine/run/output_files.h"
#include "probes/inject/name_pattern.h"

#include <string>
#include <string_view>

namespace lanes {

/// The file name for `place`. Throws OutputArgumentError for an unknown placeholder.
std::string expand_output(std::string_view pattern, const NamePlace& place);

/// Whether the pattern gives each process or rank its own file.
bool has_file_a_process(std::string_view pattern);

/// Inserts `word` before the ending: "run.rank3.sqlite" for "run.sqlite" and "rank3".
std::string with_word(const std::string& file, const std::string& word);

/// Whether a launcher started this process as one of several (mpirun -n 2 lanes record …), which would all write to the
/// same file.
bool is_one_of_several();

}  // namespace lanes
