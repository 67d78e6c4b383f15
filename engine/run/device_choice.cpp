// SPDX-License-Identifier: MIT
#include "engine/run/device_choice.h"

#include "engine/formatted.h"
#include "engine/run/model_files.h"
#include "engine/workload/nearest.h"

#include <charconv>
#include <filesystem>

namespace lanes {

namespace {

constexpr auto default_model = "h100";

int number_after_colon(const std::string& device)
{
    int number = -1;
    const char* const begin = device.data() + device.find(':') + 1;
    const char* const end = device.data() + device.size();
    const auto [last, error] = std::from_chars(begin, end, number);
    if (error != std::errc {} || last != end || number < 0) {
        throw DeviceArgumentError(formatted("--device {}: expected cuda:N with N counted from 0", device));
    }
    return number;
}

}  // namespace

DeviceChoice choose_device(
    const std::string& device, const std::function<GpuSurvey()>& survey, std::uint32_t gpus_needed)
{
    DeviceChoice choice;
    choice.model = default_model;
    if (device == "model") {
        return choice;
    }
    if (device.starts_with("model:") && device.size() > 6) {
        choice.model = device.substr(6);
        return choice;
    }
    const bool automatic = device == "auto" || device.empty();
    if (!automatic && device != "cuda" && !device.starts_with("cuda:")) {
        throw DeviceArgumentError(formatted("--device {}: expected auto, model, model:NAME, cuda or cuda:N", device));
    }
    choice.gpu = device.starts_with("cuda:") ? number_after_colon(device) : 0;
    const GpuSurvey found = survey();
    const bool too_few = automatic && found.gpus.size() < gpus_needed;
    if (static_cast<std::size_t>(choice.gpu) < found.gpus.size() && !too_few) {
        choice.cuda = true;
        const auto& gpu = found.gpus[static_cast<std::size_t>(choice.gpu)];
        choice.notice = automatic ? formatted("running on GPU {}, {}", choice.gpu, gpu.name) : "";
        return choice;
    }
    const std::string problem = found.gpus.empty() ? found.problem
        : too_few ? formatted("the workload needs {}, this machine has {}", gpus_needed, found.gpus.size())
                  : formatted("there is no GPU {}: this machine has {}", choice.gpu, found.gpus.size());
    if (!automatic) {
        throw NoGpuError(formatted("--device {}: {}", device, problem));
    }
    choice.notice = formatted("{} ({}): running on the model device {}, which is a simulation",
        too_few && !found.gpus.empty() ? "too few GPUs here" : "no GPU here", problem, choice.model);
    return choice;
}

void check_model(const DeviceChoice& choice, const std::string& device)
{
    if (!choice.cuda) {
        check_model_device(choice.model, "--device " + device);
    }
}

void check_model_device(const std::string& model, const std::string& said)
{
    const auto path = model_device_path(model);
    if (std::filesystem::exists(path)) {
        return;
    }
    throw DeviceArgumentError(said + ": "
        + (path == model ? model + ": no such file" : unknown_name("model device", model, model_device_names())));
}

}  // namespace lanes
