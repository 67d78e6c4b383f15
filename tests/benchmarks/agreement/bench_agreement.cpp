// SPDX-License-Identifier: MIT
// How well the model device agrees with what a GPU did: every shipped recording of a
// workload against the model's run of the same variant. Prints a Markdown table:
// total time, the ratio of the two, the copy-hidden fraction of both, the pairs of
// operations that start in another order, and the calls that are held for another cause.
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
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

using namespace lanes;

namespace {

constexpr double most_off_total = 0.15;
constexpr double most_off_hidden = 0.15;
constexpr double clearly = 0.02;  ///< totals closer than this part of each other are taken as equal
constexpr Ns near = 20'000;  ///< starts closer than this have no order; waits shorter than this are none

/// What the two are compared by.
struct Figures {
    Ns total = 0;
    double hidden = -1;  ///< fraction of copy time; -1: no copies
};

/// The two, with what is compared call by call and operation by operation.
struct Run {
    Trace trace;
    Blocking blocking;
};

Run run_of(Trace trace)
{
    auto blocking = find_blocking(trace);
    return {std::move(trace), std::move(blocking)};
}

Figures figures_of(const Run& run)
{
    const auto report = make_report(run.trace, run.blocking);
    Ns copy = 0;
    Ns hidden = 0;
    for (const auto& gpu : report.gpus) {
        copy += gpu.copy;
        hidden += gpu.copy_hidden;
    }
    return {report.wall, copy > 0 ? static_cast<double>(hidden) / static_cast<double>(copy) : -1};
}

Run model_of(const Trace& recorded, const ModelDevice& device)
{
    const auto workload = find_workload(recorded.meta.at(meta::workload));
    TraceBuilder records;
    run_model(compile(workload, recorded.meta.at(meta::variant)), device, records);
    return run_of(records.finish(Source::model));
}

/// The outermost calls, by thread, each thread's in order: the two runs make the same ones.
std::vector<Row> calls_of(const Trace& trace)
{
    std::vector<Row> calls;
    for (Row call = 0; call < trace.calls.size(); ++call) {
        if (trace.calls.outer[call] == no_row) {
            calls.push_back(call);
        }
    }
    std::stable_sort(
        calls.begin(), calls.end(), [&](Row a, Row b) { return trace.calls.thread[a] < trace.calls.thread[b]; });
    return calls;
}

/// The operations in the order of the calls that issued them, a call's own by start.
std::vector<Row> operations_of(const Trace& trace)
{
    std::vector<Row> place(trace.calls.size(), no_row);
    for (Row at = 0; const auto call : calls_of(trace)) {
        place[call] = at++;
    }
    const auto place_of = [&](Row operation) {
        const auto call = trace.operations.call[operation];
        return call == no_row ? no_row : place[call];
    };
    auto operations = trace.operations_by_time();
    std::stable_sort(operations.begin(), operations.end(), [&](Row a, Row b) { return place_of(a) < place_of(b); });
    return operations;
}

/// Pairs of operations of different streams that start in the other order, those `near` each other in either run
/// aside. none: the runs have different operations.
std::optional<std::size_t> pairs_out_of_order(const Trace& a, const Trace& b)
{
    const auto of_a = operations_of(a);
    const auto of_b = operations_of(b);
    if (of_a.size() != of_b.size()) {
        return {};
    }
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
        if (a.operations.kind[of_a[i]] != b.operations.kind[of_b[i]]) {
            return {};
        }
        for (std::size_t k = 0; k < i; ++k) {
            const Ns in_a = a.operations.start[of_a[i]] - a.operations.start[of_a[k]];
            const Ns in_b = b.operations.start[of_b[i]] - b.operations.start[of_b[k]];
            const bool has_order = std::min(std::abs(in_a), std::abs(in_b)) >= near;
            const bool crosses = a.operations.stream[of_a[i]] != a.operations.stream[of_a[k]];
            pairs += has_order && crosses && (in_a < 0) != (in_b < 0) ? 1 : 0;
        }
    }
    return pairs;
}

/// The longest stretch in which each call is held, by its place in calls_of(); no length: none.
std::vector<BlockedCall> holds_of(const Run& run, const std::vector<Row>& calls)
{
    std::vector<BlockedCall> by_call(run.trace.calls.size(), BlockedCall {});
    for (const auto& held : run.blocking.calls) {
        auto& longest = by_call[held.call];
        longest = held.end - held.start > longest.end - longest.start ? held : longest;
    }
    std::vector<BlockedCall> holds;
    for (const auto call : calls) {
        holds.push_back(by_call[call]);
    }
    return holds;
}

std::string cause_of(const BlockedCall& held)
{
    return held.end > held.start ? std::string(name_of(held.cause)) : "none";
}

/// Calls that are held for longer than `near` in one run, but not, or for another cause, in the other; "" if none.
std::string other_causes(const Run& recorded, const Run& model)
{
    const auto calls = calls_of(recorded.trace);
    const auto model_calls = calls_of(model.trace);
    if (calls.size() != model_calls.size()) {
        return "other calls";
    }
    const auto holds = holds_of(recorded, calls);
    const auto model_holds = holds_of(model, model_calls);
    std::map<std::string, std::size_t> found;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const Ns longest = std::max(holds[i].end - holds[i].start, model_holds[i].end - model_holds[i].start);
        if (longest > near && cause_of(holds[i]) != cause_of(model_holds[i])) {
            ++found[cause_of(holds[i]) + " / " + cause_of(model_holds[i])];
        }
    }
    std::string text;
    for (const auto& [causes, count] : found) {
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " x " + causes;
    }
    return text;
}

std::string percent(double fraction)
{
    return fraction < 0 ? "none" : std::to_string(std::lround(100 * fraction)) + " %";
}

struct Pair {
    std::string variant;
    Figures recorded, model;
    std::optional<std::size_t> pairs;
    std::string causes;

    double ratio() const { return static_cast<double>(model.total) / static_cast<double>(recorded.total); }
    bool agrees() const
    {
        return std::abs(ratio() - 1) <= most_off_total && std::abs(model.hidden - recorded.hidden) <= most_off_hidden
            && pairs == 0U && causes.empty();
    }
};

/// The pairs of variants whose order by total time is clear in the recordings and not that of the model; "" if none.
/// Where the model has the two as good as equal it says so: the recordings may then differ by chance alone.
std::string pairs_swapped(const std::vector<Pair>& rows)
{
    std::string text;
    for (const auto& a : rows) {
        for (const auto& b : rows) {
            const auto by = [](const Figures& x, const Figures& y) {
                return static_cast<double>(x.total) / static_cast<double>(y.total) - 1;
            };
            if (by(a.recorded, b.recorded) < -clearly && by(a.model, b.model) >= 0) {
                text += (text.empty() ? "" : ", ") + ("`" + a.variant) + "` before `" + b.variant + "`"
                    + (by(a.model, b.model) < clearly ? " (equal in the model)" : "");
            }
        }
    }
    return text;
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
                const auto recorded = run_of(open_recording(file));
                const auto model = model_of(recorded.trace, device);
                workloads[name].push_back({variant.name, figures_of(recorded), figures_of(model),
                    pairs_out_of_order(recorded.trace, model.trace), other_causes(recorded, model)});
            }
        }
    }
    std::printf("| workload | variant | recorded | model | model / recorded | copies hidden, recorded | model "
                "| starts out of order | held for another cause | |\n"
                "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |\n");
    int missed = 0;
    for (const auto& [name, rows] : workloads) {
        for (const auto& row : rows) {
            missed += row.agrees() ? 0 : 1;
            std::printf("| `%s` | `%s` | %.3f ms | %.3f ms | %.3f | %s | %s | %s | %s | %s |\n", name.c_str(),
                row.variant.c_str(), static_cast<double>(row.recorded.total) / 1e6,
                static_cast<double>(row.model.total) / 1e6, row.ratio(), percent(row.recorded.hidden).c_str(),
                percent(row.model.hidden).c_str(), row.pairs ? std::to_string(*row.pairs).c_str() : "other operations",
                row.causes.empty() ? "none" : row.causes.c_str(), row.agrees() ? "" : "misses");
        }
        if (const auto swapped = pairs_swapped(rows); !swapped.empty()) {
            ++missed;
            std::printf("| `%s` | | | | | | | | | order of variants, recorded: %s |\n", name.c_str(), swapped.c_str());
        }
    }
    std::printf("\n%d of the rows and orders above miss (total within %.0f %%, hidden fraction within %.2f, "
                "no two starts swapped that lie %lld us apart, the same cause of every wait that long).\n",
        missed, 100 * most_off_total, most_off_hidden, static_cast<long long>(near / 1000));
    return workloads.empty() ? 1 : 0;
}
