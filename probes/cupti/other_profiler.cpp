// SPDX-License-Identifier: MIT
#include "probes/cupti/other_profiler.h"

#include <cstdio>
#include <memory>

namespace lanes {

namespace {

struct Known {
    std::string_view mark, tool;
};

/// Parts of the names of libraries that the tools bring into a process.
constexpr Known libraries[] = {
    {"/libToolsInjection", "Nsight Systems"},
    {"/libcuda-injection", "Nsight Compute"},
    {"/libInterceptorInjectionTarget", "Nsight Compute"},
    {"/libsanitizer-collection", "Compute Sanitizer"},
    {"/libTreeLauncherTargetInjection", "a tool of the Nsight family"},
    {"/libcuinj64", "nvprof"},
    {"/libhpcrun", "HPCToolkit"},
    {"/libscorep", "Score-P"},
    {"/libTAU", "TAU"},
};

constexpr Known commands[] = {
    {"nsys", "Nsight Systems"},
    {"ncu", "Nsight Compute"},
    {"nv-nsight-cu-cli", "Nsight Compute"},
    {"nvprof", "nvprof"},
    {"compute-sanitizer", "Compute Sanitizer"},
    {"cuda-gdb", "cuda-gdb"},
    {"hpcrun", "HPCToolkit"},
    {"tau_exec", "TAU"},
};

}  // namespace

std::string profiler_in(std::string_view maps)
{
    for (const auto& [mark, tool] : libraries) {
        if (maps.find(mark) != std::string_view::npos) {
            return std::string(tool);
        }
    }
    return "";
}

std::string profiler_in_this_process()
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/maps", "re"), std::fclose);
    std::string maps;
    char part[65536];
    for (std::size_t got = 1; file != nullptr && got > 0;) {
        got = std::fread(part, 1, sizeof part, file.get());
        maps.append(part, got);
    }
    return profiler_in(maps);
}

std::string profiler_of(std::string_view command)
{
    const auto name = command.substr(command.rfind('/') + 1);
    for (const auto& [mark, tool] : commands) {
        if (name == mark) {
            return std::string(tool);
        }
    }
    return "";
}

}  // namespace lanes
