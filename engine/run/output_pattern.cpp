// SPDX-License-Identifier: MIT
#include "engine/run/output_pattern.h"

#include "engine/formatted.h"
#include "engine/trace/utf8.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace lanes {

std::string expand_output(std::string_view pattern, const NamePlace& place)
{
    std::size_t wrong = 0;
    auto name = expand_name(pattern, place, &wrong);
    if (wrong != std::string_view::npos) {
        // All bytes of a character.
        auto end = std::min(wrong + 2, pattern.size());
        while (end < pattern.size() && continues_utf8(pattern[end])) {
            ++end;
        }
        throw OutputArgumentError(formatted("-o {}: found \"{}\" at column {}, expected %h (host), %r (rank), "
                                            "%p (process id), %q{{NAME}} (a variable) or %% (a percent)",
            pattern, pattern.substr(wrong, end - wrong), wrong + 1));
    }
    return name;
}

bool has_file_a_process(std::string_view pattern)
{
    for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
        if (pattern[i] == '%') {
            ++i;
            if (pattern[i] == 'r' || pattern[i] == 'p') {
                return true;
            }
        }
    }
    return false;
}

std::string with_word(const std::string& file, const std::string& word)
{
    const std::filesystem::path path(file);
    return (path.parent_path() / (path.stem().string() + "." + word + path.extension().string())).string();
}

bool is_one_of_several()
{
    for (const char* variable : {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "PMI_SIZE"}) {
        const char* value = std::getenv(variable);
        if (value != nullptr && std::strtol(value, nullptr, 10) > 1) {
            return true;
        }
    }
    return false;
}

}  // namespace lanes
