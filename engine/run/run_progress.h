// SPDX-License-Identifier: MIT
// How far a run is, for people (a bar on a terminal) or programs (JSON lines).
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace lanes {

class RunProgress {
public:
    enum class Form { none, bar, json };

    /// `out` gets the lines or the bar; it stays the caller's.
    RunProgress(Form form, std::FILE* out)
        : m_form(form)
        , m_out(out)
    {
    }
    ~RunProgress() { clear_bar(); }
    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    /// A bar only where `out` is a terminal.
    static Form bar_if_terminal(std::FILE* out);

    /// `fraction` of this variant, in [0, 1]. Prints at most 20 times a second.
    void at(const std::string& variant, double fraction, const std::string& message);
    void done(const std::string& variant, const std::string& file);
    void error(const std::string& variant, const std::string& message);
    /// Takes the bar away so that a line can be printed.
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
