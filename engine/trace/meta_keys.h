// SPDX-License-Identifier: MIT
// The keys of a recording's meta data (LANESCOPE_META in SQLite, meta chunks in a spool).
#pragma once

#include "probes/record_sink.h"

#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lanes::meta {

inline constexpr auto format_version = "format_version";  ///< "1.1"
inline constexpr auto source = "source";  ///< name_of(Source)
inline constexpr auto workload = "workload";  ///< name
inline constexpr auto workload_text = "workload_text";  ///< the YAML
inline constexpr auto variant = "variant";
inline constexpr auto settings = "settings";  ///< --set, "key=value" lines
inline constexpr auto title = "title";  ///< English title of the workload
inline constexpr auto device = "device";  ///< "NVIDIA H100 80GB HBM3" or "model:h100"
inline constexpr auto model_device = "model_device";  ///< name of the model's file, model only
inline constexpr auto command_line = "command_line";  ///< `lanes record`: the program and its arguments, as in a shell
inline constexpr auto command = "command";  ///< `lanes record`: the program's name without folder or arguments
inline constexpr auto cupti_version = "cupti_version";
inline constexpr auto driver_version = "driver_version";  ///< CUDA version the driver supports
inline constexpr auto runtime_version = "runtime_version";
inline constexpr auto dropped = "dropped";  ///< records CUPTI dropped
inline constexpr auto clock_drift_ns = "clock_drift_ns";  ///< the most by which realtime - monotonic moved
inline constexpr auto clock_violations = "clock_violations";  ///< operations that start before their call
inline constexpr auto untimed = "untimed";  ///< operations without a time, among the dropped unless a context failed;
                                            ///< absent if none
inline constexpr auto clock_uncertainty_ns
    = "clock_uncertainty_ns";  ///< of merged ranks: how wrong the time between two of them may be, ns; absent if they
                               ///< share a clock, or if nothing bounds it
inline constexpr auto migrations
    = "migrations";  ///< moved pages of unified memory, which are no operation of a stream; absent if none
inline constexpr auto notice = "notice";  ///< what people should know about the file when it opens; never stored
inline constexpr auto not_shown = "not_shown";  ///< the parts of a foreign file that were left out, a line each: an id
                                                ///< of "not_shown" in the texts, a space, how many, or which; never
                                                ///< stored
inline constexpr auto first_damage
    = "first_damage";  ///< where a file of JSON is first damaged: its byte from 0, line and column from 1, what was
                       ///< expected and found, spaces between; of merged files the file in a second line; absent if all
                       ///< are sound; never stored
inline constexpr auto step_names = "step_names";  ///< one line a step: the kernel's name, or empty; for a graph's
                                                  ///< launch the kernels' names with tabs between, or one for all
inline constexpr auto gpu_end_ns = "gpu_end_ns";  ///< where the GPU part of a run cut short ends, from the start
inline constexpr auto complete = "complete";  ///< "no": the run was cut short; absent if it was not
inline constexpr auto recovered = "recovered";  ///< what a spool lacks before its end, one line
inline constexpr auto skipped_rows = "skipped_rows";  ///< left out because they have no valid time; absent if none
inline constexpr auto without_length
    = "without_length";  ///< calls, ranges and the like that end before they begin, shown as points; absent if none
inline constexpr auto overlong = "overlong";  ///< operations cut at the start of the next one of their stream, as they
                                              ///< lasted too far beyond it; absent if none
inline constexpr auto overlong_ns = "overlong_ns";  ///< the most that was cut off; absent if nothing was
inline constexpr auto threadless_rows
    = "threadless_rows";  ///< calls, ranges, reads and the like that name no thread; absent if none
inline constexpr auto spool_begin = "spool_begin";  ///< what a run writes first: if two runs opened a spool at once, it
                                                    ///< belongs to the one whose words come first; never stored
inline constexpr auto spool_end = spool_end_key;  ///< what a run writes last; never stored
inline constexpr auto unflushed = "unflushed";  ///< processes that ended without their last flush, a line each: the id,
                                                ///< and ns from the start to the end of its last record (-: none);
                                                ///< absent if none
inline constexpr auto own_spool = own_spool_key;  ///< never stored
inline constexpr auto refused_profiler = refused_profiler_key;  ///< never stored
inline constexpr auto not_recorded = not_recorded_key;  ///< what CUPTI refused to record; absent if it refused nothing
inline constexpr auto graphs = graphs_key;  ///< "whole": each launch of a CUDA graph is one operation, and what ran in
                                            ///< it is not recorded; "auto 10": so are all but the first 10 of each
                                            ///< graph; absent: its nodes are the operations
inline constexpr auto stacks_interval = stacks_key;  ///< ns; absent: Python's stacks were not sampled
inline constexpr auto error = "error";  ///< the run's failure, one line
inline constexpr auto repeat_totals_ns = "repeat_totals_ns";  ///< wall times of all runs, "812 815 808"; the recording
                                                              ///< has the median one. Absent for one run
inline constexpr auto unrecorded_totals_ns
    = "unrecorded_totals_ns";  ///< wall times of runs without the probe; absent if there were none
inline constexpr auto windows = "windows";  ///< for a program recorded in part, a line a process: its id, ns from the
                                            ///< start to begin and end of its part (-: with the program), what began
                                            ///< and what ended it (words of probes/cupti/record_control.h)
inline constexpr auto cut = "cut";  ///< of a recording that was cut out of a longer one, see engine/trace/cut.h
inline constexpr auto cut_waits = "cut_waits";  ///< what calls of such a recording waited for, where that was outside
                                                ///< of it: see engine/analysis/blocking/cut_waits.h
inline constexpr auto communicators = "communicators";  ///< NCCL's, see engine/trace/collective_call.h; absent if none
inline constexpr auto host = host_key;  ///< the name of the host that was recorded; absent: not known
inline constexpr auto boot_id = boot_key;  ///< recordings with the same one have the same clocks; absent: not known
inline constexpr auto ranks = "ranks";  ///< of processes, see engine/trace/ranks.h; absent of what is not distributed
inline constexpr auto changes = "changes";  ///< for a prediction: the changes, a line each as in `lanes whatif`
inline constexpr auto recorded_at = "recorded_at";  ///< UTC, ISO 8601

inline constexpr auto not_begun = "not_begun";  ///< why no part of some processes was recorded, though one was
                                                ///< requested; never stored

/// What began and what ended the recorded part of a process, "window.4711"; never stored.
inline std::string window_of(std::uint32_t process)
{
    return "window." + std::to_string(process);
}

/// The text under a key of `meta`, which is kept as long as that is; "": there is none.
inline std::string_view text_of(const std::map<std::string, std::string>& meta, const std::string& key)
{
    const auto found = meta.find(key);
    return found == meta.end() ? std::string_view() : std::string_view(found->second);
}

/// The whole number under a key of `meta`; 0: there is none.
inline std::int64_t number_of(const std::map<std::string, std::string>& meta, const char* key)
{
    std::int64_t number = 0;
    const auto text = text_of(meta, key);
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Adds to the count under a key of `meta`, which is absent while the count is 0.
inline void add(std::map<std::string, std::string>& meta, const char* key, std::uint64_t count)
{
    if (count == 0) {
        return;
    }
    auto& text = meta[key];
    std::uint64_t known = 0;
    std::from_chars(text.data(), text.data() + text.size(), known);
    text = std::to_string(known + count);
}

inline constexpr auto keep_steps = "keep_steps";  ///< "10:15": the iterations that a summary is of

/// Who a process is, as text of probes/inject/process_identity.h, "identity.4711".
inline std::string identity_of(std::uint32_t process)
{
    return "identity." + std::to_string(process);
}

/// The rank that a launcher gave a process, "rank.4711".
inline std::string rank_of(std::uint32_t process)
{
    return "rank." + std::to_string(process);
}

}  // namespace lanes::meta
