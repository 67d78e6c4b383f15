// SPDX-License-Identifier: MIT
// Figures from samples that may hold outliers: an interrupt, a first call, a clock that was slow to rise.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lanes {

/// The q-quantile (q in [0, 1]) of `samples`, interpolated. Needs at least one. Cost: sorts.
double quantile(std::vector<double> samples, double q);
inline double median(std::vector<double> samples)
{
    return quantile(std::move(samples), 0.5);
}

/// The mean of what lies no farther above the upper quartile than ten times the quartiles' distance. Times add up over
/// a run, those of a slow moment too, so their mean is a better estimate than their median. Needs at least one sample.
double mean_without_outliers(const std::vector<double>& samples);

/// y = intercept + slope x.
struct Line {
    double slope = 0, intercept = 0;
};

/// The line through (x, y) after Theil and Sen: the median of the slopes of all pairs of differing x, and the median of
/// what is left. Holds where up to 29 % of the points are anywhere. Needs a point; where no two
/// differ in x the slope is 0. Cost: the square of the
/// points.
Line robust_line(const std::vector<std::pair<double, double>>& points);

/// One figure, the quartiles of what was measured, and where it was measured.
struct Estimate {
    double value, low, high;
    std::size_t samples;
    std::string how;
};

}  // namespace lanes
