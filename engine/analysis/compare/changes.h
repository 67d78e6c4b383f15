// SPDX-License-Identifier: MIT
// What changed from one run to another: of their typical iterations, or of the whole where either has none. First a
// waterfall: the difference of the two lengths, divided by what is on the critical path. Then by name: which operations
// take longer or shorter, on the path or off it, what left the critical path and what came onto it, which operations
// are hidden now, what no longer holds the thread, which reason of idle streams vanished, which operations moved to
// another stream.
//
// Operations, calls and host work are matched by their names.
#pragma once

#include "engine/analysis/graph/idle_reasons.h"
#include "engine/analysis/iterations.h"

#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// A stretch of one recording.
struct ChangedPart {
    const Graph& graph;
    const RecordingBounds& bounds;  ///< of that recording
    Interval span;
};

struct CauseOfChange {
    enum Kind : std::uint8_t {
        waterfall,  ///< time of one kind of parts of the critical path: their differences add up to the whole one
        operation,  ///< time of all operations of one name: their differences add up to that of all operations
        range,  ///< the same by the module or other range in which they were issued, where there are several
        path,  ///< time on the critical path, of one name
        blocked,  ///< time for which the first thread was blocked, by cause
        idle,  ///< time for which streams were idle, by reason
        moved,  ///< operations of one name are on other streams: `from`, `to`
    };
    enum Note : std::uint8_t {
        longer,
        shorter,
        equal,  ///< by name only: both take the same time
        came,  ///< A has none of it
        gone,  ///< B has none of it
        hidden,  ///< it still runs, but off the path
        exposed,  ///< the reverse
    };
    Kind kind = path;
    Note note = longer;
    Message what;
    Ns a = 0, b = 0;  ///< ns; of `moved` the total time of the operations
    std::string from, to;  ///< labels of streams
    /// Of `operation`, `range` and of a waterfall's calls and operations: how many begin in each stretch, on the path
    /// or off it; else 0.
    std::uint64_t count_a = 0, count_b = 0;
};

std::string_view name_of(CauseOfChange::Kind kind);
std::string_view name_of(CauseOfChange::Note note);
/// "gone, 199 → 1", "no longer hidden, 12 in each"; of `moved` the streams: "main → copy".
std::string note_text(const CauseOfChange& change, const Messages& messages);

/// Those of 1 % or more of the longer stretch; of each kind the largest first, 20 at most. The waterfall has first what
/// became shorter, then what became longer, and last the sum of what is below 1 %; empty if the lengths differ by less.
/// Of operations the names that differ most, however little, and the sum of the others; empty if nothing differs. So it
/// is with ranges: calls of modules, of backward passes, of optimizers, else the iteration itself.
/// Cost: that of path_back(), make_figures() and idle_reasons() of both.
std::vector<CauseOfChange> changes_between(const ChangedPart& a, const ChangedPart& b);

/// Whether two lengths are said to be the same: they differ by less than half a percent. False where one is 0.
bool are_the_same_time(Ns a, Ns b);

/// What is compared: the typical iterations, if both have some of one kind: the same number of them, ranges of one
/// name, or patterns with the same number of kernels; else both recordings, or the parts of them that are reported.
struct ComparedParts {
    Interval a, b;
    bool iterations = false;
    std::size_t number_a = 0, number_b = 0;  ///< of the iterations, from 1
    std::size_t count_a = 0, count_b = 0;  ///< iterations of each
    Ns average_a = 0, average_b = 0;  ///< average_wall() of all of them
    std::uint64_t kernels_a = 0, kernels_b = 0;  ///< that touch the iteration
    std::optional<std::uint64_t> bytes_a = {}, bytes_b = {};  ///< copied in it; nothing: not asked
    bool is_one_program = false;  ///< is_one_program() (compare.h), where that was asked: what differs is its change

    /// Whether B is to A on average something else than these two are to each other: one of four iterations that takes
    /// ten times as long makes no typical one. The two ratios differ by 5 %, or by 2 % and one of them says that B is
    /// faster, slower or the same (are_the_same_time()) where the other does not. What is said of the two is then said
    /// of the average ones, too.
    bool hides_the_average() const;
};
/// `all_a` and `all_b`: what is compared where there are no such iterations.
ComparedParts parts_to_compare(
    const std::optional<Iterations>& a, Interval all_a, const std::optional<Iterations>& b, Interval all_b);
/// Iteration `at_a` of A and `at_b` of B, from 0, where they are of one kind;
/// nothing where they are not.
std::optional<ComparedParts> iterations_to_compare(
    const Iterations& a, std::size_t at_a, const Iterations& b, std::size_t at_b);

/// A section of `lanes compare`; "" where nothing changed.
std::string changes_text(
    const ComparedParts& parts, const std::vector<CauseOfChange>& changes, const Messages& messages);
/// The same as a table for a pull request.
std::string changes_markdown(
    const ComparedParts& parts, const std::vector<CauseOfChange>& changes, const Messages& messages);
/// The key "changes": an object.
void write_changes(
    JsonWriter& json, const ComparedParts& parts, const std::vector<CauseOfChange>& changes, const Messages& messages);

}  // namespace lanes
