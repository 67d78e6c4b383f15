// SPDX-License-Identifier: MIT
// The file of a model device (resources/devices/*.yaml): reading it, with a place for every mistake, and writing it.
// It holds every constant of ModelDevice with the source of its value, and no others.
#pragma once

#include "engine/input_error.h"
#include "engine/run/model/model_device.h"

#include <map>
#include <string>
#include <vector>

namespace lanes {

/// A device with what its file says about it.
struct ModelDeviceFile {
    ModelDevice device;
    std::map<std::string, std::string> sources;  ///< by constant: the source of its value
    std::map<std::string, std::string> measured;  ///< gpu, driver, cuda, recordings of the fit; may be empty
    std::vector<std::string> comment;  ///< lines at the head of the file; written, not read
};

/// An invalid device file. what() is "FILE:LINE:COLUMN: MESSAGE".
class ModelDeviceError : public InputError {
public:
    using InputError::InputError;
};

/// Reads resources/devices/NAME.yaml. Throws ModelDeviceError, or std::system_error if it cannot be read.
ModelDevice load_model_device(const std::string& path);
/// The same with everything in the file.
ModelDeviceFile load_model_device_file(const std::string& path);
/// The same from text; `file` is for messages.
ModelDeviceFile parse_model_device_file(const std::string& text, const std::string& file);

/// The text of a device file: parse_model_device_file() reads it back, values to the digits that text_of() writes.
std::string to_text(const ModelDeviceFile& file);

}  // namespace lanes
