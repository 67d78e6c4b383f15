// SPDX-License-Identifier: MIT
#include "gui/paint/words/lane_names.h"

#include "engine/trace/meta_keys.h"
#include "engine/trace/names/device_rows.h"
#include "gui/lanes/lane_arrangement.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"

#include <algorithm>
#include <QCoreApplication>
#include <set>

namespace lanes::gui {

namespace {

struct LaneNamesTexts {
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
        return work.has(StreamPart::compute)
            ? (copies ? LaneNamesTexts::tr("compute and copy") : LaneNamesTexts::tr("compute"))
            : copies ? LaneNamesTexts::tr("communication and copy")
                     : LaneNamesTexts::tr("communication");
    }
    if (copies) {
        const bool up = has(kinds, OperationKind::h2d);
        const bool down = has(kinds, OperationKind::d2h);
        return up && !down ? LaneNamesTexts::tr("copy to the GPU")
            : down && !up  ? LaneNamesTexts::tr("copy to the host")
                           : LaneNamesTexts::tr("copy");
    }
    return LaneNamesTexts::tr("memset");
}

/// They differ in their beginnings, since the end may be cut off.
QString engineName(Engine engine)
{
    switch (engine) {
    case Engine::sm:
        return LaneNamesTexts::tr("SMs");
    case Engine::h2d:
        return LaneNamesTexts::tr("H2D copy engine");
    case Engine::d2h:
        return LaneNamesTexts::tr("D2H copy engine");
    case Engine::peer:
        return LaneNamesTexts::tr("P2P copies");
    case Engine::device:
        return LaneNamesTexts::tr("D2D copies");
    case Engine::host:
        return LaneNamesTexts::tr("H2H copies");
    case Engine::memset:
        break;
    }
    return LaneNamesTexts::tr("memset");
}

QString nameOfProcess(const Trace& trace, std::uint32_t id)
{
    const auto found = std::find_if(
        trace.processes.begin(), trace.processes.end(), [id](const Process& process) { return process.id == id; });
    return found == trace.processes.end() ? QString() : nameText(trace.text(found->name));
}

/// Whether another thread of its process has the same name.
bool hasNamesake(const Trace& trace, const Thread& thread)
{
    return thread.name != 0 && std::any_of(trace.threads.begin(), trace.threads.end(), [&](const Thread& other) {
        return &other != &thread && other.process == thread.process && other.name == thread.name;
    });
}

/// What tells a thread from others: of a process with several of one name its number, else the process; of a workload's
/// run, which is one process of ours, nothing.
QString subtitleOf(const LaneModel& model, const Thread& thread)
{
    const Trace& trace = model.trace();
    if (hasNamesake(trace, thread)) {
        return LaneNamesTexts::tr("thread %1").arg(thread.id);
    }
    const QString process = nameOfProcess(trace, thread.process);
    if (!process.isEmpty() && trace.meta.contains(meta::workload)) {
        return {};
    }
    return !process.isEmpty()          ? process
        : model.recording().is_model() ? LaneNamesTexts::tr("modelled thread")
                                       : LaneNamesTexts::tr("process %1").arg(thread.process);
}

/// Its rank first, where the recording says it: what two of one program differ by.
LaneName nameOfProcessLane(const LaneModel& model, std::uint32_t process)
{
    const QString program = nameOfProcess(model.trace(), process);
    const QString number = is_made_up(process) ? QString() : LaneNamesTexts::tr("process %1").arg(process);
    const auto& ranks = model.recording().ranks;
    const auto is_it = [&](const Rank& rank) { return rank.process == process; };
    if (const auto found = std::find_if(ranks.begin(), ranks.end(), is_it); found != ranks.end()) {
        return {LaneNamesTexts::tr("rank %1").arg(found->rank),
            program.isEmpty() || number.isEmpty() ? program + number : program + QStringLiteral(" \u00B7 ") + number};
    }
    return program.isEmpty() ? LaneName {number, {}} : LaneName {program, number};
}

/// Where there are several processes, and no header over the thread's lane says which it is of.
bool namesItsProcess(const LaneModel& model, std::size_t lane)
{
    const auto head = headOf(model.lanes(), lane);
    const std::uint32_t process = model.lanes()[lane].key.process;
    return (!head || model.lanes()[*head].key.kind == LaneKind::others)
        && std::any_of(model.lanes().begin(), model.lanes().end(), [process](const Lane& other) {
               return (other.key.kind == LaneKind::thread || other.key.kind == LaneKind::process)
                   && other.key.context == 0 && other.key.process != process;
           });
}

/// "rank 3" with "python · process 3105" where the rank is known, else "CPU  python" with its process.
LaneName withItsProcess(const LaneModel& model, std::uint32_t process, LaneName name)
{
    const LaneName of = nameOfProcessLane(model, process);
    const auto& ranks = model.recording().ranks;
    if (std::any_of(ranks.begin(), ranks.end(), [process](const Rank& rank) { return rank.process == process; })) {
        return {of.title + QStringLiteral("  ") + name.title.section(QStringLiteral("  "), -1), of.subtitle};
    }
    name.subtitle = of.subtitle.isEmpty() ? of.title : of.title + QStringLiteral(" \u00B7 ") + of.subtitle;
    return name;
}

/// Linux keeps 15 bytes of a thread's name: one that has as many and is the beginning of its process's name is cut.
QString nameOfThread(const Trace& trace, const Thread& thread)
{
    constexpr std::size_t most_kept = 15;
    const QString own = nameText(trace.text(thread.name));
    const QString process = nameOfProcess(trace, thread.process);
    const bool isCut = trace.text(thread.name).size() == most_kept && process.size() > own.size();
    return isCut && process.startsWith(own) ? own + QChar(0x2026) : own;
}

LaneName nameOfThread(const LaneModel& model, std::size_t lane)
{
    const Trace& trace = model.trace();
    const Thread& thread = trace.threads[model.lanes()[lane].row];
    const QString own = nameOfThread(trace, thread);
    if (const auto device = device_of_row(trace, thread); device != no_id) {
        return {LaneNamesTexts::tr("GPU %1").arg(device) + QStringLiteral("  ") + own, {}};
    }
    LaneName name;
    // Threads of Python are called by their program, which does not tell them apart.
    const bool isPlain = hasNamesake(trace, thread);
    if (isPlain && model.lanes()[lane].isBackward) {
        name.title = LaneNamesTexts::tr("CPU  autograd");
    } else if (isPlain && thread.id == thread.process) {
        name.title = LaneNamesTexts::tr("CPU  main");
    } else if (own.isEmpty()) {
        name.title = thread.order == 0 ? LaneNamesTexts::tr("CPU  main thread")
                                       : LaneNamesTexts::tr("CPU  thread %1").arg(thread.id);
    } else {
        name.title = LaneNamesTexts::tr("CPU  %1").arg(own);
    }
    if (namesItsProcess(model, lane)) {
        return withItsProcess(model, thread.process, std::move(name));
    }
    name.subtitle = subtitleOf(model, thread);
    return name;
}

/// How many there are, and what they have in common. A stream has a lane for each of its parts.
LaneName nameOfOthers(const LaneModel& model, std::size_t header)
{
    std::set<Row> rows;
    const auto heads = headsOf(model.lanes());
    for (std::size_t lane = 0; lane < heads.size(); ++lane) {
        if (heads[lane] == header) {
            rows.insert(model.lanes()[lane].row);
        }
    }
    const std::size_t count = rows.size();
    const bool isOfPart = repeatedPart(model.recording()).has_value();
    if (isOverStreams(model.lanes()[header].key)) {
        return {LaneNamesTexts::tr("+ %1 streams").arg(count),
            isOfPart ? LaneNamesTexts::tr("< 1 % busy in the repeating part") : LaneNamesTexts::tr("< 1 % busy")};
    }
    return {LaneNamesTexts::tr("%1 threads").arg(count),
        isOfPart ? LaneNamesTexts::tr("issue no GPU work in the repeating part")
                 : LaneNamesTexts::tr("issue no GPU work")};
}

/// What it does, and under that which stream does it.
LaneName nameOfPart(const Trace& trace, const Stream& stream, StreamPart part)
{
    const QString label = nameText(trace.label_of(stream));
    const QString which = stream.name != 0 && !is_made_up(stream.id)
        ? LaneNamesTexts::tr("%1 \u00B7 stream %2").arg(label).arg(stream.id)
        : label;
    switch (part) {
    case StreamPart::communication:
        return {LaneNamesTexts::tr("communication"), which};
    case StreamPart::copies:
        return {LaneNamesTexts::tr("copies"), which};
    case StreamPart::compute:
    case StreamPart::whole:
        break;
    }
    return {LaneNamesTexts::tr("compute"), which};
}

LaneName nameOfStream(const Trace& trace, const Stream& stream, const Lane& lane)
{
    if (lane.key.part != StreamPart::whole) {
        return nameOfPart(trace, stream, lane.key.part);
    }
    LaneName name {nameText(trace.label_of(stream)), roleOf(lane.work)};
    if (stream.name != 0 && !is_made_up(stream.id)) {
        name.subtitle = name.subtitle == name.title
            ? LaneNamesTexts::tr("stream %1").arg(stream.id)
            : LaneNamesTexts::tr("stream %1 \u00B7 %2").arg(stream.id).arg(name.subtitle);
    } else if (stream.flag == StreamRecord::null) {
        name.subtitle = LaneNamesTexts::tr("default \u00B7 %1").arg(name.subtitle);
    }
    return name;
}

LaneName nameOfGpu(const Trace& trace, std::uint32_t device)
{
    LaneName name {LaneNamesTexts::tr("GPU %1").arg(device), {}};
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
        return nameOfThread(model, index);
    case LaneKind::others:
        return nameOfOthers(model, index);
    case LaneKind::process:
        return nameOfProcessLane(model, lane.key.process);
    case LaneKind::gpu:
        return nameOfGpu(trace, lane.key.device);
    case LaneKind::stream:
        return nameOfStream(trace, trace.streams[lane.row], lane);
    case LaneKind::counter: {
        const QString least = formatValue(lane.curve->values().least, lane.curve->unit());
        const QString most = formatValue(lane.curve->values().most, lane.curve->unit());
        return {nameText(trace.text(trace.counters[lane.row].name)),
            least == most ? LaneNamesTexts::tr("always %1").arg(most)
                          : LaneNamesTexts::tr("%1 to %2").arg(least, most)};
    }
    case LaneKind::gpuTime:
        return {LaneNamesTexts::tr("GPU busy"), {}};
    case LaneKind::engine:
        return {engineName(static_cast<Engine>(lane.key.id)),
            lane.streams.size() == 1
                ? LaneNamesTexts::tr("from %1").arg(nameText(trace.label_of(trace.streams[lane.streams.front()])))
                : LaneNamesTexts::tr("from %1 streams").arg(lane.streams.size())};
    }
    return {LaneNamesTexts::tr("overlap"), {}};
}

}  // namespace lanes::gui
