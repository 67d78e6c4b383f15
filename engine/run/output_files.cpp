// SPDX-License-Identifier: MIT
#include "engine/run/output_files.h"

#include "engine/formatted.h"

#include <filesystem>

namespace lanes {

namespace {

constexpr std::string_view ending = ".sqlite";

}  // namespace

std::vector<std::string> output_files(
    const std::string& output, const std::string& workload, const std::vector<std::string>& variants)
{
    namespace fs = std::filesystem;
    const bool is_file = output.ends_with(ending) && !fs::is_directory(output);
    if (is_file && variants.size() != 1) {
        throw OutputWordsError(formatted("-o {}: one file cannot take the recordings of {} variants; give a folder, "
                                           "or one --variant",
            output, variants.size()));
    }
    const fs::path folder = is_file ? fs::path(output).parent_path() : fs::path(output);
    if (!folder.empty()) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (!fs::is_directory(folder)) {
            throw OutputWordsError(formatted("-o {}: this folder cannot be made", output));
        }
    }
    std::vector<std::string> files;
    for (const auto& variant : variants) {
        files.push_back(is_file
                ? output
                : (folder / (workload + (variant.empty() ? "" : "." + variant) + std::string(ending))).string());
    }
    return files;
}

std::string spool_of(const std::string& recording)
{
    const bool cut = recording.ends_with(ending);
    return (cut ? recording.substr(0, recording.size() - ending.size()) : recording) + ".spool";
}

}  // namespace lanes
