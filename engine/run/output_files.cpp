// SPDX-License-Identifier: MIT
#include "engine/run/output_files.h"

#include "engine/formatted.h"
#include "engine/store/atomic_file.h"
#include "engine/store/recording_ending.h"
#include "engine/trace/meta_keys.h"
#include "engine/workload/workload.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

constexpr std::string_view ending = ".sqlite";
constexpr std::string_view spool_ending = ".spool";

/// Every writer of a spool has a shared lock on it, see SpoolWriter::open().
bool is_held(int file)
{
    return ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/// Renames a spool to which nobody writes any more; returns the new name, "" if it was empty or missing.
std::string keep_old_spool(const std::string& spool)
{
    const int file = ::open(spool.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        if (errno == ENOENT) {
            return "";
        }
        throw std::system_error(errno, std::generic_category(), spool);
    }
    const bool held = is_held(file);
    struct stat status {
    }, named {};
    ::fstat(file, &status);
    // Another run may have renamed it meanwhile, and have made a new one there.
    const bool is_it
        = ::stat(spool.c_str(), &named) == 0 && named.st_ino == status.st_ino && named.st_dev == status.st_dev;
    std::string kept;
    int error = 0;
    if (!held && is_it && status.st_size > 0) {
        const auto name = spool.substr(0, spool.size() - spool_ending.size());
        for (int n = 1; kept.empty() || std::filesystem::exists(kept); ++n) {
            kept = formatted("{}.killed-{}{}", name, n, spool_ending);
        }
        error = ::rename(spool.c_str(), kept.c_str()) == 0 ? 0 : errno;
    }
    ::close(file);
    if (held) {
        throw SpoolHeldError(spool + ": another run writes to it");
    }
    if (error != 0) {
        throw std::system_error(error, std::generic_category(), spool);
    }
    return kept;
}

}  // namespace

std::vector<std::string> output_files(
    const std::string& output, const std::string& workload, const std::vector<std::string>& variants)
{
    namespace fs = std::filesystem;
    const bool is_file = output.ends_with(ending) && !fs::is_directory(output);
    if (is_file && variants.size() != 1) {
        throw OutputArgumentError(formatted("-o {}: one file cannot take the recordings of {} variants; give a folder, "
                                            "or one --variant",
            output, variants.size()));
    }
    if (!is_file && wrong_ending(output).empty() && !fs::is_directory(output)) {
        throw OutputArgumentError(formatted("-o {}: run writes .sqlite; lanes convert makes the others of it", output));
    }
    const fs::path folder = is_file ? fs::path(output).parent_path() : fs::path(output);
    if (!folder.empty()) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (!fs::is_directory(folder)) {
            throw OutputArgumentError(formatted("-o {}: this folder cannot be made", output));
        }
    }
    std::vector<std::string> files;
    for (const auto& variant : variants) {
        files.push_back(is_file ? output : (folder / (run_name(workload, variant) + std::string(ending))).string());
        expect_writable_as_file(files.back());
    }
    return files;
}

bool is_written_to(const std::string& spool)
{
    const int file = ::open(spool.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const bool held = file >= 0 && is_held(file);
    if (file >= 0) {
        ::close(file);
    }
    return held;
}

std::string spool_of(const std::string& recording)
{
    const bool cut = recording.ends_with(ending);
    return (cut ? recording.substr(0, recording.size() - ending.size()) : recording) + std::string(spool_ending);
}

std::string open_new_spool(SpoolWriter& writer, const std::string& spool)
{
    expect_writable_as_file(spool);
    const auto kept = keep_old_spool(spool);
    if (!writer.open(spool)) {
        throw std::system_error(writer.error(), std::generic_category(), spool);
    }
    // Two runs may be here at once, and both may have opened it: it belongs to the one that writes first.
    writer.write_meta(meta::spool_begin, "");
    std::optional<std::uint32_t> first;
    if (writer.error() == 0) {
        read_spool(spool, [&](const SpoolChunk& chunk) { first = first.value_or(chunk.writer); });
    }
    if (first && *first != writer.id()) {
        writer.close();
        throw SpoolHeldError(spool + ": another run writes to it");
    }
    return kept.empty() ? ""
                        : formatted("{} was left by a run that was killed: it is kept as {}, and lanes convert makes "
                                    "a recording of it",
                            spool, kept);
}

void end_spool(SpoolWriter& writer)
{
    writer.write_meta(meta::spool_end, std::string(64, '.'));
}

}  // namespace lanes
