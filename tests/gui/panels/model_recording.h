// SPDX-License-Identifier: MIT
// A recording for the tests of the panels: a small workload, run on the model device.
#pragma once

#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/run/recording_join.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/workload.h"
#include "gui/session/open_recording.h"

#include <QtGlobal>

namespace lanes::gui {

inline const char* const small_workload = R"(title: {en: Small}
parameters:
  copies: {default: 3, min: 1, max: 10000}
  bytes: {default: 64 MiB, min: 4 KiB, max: 1 GiB}
  kernel_time: {default: 2 ms, min: 2 us, max: 1 s}
  host_memory: {default: pinned, one_of: [pageable, pinned]}
  blocking: {default: false}
variants:
  blocking: {host_memory: pageable, blocking: true}
  overlapped: {host_memory: pinned, blocking: false}
buffers:
  y: {on: gpu 0, bytes: $bytes, count: $copies}
  y_cpu: {on: host, memory: $host_memory, bytes: $bytes, count: $copies}
events: {done: {count: $copies}}
streams: {compute: {gpu: 0}, copy: {gpu: 0}}
threads:
  main:
    - repeat: $copies
      as: i
      do:
        - kernel: {name: matmul, stream: compute, time: $kernel_time, blocks: all, writes: y.$i}
          lines: {pytorch: 2, cuda: 1}
        - record: {event: done.$i, stream: compute}
        - wait: {event: done.$i, stream: copy}
        - copy: {from: y.$i, to: y_cpu.$i, stream: copy, blocking: $blocking}
    - sync: device
code:
  pytorch: |
    for i in range(copies):
        y[i] = matmul()
  cuda: |
    matmul<<<grid, block>>>();
)";

inline std::shared_ptr<const Workload> smallWorkload()
{
    return std::make_shared<const Workload>(parse_workload(small_workload, "small.yaml"));
}

inline OpenRecordingPtr modelRecording(const std::string& variant, const Settings& settings = {})
{
    const auto workload = smallWorkload();
    const Program program = compile(*workload, variant, settings);
    TraceBuilder builder;
    for (const auto& [key, value] : meta_of_run(*workload, program, settings)) {
        builder.write_meta(key, value);
    }
    const std::string device = qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/devices/h100.yaml";
    write_model_meta(program, "h100", builder);
    write_model_outcome(run_model(program, load_model_device(device), builder), builder);
    return analysed(builder.finish(Source::model), QString());
}

}  // namespace lanes::gui
