// SPDX-License-Identifier: MIT
// `lanes record --stacks`: where the threads of a Python program are, at an interval.
//
// A thread of the probe looks at each thread that was given to it (PythonFrames), while they run on. Successive samples
// of a thread with the same place are one range of sampled_domain: it begins with the first of them and ends with the
// first sample that says something else. So both ends may be late by up to an interval, and what took less than
// that between two samples is not seen at all.
//
// A process is sampled once it uses CUDA: a program may have hundreds of others (compilers, loaders of batches).
//
// Cost for the program: none of its threads waits or runs anything. The sampling thread itself takes 5 to 50 us a
// thread and sample, by the depth of the stack.
#pragma once

#include "probes/inject/own_ranges.h"
#include "probes/inject/python_frames.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lanes {

class StackSampler {
public:
    /// Calls its argument with the process's recorder of ranges, if it has one.
    using WithRanges = std::function<void(const std::function<void(OwnRanges&)>&)>;
    using IsWanted = std::function<bool()>;

    /// Starts the thread, with all signals blocked. `interval`: ns. Until `is_wanted`, it only asks that, 50 times a
    /// second.
    StackSampler(PythonFrames frames, Ns interval, WithRanges with_ranges, IsWanted is_wanted);

    /// Ends the thread, with all open ranges. Not in a forked child, which has no such thread.
    ~StackSampler();
    StackSampler(const StackSampler&) = delete;
    StackSampler& operator=(const StackSampler&) = delete;

    /// The thread of the OS's id `thread`, with its PyThreadState, until remove().
    void add(std::uint32_t thread, std::uintptr_t state);
    void remove(std::uint32_t thread);

private:
    struct Watched {
        std::uint32_t thread;
        std::uintptr_t state;
        std::string place = {};  ///< "": none
        Ns since = 0;
    };
    void run();
    void sample(Watched& watched);
    void say(Watched& watched, std::string place, Ns time);

    PythonFrames m_frames;
    const Ns m_interval;
    const WithRanges m_with_ranges;
    const IsWanted m_is_wanted;
    std::mutex m_mutex;
    std::condition_variable m_end_asked;
    bool m_ends = false;
    std::vector<Watched> m_watched;
    std::thread m_thread;
};

}  // namespace lanes
