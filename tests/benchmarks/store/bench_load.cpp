// SPDX-License-Identifier: MIT
// What it takes to read one file and to analyse it, without a window: seconds, CPU seconds, MB/s, memory. For a large
// one also its beginning, which the window shows while the rest is read; and once more from what was kept of it, in a
// separate folder.
//   bench_load FILE
//   bench_load --kineto EVENTS | --recording OPERATIONS     of a file that is made for it
//   bench_load --make-kineto EVENTS FILE | --make-recording OPERATIONS FILE
#include "engine/analysis/recording.h"
#include "engine/store/recording_file.h"
#include "tests/benchmarks/large/large_files.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lanes;

namespace {

/// Seconds and CPU seconds since it was made. On a busy machine the latter say more.
class Watch {
public:
    double wall() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }
    double cpu() const { return static_cast<double>(std::clock() - m_cpu) / CLOCKS_PER_SEC; }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::clock_t m_cpu = std::clock();
};

/// MiB.
double memory(const char* key)
{
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(key)) {
            return std::strtod(line.c_str() + std::strlen(key), nullptr) / 1024;
        }
    }
    return 0;
}

/// Another process touches as much memory as reading a file of that size takes, and ends. A virtual machine's host
/// may have taken free memory back: its first touch after that takes two seconds a GB, which is not the reader's
/// cost.
void have_memory_there(std::size_t bytes)
{
    const auto child = fork();
    if (child == 0) {
        const auto size = 3 * bytes;
        void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED) {
            madvise(memory, size, MADV_HUGEPAGE);
            for (std::size_t at = 0; at < size; at += 4096) {
                static_cast<volatile char*>(memory)[at] = 1;
            }
        }
        _exit(0);
    }
    waitpid(child, nullptr, 0);
}

void load(const std::string& path)
{
    have_memory_there(std::filesystem::file_size(path));
    const auto cache = std::filesystem::temp_directory_path() / ("bench_load.cache." + std::to_string(getpid()));
    setenv("XDG_CACHE_HOME", cache.c_str(), 1);  // its writer keeps nothing there
    const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    const Watch beginning;
    if (auto first = open_beginning(path)) {
        const auto read = beginning.cpu();
        const auto shown = analysed(std::move(*first));
        std::printf("beginning %7.3f s, %7.3f CPU s to read, %.3f with the analysis: %zu operations\n",
            beginning.wall(), read, beginning.cpu(), shown.trace->operations.size());
    }
    const double before = memory("VmRSS:");
    const Watch reading;
    KeepLater keep;
    auto trace = open_recording(path, {}, &keep);
    std::printf("read      %7.3f s, %7.3f CPU s, %6.0f MB/s of %.0f MB\n", reading.wall(), reading.cpu(),
        megabytes / reading.wall(), megabytes);
    const auto events = static_cast<double>(trace.operations.size() + trace.calls.size() + trace.ranges.size());
    std::printf("          %zu operations, %zu calls, %zu ranges\n", trace.operations.size(), trace.calls.size(),
        trace.ranges.size());
    std::printf("memory    %7.0f MiB at most, %.0f after, %.1f bytes of each at most, %.1f after\n", memory("VmHWM:"),
        memory("VmRSS:"), (memory("VmHWM:") - before) * 1048576 / events,
        (memory("VmRSS:") - before) * 1048576 / events);
    if (keep) {
        const Watch keeping;
        keep(trace);
        std::printf("kept      %7.3f s, %7.3f CPU s\n", keeping.wall(), keeping.cpu());
    }
    {
        const Watch again;
        const auto kept = open_recording(path);
        std::printf(
            "again     %7.3f s, %7.3f CPU s: %zu operations\n", again.wall(), again.cpu(), kept.operations.size());
    }
    const Watch analysing;
    const auto recording = analysed(std::move(trace));
    std::printf("analysed  %7.3f s, %7.3f CPU s, %.0f MiB at most, %zu blocked, %zu findings\n", analysing.wall(),
        analysing.cpu(), memory("VmHWM:"), recording.blocking->calls.size(), recording.report->findings.size());
    std::filesystem::remove_all(cache);
}

}  // namespace

int main(int count, char** arguments)
{
    setenv("XDG_CACHE_HOME", "/dev/null", 1);  // what is written here is not kept
    const std::string option = count > 1 ? arguments[1] : "";
    const auto number = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 0;
    const auto make = [&](const std::string& path) {
        option.ends_with("kineto") ? write_large_kineto(path, number) : write_large_recording(path, number);
    };
    if (option.starts_with("--make-") && count == 4) {
        make(arguments[3]);
        return 0;
    }
    if ((option == "--kineto" || option == "--recording") && count == 3) {
        const auto path = (std::filesystem::temp_directory_path() / ("bench_load." + std::to_string(getpid()))).string()
            + (option == "--kineto" ? ".json" : ".sqlite");
        make(path);
        load(path);
        std::filesystem::remove(path);
        return 0;
    }
    if (count != 2) {
        std::fprintf(stderr,
            "bench_load FILE | --kineto EVENTS | --recording OPERATIONS | --make-kineto EVENTS FILE | "
            "--make-recording OPERATIONS FILE\n");
        return 2;
    }
    load(option);
    return 0;
}
