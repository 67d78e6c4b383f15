// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/recorded_program.h"

#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <exception>
#include <string_view>

namespace lanes {

namespace {

/// As given to `--set`, a line each.
Settings recorded_settings(const Trace& trace)
{
    Settings settings;
    std::string_view rest = meta::text_of(trace.meta, meta::settings);
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (const auto equals = line.find('='); equals != std::string_view::npos && equals > 0) {
            settings[std::string(line.substr(0, equals))] = line.substr(equals + 1);
        }
    }
    return settings;
}

}  // namespace

std::optional<RecordedProgram> recorded_program(const Trace& trace)
{
    const std::string text(meta::text_of(trace.meta, meta::workload_text));
    if (text.empty()) {
        return {};
    }
    try {
        const auto file = std::string(meta::text_of(trace.meta, meta::workload)) + ".yaml";
        RecordedProgram recorded {std::make_shared<const Workload>(parse_workload(text, file)),
            std::string(meta::text_of(trace.meta, meta::variant)), recorded_settings(trace), {}};
        recorded.program = compile(*recorded.workload, recorded.variant, recorded.settings);
        return recorded;
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace lanes
