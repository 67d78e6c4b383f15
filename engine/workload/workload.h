// SPDX-License-Identifier: MIT
// A workload, read from its YAML file and checked. schema.h defines the language.
#pragma once

#include "engine/input_error.h"
#include "engine/workload/lesson_text.h"
#include "engine/workload/limits.h"
#include "engine/workload/program.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// An error in a workload: where, what was found, what was expected, and the nearest known name. what() is one line:
/// "FILE:LINE:COLUMN: MESSAGE".
class WorkloadError : public InputError {
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

/// The text in `language`, else in English, else in any language, else "".
const std::string& in_language(const Translated& text, const std::string& language);

/// A parameter. Its values are stored as in the file ("64 MiB", "2 ms", "pinned", "true").
struct Parameter {
    enum class Type : std::uint8_t { number, bytes, time, boolean, choice };
    std::string name;
    Type type;
    std::string default_value;
    std::string min, max;  ///< "": none
    std::vector<std::string> one_of;  ///< of `choice`
    Translated label;  ///< {}: none
};

struct Variant {
    std::string name;
    Translated title, look;  ///< {}: none; `look` says what to look at in the recording (lesson_text.h)
    std::map<std::string, std::string> values;  ///< parameter -> value as written
    bool launch_blocking = false;  ///< Program::launch_blocking
    bool peer_access = true;  ///< false: no GPU reaches another's memory, whatever `peers` says
    std::string expected_error;  ///< Program::expected_error
};

/// A figure that a run with the default settings usually shows. If the shown recordings differ, the lesson says so.
struct UsualFigure {
    LessonFigure figure = LessonFigure::total;
    std::string of, over;  ///< variants. The figure is the ratio of `of` to `over`; `over` "": the share of one run
    std::optional<double> at_least, at_most;  ///< at least one of them
};

/// The figure that a lesson is about, which stands first between two of its runs.
struct ComparedFigure {
    LessonFigure figure = LessonFigure::total;
    bool share = false;
    Translated label;  ///< "time to answer"
};

/// Why a lesson matters: a sentence, and the public issue that it is about.
struct Matters {
    std::string issue;  ///< "pytorch/pytorch#127612", "": there is no sentence
    Translated text;
};

/// A question about a lesson, to be answered before its lanes are seen.
struct QuizQuestion {
    struct Choice {
        Translated text;
        Translated why;  ///< why it is right (may be {}), or why it is not
        bool right = false;
    };
    Translated question;
    std::vector<Choice> choices;  ///< 2 to 4, one of them right
};

/// What a learner is to change in a copy of the workload, and how one knows that it is done.
struct Exercise {
    Translated task;  ///< {}: there is none
    std::string of;  ///< the variant to be changed; "" if there are no variants
    std::vector<Limit> check;  ///< on figures of its run, by LessonFigure: shares, times, bytes or numbers
};

/// The part of a recording that a lesson shows first, in ns from the start.
struct FirstView {
    Ns start, end;  ///< 0 <= start < end
};

/// A workload file that was parsed, and whose names, units and types were checked. compile() checks what depends on the
/// values of parameters.
class Workload {
public:
    std::string name;  ///< the file's name without ".yaml"
    std::string file;  ///< path as given
    std::string source;  ///< the file's text
    Translated title, description;
    /// What to look at, why it is so, and the rule to remember, with placeholders for figures (lesson_text.h); {}:
    /// none.
    Translated look, why, rule;
    Matters matters;
    std::vector<QuizQuestion> quiz;
    Exercise exercise;
    std::optional<FirstView> view;  ///< nothing: the whole recording
    std::vector<UsualFigure> usual;
    std::optional<ComparedFigure> compared;
    std::vector<Parameter> parameters;
    std::vector<Variant> variants;  ///< in the file's order; empty: one unnamed variant
    std::string code_pytorch, code_cuda;
    std::uint32_t gpus = 1;  ///< the most that any variant needs

    struct Body;  ///< the syntax tree
    std::shared_ptr<const Body> body;
};

/// What compile() takes to make every variant: their names, in order; "" alone if the workload has none.
std::vector<std::string> variants_of(const Workload& workload);

/// Reads a workload. Throws WorkloadError for the first error in it or if `path` is not a regular file,
/// std::system_error if it cannot be read. The file is untrusted: size, nesting and counts are limited, and aliases are
/// errors.
Workload load_workload(const std::string& path);

/// Reads a workload from text; `file` is for messages.
Workload parse_workload(const std::string& text, const std::string& file);

/// Whether two texts of workloads run the same: they differ in texts for people, in the part that is shown first, in
/// comments and in layout at most. False where one of them is no YAML. Cost: of reading both.
bool runs_the_same(const std::string& a, const std::string& b);

/// "copy-results-back.overlapped": how a run of a variant is named, in files too; the workload's name for `variant` "".
inline std::string run_name(const std::string& workload, const std::string& variant)
{
    return variant.empty() ? workload : workload + '.' + variant;
}

using Settings = std::map<std::string, std::string>;  ///< --set key=value

/// Compiles one variant: sets parameters, unrolls, and checks (workload/check.h). `variant` "": the defaults. Throws
/// WorkloadError. Cost: linear in the instructions, at most 4 M.
Program compile(const Workload& workload, const std::string& variant, const Settings& settings = {});

/// Where the steps of `a` are in `b`, if a run of `b` does what a run of `a` does, call by call: `b` may have more
/// buffers, events, queues and graphs, other steps that do not run, other texts, and may say other things of what host
/// work reads and writes. no_id for a step that does not run. Nothing if the two differ. Cost: linear in the
/// instructions.
std::optional<std::vector<Index>> same_steps(const Program& a, const Program& b);

/// What a device will do, counted without running it; nothing if a `while` or an expected error makes that unknown.
struct ProgramCounts {
    std::uint64_t kernels = 0, copies = 0, memsets = 0, syncs = 0, waits = 0, ranges = 0;
};
std::optional<ProgramCounts> count(const Program& program);

}  // namespace lanes
