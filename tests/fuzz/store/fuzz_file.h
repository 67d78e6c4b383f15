// SPDX-License-Identifier: MIT
// Any bytes as a file: a sound trace that can be saved and exported, or one clear
// line; nothing else.
#pragma once

#include "engine/store/recording_file.h"
#include "tests/engine/trace/trace_soundness.h"
#include "tests/fuzz/heap_peak.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace lanes {

/// 2 MB go into the buffers of reading and writing.
inline constexpr std::size_t file_heap = std::size_t {8} << 20U;

/// Opens `data` as the file that `read` takes by its path; `heap` bytes it may take besides 20 for each of its own.
inline void fuzz_file(
    const std::uint8_t* data, std::size_t size, Trace (*read)(const std::string& path), std::size_t heap = file_heap)
{
    // In memory, but with a name of its own: SQLite follows links such as those of /proc to the end.
    static const std::string base = "/dev/shm/lanes-fuzz-" + std::to_string(getpid());
    const auto path = base + ".in";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size) || ::close(file) != 0) {
        std::abort();
    }
    const HeapPeak bound(size, heap);
    try {
        const auto trace = read(path);
        if (const auto wrong = unsoundness(trace); !wrong.empty()) {
            std::fprintf(stderr, "%s\n", wrong.c_str());
            std::abort();
        }
        for (const char* ending : {".json", ".csv", ".sqlite"}) {
            if (ending != std::string_view(".sqlite") || size % 8 == 0) {  // the slow one now and then
                save_recording(trace, base + ending);
            }
        }
        if (size % 8 == 0) {
            open_recording(base + ".sqlite");  // what we write we read
        }
    } catch (const StoreError& error) {
        const std::string what = error.what();
        if (what.empty() || what.find('\n') != std::string::npos || what.size() > 1000) {
            std::abort();
        }
    }
    for (const char* ending : {".in", ".json", ".csv", ".sqlite"}) {
        std::remove((base + ending).c_str());
    }
}

}  // namespace lanes
