// SPDX-License-Identifier: MIT
// Robust statistics, for samples with outliers: an interrupt, a first call, a clock that was slow to rise.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lanes {

/// The q-quantile (q in [0, 1]), interpolated. Needs at least one sample. Cost: sorts.
double quantile(std::vector<double> samples, double q);
inline double median(std::vector<double> samples)
{
    return quantile(std::move(samples), 0.5);
}

/// The mean without samples that exceed the upper quartile by more than ten interquartile ranges. For times it is a
/// better estimate than the median, because times add up in a run, slow ones too. Needs at least one sample.
double mean_without_outliers(const std::vector<double>& samples);

/// y = intercept + slope x.
struct Line {
    double slope = 0, intercept = 0;
};

/// The Theil-Sen estimator: the slope is the median of the slopes of all pairs with different x (0 if there are none),
/// the intercept the median of y - slope x. Tolerates 29 % outliers. Needs at least one point. Cost: quadratic in the
/// points.
Line robust_line(const std::vector<std::pair<double, double>>& points);

/// A figure with the quartiles of its samples.
struct Estimate {
    double value, low, high;
    std::size_t samples;
    std::string how;  ///< which experiment it was measured in, for the device file
};

}  // namespace lanes
