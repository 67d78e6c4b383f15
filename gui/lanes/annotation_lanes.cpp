// SPDX-License-Identifier: MIT
#include "gui/lanes/annotation_lanes.h"

#include <map>

namespace lanes::gui {

namespace {

std::string engineInAnnotations(const LaneKey& key)
{
    static constexpr const char* names[] {"SMs", "H2D", "D2H", "P2P", "D2D", "H2H", "memset"};
    return "GPU " + std::to_string(key.device) + ' ' + names[std::min<std::uint32_t>(key.id, std::size(names) - 1)];
}

std::string nameInAnnotations(const LaneModel& model, const Lane& lane)
{
    const Trace& trace = model.trace();
    switch (lane.key.kind) {
    case LaneKind::overlap:
        break;
    case LaneKind::process:
        return "process " + std::to_string(lane.key.process);
    case LaneKind::thread: {
        const Thread& thread = trace.threads[lane.row];
        const std::string own(trace.text(thread.name));
        return !own.empty() ? own : "thread " + std::to_string(thread.id);
    }
    case LaneKind::gpu:
        return "GPU " + std::to_string(lane.key.device);
    case LaneKind::stream:
        return std::string(trace.label_of(trace.streams[lane.row]));
    case LaneKind::engine:
        return engineInAnnotations(lane.key);
    case LaneKind::counter:
        return std::string(trace.text(trace.counters[lane.row].name));
    }
    return "overlap";
}

}  // namespace

std::vector<std::string> annotationLanes(const LaneModel& model)
{
    std::vector<std::string> names;
    std::map<std::string, int> seen;
    for (const Lane& lane : model.lanes()) {
        std::string name = nameInAnnotations(model, lane);
        const int count = ++seen[name];
        names.push_back(count == 1 ? name : name + " (" + std::to_string(count) + ')');
    }
    return names;
}

}  // namespace lanes::gui
