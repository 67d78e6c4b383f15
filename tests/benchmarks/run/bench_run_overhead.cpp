// SPDX-License-Identifier: MIT
// What the runner costs: wall time of a workload through `lanes run --no-probe`, and
// with the probe, over that of the same calls written by hand. Prints the ratios.
//
// Each is a process of its own, and they take turns, so that a drifting clock or a
// busy host meets all of them alike; the medians are compared.
#include "engine/run/gpu_survey.h"
#include "engine/run/own_program.h"
#include "tests/benchmarks/run/by_hand.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Times = std::vector<std::int64_t>;

constexpr int rounds = 5;
constexpr int repeat = 5;

/// The numbers of "wall_ns": [...] in what a command prints.
Times wall_of(const std::string& command)
{
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) {
        throw std::runtime_error("cannot start: " + command);
    }
    std::string text;
    char bytes[4096];
    for (std::size_t count = 0; (count = std::fread(bytes, 1, sizeof bytes, pipe)) > 0;) {
        text.append(bytes, count);
    }
    if (pclose(pipe) != 0) {
        throw std::runtime_error("failed: " + command);
    }
    Times times;
    auto at = text.find("\"wall_ns\"");
    at = at == std::string::npos ? at : text.find('[', at);
    while (at != std::string::npos && text[at] != ']') {
        times.push_back(std::stoll(text.substr(at + 1)));
        at = text.find_first_of(",]", at + 1);
    }
    return times;
}

double median_ms(Times times)
{
    std::sort(times.begin(), times.end());
    return times.empty() ? 0 : static_cast<double>(times[times.size() / 2]) * 1e-6;
}

void compare(const lanes::by_hand::Case& it, const std::string& self, const std::string& lanes)
{
    const auto folder = std::filesystem::temp_directory_path() / ("lanes-bench-" + it.name);
    std::filesystem::create_directories(folder);
    const auto file = (folder / (it.name + ".yaml")).string();
    std::ofstream(file) << it.yaml;
    Times by_hand, bare, probed;
    const auto add = [](Times& all, const Times& more) { all.insert(all.end(), more.begin(), more.end()); };
    for (int round = 0; round < rounds; ++round) {
        add(by_hand, wall_of("'" + self + "' --by-hand " + it.name));
        add(bare,
            wall_of("'" + lanes + "' run '" + file + "' --device cuda --no-probe --json --progress none --repeat "
                + std::to_string(repeat)));
        add(probed,
            wall_of("'" + lanes + "' run '" + file + "' --device cuda --json --progress none -o '" + folder.string()
                + "'"));
    }
    std::filesystem::remove_all(folder);
    const double base = median_ms(by_hand);
    std::printf("%-10s by hand %8.3f ms, lanes run --no-probe %8.3f ms (x %.3f), with the probe %8.3f ms (x %.3f)\n",
        it.name.c_str(), base, median_ms(bare), median_ms(bare) / base, median_ms(probed), median_ms(probed) / base);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv)
{
    std::string lanes_program = lanes::own_folder() + "/lanes";
    for (int i = 1; i + 1 < argc; ++i) {
        if (std::strcmp(argv[i], "--lanes") == 0) {
            lanes_program = argv[i + 1];
        }
    }
    if (const auto survey = lanes::survey_gpus(); survey.gpus.empty()) {
        std::printf("bench_run_overhead: skipped, %s\n", survey.problem.c_str());
        return 0;
    }
    try {
        if (argc > 2 && std::strcmp(argv[1], "--by-hand") == 0) {
            std::printf("{\"wall_ns\": [");
            const char* comma = "";
            for (const auto time : lanes::by_hand::run(argv[2], repeat)) {
                std::printf("%s%lld", comma, static_cast<long long>(time));
                comma = ", ";
            }
            std::printf("]}\n");
            return 0;
        }
        for (const auto& it : lanes::by_hand::cases()) {
            compare(it, lanes::own_program(), lanes_program);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_run_overhead: %s\n", error.what());
        return 1;
    }
    return 0;
}
