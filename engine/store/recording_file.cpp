// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "engine/store/atomic_file.h"
#include "engine/store/export/export_text.h"
#include "engine/store/foreign_file.h"
#include "engine/store/formats.h"
#include "engine/store/kept_trace.h"
#include "engine/store/recording_ending.h"
#include "engine/store/sqlite_recording.h"
#include "probes/regular_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

/// The first bytes of a regular file.
std::string beginning_of(const std::string& path)
{
    int file = -1;
    try {
        file = open_file(path);
    } catch (const NotAFile& error) {
        throw StoreError(error.what());
    }
    std::array<char, 512> bytes {};
    const auto size = ::read(file, bytes.data(), bytes.size());
    const int error = errno;
    ::close(file);
    if (size < 0) {
        throw std::system_error(error, std::generic_category(), path);
    }
    return {bytes.data(), static_cast<std::size_t>(size)};
}

/// Describes a file in an unknown format.
std::string why_not_read(const std::string& begin, const std::string& path)
{
    auto what = what_foreign_file_is(begin, path);
    if (!is_packed(begin) || !what.starts_with("is packed with gzip")) {
        return what;
    }
    return "is packed with gzip, and what it holds " + what_foreign_file_is(unpacked_beginning(begin), "");
}

[[noreturn]] void refuse(const std::string& path, const std::string& begin)
{
    const auto why = why_not_read(begin, path);
    const auto reason = begin.empty() ? StoreError::Reason::empty
        : why == unknown_format       ? StoreError::Reason::unknown_format
                                      : StoreError::Reason::other;
    throw StoreError(path + ": " + why + "; what can be opened: " + formats_in_words("en"), reason);
}

const Format& format_or_refuse(const std::string& path, const std::string& begin)
{
    if (const auto* const format = format_of(begin, path)) {
        return *format;
    }
    refuse(path, begin);
}

/// Whether reading it takes long enough to show its beginning first, and to keep the result.
bool may_be_large(const std::string& path, const std::string& begin)
{
    constexpr std::uintmax_t large = 24'000'000;  // bytes
    const bool packed = is_packed(begin);
    std::error_code none;
    const auto bytes = std::filesystem::file_size(path, none);
    return !none && bytes >= (packed ? large / 10 : large);
}

/// Writes to `beside` in the format of the ending of `path`.
void write_as(const Trace& trace, const std::vector<UserMark>& marks, const std::string& path,
    const std::string& beside, const Progress& progress)
{
    if (ends_with(path, ".sqlite")) {
        write_sqlite(trace, marks, beside, progress);
        return;
    }
    TextFile text(beside, ends_with(path, ".gz"));
    if (ends_with(path, ".csv")) {
        write_csv(trace, text, progress);
    } else {
        write_kineto(trace, marks, text, path.substr(path.find_last_of('/') + 1), progress);
    }
    text.close();
}

/// A large recording is usually opened right after it was made: keeps it, so that it need not be read.
void keep_written(const Trace& trace, const std::string& path)
{
    if (ends_with(path, ".sqlite") && may_be_large(path, "")) {
        if (const auto stamp = stamp_of(path)) {
            keep_trace(path, *stamp, trace);
        }
    }
}

}  // namespace

Trace open_recording(const std::string& path, const Progress& progress, KeepLater* keep_later)
{
    const auto begin = beginning_of(path);
    const Format& format = format_or_refuse(path, begin);
    // With the stamp from before reading, since the file may change meanwhile. Files that are read quickly are not
    // kept.
    const bool keeps = format.read_beginning != nullptr && may_be_large(path, begin);
    const auto stamp = keeps ? stamp_of(path) : std::nullopt;
    if (auto kept = stamp ? kept_trace(path, *stamp, progress) : std::nullopt) {
        return std::move(*kept);
    }
    auto trace = format.read(path, progress);
    if (stamp) {
        const auto keep = [path, stamp](const Trace& read) {
            if (stamp_of(path) == stamp) {
                keep_trace(path, *stamp, read);
            }
        };
        keep_later != nullptr ? void(*keep_later = keep) : keep(trace);
    }
    return trace;
}

void check_recording(const std::string& path)
{
    format_or_refuse(path, beginning_of(path));
}

std::optional<Trace> open_beginning(const std::string& path, const Progress& progress)
{
    const auto begin = beginning_of(path);
    const auto* const format = may_be_large(path, begin) ? format_of(begin, path) : nullptr;
    return format != nullptr && format->read_beginning != nullptr
        ? std::optional(format->read_beginning(path, progress))
        : std::nullopt;
}

std::string recording_name(std::string_view path)
{
    auto name = path.substr(path.find_last_of('/') + 1);
    const auto drop = [&](std::string_view ending) {
        const bool there = name.size() > ending.size() && name.ends_with(ending);
        name.remove_suffix(there ? ending.size() : 0);
        return there;
    };
    if (!drop(".gz")) {
        if (const auto dot = name.find_last_of('.'); dot != std::string_view::npos && dot > 0) {
            name = name.substr(0, dot);
        }
    } else {
        drop(".json");
    }
    drop(".pt.trace");
    return std::string(name);
}

void save_recording(
    const Trace& trace, const std::string& path, const Progress& progress, const std::vector<UserMark>* marks)
{
    if (const auto wrong = wrong_ending(path); !wrong.empty()) {
        throw StoreError(wrong);
    }
    progress.report(0);
    try {
        AtomicFile file(path);
        write_as(trace, marks != nullptr ? *marks : trace.marks, path, file.beside(), progress);
        file.commit();
    } catch (const std::system_error& error) {
        throw std::system_error(error.code(), path + ": not written");  // without the temporary file's name
    }
    if (marks == nullptr || *marks == trace.marks) {
        keep_written(trace, path);
    }
}

}  // namespace lanes
