// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/kernel_sizes.h"

#include "engine/analysis/words/shown.h"
#include "engine/formatted.h"
#include "engine/trace/meta_keys.h"
#include "engine/workload/workload.h"

#include <algorithm>
#include <sstream>

namespace lanes {

namespace {

/// As given to `--set`, a line each.
Settings recorded_settings(const Trace& trace)
{
    Settings settings;
    const auto found = trace.meta.find(meta::settings);
    std::istringstream lines(found == trace.meta.end() ? "" : found->second);
    for (std::string line; std::getline(lines, line);) {
        if (const auto equals = line.find('='); equals != std::string::npos) {
            settings[line.substr(0, equals)] = line.substr(equals + 1);
        }
    }
    return settings;
}

}  // namespace

std::vector<KernelSize> kernel_sizes(const Trace& trace)
{
    const auto text = trace.meta.find(meta::workload_text);
    const auto variant = trace.meta.find(meta::variant);
    if (text == trace.meta.end()) {
        return {};
    }
    std::vector<KernelSize> sizes;
    try {
        const auto program = compile(parse_workload(text->second, ""),
            variant == trace.meta.end() ? "" : variant->second, recorded_settings(trace));
        for (const auto& thread : program.threads) {
            for (const auto& instruction : thread.instructions) {
                if (const auto* kernel = std::get_if<KernelAction>(&instruction.action)) {
                    KernelSize size {kernel->name, kernel->time, kernel->flops, kernel->bytes};
                    if (sizes.empty() || sizes.back() != size) {
                        sizes.push_back(std::move(size));
                    }
                }
            }
        }
    } catch (const WorkloadError&) {
        return {};  // of another version of the language
    }
    std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a < b; });
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::string shown_size(const KernelSize& size)
{
    if (size.time > 0) {
        return shown_time(size.time);
    }
    return size.bytes > 0 ? shown_bytes(static_cast<std::uint64_t>(size.bytes)) : formatted("{:.3g} FLOP", size.flops);
}

}  // namespace lanes
