// SPDX-License-Identifier: MIT
// Fits the constants of a model device to recordings of the calibration workloads.
//
// Pure functions of the recordings. Each constant is measured as model_device.h defines it, so that a fit to recordings
// of a model device finds that device's constants again. Constants that depend on others are fitted after those.
#pragma once

#include "engine/calibrate/estimate.h"
#include "engine/calibrate/experiments.h"
#include "engine/run/model/model_device.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// The device so far; constants that are not fitted yet have their default.
class Fit {
public:
    explicit Fit(ModelDevice defaults)
        : m_device(std::move(defaults))
    {
    }

    const ModelDevice& device() const { return m_device; }
    /// By constant; constants without an estimate have their default.
    const std::map<std::string, Estimate, std::less<>>& estimates() const { return m_estimates; }

    /// Sets the constant to the median of `samples`, or for a time to mean_without_outliers(). Does nothing if there
    /// are fewer than `least` samples, or if the value is out of the constant's bounds.
    void set(std::string_view constant, const std::vector<double>& samples, std::string how, std::size_t least = 3);

private:
    ModelDevice m_device;
    std::map<std::string, Estimate, std::less<>> m_estimates;
};

/// Fits all constants that the recordings allow. Cost: a few passes over the recordings.
Fit fit_device(const Experiments& recorded, const ModelDevice& defaults);

// Its parts; each uses constants that the earlier ones fitted.
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
