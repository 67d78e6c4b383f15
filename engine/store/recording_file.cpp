// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "engine/store/atomic_file.h"
#include "engine/store/chrome/chrome_reader.h"
#include "engine/store/export_text.h"
#include "engine/store/kept_trace.h"
#include "engine/store/sqlite_recording.h"
#include "engine/trace/meta_keys.h"
#include "probes/regular_file.h"
#include "probes/spool_format.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

constexpr std::string_view sqlite_magic("SQLite format 3\0", 16);

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

/// What a file that we do not read seems to be, and how to make one of it that we do.
std::string guess_of(const std::string& begin, const std::string& path)
{
    const auto ends = [&](std::string_view ending) { return path.ends_with(ending); };
    if (begin.empty()) {
        return "is empty";
    }
    if (ends(".nsys-rep") || ends(".qdrep")) {
        return "is a report of Nsight Systems; nsys export --type sqlite makes a file of it that can be opened";
    }
    if (ends(".xplane.pb")) {
        return "is a profile of XLA; xprof's trace viewer saves it as JSON (trace.json.gz), which can be opened";
    }
    if (ends(".pftrace") || ends(".perfetto-trace") || begin.front() == '\x0A') {
        return "seems to be a trace of Perfetto in its own format; traceconv json makes a file of it that can be "
               "opened";
    }
    if (ends(".nvvp") || ends(".nvprof")) {
        return "is of nvprof, which has been replaced by Nsight Systems";
    }
    if (begin.starts_with("PK")) {
        return "is a zip archive: unpack it first";
    }
    return "is none of the files that Lanescope knows";
}

/// Whether it can be a trace in JSON, plain or packed.
bool seems_json(const std::string& begin)
{
    const auto first = begin.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return begin.starts_with("\x1F\x8B")
        || (first != std::string::npos && (begin[first] == '{' || begin[first] == '['));
}

/// Whether reading it takes long enough to show something before, and to keep what was read.
bool may_be_large(const std::string& path, const std::string& begin)
{
    constexpr std::uintmax_t large = 24'000'000;  // bytes
    const bool packed = begin.starts_with("\x1F\x8B");
    std::error_code none;
    const auto bytes = std::filesystem::file_size(path, none);
    return !none && bytes >= (packed ? large / 10 : large);
}

bool ends_with(const std::string& path, std::string_view ending)
{
    return path.size() > ending.size() && path.ends_with(ending);
}

/// Writes to `beside` what the ending of `path` says.
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

}  // namespace

Trace open_recording(const std::string& path, const Progress& progress)
{
    const auto begin = beginning_of(path);
    const bool sqlite = begin.starts_with(sqlite_magic);
    if (sqlite || seems_json(begin)) {
        // With the stamp of before: what changes while it is read is not what is kept.
        const auto stamp = may_be_large(path, begin) ? stamp_of(path) : std::nullopt;
        if (auto kept = stamp ? kept_trace(path, *stamp, progress) : std::nullopt) {
            return std::move(*kept);
        }
        auto trace = sqlite ? read_sqlite(path, progress) : read_chrome_trace(path, progress);
        if (stamp && stamp_of(path) == stamp) {
            keep_trace(path, *stamp, trace);
        }
        return trace;
    }
    std::uint32_t magic = 0;
    std::memcpy(&magic, begin.data(), std::min(begin.size(), sizeof magic));
    if (magic == spool_magic || ends_with(path, ".spool")) {  // a spool may be damaged where it begins
        return open_spool(path);
    }
    throw StoreError(path + ": " + guess_of(begin, path)
        + "; what can be opened are recordings of Lanescope (.sqlite, .spool), SQLite exports of Nsight Systems (nsys "
          "export --type sqlite), and traces of PyTorch's profiler or Chrome (.json, .json.gz)");
}

std::optional<Trace> open_beginning(const std::string& path, const Progress& progress)
{
    constexpr std::size_t text = 12'000'000;
    constexpr std::uint64_t rows = 40'000;  // of each table
    const auto begin = beginning_of(path);
    if (!may_be_large(path, begin)) {
        return {};
    }
    std::optional<Trace> trace;
    if (begin.starts_with(sqlite_magic)) {
        trace = read_sqlite(path, progress, rows);
    } else if (seems_json(begin)) {
        trace = read_chrome_trace(path, progress, text);
        trace->meta.erase(meta::complete);
    }
    return trace;
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
    static constexpr std::array<std::string_view, 4> endings {".sqlite", ".json", ".json.gz", ".csv"};
    if (std::none_of(endings.begin(), endings.end(), [&](auto ending) { return ends_with(path, ending); })) {
        throw StoreError(path + ": the ending says what to write: .sqlite, .json, .json.gz or .csv");
    }
    progress.report(0);
    try {
        AtomicFile file(path);
        write_as(trace, marks != nullptr ? *marks : trace.marks, path, file.beside(), progress);
        file.commit();
    } catch (const std::system_error& error) {
        throw std::system_error(error.code(), path + ": not written");  // not the name of the file beside
    }
}

}  // namespace lanes
