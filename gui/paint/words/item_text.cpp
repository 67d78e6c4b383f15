// SPDX-License-Identifier: MIT
#include "gui/paint/words/item_text.h"

#include "engine/analysis/facts/communication.h"
#include "engine/analysis/graph/graph.h"
#include "engine/ascii.h"
#include "engine/trace/collective_call.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/names/kernel_name.h"
#include "engine/trace/range_kinds.h"
#include "engine/trace/range_value.h"
#include "engine/trace/sampled_range.h"
#include "gui/lanes/staged_copies.h"
#include "gui/lanes/wait_role.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/label_forms.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace lanes::gui {

namespace {

struct ItemTexts {
    Q_DECLARE_TR_FUNCTIONS(ItemText)
};

/// What `make` returns for a name, made once: each repaint asks for the same few hundred names.
template <class Made> Made kept(QHash<QString, Made>& made, const QString& name, Made (*make)(const QString&))
{
    constexpr qsizetype most_names = 20'000;
    if (const auto found = made.constFind(name); found != made.constEnd()) {
        return *found;
    }
    if (made.size() >= most_names) {
        made.clear();
    }
    return *made.insert(name, make(name));
}

QStringList newNameForms(const QString& name)
{
    qsizetype behind = 0;
    for (const QLatin1String mark : {QLatin1String("::"), QLatin1String(": "), QLatin1String("/")}) {
        if (const qsizetype at = name.lastIndexOf(mark); at >= 0) {
            behind = std::max(behind, at + mark.size());
        }
    }
    const QString last = name.mid(behind);
    return behind > 0 && !last.isEmpty() ? QStringList(name) + labelForms(last) : labelForms(name);
}

/// The name, and what replaces it where it does not fit: its last part ("AddmmBackward0" of
/// "autograd::engine::evaluate_function: AddmmBackward0"), and less of that.
QStringList nameForms(const QString& name)
{
    thread_local QHash<QString, QStringList> made;
    return kept(made, name, newNameForms);
}

/// Of a Python frame what it is in, of a module also its class: "Linear_3", "Linear".
QStringList rangeLabels(const Trace& trace, const Range& range)
{
    const std::string_view name = trace.text(range.name);
    if (trace.text(range.domain) != frame_domain) {
        return nameForms(nameText(name));
    }
    const std::string_view brief = frame_name(name);
    QStringList forms = nameForms(nameText(brief));
    const auto number = brief.find_last_not_of(ascii::digits);
    if (brief.size() < name.size() && number != std::string_view::npos && number > 0 && number + 1 < brief.size()
        && brief[number] == '_') {
        forms.insert(1, nameText(brief.substr(0, number)));
    }
    return forms;
}

QStringList operationLabels(const Trace& trace, Row row)
{
    const OperationKind kind = trace.operations.kind[row];
    if (kind == OperationKind::kernel) {
        const QString name = nameText(trace.text(trace.operations.name[row]));
        const QString brief = shortKernelName(name);
        QStringList labels = nameForms(brief);
        if (brief != name) {
            labels.prepend(name);
        }
        if (const auto what = communication_of(trace, row); !what.empty()) {
            labels.insert(labels.indexOf(brief) + 1, text(what));  // it says more than a cut name
        }
        return labels;
    }
    const QString name = text(short_name_of(kind));
    return {name + QLatin1Char(' ') + formatBytes(trace.bytes_of(row)), name};
}

QStringList hostSpanLabels(const Trace& trace, const HostSpan& span)
{
    const QString name = nameText(trace.text(span.name));
    switch (span.type) {
    case HostSpanRecord::work:
        return {name.isEmpty() ? ItemTexts::tr("CPU work") : name};
    case HostSpanRecord::queue_put:
        return {ItemTexts::tr("waits: queue %1 is full").arg(name), ItemTexts::tr("queue full")};
    case HostSpanRecord::queue_get:
        return {ItemTexts::tr("waits: queue %1 is empty").arg(name), ItemTexts::tr("queue empty")};
    case HostSpanRecord::join:
        return {ItemTexts::tr("waits for thread %1").arg(name), ItemTexts::tr("join")};
    case HostSpanRecord::staging:
        break;  // its name says which step it is
    }
    return {name};
}

QStringList operationTooltip(const ShownRecording& recording, Row row)
{
    const Trace& trace = *recording.trace;
    const OperationTable& ops = trace.operations;
    const Stream& stream = trace.streams[ops.stream[row]];
    QStringList lines;
    const Ns length = ops.end[row] - ops.start[row];
    if (ops.kind[row] == OperationKind::kernel) {
        const KernelDetail& kernel = trace.kernels[ops.detail[row]];
        lines << ItemTexts::tr("grid %1 \u00D7 %2 \u00D7 %3, block %4 \u00D7 %5 \u00D7 %6")
                     .arg(kernel.grid[0])
                     .arg(kernel.grid[1])
                     .arg(kernel.grid[2])
                     .arg(kernel.block[0])
                     .arg(kernel.block[1])
                     .arg(kernel.block[2]);
    } else {
        QString line = formatBytes(trace.bytes_of(row));
        if (const QString rate = bandwidthText(trace.bytes_of(row), length); !rate.isEmpty()) {
            line += ItemTexts::tr(", %1").arg(rate);
        }
        if (is_copy(ops.kind[row])) {
            const CopyDetail& copy = trace.copies[ops.detail[row]];
            line += ItemTexts::tr(", %1 to %2").arg(memoryText(copy.source), memoryText(copy.target));
        }
        lines << line << stagedText(recording, row);
    }
    lines << ItemTexts::tr("%1 on GPU %2").arg(nameText(trace.label_of(stream))).arg(stream.device);
    if (const Row call = ops.call[row]; call != no_row) {
        lines << ItemTexts::tr("issued by %1, %2 before it began")
                     .arg(nameText(trace.text(trace.calls.name[call])),
                         formatTime(ops.start[row] - trace.calls.start[call]));
    }
    return lines;
}

}  // namespace

QString shortKernelName(const QString& name)
{
    thread_local QHash<QString, QString> made;
    return kept<QString>(made, name,
        [](const QString& whole) { return QString::fromStdString(short_kernel_name(whole.toStdString())); });
}

namespace {

/// A stream called "copy" is no copy.
QString streamWaitText(const Trace& trace, const Stream& stream)
{
    const QString label = nameText(trace.label_of(stream));
    return stream.name == 0 ? ItemTexts::tr("waits for %1").arg(label)
                            : ItemTexts::tr("waits for stream %1").arg(label);
}

QString causeText(const Recording& recording, const BlockedCall& blocked)
{
    const Trace& trace = *recording.trace;
    const bool known = blocked.released_by != no_row;
    switch (blocked.cause) {
    case BlockCause::copy:
        return known ? ItemTexts::tr("waits for %1").arg(operationLabels(trace, blocked.released_by).front())
                     : ItemTexts::tr("waits for its copy");
    case BlockCause::staging:
        return ItemTexts::tr("stages its pageable copy");
    case BlockCause::launch:
        return ItemTexts::tr("waits for its kernel");
    case BlockCause::stream_sync:
        return known ? streamWaitText(trace, trace.streams[trace.operations.stream[blocked.released_by]])
                     : ItemTexts::tr("waits for a stream");
    case BlockCause::device_sync:
        return ItemTexts::tr("waits for the GPU");
    case BlockCause::event_sync:
        return ItemTexts::tr("waits for an event");
    case BlockCause::poll:
        return ItemTexts::tr("polls until the GPU is done");
    case BlockCause::queue_full:
        return ItemTexts::tr("waits for room in the launch queue");
    case BlockCause::memory:
        return ItemTexts::tr("allocation waits for the GPU");
    case BlockCause::other:
        break;
    }
    return ItemTexts::tr("waits");
}

/// A synchronisation after which nothing follows is there for the result, whatever its call is for.
bool isForResult(const Recording& recording, Row stretch)
{
    const BlockCause cause = recording.blocking->calls[stretch].cause;
    return waitRole(recording, stretch) == ItemRole::freeWait
        && recording.waits->kind_of(stretch) == WaitKind::for_result
        && (cause == BlockCause::stream_sync || cause == BlockCause::device_sync || cause == BlockCause::event_sync
            || cause == BlockCause::poll);
}

/// Why a wait costs what it costs.
QString costSentence(const Recording& recording, Row stretch)
{
    switch (waitRole(recording, stretch)) {
    case ItemRole::held:
        return ItemTexts::tr("costs %1: what follows could have begun earlier")
            .arg(formatTime(heldCost(recording, stretch)));
    case ItemRole::freeWait:
        return recording.waits->kind_of(stretch) == WaitKind::for_result
            ? ItemTexts::tr("costs nothing: the thread has nothing left to issue")
            : ItemTexts::tr("costs nothing: what follows would have waited as long for a GPU");
    default:
        return ItemTexts::tr("what it costs is not recorded");
    }
}

/// The fullest first.
QStringList waitLabels(const Recording& recording, Row stretch)
{
    const Trace& trace = *recording.trace;
    const BlockedCall& blocked = recording.blocking->calls[stretch];
    const QString wait = waitText(recording, stretch);
    const ItemRole role = waitRole(recording, stretch);
    const QString costs = role == ItemRole::held
        ? ItemTexts::tr("%1, costs %2").arg(wait, formatTime(heldCost(recording, stretch)))
        : role == ItemRole::freeWait ? ItemTexts::tr("%1, costs nothing").arg(wait)
                                     : ItemTexts::tr("%1, cost not recorded").arg(wait);
    QStringList labels {
        QStringLiteral("%1 \u00B7 %2").arg(costs, nameText(trace.text(trace.calls.name[blocked.call]))), costs, wait};
    if (blocked.cause == BlockCause::copy && blocked.released_by != no_row) {
        labels << ItemTexts::tr("waits for %1").arg(operationLabels(trace, blocked.released_by).back());
    }
    if (role == ItemRole::held) {
        labels << ItemTexts::tr("costs %1").arg(formatTime(heldCost(recording, stretch)));
    }
    labels << (blocked.cause == BlockCause::staging ? ItemTexts::tr("staging") : ItemTexts::tr("waits"));
    return labels;
}

}  // namespace

QString stagedText(const ShownRecording& recording, Row operation)
{
    const Trace& trace = *recording.trace;
    if (!isStaged(trace, operation)) {
        return {};
    }
    const double rate = recording.pinnedRates()[trace.operations.stream[operation]];
    const double share = stagedShare(trace, operation, rate).value_or(1);
    constexpr Ns second = 1'000'000'000;
    return ItemTexts::tr(
        "staged: bytes move in %1 of its time, at the %2 of pinned memory; in the rest it waits for the host")
        .arg(formatShare(share), bandwidthText(static_cast<std::uint64_t>(rate * static_cast<double>(second)), second));
}

namespace {

QString shortened(const QString& line)
{
    constexpr qsizetype most = 200;
    return line.size() <= most ? line : line.left(most) + QStringLiteral("\u2026");
}

}  // namespace

QString valueText(const Trace& trace, const RangeValue& value)
{
    const bool isBytes = value.type == RangeValueRecord::natural && trace.text(value.name) == collective_value::bytes;
    return isBytes ? formatBytes(value.value) : nameText(text_of(trace, value));
}

QString valuesText(const Trace& trace, Row range)
{
    QStringList values;
    for (const RangeValue& value : trace.values_of(range)) {
        values << QStringLiteral("%1 %2").arg(nameText(trace.text(value.name)), valueText(trace, value));
    }
    return values.join(QStringLiteral(", "));
}

QString collectiveText(const Recording& recording, Row operation)
{
    constexpr std::size_t most = 8;
    const Trace& trace = *recording.trace;
    const auto calls
        = recording.graph ? collective_ranges(trace, recording.graph->owners(), operation) : std::vector<Row>();
    QStringList texts;
    for (const Row call : calls) {
        if (texts.size() == most) {
            texts << QStringLiteral("\u2026");
            break;
        }
        texts << QStringLiteral("%1: %2").arg(nameText(trace.text(trace.ranges[call].name)), valuesText(trace, call));
    }
    return texts.join(QStringLiteral("; "));
}

QString waitText(const Recording& recording, Row stretch)
{
    return isForResult(recording, stretch) ? ItemTexts::tr("waits for the result")
                                           : causeText(recording, recording.blocking->calls[stretch]);
}

QStringList labelsOf(const Recording& recording, ItemRef item)
{
    const Trace& trace = *recording.trace;
    switch (item.kind) {
    case ItemKind::operation:
        return operationLabels(trace, item.row);
    case ItemKind::call: {
        const QString name = nameText(trace.text(trace.calls.name[item.row]));
        QStringList labels(name);
        if (name.startsWith(QLatin1String("cuda"))) {
            labels << name.mid(4);
        }
        return labels;
    }
    case ItemKind::blocked:
        return waitLabels(recording, item.row);
    case ItemKind::range: {
        return rangeLabels(trace, trace.ranges[item.row]);
    }
    case ItemKind::hostSpan:
        return hostSpanLabels(trace, trace.host_spans[item.row]);
    case ItemKind::read: {
        const Read& read = trace.reads[item.row];
        const QString buffer = nameText(trace.text(read.buffer));
        return read.wrong_bytes > 0 ? QStringList()
                                    : QStringList {ItemTexts::tr("read %1").arg(buffer)};  // see stale_mark.h
    }
    case ItemKind::overlap:
    case ItemKind::band:
    case ItemKind::gpuTime:
    case ItemKind::none:
        break;
    }
    return {};
}

QStringList tooltipOf(const ShownRecording& recording, ItemRef item, Ns begin)
{
    const Trace& trace = *recording.trace;
    const QStringList labels = labelsOf(recording, item);
    const Interval span = spanOf(recording, item);
    QStringList lines {item.kind == ItemKind::range ? nameText(trace.text(trace.ranges[item.row].name))
            : labels.isEmpty()                      ? QString()
                                                    : labels.front()};
    lines << ItemTexts::tr("%1 long, from %2 to %3")
                 .arg(formatTime(span.end - span.start), formatMoment(span.start - begin, span.end - begin),
                     formatMoment(span.end - begin, span.end - begin));
    switch (item.kind) {
    case ItemKind::operation:
        lines << operationTooltip(recording, item.row) << shortened(collectiveText(recording, item.row));
        if (const auto told = recording.awaited->find(static_cast<Row>(item.row)); told != recording.awaited->end()) {
            lines << ItemTexts::tr("waits %1 for rank %2")
                         .arg(formatTime(told->second.until - span.start))
                         .arg(told->second.rank);
        }
        break;
    case ItemKind::call:
        if (trace.calls.result[item.row] != 0) {
            lines << ItemTexts::tr("returned error %1").arg(trace.calls.result[item.row]);
        }
        break;
    case ItemKind::blocked: {
        const BlockedCall& blocked = recording.blocking->calls[item.row];
        lines << costSentence(recording, item.row);
        if (blocked.released_by != no_row) {
            lines << ItemTexts::tr("released by %1").arg(operationLabels(trace, blocked.released_by).front());
        }
        break;
    }
    case ItemKind::range:
        if (is_sampled(trace, static_cast<Row>(item.row))) {
            lines << ItemTexts::tr("where Python was, sampled every %1: either end may be late by that")
                         .arg(formatTime(meta::number_of(trace.meta, meta::stacks_interval)));
        }
        lines << shortened(valuesText(trace, item.row));
        break;
    case ItemKind::read: {
        const Read& read = trace.reads[item.row];
        lines << (read.wrong_bytes > 0
                ? ItemTexts::tr("%1 of %2 were wrong").arg(formatBytes(read.wrong_bytes), formatBytes(read.bytes))
                : ItemTexts::tr("%1 read, all correct").arg(formatBytes(read.bytes)));
        break;
    }
    default:
        break;
    }
    lines.removeAll(QString());
    return lines;
}

}  // namespace lanes::gui
