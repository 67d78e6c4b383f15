// SPDX-License-Identifier: MIT
#include "gui/panels/details.h"

#include "engine/analysis/graph/why.h"
#include "engine/trace/collective_call.h"
#include "engine/trace/event.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/range_around.h"
#include "engine/trace/sampled_range.h"
#include "gui/lanes/wait_role.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/role_text.h"
#include "gui/session/format.h"
#include "gui/session/texts.h"

#include <QStringList>

#include <algorithm>
#include <numeric>

namespace lanes::gui {

namespace {

QString exactTime(Ns ns)
{
    return QStringLiteral("%1 (%L2 ns)").arg(formatTime(ns)).arg(static_cast<qlonglong>(ns));
}

QString exactMoment(Ns ns, Ns reference)
{
    return QStringLiteral("%1 (%L2 ns)").arg(formatMoment(ns, reference)).arg(static_cast<qlonglong>(ns));
}

QString triple(const std::array<std::uint32_t, 3>& size)
{
    return QStringLiteral("%1 × %2 × %3").arg(size[0]).arg(size[1]).arg(size[2]);
}

/// Collects the fields of one event.
class Fields {
    Q_DECLARE_TR_FUNCTIONS(Fields)

public:
    Fields(const OpenRecording& recording, EventRef event, const ShownPath* path)
        : m_recording(recording)
        , m_trace(*recording.trace)
        , m_event(event)
        , m_path(path)
    {
    }

    std::vector<DetailField> take()
    {
        add(tr("Name"), nameOf(m_trace, m_event));
        switch (m_event.table) {
        case EventTable::none:
            return {};
        case EventTable::operations:
            operation();
            break;
        case EventTable::calls:
            call();
            break;
        case EventTable::ranges:
            range();
            break;
        case EventTable::host_spans:
            hostSpan();
            break;
        case EventTable::reads:
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
        const Interval span = span_of(m_trace, m_event);
        add(tr("Start"), exactMoment(span.start, span.end));
        add(tr("End"), exactMoment(span.end, span.end));
        add(tr("Duration"), exactTime(span.end - span.start));
    }

    void operation()
    {
        const OperationTable& table = m_trace.operations;
        const Row row = m_event.row;
        add(tr("Kind"), kindText(kind_of(m_trace, m_event)));
        add(tr("Stream"), streamText(m_trace, table.stream[row]));
        times();
        startCause(tr("Why it began then"), row);
        slack(row);
        if (const QString collective = collectiveText(m_recording, row); !collective.isEmpty()) {
            add(tr("Collective"), collective);
        } else {
            inputs(row);
        }
        if (table.kind[row] == OperationKind::kernel) {
            kernel(m_trace.kernels[table.detail[row]]);
            nodes(row);
        } else if (table.kind[row] == OperationKind::memset) {
            const MemsetDetail& detail = m_trace.memsets[table.detail[row]];
            add(tr("Bytes"), formatBytes(detail.bytes));
            add(tr("Value"), QString::number(detail.value));
            add(tr("Memory"), memoryText(detail.target));
        } else {
            copy(m_trace.copies[table.detail[row]], table.end[row] - table.start[row]);
            if (const QString staged = stagedText(m_recording, row); !staged.isEmpty()) {
                add(tr("Staging"), staged);
            }
        }
        if (const Row call = table.call[row]; call != no_row) {
            add(tr("API call"),
                tr("%1 on %2 at %3")
                    .arg(nameText(m_trace.text(m_trace.calls.name[call])),
                        threadText(m_trace, m_trace.calls.thread[call]),
                        formatMoment(m_trace.calls.start[call], m_trace.calls.start[call])));
            add(tr("From call to start"), exactTime(table.start[row] - m_trace.calls.start[call]));
        }
        launchedIn(row);
        correlation(table.correlation[row]);
    }

    /// The operators and other ranges in which the operation was launched or, in a CUDA graph, captured; the innermost
    /// first.
    void launchedIn(Row operation)
    {
        if (!m_recording.graph) {
            return;
        }
        const Owners& owners = m_recording.graph->owners();
        const Owner owner = owners.of(operation);
        QStringList names;
        for (const std::string_view name : owners.around(owner)) {
            names << nameText(name);
        }
        if (!names.isEmpty()) {
            add(owner.from == Owner::From::capture ? tr("Captured in") : tr("Launched in"),
                names.join(QStringLiteral(" ← ")));
        }
    }

    /// Shapes and types of what the operator that issued it was given.
    void inputs(Row operation)
    {
        const Row range
            = m_recording.graph ? range_with_values(m_trace, m_recording.graph->owners(), operation) : no_row;
        if (range != no_row) {
            add(tr("Values of its range"),
                QStringLiteral("%1: %2").arg(
                    nameText(m_trace.text(m_trace.ranges[range].name)), valuesText(m_trace, range)));
        }
    }

    /// What runs in a CUDA graph that was recorded as a whole, without times.
    void nodes(Row operation)
    {
        const auto names
            = m_recording.graph ? m_recording.graph->owners().nodes_of(operation) : std::vector<std::string_view>();
        if (!names.empty()) {
            add(tr("In the graph"), tr("%1, times not recorded").arg(nameText(in_one_line(names, names.size()))));
        }
    }

    /// What the operation waited for last.
    void startCause(const QString& name, Row operation)
    {
        if (m_recording.graph) {
            add(name, QString::fromStdString(engineMessages().format(start_message(*m_recording.graph, operation))));
        }
    }

    /// How much later it could have ended, as far as the critical path goes.
    void slack(Row operation)
    {
        const OperationTable& table = m_trace.operations;
        if (m_path == nullptr || operation >= m_path->path().slack.size()
            || table.end[operation] <= m_path->path().range.start
            || table.start[operation] >= m_path->path().range.end) {
            return;
        }
        const Ns slack = m_path->path().slack[operation];
        add(tr("Slack"),
            slack == 0 ? tr("none: any delay delays the end")
                       : tr("%1: it could have ended this much later without delaying the end").arg(exactTime(slack)));
    }

    void kernel(const KernelDetail& detail)
    {
        add(tr("Full name"), nameText(m_trace.text(detail.full_name)));
        if (detail.grid[0] > 0) {  // a whole graph has none of these, nor has what a trace does not say it of
            add(tr("Grid"), triple(detail.grid));
            add(tr("Block"), triple(detail.block));
            add(tr("Registers per thread"), QString::number(detail.registers));
            add(tr("Shared memory"),
                tr("%1 static, %2 dynamic").arg(formatBytes(detail.static_shared), formatBytes(detail.dynamic_shared)));
        }
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
        blocked(row);
        if (table.outer[row] != no_row) {
            add(tr("Made by"), nameText(m_trace.text(table.name[table.outer[row]])));
        }
        add(tr("Result"), QString::number(table.result[row]));
        correlation(table.correlation[row]);
    }

    void blocked(Row call)
    {
        const Blocking& blocking = *m_recording.blocking;
        const auto stretches = blocking.of(call);
        if (stretches.empty()) {
            add(tr("Blocked"), blocking.known ? tr("no") : tr("the recording does not say"));
            return;
        }
        QStringList causes;
        for (const Row stretch : stretches) {
            causes << causeText(blocking.calls[stretch].cause);
        }
        causes.removeDuplicates();
        add(tr("Blocked"), tr("%1, for %2").arg(exactTime(blocking.time_of(call)), causes.join(QStringLiteral(", "))));
        const Ns cost = std::accumulate(stretches.begin(), stretches.end(), Ns {0},
            [this](Ns sum, Row stretch) { return sum + heldCost(m_recording, stretch); });
        const bool known = std::none_of(stretches.begin(), stretches.end(),
            [this](Row stretch) { return waitRole(m_recording, stretch) == ItemRole::unknownWait; });
        add(tr("Costs"), cost > 0 ? exactTime(cost) : known ? tr("nothing") : tr("the recording does not say"));
        const Row released = blocking.calls[stretches.back()].released_by;
        if (released != no_row) {
            add(tr("Released by"),
                tr("%1 on %2, done at %3")
                    .arg(nameText(m_trace.text(m_trace.operations.name[released])),
                        streamText(m_trace, m_trace.operations.stream[released]),
                        formatMoment(m_trace.operations.end[released], m_trace.operations.end[released])));
            startCause(tr("Why released then"), released);
        }
    }

    void range()
    {
        const Range& range = m_trace.ranges[m_event.row];
        const bool sampled = is_sampled(m_trace, range);
        add(tr("Kind"), sampled ? tr("where Python was, sampled") : range.mark ? tr("mark") : tr("range"));
        add(tr("Thread"), threadText(m_trace, range.thread));
        times();
        if (sampled) {
            add(tr("Known to"),
                tr("%1: either end may be late by that")
                    .arg(formatTime(meta::number_of(m_trace.meta, meta::stacks_interval))));
            return;
        }
        if (range.domain != 0) {
            add(tr("Domain"), nameText(m_trace.text(range.domain)));
        }
        add(tr("Depth"), QString::number(range.depth));
        for (const RangeValue& value : m_trace.values_of(m_event.row)) {
            add(nameText(m_trace.text(value.name)), valueText(m_trace, value));
        }
        autograd();
        if (range.open) {
            add(tr("Note"), tr("it never ended in the recording"));
        }
    }

    /// "aten::addmm at 1.234 ms"
    QString rangeAt(EventRef event) const
    {
        const Range& range = m_trace.ranges[event.row];
        return tr("%1 at %2").arg(nameText(m_trace.text(range.name)), formatMoment(range.start, range.start));
    }

    void autograd()
    {
        const AutogradOperator* known = m_trace.autograd_of(m_event.row);
        if (known != nullptr && known->number != no_id) {
            add(tr("Autograd's number"), QString::number(known->number));
        }
        const auto links = m_recording.links->of(m_event);
        for (const Link& link : links) {
            if (link.kind == Link::Kind::backward && link.to.event == m_event) {
                add(tr("Backward of"), rangeAt(link.from.event));
            } else if (link.kind == Link::Kind::backward) {
                add(tr("Its backward"), rangeAt(link.to.event));
            }
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
        add(tr("Kind"), roleText(ItemRole::read));
        add(tr("Thread"), threadText(m_trace, read.thread));
        times();
        add(tr("Bytes"), formatBytes(read.bytes));
        add(tr("Wrong bytes"), read.wrong_bytes == 0 ? tr("none: all of it was fresh") : formatBytes(read.wrong_bytes));
        if (read.expect_stale) {
            add(tr("Note"), tr("the workload expects old bytes"));
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
    EventRef m_event;
    const ShownPath* m_path;
    std::vector<DetailField> m_fields;
};

}  // namespace

std::vector<DetailField> detailsOf(const OpenRecording& recording, EventRef event, const ShownPath* path)
{
    return event ? Fields(recording, event, path).take() : std::vector<DetailField>();
}

QString nameOf(const Trace& trace, EventRef event)
{
    const QString name = nameText(trace.text(name_of(trace, event)));
    return event.table == EventTable::reads ? tr("read %1").arg(name) : name;
}

const StepInfo* stepOf(const OpenRecording& recording, EventRef event)
{
    const std::uint32_t step = step_of(*recording.trace, event);
    return step < recording.steps.size() ? &recording.steps[step] : nullptr;
}

}  // namespace lanes::gui
