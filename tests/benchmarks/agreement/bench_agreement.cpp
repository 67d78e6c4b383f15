// SPDX-License-Identifier: MIT
// How well the model device agrees with a real GPU: every shipped recording of a
// workload against the model's run of the same variant. Prints a Markdown table:
// total time, the ratio of the two, the copy-hidden fraction of both, the pairs of
// operations that start in another order, and the steps that are held for another cause.
//
// bench_agreement [--markdown] [RECORDINGS_FOLDER MODEL_DEVICE]..., by default every model device of resources/devices
// that has recordings in resources/recordings. docs/model-agreement.md is what it prints with --markdown.
#include "engine/analysis/report.h"
#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/run/model_files.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/resources.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

using namespace lanes;

namespace {

constexpr double most_off_total = 0.10;
constexpr double most_off_hidden = 0.10;
constexpr double clearly = 0.02;  ///< totals within this fraction of each other count as equal
constexpr Ns near = 20'000;  ///< starts closer than this have no order; waits shorter than this are none

/// The figures by which the two are compared.
struct Figures {
    Ns total = 0;
    double hidden = -1;  ///< fraction of copy time; -1: no copies
    bool faulted = false;  ///< it ended when the driver reported a fault
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
    constexpr std::int32_t illegal_address = 700;
    const auto& results = run.trace.calls.result;
    const auto report = make_report(run.trace, run.blocking);
    Ns copy = 0;
    Ns hidden = 0;
    for (const auto& gpu : report.gpus) {
        copy += gpu.copy;
        hidden += gpu.copy_hidden;
    }
    return {report.wall, copy > 0 ? static_cast<double>(hidden) / static_cast<double>(copy) : -1,
        std::find(results.begin(), results.end(), illegal_address) != results.end()};
}

Run model_of(const Trace& recorded, const ModelDevice& device)
{
    const auto workload = find_workload(recorded.meta.at(meta::workload));
    TraceBuilder records;
    run_model(compile(workload, recorded.meta.at(meta::variant)), device, records);
    return run_of(records.finish(Source::model));
}

/// Steps of the program in the order of their thread: both runs do the same, whatever calls their libraries add.
class Steps {
public:
    explicit Steps(const Trace& trace)
        : m_trace(trace)
        , m_starts(trace.threads.size())
    {
        for (const auto& step : trace.steps) {
            m_starts[step.thread].push_back(step.start);
        }
        for (auto& starts : m_starts) {
            std::sort(starts.begin(), starts.end());
        }
    }

    /// The thread's index among those with steps, and how many steps it had begun when it made this call.
    std::pair<std::size_t, std::size_t> of_call(Row call) const
    {
        const auto thread = m_trace.calls.thread[call];
        const auto& starts = m_starts[thread];
        const auto before = std::upper_bound(starts.begin(), starts.end(), m_trace.calls.start[call]);
        const auto place = std::count_if(
            m_starts.begin(), m_starts.begin() + thread, [](const auto& each) { return !each.empty(); });
        return {static_cast<std::size_t>(place), static_cast<std::size_t>(before - starts.begin())};
    }

    std::vector<std::size_t> counts() const
    {
        std::vector<std::size_t> counts;
        for (const auto& starts : m_starts) {
            if (!starts.empty()) {
                counts.push_back(starts.size());
            }
        }
        return counts;
    }

private:
    const Trace& m_trace;
    std::vector<std::vector<Ns>> m_starts;  ///< by thread
};

/// The operations in the order of the steps that issued them, those of one step by device and start.
std::vector<Row> operations_of(const Trace& trace)
{
    const Steps steps(trace);
    std::vector<std::tuple<std::pair<std::size_t, std::size_t>, std::uint32_t, Row>> places;
    for (const auto row : trace.operations_by_time()) {
        if (const auto call = trace.operations.call[row]; call != no_row) {
            places.emplace_back(steps.of_call(call), trace.streams[trace.operations.stream[row]].device, row);
        }
    }
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    std::vector<Row> operations;
    for (const auto& place : places) {
        operations.push_back(std::get<2>(place));
    }
    return operations;
}

/// Pairs of operations on different streams of a device that start in the other order, but for those `near` each other
/// in either run. none: the runs have different operations.
std::optional<std::size_t> pairs_out_of_order(const Trace& a, const Trace& b)
{
    const auto of_a = operations_of(a);
    const auto of_b = operations_of(b);
    if (of_a.size() != of_b.size()) {
        return {};
    }
    const auto device = [&](std::size_t i) { return a.streams[a.operations.stream[of_a[i]]].device; };
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
        if (a.operations.kind[of_a[i]] != b.operations.kind[of_b[i]]) {
            return {};
        }
        for (std::size_t k = 0; k < i; ++k) {
            const Ns in_a = a.operations.start[of_a[i]] - a.operations.start[of_a[k]];
            const Ns in_b = b.operations.start[of_b[i]] - b.operations.start[of_b[k]];
            const bool has_order = std::min(std::abs(in_a), std::abs(in_b)) >= near;
            const bool crosses = a.operations.stream[of_a[i]] != a.operations.stream[of_a[k]] && device(i) == device(k);
            pairs += has_order && crosses && (in_a < 0) != (in_b < 0) ? 1 : 0;
        }
    }
    return pairs;
}

/// The longest stretch in which a call of each step is held.
std::map<std::pair<std::size_t, std::size_t>, BlockedCall> holds_of(const Run& run)
{
    const Steps steps(run.trace);
    std::map<std::pair<std::size_t, std::size_t>, BlockedCall> holds;
    for (const auto& held : run.blocking.calls) {
        const auto [place, is_new] = holds.try_emplace(steps.of_call(held.call), held);
        if (!is_new && held.end - held.start > place->second.end - place->second.start) {
            place->second = held;
        }
    }
    return holds;
}

/// Steps that are held for longer than `near` in one run, but not, or for another cause, in the other; "" if none.
std::string other_causes(const Run& recorded, const Run& model)
{
    if (Steps(recorded.trace).counts() != Steps(model.trace).counts()) {
        return "other steps";
    }
    const auto holds = holds_of(recorded);
    const auto model_holds = holds_of(model);
    std::map<std::string, std::size_t> found;
    const auto compare = [&](const auto& of, const auto& others, bool of_model) {
        for (const auto& [step, held] : of) {
            const auto other = others.find(step);
            const bool there = other != others.end();
            if (held.end - held.start <= near || (there && other->second.cause == held.cause)) {
                continue;
            }
            if (of_model && there && other->second.end - other->second.start > near) {
                continue;  // counted the other way round
            }
            const std::string cause(name_of(held.cause));
            const std::string instead = there ? std::string(name_of(other->second.cause)) : "none";
            ++found[of_model ? instead + " / " + cause : cause + " / " + instead];
        }
    };
    compare(holds, model_holds, false);
    compare(model_holds, holds, true);
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
    Ns spread = 0;  ///< by how much the model's total may be longer or shorter

    /// How far the recorded total is outside of what the model allows, as a fraction of it.
    double off_total() const
    {
        const Ns off = std::max<Ns>(0, std::abs(model.total - recorded.total) - spread);
        return static_cast<double>(off) / static_cast<double>(recorded.total);
    }
    double ratio() const { return static_cast<double>(model.total) / static_cast<double>(recorded.total); }
    /// What disagrees, in words; "" if nothing does.
    std::string misses() const
    {
        std::string text;
        const auto add = [&](bool miss, const char* what) {
            text += !miss ? "" : text.empty() ? what : std::string(", ") + what;
        };
        add(off_total() > most_off_total, "total");
        add(std::abs(model.hidden - recorded.hidden) > most_off_hidden, "hidden");
        add(pairs != 0U, "order");
        add(!causes.empty(), "cause");
        return text;
    }
};

/// The pairs of variants whose order by total time is clear in the recordings but differs in the model; "" if none.
/// If the two are about equal in the model, the recordings may differ by chance.
std::string pairs_swapped(const std::vector<Pair>& rows)
{
    std::string text;
    for (const auto& a : rows) {
        for (const auto& b : rows) {
            const auto by = [](const Figures& x, const Figures& y) {
                return static_cast<double>(x.total) / static_cast<double>(y.total) - 1;
            };
            if (by(a.recorded, b.recorded) < -clearly && by(a.model, b.model) >= clearly) {
                text += (text.empty() ? "" : ", ") + ("`" + a.variant) + "` before `" + b.variant + "`";
            }
        }
    }
    return text;
}

/// "WORKLOAD.VARIANT: why", a line each, from reasons.txt beside this file: why known differences exist.
std::map<std::string, std::string> known_reasons()
{
    std::map<std::string, std::string> reasons;
    std::ifstream file(std::string(LANES_AGREEMENT) + "/reasons.txt");
    for (std::string line; std::getline(file, line);) {
        if (const auto colon = line.find(": "); colon != std::string::npos && line.front() != '#') {
            reasons[line.substr(0, colon)] = line.substr(colon + 2);
        }
    }
    return reasons;
}

struct Summary {
    int variants = 0, totals = 0, hidden = 0, orders = 0, causes = 0;
};

/// One device's table. False: there are no recordings in `folder`.
bool print_device(const std::filesystem::path& folder, const std::string& device_name, bool markdown)
{
    const auto device = load_model_device_file(model_device_path(device_name).string());
    std::map<std::string, std::vector<Pair>> workloads;
    std::string recorded_on;
    for (const auto& name : catalogue_names()) {
        for (const auto& variant : find_workload(name).variants) {
            const auto file = folder / (name + "." + variant.name + ".sqlite");
            if (std::filesystem::exists(file)) {
                const auto recorded = run_of(open_recording(file));
                const auto model = model_of(recorded.trace, device.device);
                recorded_on = recorded.trace.meta.at(meta::device);
                Pair pair {variant.name, figures_of(recorded), figures_of(model),
                    pairs_out_of_order(recorded.trace, model.trace), other_causes(recorded, model)};
                if (pair.recorded.faulted && pair.model.faulted) {
                    pair.spread = device.device.fault_report_spread;
                }
                workloads[name].push_back(std::move(pair));
            }
        }
    }
    if (workloads.empty()) {
        return false;
    }
    std::printf("%s`%s` against recordings of %s\n\n", markdown ? "## " : "", device_name.c_str(), recorded_on.c_str());
    std::printf("| workload | variant | recorded | model | model / recorded | copies hidden, recorded | model "
                "| starts out of order | held for another cause | misses |\n"
                "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |\n");
    Summary sum;
    std::vector<std::string> missed;
    const auto reasons = known_reasons();
    for (const auto& name : catalogue_names()) {
        const auto& rows = workloads[name];
        for (const auto& row : rows) {
            const auto misses = row.misses();
            const auto spread = row.spread == 0 ? "" : " ± " + std::to_string(row.spread / 1'000'000);
            std::printf("| `%s` | `%s` | %.3f ms | %.3f%s ms | %.3f | %s | %s | %s | %s | %s |\n", name.c_str(),
                row.variant.c_str(), static_cast<double>(row.recorded.total) / 1e6,
                static_cast<double>(row.model.total) / 1e6, spread.c_str(), row.ratio(),
                percent(row.recorded.hidden).c_str(), percent(row.model.hidden).c_str(),
                row.pairs ? std::to_string(*row.pairs).c_str() : "other operations",
                row.causes.empty() ? "none" : row.causes.c_str(), misses.c_str());
            ++sum.variants;
            sum.totals += misses.find("total") == std::string::npos ? 1 : 0;
            sum.hidden += misses.find("hidden") == std::string::npos ? 1 : 0;
            sum.orders += misses.find("order") == std::string::npos ? 1 : 0;
            sum.causes += misses.find("cause") == std::string::npos ? 1 : 0;
            if (!misses.empty()) {
                const auto full = name + "." + row.variant;
                auto reason = reasons.find(device_name + "/" + full);
                reason = reason == reasons.end() ? reasons.find(full) : reason;
                missed.push_back(
                    "`" + full + "` (" + misses + ")" + (reason == reasons.end() ? "" : ": " + reason->second));
            }
        }
        if (const auto swapped = pairs_swapped(rows); !swapped.empty()) {
            missed.push_back("`" + name + "`: order of variants, recorded " + swapped);
        }
    }
    std::printf("\n%d variants: total within %.0f %% in %d, copy-hidden fraction within %.1f in %d, no two starts of a "
                "device swapped that lie %lld us apart in %d, every wait that long for the same cause in %d.\n\n",
        sum.variants, 100 * most_off_total, sum.totals, most_off_hidden, sum.hidden,
        static_cast<long long>(near / 1000), sum.orders, sum.causes);
    for (const auto& line : missed) {
        std::printf("- %s\n", line.c_str());
    }
    std::printf("%s", missed.empty() ? "" : "\n");
    return true;
}

}  // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> words(argv + 1, argv + argc);
    const auto markdown = std::erase(words, "--markdown") > 0;
    if (markdown) {
        std::printf(
            "# The model device against real GPUs\n\n"
            "Written by `bench_agreement --markdown`: the shipped recordings of the catalogue's workloads, each "
            "against the model's run of the same variant. The model devices are fitted to recordings of the "
            "calibration workloads (`lanes calibrate`), other runs of other workloads. A wait is a step whose "
            "call was blocked; what is compared is the longest block of each step.\n\n"
            "A fault of a kernel is reported 100 or 150 ms after it. On two hosts it took 150 where a call waited for "
            "the "
            "GPU already and 100 where none did, on a third of the same kind it was the other way round: nothing in a "
            "program decides it. The model has the middle of the two and says ±; a total agrees there if it is within "
            "10 %% of what lies between.\n\n");
    }
    bool any = false;
    if (words.size() >= 2) {
        for (std::size_t k = 0; k + 1 < words.size(); k += 2) {
            any = print_device(words[k], words[k + 1], markdown) || any;
        }
    } else {
        for (const auto& name : model_device_names()) {
            any = print_device(resource("recordings/" + name), name, markdown) || any;
        }
    }
    return any ? 0 : 1;
}
