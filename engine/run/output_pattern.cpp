// SPDX-License-Identifier: MIT
#include "engine/run/output_pattern.h"

#include "engine/formatted.h"
#include "engine/trace/utf8.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace lanes {

std::string expand_output(std::string_view pattern, const OutputPlace& place)
{
    std::string name;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            name += pattern[i];
            continue;
        }
        const char mark = ++i < pattern.size() ? pattern[i] : '\0';
        if (mark == 'h') {
            name += place.host;
        } else if (mark == 'r') {
            name += place.rank.empty() ? "0" : place.rank;
        } else if (mark == 'p') {
            name += std::to_string(place.process);
        } else if (mark == '%') {
            name += '%';
        } else {
            // All bytes of a character.
            auto end = std::min(i + 1, pattern.size());
            while (end < pattern.size() && continues_utf8(pattern[end])) {
                ++end;
            }
            throw OutputArgumentError(formatted("-o {}: found \"{}\" at column {}, expected %h (host), %r (rank), "
                                                "%p (process id) or %% (a percent)",
                pattern, pattern.substr(i - 1, end - i + 1), i));
        }
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

std::string host_name()
{
    char name[256] = {};
    if (::gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') {
        return "localhost";
    }
    std::string host = name;
    return host.substr(0, std::max<std::size_t>(host.find('.'), 1));
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
