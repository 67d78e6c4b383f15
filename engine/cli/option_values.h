// SPDX-License-Identifier: MIT
// Checks of the values of options. A wrong value is an error that says what was found and what was expected.
#pragma once

#include "engine/run/record_arguments.h"
#include "engine/run/run_progress.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

/// Exactly one of `values`.
CLI::Validator one_of(std::vector<std::string> values);

/// A whole number, bounds included.
CLI::Validator whole_number(std::int64_t least, std::int64_t most);

/// Anything but "", which a script gives if its variable is not set: the option would be ignored.
CLI::Validator not_empty();

/// An amount such as `example`, "a time such as 2s".
CLI::Validator amount_of(Dimension dimension, const char* example);

/// Adds `--at /TIME`: what `does` waits for the clock. multiple() has its value in ns, 0 if it was not given.
void add_at(CLI::App& command, std::string& at, const std::string& does);
double multiple(const std::string& at);

/// Adds `--progress bar|json|none`; `form` is that of the option, or of its default. It must live as long as `command`.
void add_progress(CLI::App& command, RunProgress::Form& form);

/// What `--json` was given: nothing, the bounded answer, or `--json=full`.
class JsonForm {
public:
    explicit operator bool() const { return !m_word.empty(); }
    /// One line of the answer in this form, with its end; `json` is the whole.
    std::string line_of(std::string json) const;
    /// The same where the user says how many rows: as many, however long that is.
    std::string line_of(std::string json, std::size_t rows) const;

private:
    friend CLI::Option* add_json(CLI::App& command, JsonForm& form, const std::string& help);
    std::string m_word;  ///< "true" of the option alone, "full"
};

/// Adds `--json`, for commands whose answer may be long: bounded_json(), and all of it with `--json=full`.
CLI::Option* add_json(CLI::App& command, JsonForm& form, const std::string& help);
/// The same for commands whose answer is short: both print all of it.
CLI::Option* add_json(CLI::App& command, bool& json, const std::string& help);

/// Flags take no value, except `--json=full` and `--stacks=TIME`: `--live=no` is wrong.
void refuse_values_of_flags(CLI::App& app);

/// An option's value is missing where the next option follows it: `--range --json` is wrong.
void refuse_options_as_values(CLI::App& app);

}  // namespace lanes
