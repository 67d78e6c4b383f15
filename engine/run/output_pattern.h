// SPDX-License-Identifier: MIT
// `lanes record -o run.%h.%r.%p.sqlite`: file names for each host, rank and process.
//
// %h host name, %r rank (probes/inject/process_rank.h), %p process id, %% a percent sign.
#pragma once

#include "engine/run/output_files.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanes {

/// The values of the placeholders.
struct OutputPlace {
    std::string host, rank;  ///< rank "": no launcher, taken for rank 0
    std::uint32_t process = 0;
};

/// The file name for `place`. Throws OutputArgumentError for an unknown placeholder.
std::string expand_output(std::string_view pattern, const OutputPlace& place);

/// Whether the pattern gives each process or rank its own file.
bool has_file_a_process(std::string_view pattern);

/// Inserts `word` before the ending: "run.rank3.sqlite" for "run.sqlite" and "rank3".
std::string with_word(const std::string& file, const std::string& word);

/// This machine's name, without its domain.
std::string host_name();

/// Whether a launcher started this process as one of several (mpirun -n 2 lanes record …), which would all write to the
/// same file.
bool is_one_of_several();

}  // namespace lanes
