// SPDX-License-Identifier: MIT
// The fit: recordings of the calibration workloads in, the constants of a model device out.
//
// Pure functions of the recordings. Each constant is measured by the definition that the model gives it
// (model_device.h), so that the fit to recordings that a model device made finds that device's constants again;
// constants whose definition needs others (a gap less the usual gap) come after them.
#pragma once

#include "engine/calibrate/estimate.h"
#include "engine/calibrate/experiments.h"
#include "engine/run/model/model_device.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// A device in the making: starts as the one that gives what is not measured.
class Fit {
public:
    explicit Fit(ModelDevice defaults)
        : m_device(std::move(defaults))
    {
    }

    const ModelDevice& device() const { return m_device; }
    /// By constant; what is not here still has its default.
    const std::map<std::string, Estimate, std::less<>>& estimates() const { return m_estimates; }

    /// The constant is the median of `samples`, of a time their mean without outliers; nothing changes where there are
    /// fewer than `least`, or where the device cannot have that value.
    void set(std::string_view constant, const std::vector<double>& samples, std::string how, std::size_t least = 3);

private:
    ModelDevice m_device;
    std::map<std::string, Estimate, std::less<>> m_estimates;
};

/// All constants that the recordings allow to fit. Cost: a few passes over the recordings.
Fit fit_device(const Experiments& recorded, const ModelDevice& defaults);

// The parts of it, in the order in which they build on one another.
void fit_gpu(const Experiments& recorded, Fit& fit);
void fit_calls(const Experiments& recorded, Fit& fit);
void fit_gaps(const Experiments& recorded, Fit& fit);
void fit_graphs(const Experiments& recorded, Fit& fit);
void fit_copies(const Experiments& recorded, Fit& fit);
void fit_staging(const Experiments& recorded, Fit& fit);
void fit_memory(const Experiments& recorded, Fit& fit);
void fit_errors(const Experiments& recorded, Fit& fit);
void fit_host(const Experiments& recorded, Fit& fit);
void fit_two_gpus(const Experiments& recorded, Fit& fit);

}  // namespace lanes
