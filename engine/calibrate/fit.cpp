// SPDX-License-Identifier: MIT
#include "engine/calibrate/fit.h"

#include "engine/run/model/model_constants.h"

namespace lanes {

void Fit::set(std::string_view constant, const std::vector<double>& samples, std::string how, std::size_t least)
{
    if (samples.empty() || samples.size() < least) {
        return;
    }
    const auto& known = *find_model_constant(constant);
    const double value = known.unit == ModelUnit::time ? mean_without_outliers(samples) : median(samples);
    if (!is_possible(known, value)) {
        return;
    }
    set_value(m_device, known, value);
    m_estimates.insert_or_assign(std::string(constant),
        Estimate {value, quantile(samples, 0.25), quantile(samples, 0.75), samples.size(), std::move(how)});
}

Fit fit_device(const Experiments& recorded, const ModelDevice& defaults)
{
    Fit fit(defaults);
    fit_calls(recorded, fit);
    fit_gaps(recorded, fit);
    fit_gpu(recorded, fit);
    fit_graphs(recorded, fit);
    fit_copies(recorded, fit);
    fit_staging(recorded, fit);
    fit_memory(recorded, fit);
    fit_errors(recorded, fit);
    fit_host(recorded, fit);
    fit_two_gpus(recorded, fit);
    return fit;
}

}  // namespace lanes
