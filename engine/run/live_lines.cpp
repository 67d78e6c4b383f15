// SPDX-License-Identifier: MIT
#include "engine/run/live_lines.h"

#include "engine/analysis/live_figures.h"
#include "engine/formatted.h"
#include "engine/run/live_spool.h"
#include "engine/trace/thread_priority.h"
#include "engine/trace/utf8.h"
#include "probes/blocked_signals.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <sys/ioctl.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace lanes {

namespace {

using Clock = std::chrono::steady_clock;

std::size_t columns_of_terminal()
{
    winsize size {};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void write_all(const std::string& text)
{
    // One write, so that it never cuts a line of the program in two.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string fitting_line(const std::string& text, std::size_t columns)
{
    if (columns == 0 || text.size() < columns) {
        return text;
    }
    return std::string(utf8_head(text, columns - 1));  // some terminals begin the next line after the last column
}

struct LiveLines::Work {
    explicit Work(const std::string& path)
        : spool(path, {.records = 0, .least = 1'500'000'000})  // little more than the last second
    {
    }

    void run()
    {
        lower_priority_of_this_thread();
        const auto begin = Clock::now();
        const auto period = std::chrono::milliseconds(terminal ? 500 : 1000);
        auto next = begin + period;
        std::unique_lock lock(mutex);
        while (!wake.wait_until(lock, next, [this] { return ended; })) {
            lock.unlock();
            const auto looked = Clock::now();
            const bool goes_on = look(std::chrono::duration<double>(looked - begin).count());
            const auto cost = Clock::now() - looked;
            lock.lock();
            if (!goes_on) {
                return;
            }
            // At most half of a processor: for a program with very much work, every second line is left out.
            while (next <= Clock::now() + cost) {
                next += period;
            }
        }
    }

    bool look(double seconds)
    {
        try {
            spool.read();
            const auto trace = spool.make();
            const auto range = last_second(trace);
            const auto figures = live_figures(trace, find_blocking(trace), range);
            say_line(formatted("{:6.1f} s  {}", seconds, to_line(trace, figures)));
            return true;
        } catch (const std::exception& error) {
            say_line(formatted("live figures stopped: {}", error.what()));
            return false;
        }
    }

    void say_line(const std::string& text)
    {
        said = true;
        write_all(terminal ? "\r" + fitting_line(text, columns_of_terminal()) + "\033[K" : "lanes: " + text + "\n");
    }

    LiveSpool spool;
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    bool said = false;
    std::mutex mutex;
    std::condition_variable wake;
    bool ended = false;
    std::thread thread;
};

LiveLines::LiveLines(const std::string& spool)
    : m_work(std::make_unique<Work>(spool))
{
    try {
        const AllSignalsBlocked signals_are_for_the_thread_that_waits;
        m_work->thread = std::thread([work = m_work.get()] { work->run(); });
    } catch (const std::system_error& error) {
        m_work->say_line(formatted("no live figures: {}", error.code().message()));
    }
}

LiveLines::~LiveLines()
{
    {
        const std::lock_guard lock(m_work->mutex);
        m_work->ended = true;
    }
    m_work->wake.notify_all();
    if (m_work->thread.joinable()) {
        m_work->thread.join();
    }
    if (m_work->terminal && m_work->said) {
        write_all("\n");
    }
}

}  // namespace lanes
