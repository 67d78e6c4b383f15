// SPDX-License-Identifier: MIT
// A program to be recorded where there is no GPU: it writes what it "did" into $LANES_SPOOL as it runs, four times a
// second, as a probe does; four seconds blocking, four overlapped.
//
//   spooling_program SECONDS [STATUS]
#include "tests/engine/run/record/spooling_program.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace {

volatile std::sig_atomic_t interrupted = 0;

lanes::Ns now()
{
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

int main(int count, char** words)
{
    const char* const spool = std::getenv("LANES_SPOOL");
    if (count < 2 || spool == nullptr) {
        std::fputs("usage: spooling_program SECONDS [STATUS], with LANES_SPOOL\n", stderr);
        return 2;
    }
    std::signal(SIGINT, [](int) { interrupted = 1; });
    lanes::SpoolingProgram program(spool, static_cast<std::uint32_t>(::getpid()));
    const auto begin = now();
    const auto end = begin + static_cast<lanes::Ns>(std::atof(words[1]) * 1e9);
    std::printf("epoch 0, learning rate %s\n", std::getenv("RATE") != nullptr ? std::getenv("RATE") : "0.1");
    std::fflush(stdout);
    constexpr lanes::Ns phase = 4'000'000'000;
    for (auto done = begin; done < end && interrupted == 0;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(250));
        for (; done + lanes::SpoolingProgram::iteration < now() && done < end;
             done += lanes::SpoolingProgram::iteration) {
            program.iterate(done, (done - begin) / phase % 2 == 1);
        }
        std::printf("%.1f s\n", static_cast<double>(done - begin) / 1e9);
        std::fflush(stdout);
    }
    std::puts(interrupted != 0 ? "interrupted" : "done");
    return count > 2 ? std::atoi(words[2]) : 0;
}
