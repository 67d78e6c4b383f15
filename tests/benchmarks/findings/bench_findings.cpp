// SPDX-License-Identifier: MIT
// What findings promise against what following them brought: for each two recordings, or runs of the model device, that
// differ only in what a finding advises, A's time less the finding's cost beside B's time. If a finding says that
// the gain depends on something that is not recorded, also A's time less that other gain. Shipped recordings of real
// GPUs (table.txt says which are such pairs), then programs on the model device for rules that none of those breaks.
#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/run/model_files.h"
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/resources.h"
#include "tests/engine/analysis/findings/finding_pairs.h"
#include "tests/engine/analysis/shipped/page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

using namespace lanes;
using namespace shipped;

namespace {

constexpr double most_off = 0.15;

struct Tally {
    int pairs = 0, within = 0, between = 0;
};

struct Gain {
    Ns cost = 0, otherwise = 0;
};

void print(Tally& tally, const std::string& gpu, const std::string& pair, const std::string& rule, Ns a, Gain gain,
    Ns b, const std::string& reason = {})
{
    const auto ms = [](Ns time) { return static_cast<double>(time) / 1e6; };
    const auto off = [&](Ns won) { return ms(a - won) / ms(b) - 1; };
    const bool is_within = std::fabs(off(gain.cost)) <= most_off;
    const bool is_open = gain.otherwise != gain.cost;
    const bool is_between = is_open && off(std::max(gain.cost, gain.otherwise)) <= most_off
        && off(std::min(gain.cost, gain.otherwise)) >= -most_off;
    ++tally.pairs;
    tally.within += is_within ? 1 : 0;
    tally.between += !is_within && is_between ? 1 : 0;
    std::printf("| %s | %s | %s | %.3f | %.3f | %.3f | ", gpu.c_str(), pair.c_str(), rule.c_str(), ms(a), ms(gain.cost),
        ms(a - gain.cost));
    if (is_open) {
        std::printf("%.3f", ms(a - gain.otherwise));
    }
    const char* const verdict = is_within ? "" : is_between ? "between the two: " : "off: ";
    std::printf(" | %.3f | %+.1f | %s%s |\n", ms(b), 100 * off(gain.cost), verdict, is_within ? "" : reason.c_str());
}

Reports read_reports(const std::filesystem::path& folder)
{
    Reports reports;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".sqlite") {
            const auto trace = open_recording(entry.path().string());
            auto report = make_report(trace, find_blocking(trace));
            reports[entry.path().parent_path().filename().string() + "/" + entry.path().stem().string()]
                = {report.wall, std::move(report.verdict), std::move(report.findings)};
        }
    }
    return reports;
}

/// A rule's; nothing: it is not found.
std::optional<Gain> gain_of(const std::vector<Finding>& findings, const std::string& rule)
{
    const auto found
        = std::find_if(findings.begin(), findings.end(), [&](const Finding& each) { return each.rule == rule; });
    return found == findings.end() ? std::nullopt : std::optional(Gain {found->cost, found->otherwise});
}

void of_recordings(Tally& tally, const std::filesystem::path& folder)
{
    const auto expectations = read_expectations(LANES_TREE "/tests/engine/analysis/shipped/table.txt");
    const auto reports = read_reports(folder);
    for (const auto& [name, report] : reports) {
        const auto expected = expectations.find(name.substr(name.find('/') + 1));
        if (expected == expectations.end()) {
            continue;
        }
        for (const auto& finding : expected->second.findings) {
            const auto gain = gain_of(report.findings, finding.rule);
            const auto saved = finding.sibling.empty() ? std::nullopt : saved_by(reports, name, finding.sibling);
            if (gain && saved) {
                print(tally, name.substr(0, name.find('/')), name.substr(name.find('/') + 1) + " -> " + finding.sibling,
                    finding.rule, report.wall, *gain, report.wall - *saved, expected->second.reason);
            }
        }
    }
}

void of_the_model(Tally& tally)
{
    const auto device = load_model_device(model_device_path("h100").string());
    for (const auto& pair : finding_pairs()) {
        const auto run = [&](const std::string& variant) {
            TraceBuilder records;
            run_model(compile(workload_of(pair), variant), device, records);
            const auto trace = records.finish(Source::model);
            return make_report(trace, find_blocking(trace));
        };
        const auto bad = run("bad");
        print(tally, "model", pair.name, pair.rule, bad.wall, gain_of(bad.findings, pair.rule).value_or(Gain {}),
            run("good").wall);
    }
}

}  // namespace

int main(int count, char** arguments)
{
    setenv("LANES_RESOURCES", LANES_TREE "/resources", 0);
    Tally tally;
    std::printf("| GPU | A -> B | rule | A ms | cost ms | A - cost ms | A - other gain ms | B ms | off %% | |\n"
                "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
    of_recordings(tally, count > 1 ? arguments[1] : LANES_TREE "/resources/recordings");
    of_the_model(tally);
    std::printf("\n%d pairs: A - cost within %.0f %% of B in %d; B between the two gains of the finding in %d more\n",
        tally.pairs, 100 * most_off, tally.within, tally.between);
    return 0;
}
