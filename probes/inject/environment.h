// SPDX-License-Identifier: MIT
// What a program's environment must hold for the probe to record it, in one place.
//
// CUDA: libcuda loads $CUDA_INJECTION64_PATH inside cuInit and calls its
// InitializeInjection. Children inherit it: each process that calls cuInit appends to
// the same spool.
//
// NVTX: the headers, compiled into each library of the program, load
// $NVTX_INJECTION64_PATH at their first call and ask it for InitializeInjectionNvtx2.
// That must end in the same CUPTI that records the CUDA calls, and which one that is
// is only known inside the process: PyTorch brings its own. So it is liblanes-nvtx.so,
// which finds CUPTI by the probe's rule (the one already loaded first) and passes the
// call on. Either order works: NVTX first loads CUPTI, and the probe finds it loaded;
// CUDA first, and NVTX finds the probe's. Ranges before the first CUDA call are not
// recorded, for CUPTI is not recording yet. To name CUPTI's folder in LD_LIBRARY_PATH
// instead would put a whole toolkit before the program's own libraries.
#pragma once

#include "probes/cupti/record_control.h"

#include <string>
#include <vector>

namespace lanes {

namespace probe_variable {
inline constexpr auto spool = "LANES_SPOOL";  ///< file to append to, a pattern (name_pattern.h); without it the probe
                                              ///< does nothing
inline constexpr auto ranks = "LANES_RANKS";  ///< only these are recorded, as wants_rank() reads it
inline constexpr auto steps = "LANES_STEPS";  ///< "10:15": what a summary keeps of the recording
inline constexpr auto control = "LANES_CONTROL";  ///< the part of the program that is recorded, as to_text() has it
inline constexpr auto cupti = "LANES_CUPTI";  ///< the CUPTI to use unless one is loaded already
inline constexpr auto pytorch = "LANES_PYTORCH";  ///< 1: the hook records PyTorch's operators; shapes: and the shapes
                                                  ///< of their inputs
inline constexpr auto stacks = "LANES_STACKS";  ///< interval in ns at which the hook has Python's stacks sampled
inline constexpr auto verbose = "LANES_PROBE_VERBOSE";  ///< 1: reasons also on stderr
inline constexpr auto threads = "LANES_PROBE_THREADS";  ///< 0: the program writes its ThreadRecords itself
inline constexpr auto host_pinned
    = "LANES_CUPTI_HOST_PINNED";  ///< 1: GPU times outlive a fault of the GPU, and short kernels look longer
inline constexpr auto event_times = "LANES_CUPTI_EVENT_TIMES";  ///< 1: the GPU's time of each event
inline constexpr auto buffer_per_thread = "LANES_CUPTI_BUFFER_PER_THREAD";  ///< 0: one buffer for all threads
}  // namespace probe_variable

struct EnvironmentVariable {
    std::string name, value;
};

struct ProbeSettings {
    std::string spool;  ///< absolute path
    std::string probe;  ///< absolute path of liblanes-probe.so; liblanes-nvtx.so is beside it
    std::string cupti;  ///< CuptiLibrary::path, "": let the probe seek
    std::string python = {};  ///< find_python_hook's folder, put first into PYTHONPATH; "": none
    bool pytorch = false;  ///< the hook records PyTorch's operators
    bool shapes = false;  ///< and the shapes of their inputs
    Ns stacks = 0;  ///< interval of Python's stacks; 0: they are not sampled
    ControlSettings control = {};  ///< the part that is recorded
    bool is_pattern = false;  ///< `spool` is one: each process has a file of its own
    bool names_own_threads = false;  ///< the program writes ThreadRecords, as the runner of a workload does
};

/// The file through which `lanes trigger` asks all processes that write to `spool` for a part, as to_text() has it.
inline std::string trigger_file_of(const std::string& spool)
{
    return spool + ".trigger";
}

/// What to set, over what is there. Variables that the probe reads but that are not listed here (verbose,
/// host_pinned, …) are inherited as the user set them.
std::vector<EnvironmentVariable> probe_environment(const ProbeSettings& settings);

/// liblanes-probe.so for a `lanes` in `folder`: beside it, in ../lib or ../lib/lanescope; "" if there is
/// none.
std::string find_probe(const std::string& folder);

/// The folder with the sitecustomize.py that has PyTorch's operators recorded and Python's stacks sampled: python/hook
/// beside `probe`, a path to liblanes-probe.so; "" if it is not there.
std::string find_python_hook(const std::string& probe);

}  // namespace lanes
