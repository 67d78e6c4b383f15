// SPDX-License-Identifier: MIT
// A workload as its YAML file says it, read and checked (the language: schema.h).
#pragma once

#include "engine/workload/lesson_text.h"
#include "engine/workload/program.h"

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace lanes {

/// One thing wrong with a workload: where, what stands there, what was expected, and the nearest known name.
/// what() is the one line that people see: "FILE:LINE:COLUMN: MESSAGE".
class WorkloadError : public std::runtime_error {
public:
    WorkloadError(const std::string& file, std::uint32_t line, std::uint32_t column, const std::string& message);
    std::uint32_t line() const { return m_line; }  ///< from 1, 0: the file as a whole
    std::uint32_t column() const { return m_column; }  ///< from 1
    const std::string& message() const { return m_message; }  ///< without the place

private:
    std::uint32_t m_line, m_column;
    std::string m_message;
};

/// A text in several languages: {"en": …, "zh_CN": …}.
using Translated = std::map<std::string, std::string>;

/// The text in `language`, else in English, else in any, else "".
const std::string& in_language(const Translated& text, const std::string& language);

/// A knob of the workload. Values are kept as the file writes them ("64 MiB", "2 ms", "pinned", "true").
struct Parameter {
    enum class Type : std::uint8_t { number, bytes, time, boolean, choice };
    std::string name;
    Type type;
    std::string default_value;
    std::string min, max;  ///< "" where the file gives none
    std::vector<std::string> one_of;  ///< of `choice`
    Translated label;  ///< {} where the file gives none
};

struct Variant {
    std::string name;
    Translated title, look;  ///< {} where the file gives none; `look`: what is to be seen in it (lesson_text.h)
    std::map<std::string, std::string> values;  ///< parameter -> value as written
    bool launch_blocking = false;  ///< Program::launch_blocking
    std::string expected_error;  ///< Program::expected_error
};

/// What is seen wherever the workload runs with its own settings; where it is not, the lesson says so.
struct UsualFigure {
    LessonFigure figure = LessonFigure::total;  ///< a share of one run; of two, a multiple
    std::string of, over;  ///< variants; `over` "": it is a share
    std::optional<double> at_least, at_most;  ///< one of them or both
};

/// The part of a recording that a lesson shows first, ns from the start.
struct FirstView {
    Ns start, end;  ///< 0 <= start < end
};

/// A workload file that parsed and whose names, units and types are sound. What depends on the
/// parameters' values is checked by compile().
class Workload {
public:
    std::string name;  ///< the file's name without ".yaml"
    std::string file;  ///< path as given
    std::string source;  ///< the file's text
    Translated title, description;
    /// What to look at, why it is so, what to remember, with places for figures (lesson_text.h); {} where the file
    /// gives none.
    Translated look, why, rule;
    std::optional<FirstView> view;  ///< nothing: all of it
    std::vector<UsualFigure> usual;
    std::vector<Parameter> parameters;
    std::vector<Variant> variants;  ///< in the file's order; empty: one unnamed variant
    std::string code_pytorch, code_cuda;
    std::uint32_t gpus = 1;  ///< most that any variant needs

    struct Body;  ///< the syntax tree
    std::shared_ptr<const Body> body;
};

/// Reads a workload. Throws WorkloadError for the first thing that is wrong and for what is no regular file,
/// std::system_error if the file cannot be read. Input is untrusted: size, nesting and count limits hold, alias nodes
/// are errors.
Workload load_workload(const std::string& path);

/// The same from text; `file` is for messages.
Workload parse_workload(const std::string& text, const std::string& file);

using Settings = std::map<std::string, std::string>;  ///< --set key=value

/// One variant with parameters set, unrolled and checked: buffers fit, every `wait` has a `record` before
/// it, no cycle of host waits, no unordered writers, no host read that nothing orders after its copy.
/// `variant` "" takes the defaults. Throws WorkloadError. Cost: linear in the instructions, at most 4 M of them.
Program compile(const Workload& workload, const std::string& variant, const Settings& settings = {});

/// What the device will do, counted from the program alone; a `while` and an error that is to come make it unknown.
struct ProgramCounts {
    std::uint64_t kernels = 0, copies = 0, memsets = 0, syncs = 0, waits = 0, ranges = 0;
};
std::optional<ProgramCounts> count(const Program& program);

}  // namespace lanes
