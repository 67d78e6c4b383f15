// SPDX-License-Identifier: MIT
#include "engine/analysis/words/json_writer.h"
#include "engine/formatted.h"
#include "engine/run/doctor.h"

namespace lanes {

namespace {

const char* word_of(DoctorItem::State state)
{
    switch (state) {
    case DoctorItem::State::good:
        return "ok";
    case DoctorItem::State::limited:
        return "limited";
    case DoctorItem::State::missing:
        break;
    }
    return "missing";
}

const char* summary_of(const DoctorReport& report)
{
    if (report.can_record) {
        return "Workloads run and are recorded on the GPU.";
    }
    if (report.can_run_on_gpu) {
        return "Workloads run on the GPU, but their GPU work is not recorded.";
    }
    return "Workloads run on the model device. Opening, comparing and exporting recordings of real GPUs works.";
}

}  // namespace

std::string doctor_text(const DoctorReport& report)
{
    std::string text;
    for (const auto& item : report.items) {
        text += formatted("{:8} {:20} {}\n", word_of(item.state), item.title, item.found);
        if (!item.follows.empty()) {
            text += formatted("{:30}{}\n", "", item.follows);
        }
    }
    return text + "\n" + summary_of(report) + "\n";
}

std::string doctor_json(const DoctorReport& report)
{
    JsonWriter json;
    json.begin_object();
    json.field("can_run_on_gpu", report.can_run_on_gpu).field("can_record", report.can_record);
    json.field("built_with_cuda", report.survey.built_with_cuda);
    json.field("toolkit_version", std::int64_t {report.survey.toolkit_version});
    json.field("driver_version", std::int64_t {report.survey.driver_version});
    json.key("gpus").begin_array();
    for (const auto& gpu : report.survey.gpus) {
        json.begin_object().field("name", gpu.name).field("uuid", gpu.uuid).field("memory_bytes", gpu.memory_bytes);
        json.field("multiprocessors", std::int64_t {gpu.multiprocessors});
        json.field("compute", formatted("{}.{}", gpu.compute_major, gpu.compute_minor)).end_object();
    }
    json.end_array();
    json.key("cupti").begin_object().field("version", report.cupti_version).field("path", report.cupti_path);
    json.field("place", report.cupti_place).end_object();
    json.field("nccl", report.nccl).field("probe", report.probe).field("resources", report.resources);
    json.key("items").begin_array();
    for (const auto& item : report.items) {
        json.begin_object().field("key", item.key).field("state", word_of(item.state)).field("found", item.found);
        json.field("follows", item.follows).end_object();
    }
    json.end_array();
    return json.field("summary", summary_of(report)).end_object().take();
}

}  // namespace lanes
