// SPDX-License-Identifier: MIT
#include "engine/run/exit_status.h"

#include "engine/input_error.h"

#include <csignal>
#include <cstdio>

namespace lanes {

void say(const std::string& text)
{
    std::fputs(("lanes: " + text + "\n").c_str(), stderr);
}

int exit_status_of(RunProgress::Form progress, const std::function<int()>& work)
{
    const auto fail = [&](int status, const std::string& text) {
        say(text);
        if (progress == RunProgress::Form::json) {
            RunProgress(progress, stdout).error("", text);
        }
        return status;
    };
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return work();
    } catch (const InputError& error) {
        return fail(2, error.what());
    } catch (const std::exception& error) {
        return fail(1, error.what());
    }
}

}  // namespace lanes
