// SPDX-License-Identifier: MIT
// `lanes record -o run.%h.%r.%p.sqlite`: a name with what tells hosts, ranks and processes apart.
//
// %h host, %r rank (probes/inject/process_rank.h), %p process id, %% a percent.
#pragma once

#include "engine/run/output_files.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanes {

/// What the marks stand for.
struct OutputPlace {
    std::string host, rank;  ///< rank "": 0, for a program that no launcher started is the only one
    std::uint32_t process = 0;
};

/// The name at `place`. Throws OutputArgumentError for any other mark: what was found, where, and what there is.
std::string expand_output(std::string_view pattern, const OutputPlace& place);

/// True if each process, or each rank, gets a file of its own.
bool has_file_a_process(std::string_view pattern);

/// "run.rank3.sqlite" of "run.sqlite": before the ending.
std::string with_word(const std::string& file, const std::string& word);

/// This machine's name, without its domain.
std::string host_name();

/// True where a launcher started this very process as one of several (mpirun -n 2 lanes record ...), which would all
/// write to the same name.
bool is_one_of_several();

}  // namespace lanes
