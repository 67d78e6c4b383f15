// SPDX-License-Identifier: MIT
// What the tests of workloads share: texts to programs, and errors to "LINE:COLUMN: MESSAGE".
#pragma once

#include "engine/workload/workload.h"

#include <QString>

namespace lanes {

inline Program program_of(const std::string& text, const std::string& variant = "", const Settings& settings = {})
{
    return compile(parse_workload(text, "w.yaml"), variant, settings);
}

/// The error in the workload, "" if there is none.
inline QString error_of(const std::string& text, const std::string& variant = "", const Settings& settings = {})
{
    try {
        program_of(text, variant, settings);
    } catch (const WorkloadError& error) {
        return QString("%1:%2: %3").arg(error.line()).arg(error.column()).arg(QString::fromStdString(error.message()));
    }
    return "";
}

/// A workload whose one thread has these steps (each line indented by four), around the usual declarations:
/// lines 1 to 14, so that the first step is in line 15.
inline std::string with_steps(const std::string& steps)
{
    return "parameters:\n"
           "  n: {default: 4, min: 0, max: 100}\n"
           "  size: {default: 1 MiB}\n"
           "  long: {default: 2 ms}\n"
           "  flag: {default: true}\n"
           "  kind: {default: small, one_of: [small, large]}\n"
           "buffers:\n"
           "  x: {on: gpu 0, bytes: $size, count: 4}\n"
           "  z: {on: gpu 0, bytes: $size}\n"
           "  h: {on: host, memory: pinned, bytes: $size, count: 4}\n"
           "events: {e: {count: 4}, f: }\n"
           "streams: {a: {gpu: 0}, b: {gpu: 0}, c: {kind: blocking}, d: {kind: blocking}}\n"
           "threads:\n"
           "  main:\n"
        + steps;
}

}  // namespace lanes
