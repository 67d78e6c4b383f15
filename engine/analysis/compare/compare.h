// SPDX-License-Identifier: MIT
// Two reports side by side: what B has more or less of than A.
//
// A program starts up, works and is torn down. How fast one is against another is said of an iteration where both have
// some of one kind: the rest is often longer, and is not what was changed.
#pragma once

#include "engine/analysis/compare/changes.h"
#include "engine/analysis/report.h"

#include <functional>
#include <string>

namespace lanes {

class JsonWriter;

/// One side of a comparison; both must outlive the calls below.
struct ReportedRecording {
    const Trace& trace;
    const Report& report;
    std::string name;  ///< as people know it: the variant, or the file's name
    /// average_wall() of its iterations; nothing where not all that is compared has iterations of one kind.
    MaybeNs iteration = {};
    std::size_t iteration_count = 0;  ///< how many these are; 0 where `iteration` is nothing
};

/// Whether all of it is reported, not a part.
bool is_whole(const ReportedRecording& side);

/// One figure of two recordings; nothing where one lacks what it is computed from.
struct Difference {
    MaybeNs a, b;
    /// B's less A's.
    MaybeNs delta() const { return a && b ? MaybeNs(*b - *a) : std::nullopt; }
    /// B's as a multiple of A's; nothing where A's is 0.
    std::optional<double> ratio() const
    {
        return a && b && *a != 0 ? std::optional(static_cast<double>(*b) / static_cast<double>(*a)) : std::nullopt;
    }
};
/// What two recordings are compared by first: `total` is wall_ns, `blocked`, `held`
/// and `held_cost` those of the first thread; hidden and
/// exposed copies are summed over the GPUs. Figures of GPUs are nothing where a recording has no GPU work.
struct Differences {
    Difference total, busy, overlap, copy_hidden, copy_exposed, blocked, held, held_cost, cpu_free;
};
Differences differences_of(const Report& a, const Report& b);

/// Numbers of kernels and of bytes copied that differ by less are the same work: a start-up, an odd last batch.
inline constexpr double same_work_share = 0.01;

/// How the work of two runs differs, as "from → to": the workloads, else the kernels, what their workload gives kernels
/// of one name to do, and the bytes that were copied. Of an iteration where `parts` are some and both are of programs:
/// there it is the same if it is so in the two iterations or on average, as a kernel may begin in the one before.
/// Empty: the work is the same.
std::vector<Message> work_differences(const Report& from, const Report& to, const ComparedParts& parts = {});
/// What differs by no more than same_work_share, said beside "the same work".
std::vector<Message> slight_work_differences(const Report& from, const Report& to, const ComparedParts& parts = {});

/// Less of the kernel time of either is in kernels that both have: they have little in common.
inline constexpr double least_in_common = 1. / 3;

/// The part of the kernel time that is in kernels of names that both have, of the recording where it is less; 1 where
/// either has no kernels. Cost: linear in the operations.
double kernel_time_in_common(const Trace& a, const Trace& b);
/// Whether the two may be one program before and after a change: of one workload; or programs with least_in_common, or
/// that copied as many bytes. Numbers of kernels do not count: a change may fuse them, cut them into pieces or make
/// more steps. Cost: that of kernel_time_in_common().
bool is_one_program(const ReportedRecording& a, const ReportedRecording& b);
/// "A has 20 iterations, B 12: figures of the whole runs differ by that, too." Nothing where both have as many.
std::optional<Message> other_iteration_counts(const Report& a, const Report& b, const ComparedParts& parts);
/// Whether sums over one are no measure of the other: both are of programs whose numbers of iterations differ by more
/// than same_work_share, and so does what they did in all.
bool have_other_lengths(const ReportedRecording& a, const ReportedRecording& b);
/// Whether one may be called faster than the other: both have GPU work, it is the same, and neither read wrong bytes
/// nor was cut short.
bool may_be_ranked(const Report& a, const Report& b);

/// By what B is faster or slower than A.
struct ComparedSpeed {
    enum Of : std::uint8_t {
        all,  ///< both recordings, or the parts of them that are reported
        iteration,  ///< the two iterations of ComparedParts: the average ones are to each other as they are
        average,  ///< the average ones, where the two hide them (ComparedParts::hides_the_average)
    };
    Of of = all;
    Ns a = 0, b = 0;  ///< ns
    bool is_same_work = false;
    bool is_ranked = false;  ///< whether one may be called faster
};
/// Of iterations where `parts` are some and both are of programs: a lesson leads from its start to its end. Iterations
/// may be ranked if they are the same work or those of one program, and neither run read wrong bytes or was cut short.
ComparedSpeed compared_speed(const Report& a, const Report& b, const ComparedParts& parts);

/// One thread in both: its places in Report::threads, nothing where a run has no such thread.
struct ThreadPair {
    std::optional<std::size_t> a, b;
};
/// Threads of one name are the same thread, several of that name in their order; of those that are left, names that
/// differ in numbers only. Those of A, then those of B alone.
std::vector<ThreadPair> thread_pairs(const ReportedRecording& a, const ReportedRecording& b);

/// {"a": report, "b": report, "same_work": …, "unusual": […], "delta": {…}}. Each figure of delta is B's less A's, null
/// where either is unknown; GPUs are paired by their number and copies summed over them, threads by thread_pairs().
/// `more` may write further keys.
std::string comparison_to_json(const ReportedRecording& a, const ReportedRecording& b,
    const Messages& messages = Messages::english(), const ComparedParts& parts = {},
    const std::function<void(JsonWriter&)>& more = {});
/// What differs in the work, a table of both, what is unusual (usual.h), and, if they may be ranked, by what factor one
/// is faster: first of an iteration where compared_speed() is of one, then of the whole. Beside average iterations it
/// says how long the typical ones are.
std::string comparison_to_text(const ReportedRecording& a, const ReportedRecording& b,
    const Messages& messages = Messages::english(), const ComparedParts& parts = {});

}  // namespace lanes
