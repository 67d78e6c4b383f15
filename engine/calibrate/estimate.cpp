// SPDX-License-Identifier: MIT
#include "engine/calibrate/estimate.h"

#include <algorithm>
#include <cmath>

namespace lanes {

double quantile(std::vector<double> samples, double q)
{
    std::sort(samples.begin(), samples.end());
    const double at = q * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const auto above = std::min(below + 1, samples.size() - 1);
    return std::lerp(samples[below], samples[above], at - std::floor(at));
}

double mean_without_outliers(const std::vector<double>& samples)
{
    const double low = quantile(samples, 0.25);
    const double high = quantile(samples, 0.75);
    double sum = 0;
    double count = 0;
    for (const double sample : samples) {
        if (sample <= high + 10 * (high - low)) {
            sum += sample;
            ++count;
        }
    }
    return sum / count;
}

Line robust_line(const std::vector<std::pair<double, double>>& points)
{
    std::vector<double> slopes;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (points[i].first != points[k].first) {
                slopes.push_back((points[i].second - points[k].second) / (points[i].first - points[k].first));
            }
        }
    }
    Line line;
    line.slope = slopes.empty() ? 0 : median(std::move(slopes));
    std::vector<double> rest;
    rest.reserve(points.size());
    for (const auto& [x, y] : points) {
        rest.push_back(y - line.slope * x);
    }
    line.intercept = median(std::move(rest));
    return line;
}

}  // namespace lanes
