// SPDX-License-Identifier: MIT
// `lanes doctor`: checks this machine, and says what the results mean for recording.
#pragma once

#include "engine/run/gpu_survey.h"

#include <string>
#include <vector>

namespace lanes {

/// One result.
struct DoctorItem {
    enum class State { good, limited, missing };
    std::string key;  ///< of the JSON: "gpu", "driver", "cupti", …
    std::string title;  ///< for the text
    State state;
    std::string found;  ///< one line
    std::string follows;  ///< what it means for the user; "" if that is obvious
};

struct DoctorReport {
    GpuSurvey survey;
    std::string cupti_path, cupti_place;
    std::uint32_t cupti_version = 0;
    std::string probe, resources, nccl;
    std::vector<DoctorItem> items;
    bool can_run_on_gpu = false, can_record = false;
};

/// Runs all checks. Needs no CUDA toolkit, driver or CUPTI. Cost: initialises the driver if there is one.
DoctorReport examine_machine();

std::string doctor_text(const DoctorReport& report);
std::string doctor_json(const DoctorReport& report);

}  // namespace lanes
