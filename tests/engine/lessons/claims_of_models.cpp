// SPDX-License-Identifier: MIT
#include "claims.h"

#include <algorithm>

namespace lanes::tests {

namespace {

constexpr double any = 1e300;

/// The share of the total in which no GPU works.
double idle(const Lesson& lesson, const char* variant)
{
    return 1 - static_cast<double>(lesson.report(variant).gpu_busy) / lesson.total(variant);
}

/// Of the waits of the first thread, what the run would have been shorter without them.
double waits_cost(const Lesson& lesson, const char* variant)
{
    return static_cast<double>(lesson.main(variant).held_cost.value_or(0)) / lesson.total(variant);
}

double kernel_count(const Lesson& lesson, const char* variant)
{
    return static_cast<double>(lesson.report(variant).counts.kernels);
}

/// Bytes that a read found to be others than they should be.
double wrong(const Lesson& lesson, const char* variant)
{
    double sum = 0;
    for (const Read& read : lesson.shown(variant).trace.reads) {
        sum += static_cast<double>(read.wrong_bytes);
    }
    return sum;
}

}  // namespace

std::vector<Claim> claims_of_models()
{
    using L = const Lesson&;
    return {
        {"decode-loop", "a token read in each step leaves the GPU idle while the CPU schedules", 0.25, 0.5,
            [](L l) { return idle(l, "each-step"); }},
        {"decode-loop", "the waits for it cost time", 0.2, 0.5, [](L l) { return waits_cost(l, "each-step"); }},
        {"decode-loop", "one step late none does", 0, 0.01, [](L l) { return waits_cost(l, "one-step-late"); }},
        {"decode-loop", "and the GPU is hardly idle", 0, 0.1, [](L l) { return idle(l, "one-step-late"); }},
        {"decode-loop", "for one step in vain", 32, 32,
            [](L l) { return kernel_count(l, "one-step-late") - kernel_count(l, "each-step"); }},
        {"decode-loop", "every few steps there is a gap as long, a quarter as often", 0.15, 0.5,
            [](L l) {
                return static_cast<double>(l.gpu("every-few").idle) / static_cast<double>(l.gpu("each-step").idle);
            }},
        {"decode-loop", "all tokens are the right ones", 0, 0,
            [](L l) { return wrong(l, "each-step") + wrong(l, "every-few") + wrong(l, "one-step-late"); }},
    };
}

}  // namespace lanes::tests
