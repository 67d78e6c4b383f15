// SPDX-License-Identifier: MIT
#include "engine/cli/progress_bar.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace lanes {

ProgressBar::ProgressBar(std::string what)
    : m_what(std::move(what))
    , m_terminal(isatty(STDERR_FILENO) != 0)
{
}

ProgressBar::~ProgressBar()
{
    if (m_shown >= 0) {
        std::fputs("\r\033[K", stderr);
    }
}

void ProgressBar::show(double fraction)
{
    const int percent = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100);
    if (m_terminal && percent != m_shown) {
        m_shown = percent;
        const std::string bar(static_cast<std::size_t>(percent * 3 / 10), '#');
        std::fprintf(stderr, "\r%s [%-30s] %3d %%", m_what.c_str(), bar.c_str(), percent);
        std::fflush(stderr);
    }
}

}  // namespace lanes
