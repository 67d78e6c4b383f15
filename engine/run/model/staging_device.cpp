// SPDX-License-Identifier: MIT
#include "engine/run/model/staging_device.h"

#include "engine/run/model/model_device_file.h"
#include "engine/workload/resources.h"

#include <algorithm>
#include <array>

namespace lanes {

namespace {

struct Fitted {
    std::string gpu;  ///< the GPU to which it was fitted; "": no such device
    std::shared_ptr<const ModelDevice> device;
};

Fitted load(const char* name)
{
    try {
        ModelDeviceFile file = load_model_device_file(resource(name).string());
        return {file.measured["gpu"], std::make_shared<const ModelDevice>(std::move(file.device))};
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace

std::shared_ptr<const ModelDevice> staging_device(const Trace& trace)
{
    static const std::array fitted {load("devices/h100.yaml"), load("devices/h200.yaml")};
    const auto found = std::find_if(fitted.begin(), fitted.end(), [&](const Fitted& each) {
        return each.device && std::any_of(trace.devices.begin(), trace.devices.end(), [&](const Device& device) {
            return trace.text(device.name) == each.gpu;
        });
    });
    return found != fitted.end() ? found->device : fitted.front().device;
}

}  // namespace lanes
