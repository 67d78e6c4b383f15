// SPDX-License-Identifier: MIT
#include "gui/panels/details.h"

#include "gui/panels/format.h"
#include "gui/panels/texts.h"
#include "gui/timeline/staging_painter.h"

#include <algorithm>

namespace lanes::gui {

namespace {

QString exactTime(Ns ns)
{
    return QStringLiteral("%1 (%L2 ns)").arg(formatTime(ns)).arg(static_cast<qlonglong>(ns));
}

QString triple(const std::array<std::uint32_t, 3>& size)
{
    return QStringLiteral("%1 × %2 × %3").arg(size[0]).arg(size[1]).arg(size[2]);
}

/// Collects the fields of one event.
class Fields {
    Q_DECLARE_TR_FUNCTIONS(Fields)

public:
    Fields(const OpenRecording& recording, ItemRef event)
        : m_recording(recording)
        , m_trace(*recording.trace)
        , m_event(event)
    {
    }

    std::vector<DetailField> take()
    {
        add(tr("Name"), nameOf(m_trace, m_event));
        switch (m_event.kind) {
        case ItemKind::none:
        case ItemKind::blocked:
        case ItemKind::overlap:
            return {};
        case ItemKind::operation:
            operation();
            break;
        case ItemKind::call:
            call();
            break;
        case ItemKind::range:
            range();
            break;
        case ItemKind::hostSpan:
            hostSpan();
            break;
        case ItemKind::read:
            read();
            break;
        }
        if (const StepInfo* step = stepOf(m_recording, m_event)) {
            add(tr("Step"),
                tr("%1 (line %2 of the workload)").arg(QString::fromStdString(step->label)).arg(step->line));
        }
        return std::move(m_fields);
    }

private:
    void add(const QString& name, const QString& value) { m_fields.push_back({name, value}); }

    void times()
    {
        const TimeSpan span = spanOf(m_recording, m_event);
        add(tr("Start"), exactTime(span.start));
        add(tr("End"), exactTime(span.end));
        add(tr("Duration"), exactTime(span.end - span.start));
    }

    void operation()
    {
        const OperationTable& table = m_trace.operations;
        const Row row = m_event.row;
        add(tr("Kind"), kindText(table.kind[row]));
        add(tr("Stream"), streamText(m_trace, table.stream[row]));
        times();
        if (table.kind[row] == OperationKind::kernel) {
            kernel(m_trace.kernels[table.detail[row]]);
        } else if (table.kind[row] == OperationKind::memset) {
            const MemsetDetail& detail = m_trace.memsets[table.detail[row]];
            add(tr("Bytes"), formatBytes(detail.bytes));
            add(tr("Value"), QString::number(detail.value));
            add(tr("Memory"), memoryText(detail.target));
        } else {
            copy(m_trace.copies[table.detail[row]], table.end[row] - table.start[row]);
        }
        if (const Row call = table.call[row]; call != no_row) {
            add(tr("API call"),
                tr("%1 on %2 at %3")
                    .arg(text(m_trace.text(m_trace.calls.name[call])), threadText(m_trace, m_trace.calls.thread[call]),
                        formatTime(m_trace.calls.start[call])));
            add(tr("From call to start"), exactTime(table.start[row] - m_trace.calls.start[call]));
        }
        correlation(table.correlation[row]);
    }

    void kernel(const KernelDetail& detail)
    {
        add(tr("Full name"), text(m_trace.text(detail.full_name)));
        add(tr("Grid"), triple(detail.grid));
        add(tr("Block"), triple(detail.block));
        add(tr("Registers per thread"), QString::number(detail.registers));
        add(tr("Shared memory"),
            tr("%1 static, %2 dynamic").arg(formatBytes(detail.static_shared), formatBytes(detail.dynamic_shared)));
        hardware(detail.graph_node, detail.channel);
    }

    void copy(const CopyDetail& detail, Ns duration)
    {
        add(tr("Bytes"), formatBytes(detail.bytes));
        add(tr("Bandwidth"), bandwidthText(detail.bytes, duration));
        add(tr("Memory"), QStringLiteral("%1 → %2").arg(memoryText(detail.source), memoryText(detail.target)));
        add(tr("Issued by"), detail.async ? tr("an Async call") : tr("a synchronous call"));
        if (detail.source_device != no_id && detail.target_device != no_id) {
            add(tr("Between"), tr("GPU %1 → GPU %2").arg(detail.source_device).arg(detail.target_device));
        }
        hardware(detail.graph_node, detail.channel);
    }

    void hardware(std::uint32_t graphNode, std::uint32_t channel)
    {
        if (graphNode != 0) {
            add(tr("Graph node"), QString::number(graphNode));
        }
        if (channel != no_id) {
            add(tr("Hardware channel"), QString::number(channel));
        }
    }

    void call()
    {
        const CallTable& table = m_trace.calls;
        const Row row = m_event.row;
        add(tr("Kind"), table.api[row] == ApiCallRecord::runtime ? tr("runtime API call") : tr("driver API call"));
        add(tr("Thread"), threadText(m_trace, table.thread[row]));
        times();
        if (!m_recording.blocking->known) {
            add(tr("Blocked"), tr("the recording cannot tell"));
        } else if (const BlockedCall* blocked = blockedOf(*m_recording.blocking, m_event)) {
            add(tr("Blocked"),
                tr("%1, waiting for %2").arg(exactTime(blocked->end - blocked->start), causeText(blocked->cause)));
            if (blocked->released_by != no_row) {
                add(tr("Released by"),
                    tr("%1 on %2, done at %3")
                        .arg(text(m_trace.text(m_trace.operations.name[blocked->released_by])),
                            streamText(m_trace, m_trace.operations.stream[blocked->released_by]),
                            formatTime(m_trace.operations.end[blocked->released_by])));
            }
        } else {
            add(tr("Blocked"), tr("no"));
        }
        if (const QString staging = stagingText(m_recording, row); !staging.isEmpty()) {
            add(tr("Staging"), staging);
        }
        if (table.outer[row] != no_row) {
            add(tr("Made by"), text(m_trace.text(table.name[table.outer[row]])));
        }
        add(tr("Result"), QString::number(table.result[row]));
        correlation(table.correlation[row]);
    }

    void range()
    {
        const Range& range = m_trace.ranges[m_event.row];
        add(tr("Kind"), range.mark ? tr("mark") : tr("range"));
        add(tr("Thread"), threadText(m_trace, range.thread));
        times();
        if (range.domain != 0) {
            add(tr("Domain"), text(m_trace.text(range.domain)));
        }
        add(tr("Depth"), QString::number(range.depth));
        if (range.open) {
            add(tr("Note"), tr("it never ended in the recording"));
        }
    }

    void hostSpan()
    {
        const HostSpan& span = m_trace.host_spans[m_event.row];
        const QString kinds[] = {tr("work on the CPU"), tr("waits to put into a queue"),
            tr("waits to take from a queue"), tr("waits for a thread"), tr("step of a pageable copy's staging")};
        add(tr("Kind"), kinds[std::min<std::size_t>(span.type, std::size(kinds) - 1)]);
        add(tr("Thread"), threadText(m_trace, span.thread));
        times();
    }

    void read()
    {
        const Read& read = m_trace.reads[m_event.row];
        add(tr("Kind"), tr("the host reads"));
        add(tr("Thread"), threadText(m_trace, read.thread));
        times();
        add(tr("Bytes"), formatBytes(read.bytes));
        add(tr("Wrong bytes"),
            read.wrong_bytes == 0 ? tr("none: all of it was fresh")
                                  : tr("%1: a stale read").arg(formatBytes(read.wrong_bytes)));
        if (read.expect_stale) {
            add(tr("Note"), tr("the workload means to find old bytes"));
        }
    }

    void correlation(std::uint32_t id)
    {
        if (id != 0) {
            add(tr("Correlation"), QString::number(id));
        }
    }

    const OpenRecording& m_recording;
    const Trace& m_trace;
    ItemRef m_event;
    std::vector<DetailField> m_fields;
};

}  // namespace

ItemRef eventOf(const Recording& recording, ItemRef item)
{
    if (item.kind == ItemKind::overlap) {
        return {};
    }
    return item.kind == ItemKind::blocked ? ItemRef {ItemKind::call, callOf(recording, item)} : item;
}

std::vector<DetailField> detailsOf(const OpenRecording& recording, ItemRef item)
{
    const ItemRef event = eventOf(recording, item);
    return event ? Fields(recording, event).take() : std::vector<DetailField>();
}

QString nameOf(const Trace& trace, ItemRef event)
{
    switch (event.kind) {
    case ItemKind::none:
    case ItemKind::blocked:
    case ItemKind::overlap:
        break;
    case ItemKind::operation:
        return text(trace.text(trace.operations.name[event.row]));
    case ItemKind::call:
        return text(trace.text(trace.calls.name[event.row]));
    case ItemKind::range:
        return text(trace.text(trace.ranges[event.row].name));
    case ItemKind::hostSpan:
        return text(trace.text(trace.host_spans[event.row].name));
    case ItemKind::read:
        return tr("read %1").arg(text(trace.text(trace.reads[event.row].buffer)));
    }
    return {};
}

namespace {

/// The step that a thread was at, at that time; no_id where there is none.
std::uint32_t stepAt(const Trace& trace, Row thread, Ns time)
{
    auto step = std::partition_point(trace.steps.begin(), trace.steps.end(), [&](const Step& each) { return each.start <= time; });
    while (step != trace.steps.begin()) {
        --step;
        if (step->thread == thread) {
            return step->step;
        }
    }
    return no_id;
}

}  // namespace

const StepInfo* stepOf(const OpenRecording& recording, ItemRef event)
{
    const Trace& trace = *recording.trace;
    std::uint32_t step = no_id;
    if (event.kind == ItemKind::hostSpan) {
        step = stepAt(trace, trace.host_spans[event.row].thread, trace.host_spans[event.row].start);
    } else if (event.kind == ItemKind::read) {
        step = stepAt(trace, trace.reads[event.row].thread, trace.reads[event.row].start);
    } else {
        const Row call = event.kind == ItemKind::call ? event.row
            : event.kind == ItemKind::operation       ? trace.operations.call[event.row]
                                                      : no_row;
        if (call != no_row) {
            step = trace.calls.step[call] < recording.steps.size() ? trace.calls.step[call] : stepAt(trace, trace.calls.thread[call], trace.calls.start[call]);
        }
    }
    return step < recording.steps.size() ? &recording.steps[step] : nullptr;
}

const BlockedCall* blockedOf(const Blocking& blocking, ItemRef event)
{
    if (event.kind != ItemKind::call) {
        return nullptr;
    }
    const auto found = std::find_if(blocking.calls.begin(), blocking.calls.end(),
        [&](const BlockedCall& blocked) { return blocked.call == event.row; });
    return found == blocking.calls.end() ? nullptr : &*found;
}

}  // namespace lanes::gui
