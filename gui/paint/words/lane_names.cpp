// SPDX-License-Identifier: MIT
#include "gui/paint/words/lane_names.h"

#include "engine/trace/meta_keys.h"
#include "engine/trace/names/device_rows.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"

#include <algorithm>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(LaneNames)
};

/// What a stream does, for the line under its name.
QString roleOf(const StreamKinds& work)
{
    const KindSet kinds = work.all;
    bool copies = false;
    for (const OperationKind kind :
        {OperationKind::h2d, OperationKind::d2h, OperationKind::d2d, OperationKind::p2p, OperationKind::h2h}) {
        copies = copies || has(kinds, kind);
    }
    if (has(kinds, OperationKind::kernel)) {
        return work.computes ? (copies ? Texts::tr("compute and copy") : Texts::tr("compute"))
            : copies         ? Texts::tr("communication and copy")
                             : Texts::tr("communication");
    }
    if (copies) {
        const bool up = has(kinds, OperationKind::h2d);
        const bool down = has(kinds, OperationKind::d2h);
        return up && !down ? Texts::tr("copy to the GPU")
            : down && !up  ? Texts::tr("copy to the host")
                           : Texts::tr("copy");
    }
    return Texts::tr("memset");
}

/// They differ in their beginnings, since the end may be cut off.
QString engineName(Engine engine)
{
    switch (engine) {
    case Engine::sm:
        return Texts::tr("SMs");
    case Engine::h2d:
        return Texts::tr("H2D copy engine");
    case Engine::d2h:
        return Texts::tr("D2H copy engine");
    case Engine::peer:
        return Texts::tr("P2P copies");
    case Engine::device:
        return Texts::tr("D2D copies");
    case Engine::host:
        return Texts::tr("H2H copies");
    case Engine::memset:
        break;
    }
    return Texts::tr("memset");
}

QString nameOfProcess(const Trace& trace, std::uint32_t id)
{
    const auto found = std::find_if(
        trace.processes.begin(), trace.processes.end(), [id](const Process& process) { return process.id == id; });
    return found == trace.processes.end() ? QString() : nameText(trace.text(found->name));
}

/// What tells a thread from others: of a process with several of one name its number, else the process; of a workload's
/// run, which is one process of ours, nothing.
QString subtitleOf(const LaneModel& model, const Thread& thread)
{
    const Trace& trace = model.trace();
    const auto namesake = [&](const Thread& other) {
        return &other != &thread && other.process == thread.process && other.name == thread.name;
    };
    if (thread.name != 0 && std::any_of(trace.threads.begin(), trace.threads.end(), namesake)) {
        return Texts::tr("thread %1").arg(thread.id);
    }
    const QString process = nameOfProcess(trace, thread.process);
    if (!process.isEmpty() && trace.meta.contains(meta::workload)) {
        return {};
    }
    return !process.isEmpty()          ? process
        : model.recording().is_model() ? Texts::tr("modelled thread")
                                       : Texts::tr("process %1").arg(thread.process);
}

/// Its rank first, where the recording says it: what two of one program differ by.
LaneName nameOfProcessLane(const LaneModel& model, std::uint32_t process)
{
    const QString program = nameOfProcess(model.trace(), process);
    const QString number = is_made_up(process) ? QString() : Texts::tr("process %1").arg(process);
    const auto& ranks = model.recording().ranks;
    const auto is_it = [&](const Rank& rank) { return rank.process == process; };
    if (const auto found = std::find_if(ranks.begin(), ranks.end(), is_it); found != ranks.end()) {
        return {Texts::tr("rank %1").arg(found->rank),
            program.isEmpty() || number.isEmpty() ? program + number : program + QStringLiteral(" \u00B7 ") + number};
    }
    return program.isEmpty() ? LaneName {number, {}} : LaneName {program, number};
}

LaneName nameOfThread(const LaneModel& model, const Thread& thread)
{
    const Trace& trace = model.trace();
    const QString own = nameText(trace.text(thread.name));
    if (const auto device = device_of_row(trace, thread); device != no_id) {
        return {Texts::tr("GPU %1").arg(device) + QStringLiteral("  ") + own, {}};
    }
    LaneName name;
    if (own.isEmpty()) {
        name.title = thread.order == 0 ? Texts::tr("CPU  main thread") : Texts::tr("CPU  thread %1").arg(thread.id);
    } else {
        name.title = Texts::tr("CPU  %1").arg(own);
    }
    name.subtitle = subtitleOf(model, thread);
    return name;
}

LaneName nameOfStream(const Trace& trace, const Stream& stream, const StreamKinds& work)
{
    LaneName name {nameText(trace.label_of(stream)), roleOf(work)};
    if (stream.name != 0 && !is_made_up(stream.id)) {
        name.subtitle = Texts::tr("stream %1 \u00B7 %2").arg(stream.id).arg(name.subtitle);
    } else if (stream.flag == StreamRecord::null) {
        name.subtitle = Texts::tr("default \u00B7 %1").arg(name.subtitle);
    }
    return name;
}

LaneName nameOfGpu(const Trace& trace, std::uint32_t device)
{
    LaneName name {Texts::tr("GPU %1").arg(device), {}};
    for (const Device& info : trace.devices) {
        if (info.id == device) {
            name.subtitle = nameText(trace.text(info.name));
        }
    }
    return name;
}

}  // namespace

LaneName laneName(const LaneModel& model, std::size_t index)
{
    const Trace& trace = model.trace();
    const Lane& lane = model.lanes()[index];
    switch (lane.key.kind) {
    case LaneKind::overlap:
        break;
    case LaneKind::thread:
        return nameOfThread(model, trace.threads[lane.row]);
    case LaneKind::process:
        return nameOfProcessLane(model, lane.key.process);
    case LaneKind::gpu:
        return nameOfGpu(trace, lane.key.device);
    case LaneKind::stream:
        return nameOfStream(trace, trace.streams[lane.row], lane.work);
    case LaneKind::counter: {
        const QString least = formatValue(lane.curve->values().least, lane.curve->unit());
        const QString most = formatValue(lane.curve->values().most, lane.curve->unit());
        return {nameText(trace.text(trace.counters[lane.row].name)),
            least == most ? Texts::tr("always %1").arg(most) : Texts::tr("%1 to %2").arg(least, most)};
    }
    case LaneKind::engine:
        return {engineName(static_cast<Engine>(lane.key.id)),
            lane.streams.size() == 1
                ? Texts::tr("from %1").arg(nameText(trace.label_of(trace.streams[lane.streams.front()])))
                : Texts::tr("from %1 streams").arg(lane.streams.size())};
    }
    return {Texts::tr("overlap"), {}};
}

}  // namespace lanes::gui
