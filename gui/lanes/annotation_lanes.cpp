// SPDX-License-Identifier: MIT
#include "gui/lanes/annotation_lanes.h"

#include "engine/ascii.h"
#include "gui/lanes/lane_kinds.h"

#include <algorithm>
#include <map>
#include <set>

namespace lanes::gui {

namespace {

/// "compute (2)" is the second of that name.
std::pair<std::string, std::size_t> baseOf(const std::string& name)
{
    const std::size_t open = name.rfind(" (");
    if (open == std::string::npos || name.back() != ')') {
        return {name, 1};
    }
    const std::string number = name.substr(open + 2, name.size() - open - 3);
    const bool isNumber = number.size() < 6 && ascii::is_all_digits(number);
    return isNumber ? std::pair(name.substr(0, open), std::stoul(number)) : std::pair(name, std::size_t {1});
}

/// By row of the trace; no_row where there is none of that name.
Row streamNamed(const Trace& trace, const std::string& name)
{
    auto [base, number] = baseOf(name);
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        if (trace.label_of(trace.streams[stream]) == base && --number == 0) {
            return stream;
        }
    }
    return no_row;
}

/// Whether it does what annotations call `engine`, with any operation that it has.
bool usesEngine(const Lane& lane, const std::string& engine)
{
    for (unsigned kind = 0; kind < 7; ++kind) {
        const auto of = static_cast<OperationKind>(kind);
        LaneKey key = lane.key;
        key.id = has(lane.work.all, of) ? static_cast<std::uint32_t>(engineOf(of)) : 0;
        if (has(lane.work.all, of) && engineInAnnotations(key.device, key.id) == engine) {
            return true;
        }
    }
    return false;
}

/// Whether an item of `lane` lies at `time` that is an operation of `stream`, or of `engine` where there is no stream.
bool worksAt(const LaneModel& model, const Lane& lane, Ns time, Row stream, const std::string& engine)
{
    const OperationTable& operations = model.trace().operations;
    for (const LaneRow& row : lane.rows) {
        for (std::size_t i = row.items.firstEndingAfter(time); i < row.items.size() && row.items.start(i) <= time;
             ++i) {
            const ItemRef item = row.itemAt(i);
            LaneKey key = lane.key;
            if (item.kind != ItemKind::operation) {
                continue;
            }
            key.id = static_cast<std::uint32_t>(engineOf(operations.kind[item.row]));
            if (stream != no_row ? operations.stream[item.row] == stream
                                 : engineInAnnotations(key.device, key.id) == engine) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

std::optional<std::size_t> laneOfAnnotation(
    const LaneModel& model, const std::vector<std::string>& names, const std::string& name, Ns time)
{
    if (const auto found = std::find(names.begin(), names.end(), name); found != names.end()) {
        return static_cast<std::size_t>(found - names.begin());
    }
    const Row stream = streamNamed(model.trace(), name);
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < model.lanes().size(); ++i) {
        const Lane& lane = model.lanes()[i];
        const bool isOfStream = lane.key.kind == LaneKind::stream ? lane.row == stream
                                                                  : lane.key.kind == LaneKind::engine
                && std::find(lane.streams.begin(), lane.streams.end(), stream) != lane.streams.end();
        const bool isSame = stream != no_row ? isOfStream : lane.key.kind == LaneKind::stream && usesEngine(lane, name);
        if (isSame && worksAt(model, lane, time, stream, name)) {
            return i;
        }
        first = isSame && !first ? i : first;
    }
    return first;
}

std::vector<std::string> annotationLanes(const LaneModel& model)
{
    std::vector<std::string> names;
    std::map<std::string, int> seen;
    for (const Lane& lane : model.lanes()) {
        std::string name = laneKindRow(lane.key.kind).inAnnotations(model.trace(), lane.key, lane.row);
        const int count = ++seen[name];
        names.push_back(count == 1 ? name : name + " (" + std::to_string(count) + ')');
    }
    return names;
}

std::vector<std::string> laneNamesForAnnotations(const RecordingPtr& recording)
{
    std::vector<std::string> all;
    std::set<std::string> seen;
    for (const LaneGrouping grouping : {LaneGrouping::stream, LaneGrouping::engine}) {
        for (std::string& name : annotationLanes(LaneModel(recording, LaneModel::Rows::later, {grouping, {}}))) {
            if (seen.insert(name).second) {
                all.push_back(std::move(name));
            }
        }
    }
    return all;
}

}  // namespace lanes::gui
