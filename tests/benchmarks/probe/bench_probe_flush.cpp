// SPDX-License-Identifier: MIT
// What a long kernel holds back: how many records that are complete, and how old the
// newest record on disk is, while a kernel of two seconds runs. Needs a GPU.
//
// The recorded program is this one again. Every 20 ms the spool is read in the state
// in which a crash would leave it.
#include "probes/cupti/find_cupti.h"
#include "probes/inject/environment.h"
#include "probes/spool.h"
#include "tests/benchmarks/probe/long_kernel.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace lanes;

constexpr int long_ms = 2000;
constexpr int no_gpu = 77;

Ns realtime()
{
    timespec now {};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<Ns>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

struct OnDisk {
    std::int64_t kernels = 0;
    Ns newest = 0;
    std::string error;
};

OnDisk read(const std::string& path)
{
    OnDisk found;
    try {
        std::map<StringId, std::string> texts;
        read_spool(path, [&](const SpoolChunk& chunk) {
            for (const auto& entry : strings_of(chunk)) {
                texts[entry.id] = entry.text;
            }
            for (const auto& kernel : records_of<KernelRecord>(chunk)) {
                found.kernels += kernel.end > 0 ? 1 : 0;
                found.newest = std::max(found.newest, kernel.end);
            }
            for (const auto& call : records_of<ApiCallRecord>(chunk)) {
                found.newest = std::max(found.newest, call.end);
            }
            for (const auto& error : records_of<ErrorRecord>(chunk)) {
                found.error = texts[error.message];
            }
        });
    } catch (const std::exception&) {  // nothing there yet
    }
    return found;
}

struct Held {
    std::int64_t kernels = 0;  ///< complete, and not on disk
    Ns age = 0;  ///< of the newest record on disk
    void take(std::int64_t kernels_held, Ns newest_age)
    {
        kernels = std::max(kernels, kernels_held);
        age = std::max(age, newest_age);
    }
};

struct Case {
    const char* words;
    bool other_thread;
    const char* buffer_per_thread;
};

/// False: no GPU.
bool measure(const Case& one, const std::string& folder)
{
    const auto spool = folder + "/flush.spool";
    std::filesystem::remove(spool);
    auto* progress = static_cast<Progress*>(
        ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (progress == MAP_FAILED) {
        throw std::runtime_error("mmap");
    }
    const auto bin = folder_of_code(reinterpret_cast<const void*>(&measure));
    const pid_t child = ::fork();
    if (child == 0) {
        for (const auto& variable : probe_environment({.spool = spool, .probe = find_probe(bin), .cupti = ""})) {
            ::setenv(variable.name.c_str(), variable.value.c_str(), 1);
        }
        ::setenv(probe_variable::buffer_per_thread, one.buffer_per_thread, 1);
        // The memory is shared with a forked process that does no exec; CUDA was not used before.
        const char* problem = run_short_beside_long(*progress, long_ms, one.other_thread);
        if (*problem != '\0') {
            std::fprintf(stderr, "%s\n", problem);
            ::_exit(no_gpu);
        }
        std::exit(0);
    }
    Held alone, beside;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        const std::int64_t done = progress->kernels_done;
        const bool is_long = progress->long_started_ns != 0 && progress->long_ended_ns == 0;
        const auto disk = read(spool);
        // The long kernel itself is complete only at its end; 100 short ones precede the first measurement.
        if (done > 100 && progress->long_ended_ns == 0) {
            (is_long ? beside : alone).take(done - disk.kernels, disk.newest == 0 ? 0 : realtime() - disk.newest);
        }
        ::usleep(20'000);
    }
    const std::int64_t total = progress->kernels_done;
    ::munmap(progress, sizeof(Progress));
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_gpu) {
        return false;
    }
    const auto at_end = read(spool);
    if (!at_end.error.empty()) {
        throw std::runtime_error(at_end.error);
    }
    std::printf("%-52s %10lld %8.0f ms %10lld %8.0f ms %8lld of %lld\n", one.words,
        static_cast<long long>(alone.kernels), static_cast<double>(alone.age) / 1e6,
        static_cast<long long>(beside.kernels), static_cast<double>(beside.age) / 1e6,
        static_cast<long long>(at_end.kernels), static_cast<long long>(total + 1));
    return true;
}

}  // namespace

int main()
{
    char folder[] = "/tmp/bench_probe_flush.XXXXXX";
    if (::mkdtemp(folder) == nullptr) {
        std::perror("mkdtemp");
        return 1;
    }
    std::printf("%-52s %24s %24s %18s\n%-52s %10s %11s %10s %11s\n", "", "short kernels alone", "beside a 2 s kernel",
        "kernels at the end", "at most, while the program runs", "held back", "newest is", "held back", "newest is");
    int result = 0;
    try {
        for (const Case& one :
            {Case {"one thread launches all", false, "1"}, Case {"another thread launched the long one", true, "1"},
                Case {"the same, one buffer for all threads", true, "0"}}) {
            std::fflush(stdout);
            if (!measure(one, folder)) {
                std::printf("no GPU here: nothing measured\n");
                break;
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        result = 1;
    }
    std::filesystem::remove_all(folder);
    return result;
}
