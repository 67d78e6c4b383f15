// SPDX-License-Identifier: MIT
// Prints the progress of a run: a bar on a terminal, or JSON lines for programs.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace lanes {

class RunProgress {
public:
    enum class Form { none, bar, json };

    /// Prints to `out`, which the caller owns.
    RunProgress(Form form, std::FILE* out)
        : m_form(form)
        , m_out(out)
    {
    }
    ~RunProgress() { clear_bar(); }
    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    /// `bar` if `out` is a terminal, else `none`.
    static Form bar_if_terminal(std::FILE* out);

    /// `fraction` of this variant, in [0, 1]. Prints at most 20 times a second.
    void at(const std::string& variant, double fraction, const std::string& message);
    void done(const std::string& variant, const std::string& file);
    void error(const std::string& variant, const std::string& message);
    /// Removes the bar, so that a line can be printed.
    void clear_bar();

private:
    void line(const char* event, const std::string& variant, double fraction, const std::string& file,
        const std::string& message);

    Form m_form;
    std::FILE* m_out;
    bool m_bar_shown = false;
    std::chrono::steady_clock::time_point m_last {};
};

}  // namespace lanes
