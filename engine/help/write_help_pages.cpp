// SPDX-License-Identifier: MIT
#include "engine/help/command_words.h"

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

namespace lanes {

namespace {

bool is_one_of(std::string_view value, std::initializer_list<std::string_view> words)
{
    for (const auto word : words) {
        if (value == word) {
            return true;
        }
    }
    return false;
}

void write(const std::filesystem::path& path, const std::string& text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

}  // namespace

ValueKind value_kind(const std::string& value)
{
    if (is_one_of(value, {"FILE", "FILE_B", "A", "B", "IN", "OUT", "FILE_OR_FOLDER"})) {
        return ValueKind::file;
    }
    return value == "FOLDER"  ? ValueKind::folder
        : value == "WORKLOAD" ? ValueKind::workload
        : value == "DEVICE"   ? ValueKind::device
        : value == "COMMAND"  ? ValueKind::program
                              : ValueKind::none;
}

void write_help_pages(const HelpCommand& program, const std::string& version, const std::string& folder)
{
    const std::filesystem::path to(folder);
    write(to / "man/man1" / (program.name + ".1"), man_page(program, version));
    write(to / "bash-completion/completions" / program.name, bash_completion(program));
    write(to / "zsh/site-functions" / ("_" + program.name), zsh_completion(program));
    write(to / "fish/vendor_completions.d" / (program.name + ".fish"), fish_completion(program));
}

}  // namespace lanes
