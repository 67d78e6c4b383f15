// SPDX-License-Identifier: MIT
#include "gui/export/html/page_columns.h"

#include "engine/trace/event.h"
#include "gui/lanes/staged_copies.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>

namespace lanes::gui {

namespace {

struct PageColumnsTexts {
    Q_DECLARE_TR_FUNCTIONS(PageColumns)
};

/// What was made of a key the first time.
template <class Key, class Make> std::uint32_t once(QHash<Key, std::uint32_t>& known, const Key& key, Make make)
{
    const auto found = known.constFind(key);
    return found != known.constEnd() ? found.value() : known.insert(key, make()).value();
}

/// What was not as it should be, on the read itself.
QStringList readLabels(const Read& read, const QStringList& fresh)
{
    return read.wrong_bytes == 0
        ? fresh
        : QStringList {
            PageColumnsTexts::tr("wrong: %1 of %2").arg(formatBytes(read.wrong_bytes), formatBytes(read.bytes)),
            PageColumnsTexts::tr("wrong")};
}

}  // namespace

void appendVarint(QByteArray& bytes, std::uint64_t value)
{
    while (value >= 0x80) {
        bytes.append(static_cast<char>(value | 0x80U));
        value >>= 7U;
    }
    bytes.append(static_cast<char>(value));
}

PageColumns::PageColumns(const LaneModel& model, bool withSteps, PageTexts& texts)
    : m_model(model)
    , m_withSteps(withSteps)
    , m_texts(texts)
{
}

/// Of operations and calls there are few different ones: their texts are made once a name.
std::uint32_t PageColumns::textOf(ItemRef item)
{
    const Trace& trace = m_model.trace();
    const auto say = [&] { return m_texts.say(labelsOf(m_model.recording(), item)); };
    switch (item.kind) {
    case ItemKind::operation: {
        const OperationKind kind = trace.operations.kind[item.row];
        return kind == OperationKind::kernel
            ? once(m_kernels, quint64 {trace.operations.name[item.row]}, say)
            : once(m_copies, quint64 {trace.bytes_of(item.row)} * 8 + static_cast<quint64>(kind), say);
    }
    case ItemKind::call:
        return once(m_calls, quint64 {trace.calls.name[item.row]}, say);
    case ItemKind::read:
        return m_texts.say(readLabels(trace.reads[item.row], labelsOf(m_model.recording(), item)));
    case ItemKind::overlap:
    case ItemKind::band:
    case ItemKind::gpuTime:
    case ItemKind::none:
        return 0;
    default:
        return say();
    }
}

std::uint32_t PageColumns::operationTip(Row row)
{
    const Trace& trace = m_model.trace();
    const OperationTable& ops = trace.operations;
    if (ops.kind[row] == OperationKind::kernel) {
        const KernelDetail& kernel = trace.kernels[ops.detail[row]];
        const QString grid
            = QStringLiteral("%1 \u00D7 %2 \u00D7 %3").arg(kernel.grid[0]).arg(kernel.grid[1]).arg(kernel.grid[2]);
        const QString block
            = QStringLiteral("%1 \u00D7 %2 \u00D7 %3").arg(kernel.block[0]).arg(kernel.block[1]).arg(kernel.block[2]);
        return once(m_shapes, grid + QLatin1Char('|') + block,
            [&] { return m_texts.say(PageColumnsTexts::tr("grid %1, block %2").arg(grid, block)); });
    }
    if (!is_copy(ops.kind[row])) {
        return 0;
    }
    const CopyDetail& copy = trace.copies[ops.detail[row]];
    const auto memories
        = [&] { return PageColumnsTexts::tr("%1 to %2").arg(memoryText(copy.source), memoryText(copy.target)); };
    if (const QString staged = stagedText(m_model.recording(), row); !staged.isEmpty()) {
        return m_texts.say({memories(), staged});
    }
    const auto key = static_cast<quint64>(copy.source) << 8U | static_cast<quint64>(copy.target);
    return once(m_memories, key, [&] { return m_texts.say(memories()); });
}

/// The lines of a tip after its name and times.
std::uint32_t PageColumns::tipOf(ItemRef item)
{
    const Trace& trace = m_model.trace();
    switch (item.kind) {
    case ItemKind::operation:
        return operationTip(item.row);
    case ItemKind::call:
        if (trace.calls.result[item.row] == 0) {
            return 0;
        }
        [[fallthrough]];
    case ItemKind::blocked:
    case ItemKind::read:
        // Behind its name, which a stale read lacks there, and its times.
        return m_texts.say(
            tooltipOf(m_model.recording(), item).mid(labelsOf(m_model.recording(), item).isEmpty() ? 1 : 2));
    default:
        return 0;
    }
}

std::uint32_t PageColumns::callName(Row call)
{
    const StringId name = m_model.trace().calls.name[call];
    return once(m_callNames, quint64 {name}, [&] { return m_texts.say(text(m_model.trace().text(name))); });
}

static bool anyShade(const RowItems& items)
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items.shade(i) != plain_shade) {
            return true;
        }
    }
    return false;
}

static bool anyStaged(const Trace& trace, const RowItems& items)
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (isStaged(trace, items.place(i))) {
            return true;
        }
    }
    return false;
}

/// How long a collective waits for the last of its kernels to begin, at most its length; 0: it does not.
static std::uint64_t earlyTime(const ShownRecording& recording, const RowItems& items, std::size_t i)
{
    const auto last = recording.awaitedUntil(items.place(i));
    return last ? static_cast<std::uint64_t>(std::clamp<Ns>(*last, items.start(i), items.end(i)) - items.start(i)) : 0;
}

static bool anyEarly(const ShownRecording& recording, const RowItems& items)
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (earlyTime(recording, items, i) > 0) {
            return true;
        }
    }
    return false;
}

template <class Value> static void appendColumn(QByteArray& bytes, std::size_t count, const Value& value)
{
    for (std::size_t i = 0; i < count; ++i) {
        appendVarint(bytes, value(i));
    }
}

/// How staged copies are filled, how long collectives wait, bytes, the call of each and the time since it, and with
/// `ofEngine` its stream.
void PageColumns::appendOperations(
    const RowItems& items, bool hasStaged, bool hasEarly, bool ofEngine, QByteArray& bytes)
{
    const Trace& trace = m_model.trace();
    const OperationTable& ops = trace.operations;
    const auto column = [&](const auto& value) { appendColumn(bytes, items.size(), value); };
    if (hasStaged) {  // 0: it is not; else one more than its share of moving bytes, of 254
        column([&](std::size_t i) -> std::uint64_t {
            const Row operation = items.place(i);
            const auto share = stagedShare(trace, operation, m_model.recording().pinnedRates()[ops.stream[operation]]);
            return share ? 1 + static_cast<std::uint64_t>(*share * 254 + 0.5) : 0;
        });
    }
    if (hasEarly) {
        column([&](std::size_t i) { return earlyTime(m_model.recording(), items, i); });
    }
    column([&](std::size_t i) { return trace.bytes_of(items.place(i)); });
    column([&](std::size_t i) {
        const Row call = ops.call[items.place(i)];
        return call == no_row ? 0 : callName(call);
    });
    column([&](std::size_t i) {
        const Row call = ops.call[items.place(i)];
        return call == no_row ? 0 : zigzag(items.start(i) - trace.calls.start[call]);
    });
    if (ofEngine) {
        column([&](std::size_t i) {
            const Row stream = ops.stream[items.place(i)];
            return once(
                m_streams, quint64 {stream}, [&] { return m_texts.say(text(trace.label_of(trace.streams[stream]))); });
        });
    }
}

QJsonObject PageColumns::append(const LaneRow& row, QByteArray& bytes)
{
    const Trace& trace = m_model.trace();
    const RowItems& items = row.items;
    const std::size_t count = items.size();
    const auto column = [&](const auto& value) { appendColumn(bytes, count, value); };
    Ns before = 0;
    column([&](std::size_t i) {
        const Ns gap = items.start(i) - before;
        before = items.end(i);
        return zigzag(gap);
    });
    column([&](std::size_t i) { return static_cast<std::uint64_t>(items.end(i) - items.start(i)); });
    const ItemRole first = count > 0 ? items.role(0) : ItemRole::none;
    bool one = true;
    for (std::size_t i = 1; i < count && one; ++i) {
        one = items.role(i) == first;
    }
    if (!one) {
        column([&](std::size_t i) { return static_cast<std::uint64_t>(items.role(i)); });
    }
    const bool hasShades = anyShade(items);
    if (hasShades) {
        column([&](std::size_t i) { return static_cast<std::uint64_t>(items.shade(i)); });
    }
    if (!row.costs.empty()) {
        column([&](std::size_t i) { return static_cast<std::uint64_t>(row.costs[i + 1] - row.costs[i]); });
    }
    const bool named = isEventOrPart(row.kind);
    if (named) {
        column([&](std::size_t i) { return textOf(row.itemAt(i)); });
        column([&](std::size_t i) { return tipOf(row.itemAt(i)); });
        if (m_withSteps) {
            column([&](std::size_t i) {
                const std::uint32_t step = step_of(trace, eventOf(m_model.recording(), row.itemAt(i)));
                return step == no_id ? 0 : std::uint64_t {step} + 1;
            });
        }
    }
    const bool ofEngine = row.kind == ItemKind::operation && m_model.choice().grouping == LaneGrouping::engine;
    const bool hasStaged = row.kind == ItemKind::operation && anyStaged(trace, items);
    const bool hasEarly = row.kind == ItemKind::operation && anyEarly(m_model.recording(), items);
    if (row.kind == ItemKind::operation) {
        appendOperations(items, hasStaged, hasEarly, ofEngine, bytes);
    }
    static constexpr const char* kinds[]
        = {"none", "operation", "call", "range", "hostSpan", "read", "blocked", "overlap", "band", "gpuTime"};
    return {{QStringLiteral("kind"), QLatin1String(kinds[static_cast<std::size_t>(row.kind)])},
        {QStringLiteral("count"), static_cast<qint64>(count)},
        {QStringLiteral("role"), one ? static_cast<int>(first) : -1}, {QStringLiteral("named"), named},
        {QStringLiteral("streams"), ofEngine}, {QStringLiteral("costs"), !row.costs.empty()},
        {QStringLiteral("staged"), hasStaged}, {QStringLiteral("early"), hasEarly},
        {QStringLiteral("shades"), hasShades}, {QStringLiteral("shade"), row.shade},
        {QStringLiteral("level"),
            row.level ? QJsonValue(QJsonArray {static_cast<int>(row.level->part), row.level->level}) : QJsonValue()}};
}

}  // namespace lanes::gui
