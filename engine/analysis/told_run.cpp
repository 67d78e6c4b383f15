// SPDX-License-Identifier: MIT
#include "engine/analysis/told_run.h"

#include "engine/trace/meta_keys.h"
#include "engine/workload/catalogue.h"

#include <algorithm>
#include <string_view>

namespace lanes {

namespace {

std::string_view recorded_text(const Trace& trace, const char* key)
{
    const auto found = trace.meta.find(key);
    return found == trace.meta.end() ? std::string_view() : std::string_view(found->second);
}

/// Tells the run by the catalogue's workload if that does the same.
void retell(ToldRun& run, const Program& recorded)
{
    const auto newest = newest_of(run.workload);
    if (newest == run.workload) {
        return;
    }
    try {
        const Program program = compile(*newest, run.variant, run.settings);
        const auto places = same_steps(recorded, program);
        if (!places) {
            return;
        }
        for (std::size_t step = 0; step < places->size(); ++step) {
            if ((*places)[step] != no_id) {
                run.steps[step] = program.steps[(*places)[step]];
            }
        }
        run.workload = newest;
        run.is_newest = true;
    } catch (const WorkloadError&) {
        // It has other parameters now.
    }
}

}  // namespace

Settings recorded_settings(const Trace& trace)
{
    Settings settings;
    std::string_view rest = recorded_text(trace, meta::settings);
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (const auto equals = line.find('='); equals != std::string_view::npos && equals > 0) {
            settings[std::string(line.substr(0, equals))] = line.substr(equals + 1);
        }
    }
    return settings;
}

std::optional<ToldRun> told_run(const Trace& trace)
{
    const auto text = trace.meta.find(meta::workload_text);
    if (text == trace.meta.end()) {
        return {};
    }
    try {
        const std::string file = std::string(recorded_text(trace, meta::workload)) + ".yaml";
        ToldRun run {std::make_shared<const Workload>(parse_workload(text->second, file)),
            std::string(recorded_text(trace, meta::variant)), recorded_settings(trace), {}, false};
        const Program recorded = compile(*run.workload, run.variant, run.settings);
        run.steps = recorded.steps;
        retell(run, recorded);
        return run;
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace lanes
