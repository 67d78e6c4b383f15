// SPDX-License-Identifier: MIT
// `lanes record --live`: prints figures of the last second on stderr while the program runs.
#pragma once

#include <memory>
#include <string>

namespace lanes {

/// Starts a thread that reads the spool and prints a line: on a terminal twice a second, over the line before; else
/// once a second; less often if reading takes longer. The thread has low priority, so as not to slow the program down,
/// and blocks all signals. If the spool cannot be read or no thread can be started, it says so once. Memory is bounded:
/// see LiveSpool.
class LiveLines {
public:
    explicit LiveLines(const std::string& spool);
    ~LiveLines();
    LiveLines(const LiveLines&) = delete;
    LiveLines& operator=(const LiveLines&) = delete;

private:
    struct Work;
    std::unique_ptr<Work> m_work;
};

/// `text` cut to `columns` columns of a terminal, since only a single line can be overwritten; 0: not cut. Each ASCII
/// byte counts as a column; no UTF-8 character is cut in two.
std::string fitting_line(const std::string& text, std::size_t columns);

}  // namespace lanes
