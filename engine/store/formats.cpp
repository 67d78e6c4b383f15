// SPDX-License-Identifier: MIT
#include "engine/store/formats.h"

#include "engine/store/chrome/chrome_reader.h"
#include "engine/store/foreign_file.h"
#include "engine/store/perfetto/perfetto_reader.h"
#include "engine/store/recording_ending.h"
#include "engine/store/recording_file.h"
#include "engine/store/sqlite_recording.h"
#include "engine/trace/meta_keys.h"
#include "probes/spool_format.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace lanes {

namespace {

bool is_sqlite(std::string_view begin, const std::string& /*path*/)
{
    return begin.starts_with(std::string_view("SQLite format 3\0", 16));
}

Trace sqlite(const std::string& path, const Progress& progress)
{
    return read_sqlite(path, progress);
}

Trace sqlite_beginning(const std::string& path, const Progress& progress)
{
    constexpr std::uint64_t rows = 40'000;  // of each table
    return read_sqlite(path, progress, rows);
}

/// Whether it can be a trace in JSON, plain or packed.
bool is_json(std::string_view begin, const std::string& path)
{
    if (is_packed(begin)) {
        const auto unpacked = unpacked_beginning(begin);
        return unpacked.empty() || (!is_packed(unpacked) && is_json(unpacked, path));
    }
    const auto first = begin.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first != std::string_view::npos && (begin[first] == '{' || begin[first] == '[')
        && begin.find("\"rocprofiler-sdk-tool\"") == std::string_view::npos && !is_perfetto_trace(begin);
}

Trace json(const std::string& path, const Progress& progress)
{
    return read_chrome_trace(path, progress);
}

/// What a reader makes of the first bytes of a file; that it is cut short there is not the file's fault.
template <auto read, std::size_t bytes> Trace beginning(const std::string& path, const Progress& progress)
{
    auto trace = read(path, progress, bytes);
    trace.meta.erase(meta::complete);
    return trace;
}

bool is_perfetto(std::string_view begin, const std::string& path)
{
    if (is_packed(begin)) {
        const auto unpacked = unpacked_beginning(begin);
        return !is_packed(unpacked) && is_perfetto(unpacked, path);
    }
    return is_perfetto_trace(begin);
}

Trace perfetto(const std::string& path, const Progress& progress)
{
    return read_perfetto_trace(path, progress);
}

bool is_spool(std::string_view begin, const std::string& path)
{
    std::uint32_t magic = 0;
    std::memcpy(&magic, begin.data(), std::min(begin.size(), sizeof magic));
    return magic == spool_magic || ends_with(path, ".spool");  // its beginning may be damaged
}

Trace spool(const std::string& path, const Progress& /*progress*/)
{
    return open_spool(path);
}

}  // namespace

std::span<const Format> formats()
{
    static const std::vector<Format> rows {
        {"sqlite", "recordings of Lanescope and exports of Nsight Systems (.sqlite)",
            "Lanescope 的录制和 Nsight Systems 的导出（.sqlite）", {".sqlite"}, is_sqlite, sqlite, sqlite_beginning},
        {"json", "traces of PyTorch's profiler or Chrome (.json, .json.gz)",
            "PyTorch profiler 或 Chrome 的跟踪文件（.json、.json.gz）", {".json", ".json.gz"}, is_json, json,
            beginning<read_chrome_trace, 12'000'000>},
        {"perfetto",
            "traces of Perfetto, also as PyTorch's profiler writes them (.pftrace, .pftrace.gz, .perfetto-trace)",
            "Perfetto 的跟踪文件，包括 PyTorch profiler 写出的（.pftrace、.pftrace.gz、.perfetto-trace）",
            {".pftrace", ".pftrace.gz", ".perfetto-trace"}, is_perfetto, perfetto,
            beginning<read_perfetto_trace, 6'000'000>},
        {"spool", "unfinished runs (.spool)", "未完成的运行（.spool）", {".spool"}, is_spool, spool, nullptr},
    };
    return rows;
}

const Format* format_of(std::string_view begin, const std::string& path)
{
    const auto all = formats();
    const auto row = std::find_if(all.begin(), all.end(), [&](const Format& each) { return each.is_it(begin, path); });
    return row != all.end() ? &*row : nullptr;
}

std::string formats_in_words(std::string_view language)
{
    const bool chinese = language.starts_with("zh");
    const auto all = formats();
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) {
            text += chinese ? "、" : i + 1 < all.size() ? ", " : ", and ";
        }
        text += chinese ? all[i].chinese : all[i].english;
    }
    return text;
}

bool is_packed(std::string_view begin)
{
    return begin.starts_with("\x1F\x8B");
}

}  // namespace lanes
