// SPDX-License-Identifier: MIT
#include "probes/inject/stack_sampler.h"
#include "probes/blocked_signals.h"

#include <algorithm>
#include <chrono>
#include <pthread.h>
#include <utility>

namespace lanes {

namespace {

constexpr std::chrono::milliseconds until_asked_again {20};

}  // namespace

StackSampler::StackSampler(PythonFrames frames, Ns interval, WithRanges with_ranges, IsWanted is_wanted)
    : m_frames(std::move(frames))
    , m_interval(interval)
    , m_with_ranges(std::move(with_ranges))
    , m_is_wanted(std::move(is_wanted))
{
    const AllSignalsBlocked blocked;
    m_thread = std::thread([this] { run(); });
}

StackSampler::~StackSampler()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_end_asked.notify_one();
    m_thread.join();
}

void StackSampler::add(std::uint32_t thread, std::uintptr_t state)
{
    const std::lock_guard lock(m_mutex);
    m_watched.push_back({.thread = thread, .state = state});
}

void StackSampler::remove(std::uint32_t thread)
{
    const std::lock_guard lock(m_mutex);
    const auto found = std::find_if(
        m_watched.begin(), m_watched.end(), [thread](const Watched& watched) { return watched.thread == thread; });
    if (found != m_watched.end()) {
        say(*found, "", read_clocks().realtime);
        m_watched.erase(found);
    }
}

void StackSampler::say(Watched& watched, std::string place, Ns time)
{
    if (place == watched.place) {
        return;
    }
    if (!watched.place.empty()) {
        m_with_ranges([&](OwnRanges& ranges) { ranges.sampled(watched.thread, watched.place, watched.since, time); });
    }
    watched.place = std::move(place);
    watched.since = time;
}

void StackSampler::sample(Watched& watched)
{
    const Ns before = read_clocks().realtime;
    auto place = m_frames.place(watched.state);
    // Where it could not be read, nothing is claimed.
    say(watched, std::move(place).value_or(""), before + (read_clocks().realtime - before) / 2);
}

void StackSampler::run()
{
    ::pthread_setname_np(::pthread_self(), "lanes-stacks");
    std::unique_lock lock(m_mutex);
    while (!m_ends && !m_is_wanted()) {
        m_end_asked.wait_for(lock, until_asked_again, [this] { return m_ends; });
    }
    if (!m_ends) {
        m_with_ranges([this](OwnRanges& ranges) { ranges.note_sampling(m_interval); });
    }
    auto next = std::chrono::steady_clock::now();
    while (!m_ends) {
        for (auto& watched : m_watched) {
            sample(watched);
        }
        // After a delay the rhythm starts anew: it never catches up.
        next = std::max(next + std::chrono::nanoseconds(m_interval), std::chrono::steady_clock::now());
        m_end_asked.wait_until(lock, next, [this] { return m_ends; });
    }
    for (auto& watched : m_watched) {
        say(watched, "", read_clocks().realtime);
    }
    m_with_ranges([](OwnRanges& ranges) { ranges.flush(); });
}

}  // namespace lanes
