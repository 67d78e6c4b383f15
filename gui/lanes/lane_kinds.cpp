// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_kinds.h"

#include <algorithm>

namespace lanes::gui {

namespace {

using Of = LaneKindRow;

bool underNothing(const LaneKey& /*head*/, const LaneKey& /*key*/)
{
    return false;
}

/// Headers come right before what belongs to them, so that the GPU is the lane's.
bool underGpu(const LaneKey& head, const LaneKey& /*key*/)
{
    return head.kind == LaneKind::gpu;
}

/// Where it is a row of a device, of that; else of its process or of those that issue nothing.
bool threadUnder(const LaneKey& head, const LaneKey& key)
{
    const bool ofGpu = key.context != 0;
    return head.kind == LaneKind::gpu
        ? ofGpu
        : !ofGpu && !isOverStreams(head) && (head.kind == LaneKind::others || key.process == head.process);
}

bool streamUnder(const LaneKey& head, const LaneKey& key)
{
    return head.kind == LaneKind::gpu || (isOverStreams(head) && head.device == key.device);
}

/// "stream 7" of what computes, as of all that a stream did; the other parts are told apart by a word.
std::string streamInAnnotations(const Trace& trace, const LaneKey& key, Row row)
{
    const std::string label(trace.label_of(trace.streams[row]));
    return key.part == StreamPart::communication ? label + " communication"
        : key.part == StreamPart::copies         ? label + " copies"
                                                 : label;
}

bool counterUnder(const LaneKey& head, const LaneKey& key)
{
    return head.kind == LaneKind::gpu
        ? key.device == head.device
        : head.kind == LaneKind::process && key.device == no_id && key.process == head.process;
}

std::string_view noName(const Trace& /*trace*/, Row /*row*/)
{
    return {};
}

/// The rows that cannot be there twice, in the order of LaneKind.
constexpr std::array<LaneKindRow, laneKindCount> rows {{
    {LaneKind::overlap, "overlap", Of::Rows::ribbon, Of::Figure::overlap, Of::Weight::first, underNothing, noName,
        [](const Trace&, const LaneKey&, Row) { return std::string("overlap"); }},
    {LaneKind::thread, "thread", Of::Rows::host, Of::Figure::blocked, Of::Weight::thread, threadUnder,
        [](const Trace& trace, Row row) { return trace.text(trace.threads[row].name); },
        [](const Trace& trace, const LaneKey&, Row row) {
            const Thread& thread = trace.threads[row];
            const std::string own(trace.text(thread.name));
            return !own.empty() ? own : "thread " + std::to_string(thread.id);
        }},
    {LaneKind::gpu, "gpu", Of::Rows::device, Of::Figure::busyOfGpu, Of::Weight::aside, underNothing, noName,
        [](const Trace&, const LaneKey& key, Row) { return "GPU " + std::to_string(key.device); }},
    {LaneKind::stream, "stream", Of::Rows::device, Of::Figure::busy, Of::Weight::work, streamUnder,
        [](const Trace& trace, Row row) { return trace.text(trace.streams[row].name); }, streamInAnnotations},
    {LaneKind::engine, "engine", Of::Rows::device, Of::Figure::busy, Of::Weight::work, underGpu, noName,
        [](const Trace&, const LaneKey& key, Row) { return engineInAnnotations(key.device, key.id); }},
    {LaneKind::process, "process", Of::Rows::none, Of::Figure::none, Of::Weight::aside, underNothing, noName,
        [](const Trace&, const LaneKey& key, Row) { return "process " + std::to_string(key.process); }},
    {LaneKind::counter, "counter", Of::Rows::none, Of::Figure::value, Of::Weight::aside, counterUnder,
        [](const Trace& trace, Row row) { return trace.text(trace.counters[row].name); },
        [](const Trace& trace, const LaneKey&, Row row) { return std::string(trace.text(trace.counters[row].name)); }},
    {LaneKind::others, "others", Of::Rows::none, Of::Figure::none, Of::Weight::aside, underNothing, noName,
        [](const Trace&, const LaneKey& key, Row) {
            return isOverStreams(key) ? "GPU " + std::to_string(key.device) + " other streams" : "other threads";
        }},
    {LaneKind::gpuTime, "gpu-time", Of::Rows::graph, Of::Figure::gpuTime, Of::Weight::work, underGpu, noName,
        [](const Trace&, const LaneKey& key, Row) { return "GPU " + std::to_string(key.device) + " busy"; }},
}};

constexpr bool areInOrder()
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].kind != static_cast<LaneKind>(i) || rows[i].word.empty()) {
            return false;
        }
    }
    return true;
}
static_assert(areInOrder(), "each kind of lane has its row, in the order of LaneKind");

}  // namespace

const std::array<LaneKindRow, laneKindCount>& laneKinds()
{
    return rows;
}

std::string engineInAnnotations(std::uint32_t device, std::uint32_t id)
{
    static constexpr const char* names[] {"SMs", "H2D", "D2H", "P2P", "D2D", "H2H", "memset"};
    return "GPU " + std::to_string(device) + ' ' + names[std::min<std::uint32_t>(id, std::size(names) - 1)];
}

}  // namespace lanes::gui
