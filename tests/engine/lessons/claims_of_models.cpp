// SPDX-License-Identifier: MIT
#include "claims.h"
#include "engine/analysis/lesson_figures.h"

#include <algorithm>

namespace lanes::tests {

namespace {

constexpr double any = 1e300;
constexpr double ms = 1e6;

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

double figure(const Lesson& lesson, const char* variant, LessonFigure which)
{
    const Shown& shown = lesson.shown(variant);
    return lesson_figure({variant, &shown.trace, &shown.report}, which).value_or(-1);
}

double kernel_count(const Lesson& lesson, const char* variant)
{
    return static_cast<double>(lesson.report(variant).counts.kernels);
}

double syncs(const Lesson& lesson, const char* variant)
{
    return static_cast<double>(lesson.report(variant).counts.syncs);
}

/// How often a function of that name was called.
double calls(const Lesson& lesson, const char* variant, std::string_view function)
{
    const Trace& trace = lesson.shown(variant).trace;
    return static_cast<double>(std::count_if(
        trace.calls.name.begin(), trace.calls.name.end(), [&](StringId name) { return trace.text(name) == function; }));
}

/// On the first GPU, ns.
double communication(const Lesson& lesson, const char* variant)
{
    return static_cast<double>(lesson.gpu(variant).communication);
}

/// The part of it in which no other kernel ran there.
double exposed(const Lesson& lesson, const char* variant)
{
    return static_cast<double>(lesson.gpu(variant).communication_exposed);
}

/// The share of the total in which the first GPU computes nothing: it waits, or communicates.
double bubble(const Lesson& lesson, const char* variant)
{
    const auto& gpu = lesson.gpu(variant);
    return 1 - static_cast<double>(gpu.kernel - gpu.communication_exposed) / lesson.total(variant);
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
        {"optimizer-step", "nothing waits before the end", 1, 1, [](L l) { return syncs(l, "no-waits"); }},
        {"optimizer-step", "clipping with a check waits once in each step", 5, 5, [](L l) { return syncs(l, "clip"); }},
        {"optimizer-step", "so does GradScaler", 5, 5, [](L l) { return syncs(l, "scaler"); }},
        {"optimizer-step", "print(loss) six times", 25, 25, [](L l) { return syncs(l, "print"); }},
        {"optimizer-step", "one wait makes the run longer", 1.2, 1.6, [](L l) { return l.ratio("clip", "no-waits"); }},
        {"optimizer-step", "the GPU is idle then", 0.2, 0.5, [](L l) { return idle(l, "clip"); }},
        {"optimizer-step", "and little without it", 0, 0.12, [](L l) { return idle(l, "no-waits"); }},
        {"optimizer-step", "all three cost hardly more than one", 1, 1.1,
            [](L l) { return l.ratio("all-three", "clip"); }},
        {"optimizer-step", "a fused optimizer needs no lead", 1.2, any,
            [](L l) { return l.ratio("all-three", "all-three-fused"); }},
        {"optimizer-step", "and GradScaler does not ask", 28, 28,
            [](L l) { return static_cast<double>(l.report("all-three-fused").counts.copies); }},

        {"captured-again", "a graph for each step takes longer than one for all", 1.3, any,
            [](L l) { return l.ratio("each-step", "static-input"); }},
        {"captured-again", "and longer than none", 1.3, any, [](L l) { return l.ratio("each-step", "launches"); }},
        {"captured-again", "the GPU is idle then", 0.25, 0.7, [](L l) { return idle(l, "each-step"); }},
        {"captured-again", "it runs the same kernels", 0, 0,
            [](L l) { return kernel_count(l, "each-step") - kernel_count(l, "static-input"); }},
        {"captured-again", "with the right results", 0, 0,
            [](L l) { return wrong(l, "each-step") + wrong(l, "static-input") + wrong(l, "launches"); }},

        {"gradient-accumulation", "four times the communication of no_sync", 3.5, 4.5,
            [](L l) { return communication(l, "every-micro-batch") / communication(l, "no-sync"); }},
        {"gradient-accumulation", "and about four times what nothing hides", 3, 5,
            [](L l) { return exposed(l, "every-micro-batch") / exposed(l, "no-sync"); }},
        {"gradient-accumulation", "it takes longer", 1.3, any,
            [](L l) { return l.ratio("every-micro-batch", "no-sync"); }},
        {"gradient-accumulation", "for the same kernels besides", 24, 24,
            [](L l) {  // 3 times 2 buckets, divided and summed on 2 GPUs
                return kernel_count(l, "every-micro-batch") - kernel_count(l, "no-sync");
            }},
        {"gradient-accumulation", "and the same sums", 0, 0,
            [](L l) { return wrong(l, "every-micro-batch") + wrong(l, "no-sync"); }},

        {"fsdp", "with room for one layer no communication is hidden", 0, 0.01,
            [](L l) { return 1 - exposed(l, "one-layer") / communication(l, "one-layer"); }},
        {"fsdp", "prefetched nearly all is", 0.75, 1,
            [](L l) { return 1 - exposed(l, "prefetched") / communication(l, "prefetched"); }},
        {"fsdp", "the same communication", 0.9, 1.1,
            [](L l) { return communication(l, "prefetched") / communication(l, "one-layer"); }},
        {"fsdp", "in less time", 1.25, any, [](L l) { return l.ratio("one-layer", "prefetched"); }},
        {"fsdp", "and the same sums", 0, 0, [](L l) { return wrong(l, "one-layer") + wrong(l, "prefetched"); }},

        {"pipeline", "of the whole batch a GPU computes half of the time", 0.49, 0.6,
            [](L l) { return bubble(l, "one-batch"); }},
        {"pipeline", "though it counts as busy", 0.9, 1,
            [](L l) { return static_cast<double>(l.gpu("one-batch").busy) / l.total("one-batch"); }},
        {"pipeline", "with four micro-batches it does not for a fifth, and what sending takes", 0.18, 0.3,
            [](L l) { return bubble(l, "gpipe"); }},
        {"pipeline", "1F1B has the same bubble", 0.9, 1.35,
            [](L l) { return bubble(l, "one-f-one-b") / bubble(l, "gpipe"); }},
        {"pipeline", "and about the same total", 0.95, 1.1, [](L l) { return l.ratio("one-f-one-b", "gpipe"); }},
        {"pipeline", "the whole batch takes longer than micro-batches", 1.4, any,
            [](L l) { return l.ratio("one-batch", "gpipe"); }},
        {"pipeline", "a receive in the way of a forward costs time", 1.1, any,
            [](L l) { return l.ratio("early-receive", "one-f-one-b"); }},
        {"pipeline", "it makes the bubble larger, not the transfer", 1.2, any,
            [](L l) { return bubble(l, "early-receive") / bubble(l, "one-f-one-b"); }},
        {"pipeline", "all compute the same", 0, 0,
            [](L l) {
                return wrong(l, "one-batch") + wrong(l, "gpipe") + wrong(l, "one-f-one-b") + wrong(l, "early-receive");
            }},

        {"memory-pressure", "near the limit, segments are freed in seven steps", 15, 15,
            [](L l) { return calls(l, "lengths-vary", "cudaFree"); }},
        {"memory-pressure", "and allocated anew", 18, 18, [](L l) { return calls(l, "lengths-vary", "cudaMalloc"); }},
        {"memory-pressure", "with sizes rounded up, or memory to spare, none is", 0, 0,
            [](L l) { return calls(l, "rounded", "cudaFree") + calls(l, "enough-memory", "cudaFree"); }},
        {"memory-pressure", "few sizes take few segments", 5, 5, [](L l) { return calls(l, "rounded", "cudaMalloc"); }},
        {"memory-pressure", "all sizes take more", 11, 11, [](L l) { return calls(l, "enough-memory", "cudaMalloc"); }},
        {"memory-pressure", "the GPU waits for the memory", 0.05, 0.6, [](L l) { return idle(l, "lengths-vary"); }},
        {"memory-pressure", "it hardly does without", 0, 0.12,
            [](L l) { return std::max(idle(l, "rounded"), idle(l, "enough-memory")); }},
        {"memory-pressure", "the waits cost time", 0.03, 0.6, [](L l) { return waits_cost(l, "lengths-vary"); }},
        {"memory-pressure", "and the others do not", 0, 0.02,
            [](L l) { return waits_cost(l, "rounded") + waits_cost(l, "enough-memory"); }},
        {"memory-pressure", "all compute the same", 0, 0,
            [](L l) { return wrong(l, "lengths-vary") + wrong(l, "rounded") + wrong(l, "enough-memory"); }},

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

        {"prefill-and-decode", "the whole prefill holds one token", 12 * ms, 15 * ms,
            [](L l) { return figure(l, "whole", LessonFigure::longest_range); }},
        {"prefill-and-decode", "in chunks none takes longer than one of them and a step", 2 * ms, 4 * ms,
            [](L l) { return figure(l, "chunked", LessonFigure::longest_range); }},
        {"prefill-and-decode", "for the same total", 0.95, 1.05, [](L l) { return l.ratio("chunked", "whole"); }},
        {"prefill-and-decode", "on the compute stream no copy is hidden", 0, 0.01,
            [](L l) { return l.hidden("swap-in"); }},
        {"prefill-and-decode", "and one token is late", 3, any,
            [](L l) {
                return figure(l, "swap-in", LessonFigure::longest_range)
                    / figure(l, "swap-in-own-stream", LessonFigure::longest_range);
            }},
        {"prefill-and-decode", "on its own nearly all is, and it is there when it is needed", 0.9, 1,
            [](L l) { return l.hidden("swap-in-own-stream"); }},
        {"prefill-and-decode", "the good ones lose nothing by waiting", 0, 0.01,
            [](L l) { return waits_cost(l, "chunked") + waits_cost(l, "swap-in-own-stream"); }},
    };
}

}  // namespace lanes::tests
