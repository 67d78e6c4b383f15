// SPDX-License-Identifier: MIT
// Makes all pieces of a LaneBuilder on a few threads of its own.
//
// Cost: once stopped it ends within a few milliseconds of work. The destructor stops it and waits for that.
//
// If a piece, or the callback for it, throws (out of memory), the others are stopped; no exception leaves a thread.
#pragma once

#include "gui/lanes/lane_builder.h"

#include <exception>
#include <functional>
#include <memory>
#include <thread>

namespace lanes::gui {

class LaneWorkers {
public:
    /// Called for every piece when it is made, by one thread at a time; `fraction` of all the work is done then.
    using OnMade = std::function<void(std::vector<LaneRows> rows, double fraction)>;

    /// Called at most once, by the thread whose piece or OnMade threw, or by the constructor. No OnMade begins after
    /// it, and none between an OnMade that threw and this.
    using OnFailed = std::function<void(const std::exception_ptr&)>;

    /// As many threads as the machine runs at once, or as are to be had; where none is, the work has failed.
    LaneWorkers(std::shared_ptr<LaneBuilder> builder, OnMade onMade, OnFailed onFailed = {});
    ~LaneWorkers();
    LaneWorkers(const LaneWorkers&) = delete;
    LaneWorkers& operator=(const LaneWorkers&) = delete;

    /// Returns when everything is made or stopped; throws what a piece has thrown, once.
    void wait();
    /// After this returns no further call of OnMade begins; one that is under way goes on.
    void stop() { m_stop.request_stop(); }

    static unsigned threadCount();

private:
    void work();
    void make(const std::stop_token& stop);
    void fail(const std::exception_ptr& failure);  ///< with m_telling locked
    void join();

    std::shared_ptr<LaneBuilder> m_builder;
    OnMade m_onMade;
    OnFailed m_onFailed;
    std::stop_source m_stop;
    std::atomic<std::size_t> m_next = 0;
    std::mutex m_telling;
    std::size_t m_total = 0;
    std::size_t m_done = 0;  // guarded by m_telling
    std::exception_ptr m_failure;  // guarded by m_telling
    std::vector<std::thread> m_threads;
};

}  // namespace lanes::gui
