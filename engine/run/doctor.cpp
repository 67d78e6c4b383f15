// SPDX-License-Identifier: MIT
#include "engine/run/doctor.h"

#include "engine/formatted.h"
#include "engine/run/find_nccl.h"
#include "engine/run/own_program.h"
#include "engine/run/run_child.h"
#include "engine/workload/resources.h"
#include "probes/cupti/find_cupti.h"
#include "probes/inject/environment.h"

namespace lanes {

namespace {

using State = DoctorItem::State;

void look_at_gpus(DoctorReport& report)
{
    const auto& survey = report.survey = survey_gpus();
    if (survey.toolkit_version != 0) {
        report.items.push_back({"toolkit", "CUDA in this build", State::good,
            "CUDA " + cuda_version_text(survey.toolkit_version) + ", linked in", ""});
    } else {
        report.items.push_back({"toolkit", "CUDA in this build", State::missing, "built without CUDA",
            "workloads run on the model device; to use a GPU, build lanes with CUDA 13"});
    }
    if (survey.driver_version == 0) {
        const bool unknown = !survey.built_with_cuda;
        report.items.push_back({"driver", "NVIDIA driver", State::missing, unknown ? "not checked" : "none",
            unknown ? "" : "workloads run on the model device; opening and comparing recordings works"});
    } else {
        const bool old = survey.driver_version / 1000 < survey.toolkit_version / 1000;
        report.items.push_back({"driver", "NVIDIA driver", old ? State::limited : State::good,
            "supports CUDA " + cuda_version_text(survey.driver_version),
            old ? "too old for this build: a driver for CUDA " + cuda_version_text(survey.toolkit_version)
                    + " (580 or newer) is needed"
                : ""});
    }
    if (survey.gpus.empty()) {
        report.items.push_back({"gpu", "GPU", State::missing, survey.problem,
            "--device auto uses the model device; its recordings say so"});
    }
    for (std::size_t i = 0; i < survey.gpus.size(); ++i) {
        const auto& gpu = survey.gpus[i];
        report.items.push_back({"gpu", formatted("GPU {}", i), State::good,
            formatted("{}, {:.0f} GiB, {} SMs, compute {}.{}", gpu.name,
                static_cast<double>(gpu.memory_bytes) / (1U << 30U), gpu.multiprocessors, gpu.compute_major,
                gpu.compute_minor),
            ""});
    }
}

void look_at_probe(DoctorReport& report)
{
    report.probe = find_probe(own_folder());
    if (report.probe.empty()) {
        report.items.push_back({"probe", "Probe", State::missing, "liblanes-probe.so is not beside lanes",
            "`lanes record` does not work, and runs on a GPU are not recorded"});
    } else {
        report.items.push_back({"probe", "Probe", State::good, report.probe, ""});
    }
    const auto cupti = find_cupti(own_folder());
    report.cupti_version = cupti.version;
    report.cupti_path = cupti.path;
    report.cupti_place = cupti.place;
    DoctorItem item {"cupti", "CUPTI", State::good, "", ""};
    if (cupti.verdict == CuptiLibrary::absent) {
        item.state = State::missing;
        item.found = cupti.note.empty() ? "none found" : cupti.note;
        item.follows = "nothing can be recorded on a GPU; install the CUDA 13 toolkit's CUPTI, or point LANES_CUPTI at "
                       "libcupti.so.13. `lanes run --no-probe` and the model device work";
    } else {
        item.found = formatted("{}, {} ({})", cupti_version_text(cupti.version), cupti.path, cupti.place);
        if (cupti.verdict == CuptiLibrary::refused) {
            item.state = State::missing;
            item.found += ": " + cupti.note;
            item.follows
                = "this CUPTI is not used, so nothing can be recorded on a GPU; point LANES_CUPTI at another one";
        } else if (cupti.verdict == CuptiLibrary::untested) {
            item.state = State::limited;
            item.follows = cupti.note;
        }
    }
    report.items.push_back(std::move(item));
    report.can_run_on_gpu = can_run_on_cuda() && !report.survey.gpus.empty();
    report.can_record = report.can_run_on_gpu && cupti.usable() && !report.probe.empty();
}

void look_at_nccl(DoctorReport& report)
{
    const auto nccl = find_nccl();
    if (nccl.handle != nullptr) {
        report.nccl = nccl_version_text(nccl.version);
        report.items.push_back(
            {"nccl", "NCCL", State::good, formatted("{}, {} ({})", report.nccl, nccl.file, nccl.place), ""});
    } else {
        report.items.push_back({"nccl", "NCCL", State::missing, nccl.note,
            "workloads with collectives (all_reduce, send_recv, …) run on the model device only; point LANES_NCCL at a "
            "libnccl.so.2"});
    }
}

void look_at_resources(DoctorReport& report)
{
    try {
        report.resources = resources().string();
        report.items.push_back({"resources", "Resources", State::good, report.resources, ""});
    } catch (const std::exception& error) {
        report.items.push_back({"resources", "Resources", State::missing, error.what(),
            "no workloads and no model device: keep the folder `resources` beside lanes, or set LANES_RESOURCES to "
            "it"});
    }
}

}  // namespace

DoctorReport examine_machine()
{
    DoctorReport report;
    look_at_gpus(report);
    look_at_probe(report);
    look_at_nccl(report);
    look_at_resources(report);
    return report;
}

}  // namespace lanes
