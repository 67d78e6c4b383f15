// SPDX-License-Identifier: MIT
// `lanes record --live`: the figures of the last second, on stderr, while the program runs.
#pragma once

#include <memory>
#include <string>

namespace lanes {

/// From its construction to its end reads the spool and writes a line: on a terminal two times a second over the line
/// before, else one a second; where a look takes longer than that, fewer. It has a thread of its own, of low priority
/// and without signals, so that the program keeps its processors; a spool that cannot be read is said once. What it
/// reads is bounded: see LiveSpool.
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

/// `text` cut to `columns` columns of a terminal, for it is written over only where it takes one line; 0: as it is.
/// Bytes of ASCII alone count as columns; a character is never cut in two.
std::string fitting_line(const std::string& text, std::size_t columns);

}  // namespace lanes
