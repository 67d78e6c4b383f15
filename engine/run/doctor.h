// SPDX-License-Identifier: MIT
// `lanes doctor`: what this machine has, and what follows from it in words.
#pragma once

#include "engine/run/gpu_survey.h"

#include <string>
#include <vector>

namespace lanes {

/// One thing looked for.
struct DoctorItem {
    enum class State { good, limited, missing };
    std::string key;  ///< of the JSON: "gpu", "driver", "cupti", …
    std::string title;  ///< for people
    State state;
    std::string found;  ///< what there is, one line
    std::string follows;  ///< what that means for the user; "" where it goes without saying
};

struct DoctorReport {
    GpuSurvey survey;
    std::string cupti_path, cupti_place;
    std::uint32_t cupti_version = 0;
    std::string probe, resources, nccl;
    std::vector<DoctorItem> items;
    bool can_run_on_gpu = false, can_record = false;
};

/// Looks. Needs no toolkit, driver or CUPTI. Cost: initialises the driver where there is one.
DoctorReport examine_machine();

std::string doctor_text(const DoctorReport& report);
std::string doctor_json(const DoctorReport& report);

}  // namespace lanes
