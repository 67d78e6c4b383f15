// SPDX-License-Identifier: MIT
// How well the model device agrees with what a GPU did: every shipped recording of a
// workload against the model's run of the same variant. Prints a Markdown table:
// total time, the ratio of the two, and the copy-hidden fraction of both.
//
// bench_agreement [RECORDINGS_FOLDER [MODEL_DEVICE]], by default resources/recordings/h100 and h100
#include "engine/analysis/report.h"
#include "engine/run/model/run_model.h"
#include "engine/store/meta.h"
#include "engine/store/recording.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/resources.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <vector>

using namespace lanes;

namespace {

constexpr double most_off_total = 0.15;
constexpr double most_off_hidden = 0.15;

/// What the two are compared by.
struct Figures {
    Ns total = 0;
    double hidden = -1;  ///< fraction of copy time; -1: no copies
};

Figures figures_of(const Trace& trace)
{
    const auto report = make_report(trace, find_blocking(trace));
    Ns copy = 0;
    Ns hidden = 0;
    for (const auto& gpu : report.gpus) {
        copy += gpu.copy;
        hidden += gpu.copy_hidden;
    }
    return {report.wall, copy > 0 ? static_cast<double>(hidden) / static_cast<double>(copy) : -1};
}

Figures figures_of_model(const Trace& recorded, const ModelDevice& device)
{
    const auto workload = find_workload(recorded.meta.at(meta::workload));
    TraceBuilder records;
    run_model(compile(workload, recorded.meta.at(meta::variant)), device, records);
    return figures_of(records.finish(Source::model));
}

std::string percent(double fraction)
{
    return fraction < 0 ? "none" : std::to_string(std::lround(100 * fraction)) + " %";
}

struct Pair {
    std::string variant;
    Figures recorded, model;
};

/// The variants by total time, with those within 2 % of each other taken as equal: true if the model has no pair swapped.
bool same_order(const std::vector<Pair>& rows)
{
    for (const auto& a : rows) {
        for (const auto& b : rows) {
            const bool clearly_shorter = static_cast<double>(a.recorded.total) < 0.98 * static_cast<double>(b.recorded.total);
            if (clearly_shorter && a.model.total >= b.model.total) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

int main(int argc, char** argv)
{
    const std::filesystem::path folder = argc > 1 ? std::filesystem::path(argv[1]) : resource("recordings/h100");
    const auto device = load_model_device(resource(std::string("devices/") + (argc > 2 ? argv[2] : "h100") + ".yaml"));
    std::map<std::string, std::vector<Pair>> workloads;
    for (const auto& name : catalogue_names()) {
        for (const auto& variant : find_workload(name).variants) {
            const auto file = folder / (name + "." + variant.name + ".sqlite");
            if (std::filesystem::exists(file)) {
                const auto recorded = open_recording(file);
                workloads[name].push_back({variant.name, figures_of(recorded), figures_of_model(recorded, device)});
            }
        }
    }
    std::printf("| workload | variant | recorded | model | model / recorded | copies hidden, recorded | model | |\n"
                "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n");
    int missed = 0;
    for (const auto& [name, rows] : workloads) {
        for (const auto& row : rows) {
            const double ratio = static_cast<double>(row.model.total) / static_cast<double>(row.recorded.total);
            const bool agrees = std::abs(ratio - 1) <= most_off_total
                                && std::abs(row.model.hidden - row.recorded.hidden) <= most_off_hidden;
            missed += agrees ? 0 : 1;
            std::printf("| `%s` | `%s` | %.3f ms | %.3f ms | %.3f | %s | %s | %s |\n", name.c_str(), row.variant.c_str(),
                        static_cast<double>(row.recorded.total) / 1e6, static_cast<double>(row.model.total) / 1e6, ratio,
                        percent(row.recorded.hidden).c_str(), percent(row.model.hidden).c_str(), agrees ? "" : "misses");
        }
        if (!same_order(rows)) {
            ++missed;
            std::printf("| `%s` | | | | | | | order of variants differs |\n", name.c_str());
        }
    }
    std::printf("\n%d of the rows and orders above miss (total within %.0f %%, hidden fraction within %.2f).\n", missed,
                100 * most_off_total, most_off_hidden);
    return workloads.empty() ? 1 : 0;
}
