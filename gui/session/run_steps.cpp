// SPDX-License-Identifier: MIT
#include "gui/session/run_steps.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/thread_items.h"
#include "engine/trace/event.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/printable_text.h"
#include "gui/session/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lanes::gui {

namespace {

struct RunStepsTexts {
    Q_DECLARE_TR_FUNCTIONS(RunSteps)
};

constexpr qsizetype most_streams = 4;  // in one sentence

}  // namespace

RunSteps::RunSteps(OpenRecordingPtr recording)
    : m_recording(std::move(recording))
{
    const Trace& trace = *m_recording->trace;
    const auto isStep = [&](EventRef event) { return is_thread_item(trace, event); };
    m_steps = EventList(trace, isStep);
    if (m_steps.size() + trace.operations.size() <= most_steps || m_steps.empty()) {
        m_steps
            = EventList(trace, [&](EventRef event) { return event.table == EventTable::operations || isStep(event); });
    }
    for (const Event& event : trace.events) {
        if (event.call != no_row) {
            m_streams[outermost(trace.calls, event.call)] = event.stream;
        }
    }
    for (const Sync& sync : trace.syncs) {
        if (sync.call != no_row && sync.stream != no_row) {
            m_streams[outermost(trace.calls, sync.call)] = sync.stream;
        }
    }
}

Ns RunSteps::duration(std::size_t step) const
{
    const Interval span = span_of(*m_recording->trace, m_steps[step]);
    return span.end - span.start;
}

std::optional<std::size_t> RunSteps::at(Ns time) const
{
    const std::size_t behind = m_steps.first_from(time + 1);
    return behind == 0 ? std::nullopt : std::optional(behind - 1);
}

std::optional<std::size_t> RunSteps::of(ItemRef item) const
{
    const EventRef event = item ? eventOf(*m_recording, item) : EventRef {};
    if (!event || m_steps.empty()) {
        return {};
    }
    const auto found = m_steps.find(event);
    return found ? found : at(span_of(*m_recording->trace, event).start);
}

QString RunSteps::text(std::size_t step) const
{
    const Trace& trace = *m_recording->trace;
    const EventRef event = m_steps[step];
    switch (event.table) {
    case EventTable::calls:
        return callText(event.row);
    case EventTable::host_spans:
        return spanText(trace.host_spans[event.row]);
    case EventTable::operations:
        return operationText(event.row);
    case EventTable::reads: {
        const Read& read = trace.reads[event.row];
        const QString who = threadName(read.thread);
        const QString buffer = nameText(trace.text(read.buffer));
        return read.wrong_bytes == 0 ? RunStepsTexts::tr("%1 reads %2: every byte is fresh").arg(who, buffer)
                                     : RunStepsTexts::tr("%1 reads %2: %3 of %4 are wrong")
                                           .arg(who, buffer, formatBytes(read.wrong_bytes), formatBytes(read.bytes));
    }
    default:
        return {};
    }
}

QString RunSteps::callText(Row call) const
{
    const Trace& trace = *m_recording->trace;
    const QString who = threadName(trace.calls.thread[call]);
    const Blocking& blocking = *m_recording->blocking;
    const auto stretches = blocking.of(call);
    if (stretches.empty()) {
        return plainCallText(call, who, formatTime(trace.calls.end[call] - trace.calls.start[call]));
    }
    const Ns held = blocking.time_of(call);
    const BlockedCall& first = blocking.calls[stretches.front()];
    const QString name = nameText(trace.text(trace.calls.name[call]));
    if (first.cause == BlockCause::copy && first.released_by != no_row
        && outermost(trace.calls, trace.operations.call[first.released_by]) == call) {
        return RunStepsTexts::tr("%1 enqueues %2 and waits until it is done: %3")
            .arg(who, labelsOf(*m_recording, {ItemKind::operation, first.released_by}).value(0), formatTime(held));
    }
    return RunStepsTexts::tr("%1 %2: %3 (%4)")
        .arg(who, waitText(*m_recording, stretches.front()), formatTime(held), name);
}

/// Of a call that was not held.
QString RunSteps::plainCallText(Row call, const QString& who, const QString& took) const
{
    const Trace& trace = *m_recording->trace;
    const std::string_view name = trace.text(trace.calls.name[call]);
    const auto stream = m_streams.find(call);
    const QString where = stream == m_streams.end() ? QString() : streamName(stream->second);
    switch (class_of(name)) {
    case CallClass::event_record:
        return where.isEmpty() ? RunStepsTexts::tr("%1 records an event").arg(who)
                               : RunStepsTexts::tr("%1 records an event on %2").arg(who, where);
    case CallClass::wait_event:
        return where.isEmpty() ? RunStepsTexts::tr("%1 makes a stream wait for an event, and continues").arg(who)
                               : RunStepsTexts::tr("%1 makes %2 wait for an event, and continues").arg(who, where);
    case CallClass::stream_sync:
    case CallClass::device_sync:
    case CallClass::event_sync:
        return RunStepsTexts::tr("%1 synchronises; the work is already done (%2)").arg(who, took);
    case CallClass::query:
        return RunStepsTexts::tr("%1 asks whether the GPU is done, and continues").arg(who);
    case CallClass::graph_launch:
        return RunStepsTexts::tr("%1 launches a graph, and continues").arg(who);
    case CallClass::memory:
        return RunStepsTexts::tr("%1 allocates, frees or pins memory: %2 (%3)").arg(who, took, nameText(name));
    case CallClass::copy:
    case CallClass::copy_async:
    case CallClass::hidden_work:
    case CallClass::own_state:
    case CallClass::other:
        break;
    }
    if (const Row issued = m_recording->links->issued_by(call); issued != no_row) {
        const QString what = labelsOf(*m_recording, {ItemKind::operation, issued}).value(0);
        const QString on = streamName(trace.operations.stream[issued]);
        return trace.operations.kind[issued] == OperationKind::kernel
            ? RunStepsTexts::tr("%1 enqueues kernel %2 on %3, and continues").arg(who, what, on)
            : RunStepsTexts::tr("%1 enqueues %2 on %3, and continues").arg(who, what, on);
    }
    return RunStepsTexts::tr("%1 calls %2 (%3)").arg(who, nameText(name), took);
}

QString RunSteps::spanText(const HostSpan& span) const
{
    const Trace& trace = *m_recording->trace;
    const QString who = threadName(span.thread);
    const QString name = nameText(trace.text(span.name));
    const QString took = formatTime(span.end - span.start);
    switch (span.type) {
    case HostSpanRecord::work:
        return name.isEmpty() ? RunStepsTexts::tr("%1 works on the CPU: %2").arg(who, took)
                              : RunStepsTexts::tr("%1 works on the CPU (%2): %3").arg(who, name, took);
    case HostSpanRecord::queue_put:
        return RunStepsTexts::tr("%1 waits for room in queue %2: %3").arg(who, name, took);
    case HostSpanRecord::queue_get:
        return RunStepsTexts::tr("%1 waits for an item in queue %2: %3").arg(who, name, took);
    case HostSpanRecord::join:
        return RunStepsTexts::tr("%1 waits for thread %2: %3").arg(who, name, took);
    case HostSpanRecord::staging:
        break;  // no step of its own
    }
    return {};
}

QString RunSteps::operationText(Row operation) const
{
    const OperationTable& operations = m_recording->trace->operations;
    const QString what = labelsOf(*m_recording, {ItemKind::operation, operation}).value(0);
    const QString where = streamName(operations.stream[operation]);
    const QString takes = formatTime(operations.end[operation] - operations.start[operation]);
    return operations.kind[operation] == OperationKind::kernel
        ? RunStepsTexts::tr("%1 begins kernel %2: %3").arg(where, what, takes)
        : RunStepsTexts::tr("%1 begins %2: %3").arg(where, what, takes);
}

QString RunSteps::onTheGpu(Ns time) const
{
    const Trace& trace = *m_recording->trace;
    QStringList busy;
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const RowSpan rows = trace.operations_of(stream);
        const auto from = trace.operations.start.begin();
        const auto behind = static_cast<Row>(std::upper_bound(from + rows.begin, from + rows.end, time) - from);
        if (behind > rows.begin && trace.operations.end[behind - 1] > time) {
            busy += RunStepsTexts::tr("%1: %2").arg(
                streamLabel(stream), labelsOf(*m_recording, {ItemKind::operation, behind - 1}).value(0));
        }
    }
    if (busy.isEmpty()) {
        return RunStepsTexts::tr("nothing");
    }
    if (busy.size() > most_streams) {
        const qsizetype more = busy.size() - most_streams;
        busy = busy.first(most_streams);
        busy += RunStepsTexts::tr("%1 more").arg(more);
    }
    return busy.join(QStringLiteral(" · "));
}

QString RunSteps::streamName(Row stream) const
{
    const Trace& trace = *m_recording->trace;
    if (stream >= trace.streams.size()) {
        return RunStepsTexts::tr("a stream");
    }
    const Stream& of = trace.streams[stream];
    const QString name = nameText(trace.label_of(of));
    return of.name == 0            ? streamLabel(stream)
        : trace.devices.size() > 1 ? RunStepsTexts::tr("stream %1 of GPU %2").arg(name).arg(of.device)
                                   : RunStepsTexts::tr("stream %1").arg(name);
}

QString RunSteps::streamLabel(Row stream) const
{
    const Trace& trace = *m_recording->trace;
    const QString name = nameText(trace.label_of(trace.streams[stream]));
    return trace.devices.size() > 1 ? RunStepsTexts::tr("%1 of GPU %2").arg(name).arg(trace.streams[stream].device)
                                    : name;
}

QString RunSteps::threadName(Row thread) const
{
    const Trace& trace = *m_recording->trace;
    const bool named = thread < trace.threads.size() && trace.threads[thread].name != 0;
    return named ? nameText(trace.text(trace.threads[thread].name)) : threadText(trace, thread);
}

}  // namespace lanes::gui
