// SPDX-License-Identifier: MIT
// A bar on stderr if that is a terminal, else nothing.
#pragma once

#include <string>

namespace lanes {

class ProgressBar {
public:
    explicit ProgressBar(std::string what);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// `fraction` of the work is done. Draws only when the percentage has changed.
    void show(double fraction);

private:
    std::string m_what;
    bool m_terminal;
    int m_shown = -1;
};

}  // namespace lanes
