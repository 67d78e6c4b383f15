// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_choice.h"

#include "engine/trace/meta_keys.h"

namespace lanes::gui {

bool isOfWorkload(const Trace& trace)
{
    return trace.meta.contains(meta::workload);
}

bool areGpusFirst(const Trace& trace, LaneOrder order)
{
    return order == LaneOrder::gpusFirst || (order == LaneOrder::usual && !isOfWorkload(trace));
}

bool areFamiliesShown(const Trace& trace, LaneColours colours)
{
    return colours == LaneColours::families || (colours == LaneColours::usual && !isOfWorkload(trace));
}

const std::string& LaneChoice::filterText() const
{
    static const std::string none;
    return filter ? filter->text() : none;
}

ShownEvents::ShownEvents(const Recording& recording, const LaneChoice& choice)
{
    if (choice.filter && !choice.filter->empty()) {
        m_matcher.emplace(*choice.filter, *recording.trace, recording.blocking.get());
    }
}

Engine engineOf(OperationKind kind)
{
    switch (kind) {
    case OperationKind::kernel:
        return Engine::sm;
    case OperationKind::h2d:
        return Engine::h2d;
    case OperationKind::d2h:
        return Engine::d2h;
    case OperationKind::p2p:
        return Engine::peer;
    case OperationKind::d2d:
        return Engine::device;
    case OperationKind::h2h:
        return Engine::host;
    case OperationKind::memset:
        break;
    }
    return Engine::memset;
}

}  // namespace lanes::gui
