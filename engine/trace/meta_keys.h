// SPDX-License-Identifier: MIT
// The keys of a recording's meta data (LANESCOPE_META in SQLite, meta chunks in a spool).
#pragma once

#include "probes/record_sink.h"

#include <charconv>
#include <cstdint>
#include <map>
#include <string>

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
inline constexpr auto command = "command";  ///< `lanes record`: the program's name without folder or arguments
inline constexpr auto cupti_version = "cupti_version";
inline constexpr auto driver_version = "driver_version";  ///< CUDA version the driver supports
inline constexpr auto runtime_version = "runtime_version";
inline constexpr auto dropped = "dropped";  ///< records CUPTI dropped
inline constexpr auto clock_drift_ns = "clock_drift_ns";  ///< most that realtime - monotonic moved
inline constexpr auto clock_violations = "clock_violations";  ///< operations that start before their call
inline constexpr auto untimed = "untimed";  ///< operations without a time, among the dropped unless a context failed;
                                            ///< absent if none
inline constexpr auto migrations
    = "migrations";  ///< moved pages of unified memory, which are no operation of a stream; absent if none
inline constexpr auto notice = "notice";  ///< what people should know of the file when it opens; never stored
inline constexpr auto not_shown = "not_shown";  ///< lines of a foreign file's parts that were left out: an id of
                                                ///< "not_shown" in the texts, a space, how many; never stored
inline constexpr auto step_names = "step_names";  ///< one line a step: the kernel's name, or empty; of a graph's launch
                                                  ///< its kernels', tabs between unless all are one
inline constexpr auto gpu_end_ns = "gpu_end_ns";  ///< where the GPU part of a run cut short ends, from the start
inline constexpr auto complete = "complete";  ///< "no": the run was cut short; absent if it was not
inline constexpr auto recovered = "recovered";  ///< what a spool lacks before its end, one line
inline constexpr auto skipped_rows = "skipped_rows";  ///< left out because they have no valid time; absent if none
inline constexpr auto without_length
    = "without_length";  ///< calls, ranges and the like that end before they begin, shown as moments; absent if none
inline constexpr auto overlong = "overlong";  ///< operations that lasted so far beyond the start of the next one of
                                              ///< their stream that they were cut there; absent if none
inline constexpr auto overlong_ns = "overlong_ns";  ///< the most that was cut off; absent if nothing was
inline constexpr auto threadless_rows
    = "threadless_rows";  ///< calls, ranges, reads and the like that name no thread; absent if none
inline constexpr auto spool_begin = "spool_begin";  ///< a run's first words: of two runs that opened a spool at once it
                                                    ///< is the one's whose stand first; never stored
inline constexpr auto spool_end = spool_end_key;  ///< a run's last words; never stored
inline constexpr auto unflushed = "unflushed";  ///< processes that ended without their last flush, a line each: the id,
                                                ///< and ns from the start to the end of its last record (-: none);
                                                ///< absent if there is none
inline constexpr auto refused_profiler = refused_profiler_key;  ///< never stored
inline constexpr auto not_recorded = not_recorded_key;  ///< what CUPTI refused to record; absent if it refused nothing
inline constexpr auto error = "error";  ///< the run's failure, one line
inline constexpr auto repeat_totals_ns = "repeat_totals_ns";  ///< wall times of all runs, "812 815 808"; the recording
                                                              ///< has the median one. Absent of one run
inline constexpr auto unrecorded_totals_ns
    = "unrecorded_totals_ns";  ///< wall times of runs without the probe; absent where there were none
inline constexpr auto windows = "windows";  ///< of a program recorded in part, a line a process: its id, ns from the
                                            ///< start where its part begins and ends (-: with the program), what began
                                            ///< and what ended it (words of probes/cupti/record_control.h)
inline constexpr auto ranks = "ranks";  ///< of processes, see engine/trace/ranks.h; absent of what is not distributed
inline constexpr auto changes = "changes";  ///< of a prediction: what was changed, a line each as `lanes whatif` has it
inline constexpr auto recorded_at = "recorded_at";  ///< UTC, ISO 8601

inline constexpr auto not_begun = "not_begun";  ///< why processes were not recorded, a part of which was to be; never
                                                ///< stored

/// What began and what ended the recorded part of a process, "window.4711"; never stored.
inline std::string window_of(std::uint32_t process)
{
    return "window." + std::to_string(process);
}

/// Adds to what `meta` counts under a key, which is absent where there is nothing to count.
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

/// The rank that a launcher gave a process, "rank.4711".
inline std::string rank_of(std::uint32_t process)
{
    return "rank." + std::to_string(process);
}

}  // namespace lanes::meta
