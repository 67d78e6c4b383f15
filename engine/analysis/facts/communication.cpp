// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/communication.h"

#include "engine/analysis/facts/families.h"
#include "engine/trace/names/kernel_name.h"

#include <array>

namespace lanes {

namespace {

struct CollectiveName {
    NamePattern pattern;
    const char* what;
};

/// "AllReduce" of "ncclDevKernel_AllReduce_Sum_f32_RING_LL": NCCL's own names go on with DevKernel or Kernel up to the
/// first '_'.
std::string_view of_nccl(std::string_view kernel)
{
    constexpr std::string_view apart = "_ :";
    const auto first = kernel.find_first_of(apart);
    if (first == std::string_view::npos || first + 1 == kernel.size()) {
        return kernel;
    }
    const auto rest = kernel.substr(first + 1);
    return kernel[first] != '_' ? rest : rest.substr(0, rest.find_first_of("_("));
}

/// What kernels of other libraries than NCCL do; the first that fits. Those that none fits are called by their names.
const std::array<CollectiveName, 12>& collective_names()
{
    static const std::array names {
        CollectiveName {NamePattern("all reduce*"), "AllReduce"},
        CollectiveName {NamePattern("*all reduce"), "AllReduce"},
        CollectiveName {NamePattern("cross device reduce"), "AllReduce"},
        CollectiveName {NamePattern("quick reduce"), "AllReduce"},
        CollectiveName {NamePattern("one shot reduce*"), "AllReduce"},
        CollectiveName {NamePattern("two shot reduce*"), "AllReduce"},
        CollectiveName {NamePattern("ar fusion"), "AllReduce"},
        CollectiveName {NamePattern("all gather*"), "AllGather"},
        CollectiveName {NamePattern("reduce scatter*"), "ReduceScatter"},
        CollectiveName {NamePattern("all to all*"), "AllToAll"},
        CollectiveName {NamePattern("a 2 a"), "AllToAll"},
        CollectiveName {NamePattern("send recv*"), "SendRecv"},
    };
    return names;
}

}  // namespace

CommunicationKernels::CommunicationKernels(const Trace& trace)
{
    const OperationFamilies families(trace);
    std::vector<bool> of_detail(trace.kernels.size());
    bool any = false;
    for (Row detail = 0; detail < of_detail.size(); ++detail) {
        of_detail[detail] = families.of_detail(detail) == Family::communication;
        any = any || of_detail[detail];
    }
    if (any) {
        m_of_detail = std::move(of_detail);
    }
}

std::string communication_of(std::string_view kernel)
{
    if (family_of(kernel) != Family::communication) {
        return {};
    }
    if (kernel.starts_with("nccl")) {
        return std::string(of_nccl(kernel));
    }
    const auto words = words_of(split_kernel_name(kernel).path);
    for (const auto& [pattern, what] : collective_names()) {
        if (pattern.fits(words)) {
            return what;
        }
    }
    return bare_kernel_name(kernel);
}

bool is_send(std::string_view what)
{
    return what == "SendRecv" || what == "send_recv";
}

std::string communication_of(const Trace& trace, Row operation)
{
    if (trace.operations.kind[operation] != OperationKind::kernel) {
        return {};
    }
    const auto full = trace.text(trace.kernels[trace.operations.detail[operation]].full_name);
    const auto shown = trace.text(trace.operations.name[operation]);
    const bool is_given = full.empty() || shown != short_kernel_name(full);
    auto what = is_given ? communication_of(shown) : std::string();
    return what.empty() ? communication_of(full) : what;
}

}  // namespace lanes
