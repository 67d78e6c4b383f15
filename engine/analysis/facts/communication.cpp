// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/communication.h"

#include <unordered_map>

namespace lanes {

CommunicationKernels::CommunicationKernels(const Trace& trace)
{
    std::unordered_map<StringId, bool> known;
    const auto communicates = [&](StringId name) {
        const auto [at, is_new] = known.try_emplace(name, false);
        if (is_new) {
            at->second = !communication_of(trace.text(name)).empty();
        }
        return at->second;
    };
    std::vector<bool> of_detail(trace.kernels.size());
    bool any = false;
    StringId last_name = 0;
    Row last_detail = no_row;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const Row detail = trace.operations.detail[row];
        const StringId name = trace.operations.name[row];
        if (trace.operations.kind[row] != OperationKind::kernel || (detail == last_detail && name == last_name)) {
            continue;
        }
        last_detail = detail;
        last_name = name;
        if (!of_detail[detail] && (communicates(trace.kernels[detail].full_name) || communicates(name))) {
            of_detail[detail] = true;
            any = true;
        }
    }
    if (any) {
        m_of_detail = std::move(of_detail);
    }
}

std::string communication_of(const Trace& trace, Row operation)
{
    if (trace.operations.kind[operation] != OperationKind::kernel) {
        return {};
    }
    auto what = communication_of(trace.text(trace.operations.name[operation]));
    return what.empty() ? communication_of(trace.text(trace.kernels[trace.operations.detail[operation]].full_name))
                        : what;
}

}  // namespace lanes
