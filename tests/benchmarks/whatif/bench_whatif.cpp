// SPDX-License-Identifier: MIT
// How close predictions are to recordings of the predicted run, and how long a replay takes.
// `bench_whatif [OPERATIONS]`, one million if not said: prints the table of docs/whatif.md, then the seconds.
// `bench_whatif FOLDER...`: the same tables for the recordings in these (tests/gpu/whatif_truth.py), no seconds.
#include "engine/formatted.h"
#include "engine/replay/pairs.h"
#include "engine/replay/whatif.h"
#include "engine/store/recording_file.h"
#include "engine/workload/workload.h"
#include "tests/benchmarks/whatif/launch_bound.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

using namespace lanes;
using namespace lanes::replay;

namespace {

const std::string source = LANES_SOURCE;

/// The pairs whose recordings are in `folder`.
void print_pairs(const std::string& folder)
{
    std::printf(
        "%s\n\n| workload | A -> B | changes | A ms | B recorded ms | B predicted ms | error %% | 90 %% interval |\n"
        "| --- | --- | --- | ---: | ---: | ---: | ---: | --- |\n",
        folder.c_str());
    std::vector<double> off;
    std::vector<double> given;  // of the predictions with a number
    int held = 0;
    auto pairs = read_pairs(source + "/resources/workloads/changes.txt");
    const auto others = read_pairs(source + "/tests/gpu/whatif/changes.txt");
    pairs.insert(pairs.end(), others.begin(), others.end());
    for (const auto& pair : pairs) {
        const auto path
            = [&](const std::string& variant) { return folder + '/' + run_name(pair.workload, variant) + ".sqlite"; };
        if (!std::filesystem::exists(path(pair.a)) || !std::filesystem::exists(path(pair.b))) {
            continue;
        }
        const auto ask = [&](const std::string& variant, auto use) {
            const auto trace = open_recording(path(variant));
            const auto blocking = find_blocking(trace);
            const Graph graph(trace, blocking);
            return use(WhatIf(graph));
        };
        const Ns b = ask(pair.b, [](const WhatIf& what_if) { return what_if.gate().recorded; });
        const auto [a, prediction] = ask(pair.a, [&](const WhatIf& what_if) {
            const auto& gate = what_if.gate();
            return std::pair(
                gate.recorded, gate.is_open() ? what_if.predict(pair.changes, pair.answers) : Prediction {});
        });
        constexpr double ms = 1e6;
        std::printf("| %s | %s -> %s | %s | %.3f | %.3f |", pair.workload.c_str(), pair.a.c_str(), pair.b.c_str(),
            pair.words.c_str(), static_cast<double>(a) / ms, static_cast<double>(b) / ms);
        if (prediction.count == 0) {
            std::printf(" none | | |\n");
            continue;
        }
        const double error = 100 * static_cast<double>(prediction.total - b) / static_cast<double>(b);
        const bool holds = prediction.low <= b && b <= prediction.high;
        off.push_back(std::abs(error));
        if (!prediction.is_wide()) {
            given.push_back(std::abs(error));
        }
        held += holds ? 1 : 0;
        std::printf(" %.3f | %+.2f%s | %.2f to %.2f%s |\n", static_cast<double>(prediction.total) / ms, error,
            prediction.is_wide() ? " (range alone)" : "", static_cast<double>(prediction.low) / ms,
            static_cast<double>(prediction.high) / ms, holds ? "" : ": no");
    }
    const auto summary = [](std::vector<double>& values) {
        std::sort(values.begin(), values.end());
        return values.empty() ? std::string("none")
                              : formatted("median |error| {:.2f} %, 90 % within {:.2f} %, largest {:.2f} %",
                                  values[values.size() / 2], values[values.size() * 9 / 10], values.back());
    };
    std::printf("\n%zu pairs: %s; the interval holds %d. %zu with a number: %s.\n", off.size(), summary(off).c_str(),
        held, given.size(), summary(given).c_str());
}

/// Wall time, and processor time, which other work on the machine does not stretch.
struct Seconds {
    double clock, processor;
};

Seconds seconds(auto what)
{
    const auto start = std::chrono::steady_clock::now();
    const auto used = std::clock();
    what();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
        static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC};
}

void print(const char* what, const Seconds& took)
{
    std::printf("%-8s %.2f s, of the processor %.2f\n", what, took.clock, took.processor);
}

void print_speed(std::size_t operations)
{
    const auto trace = bench::launch_bound(operations);
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    Script script;
    Replayed replayed;
    std::printf("\n%zu operations, %zu calls\n", trace.operations.size(), trace.calls.size());
    print("script", seconds([&] { script = make_script(graph); }));
    const auto once = seconds([&] { replayed = lanes::replay::replay(script); });
    print("replay", once);
    print("gate", seconds([&] { const WhatIf what_if(graph); }));
    const WhatIf what_if(graph);
    print("total", seconds([&] { what_if.total({{ChangeKind::drop_syncs}}); }));
    print("predict", seconds([&] { what_if.predict({{ChangeKind::drop_syncs}}); }));
    std::printf("replay / operations  %.0f ns, unchanged %+.3f %%\n",
        once.processor * 1e9 / static_cast<double>(operations), 100 * what_if.gate().off_measured());
}

}  // namespace

int main(int argc, char** argv)
{
    setenv("LANES_RESOURCES", (source + "/resources").c_str(), 0);
    if (argc > 1 && std::filesystem::is_directory(argv[1])) {
        std::for_each(argv + 1, argv + argc, print_pairs);
        return 0;
    }
    print_pairs(source + "/resources/recordings/h200");
    constexpr std::size_t million = 1'000'000;
    print_speed(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : million);
}
