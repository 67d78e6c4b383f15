// SPDX-License-Identifier: MIT
#include "gui/panels/card.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/facts/families.h"
#include "engine/analysis/facts/intervals.h"
#include "engine/trace/event.h"
#include "engine/trace/median.h"
#include "engine/trace/owners.h"
#include "engine/trace/range_around.h"
#include "gui/lanes/wait_role.h"
#include "gui/paint/over/chain_painter.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/role_text.h"
#include "gui/session/format.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

namespace lanes::gui {

namespace {

constexpr std::size_t most_waits = 2;  // a side
constexpr std::size_t most_frames = 5;

class CardWriter {
    Q_DECLARE_TR_FUNCTIONS(Card)

public:
    CardWriter(const OpenRecording& recording, EventRef event, Ns begin = 0)
        : m_recording(recording)
        , m_trace(*recording.trace)
        , m_event(event)
        , m_span(span_of(m_trace, event))
        , m_begin(begin)
    {
    }

    Card take()
    {
        Card card;
        card.name = shortName(m_event);
        card.length = formatTime(m_span.end - m_span.start);
        card.place = laneText(m_trace, m_event);
        card.facts.push_back({tr("from \u2013 to"), fromTo()});
        QString full = nameOf(m_trace, m_event);
        switch (m_event.table) {
        case EventTable::operations:
            full = fullName(full);
            card.place = tr("%1, %2").arg(familyText(family_of(m_trace, m_event.row)), card.place);
            add(card, tr("It waited for"), operationWaits());
            add(card, tr("What waited for it"), waiters());
            issued(card, outermost(m_trace.calls, m_trace.operations.call[m_event.row]));
            nodes(card);
            owner(card);
            break;
        case EventTable::calls:
            waits(card);
            add(card, tr("It waited for"), callWaits());
            add(card, tr("It issued"), issuedByCall());
            around(card, m_trace.calls.thread[m_event.row], m_span.start, tr("Called in"));
            owner(card, m_trace.calls.thread[m_event.row], no_row);
            break;
        case EventTable::ranges:
        case EventTable::host_spans:
        case EventTable::reads:
            add(card, tr("It waited for"), hostWaits());
            around(card, lane_of(m_trace, m_event), m_span.start, tr("Called in"));
            owner(card, lane_of(m_trace, m_event), m_event.table == EventTable::ranges ? m_event.row : no_row);
            break;
        case EventTable::none:
            break;
        }
        card.fullName = full == card.name ? QString() : full;
        return card;
    }

    QString shortName(ItemRef item) const
    {
        const EventRef event = eventOf(m_recording, item);
        if (event.table == EventTable::operations && m_trace.operations.kind[event.row] == OperationKind::kernel) {
            return shortKernelName(nameOf(m_trace, event));
        }
        const QStringList labels = item.kind == ItemKind::blocked || event.table == EventTable::calls
            ? QStringList(nameOf(m_trace, event))
            : labelsOf(m_recording, item);
        return labels.isEmpty() ? nameOf(m_trace, event) : labels.front();
    }

    CardEntry entry(ItemRef item, const QString& said) const
    {
        const EventRef event = eventOf(m_recording, item);
        return {item, shortName(item), said, event.table == EventTable::ranges};
    }

    /// The stream or thread of an event, as short as it can be told apart.
    QString where(EventRef event) const
    {
        const Row lane = lane_of(m_trace, event);
        return event.table == EventTable::operations ? text(m_trace.full_label_of(m_trace.streams[lane]))
                                                     : threadText(m_trace, lane);
    }

private:
    static void add(Card& card, const QString& title, std::vector<CardEntry> entries)
    {
        if (!entries.empty()) {
            card.parts.push_back({title, std::move(entries)});
        }
    }

    /// With as many digits as tell the ends apart: "111.08 – 117.57 ms".
    QString fromTo() const
    {
        constexpr Ns told_apart = 100;
        const auto ends = shown_ends({m_span.start - m_begin, m_span.end - m_begin}, told_apart);
        QString from = QString::fromStdString(ends.first);
        const QString to = QString::fromStdString(ends.second);
        if (const qsizetype unit = to.lastIndexOf(u' '); unit > 0 && from.endsWith(to.mid(unit))) {
            from.chop(to.size() - unit);
        }
        return QStringLiteral("%1 \u2013 %2").arg(from, to);
    }

    QString fullName(const QString& shown) const
    {
        const Row detail = m_trace.operations.detail[m_event.row];
        const QString full = m_trace.operations.kind[m_event.row] == OperationKind::kernel
            ? nameText(m_trace.text(m_trace.kernels[detail].full_name))
            : QString();
        return full.isEmpty() ? shown : full;
    }

    /// What the start of an operation waited for.
    std::vector<CardEntry> operationWaits() const
    {
        std::vector<CardEntry> entries;
        if (!m_recording.graph) {
            return entries;
        }
        const Graph& graph = *m_recording.graph;
        const StartCause cause = graph.starts().cause(m_event.row);
        const Row after = graph.starts().after(m_event.row);
        const Row call = outermost(m_trace.calls, m_trace.operations.call[m_event.row]);
        if (after != no_row) {
            const Ns delay = m_span.start - m_trace.operations.end[after];
            const QString began = delay < 0 ? tr("began %1 before that ended").arg(formatTime(-delay))
                                            : tr("began %1 after").arg(formatTime(delay));
            entries.push_back(
                entry(EventRef {EventTable::operations, after}, tr("%1; %2").arg(causeWords(cause, after), began)));
        } else if (cause == StartCause::launch && call != no_row) {
            entries.push_back(entry(EventRef {EventTable::calls, call},
                tr("its own call; began %1 after").arg(formatTime(m_span.start - m_trace.calls.start[call]))));
        }
        if (const Row partner = graph.partner_of(m_event.row); partner != no_row) {
            entries.push_back(entry(EventRef {EventTable::operations, partner},
                tr("the last of its collective, on %1; %2 later")
                    .arg(where({EventTable::operations, partner}),
                        formatTime(m_trace.operations.start[partner] - m_span.start))));
        }
        return entries;
    }

    QString causeWords(StartCause cause, Row after) const
    {
        const QString lane = where({EventTable::operations, after});
        switch (cause) {
        case StartCause::stream:
            return tr("before it on its stream");
        case StartCause::event:
            return tr("on %1, through an event").arg(lane);
        case StartCause::graph:
            return tr("before it in its graph");
        case StartCause::legacy:
            return tr("on %1, through the default stream").arg(lane);
        case StartCause::engine:
            return tr("on %1, held the copy engine").arg(lane);
        case StartCause::multiprocessors:
            return tr("on %1, filled the GPU").arg(lane);
        case StartCause::launch:
        case StartCause::unknown:
            break;
        }
        return tr("on %1").arg(lane);
    }

    /// Operations that began and threads that went on because this operation ended.
    std::vector<CardEntry> waiters() const
    {
        std::vector<CardEntry> entries;
        for (const ItemRef item : waitersOf(m_recording, m_event.row)) {
            if (entries.size() < most_waits) {
                entries.push_back(
                    entry(item, item.kind == ItemKind::operation ? waiterWords(item.row) : releasedWords(item.row)));
            }
        }
        return entries;
    }

    /// Of a blocked stretch.
    QString releasedWords(Row stretch) const
    {
        const BlockedCall& wait = m_recording.blocking->calls[stretch];
        const Ns cost = heldCost(m_recording, stretch);
        const QString waited
            = tr("%1 waited %2").arg(where({EventTable::calls, wait.call}), formatTime(wait.end - wait.start));
        return cost > 0 ? tr("%1, costs %2").arg(waited, formatTime(cost)) : waited;
    }

    QString waiterWords(Row next) const
    {
        const OperationTable& table = m_trace.operations;
        const Ns delay = table.start[next] - m_span.end;
        const QString began = delay < 0 ? tr("began %1 before it ended").arg(formatTime(-delay))
                                        : tr("began %1 after").arg(formatTime(delay));
        if (table.stream[next] == table.stream[m_event.row]) {
            return tr("next on its stream; %1").arg(began);
        }
        const RowSpan stream = m_trace.operations_of(table.stream[next]);
        const QString lane = where({EventTable::operations, next});
        if (next == stream.begin || table.end[next - 1] >= m_span.end) {
            return tr("on %1; %2").arg(lane, began);
        }
        return tr("on %1; idle %2 until then").arg(lane, formatTime(table.start[next] - table.end[next - 1]));
    }

    void waits(Card& card) const
    {
        const Blocking& blocking = *m_recording.blocking;
        const auto stretches = blocking.of(m_event.row);
        if (stretches.empty()) {
            return;
        }
        const Ns cost = std::accumulate(stretches.begin(), stretches.end(), Ns {0},
            [this](Ns sum, Row stretch) { return sum + heldCost(m_recording, stretch); });
        const bool known = std::none_of(stretches.begin(), stretches.end(),
            [this](Row stretch) { return waitRole(m_recording, stretch) == ItemRole::unknownWait; });
        card.facts.push_back({tr("blocked"), formatTime(blocking.time_of(m_event.row))});
        card.facts.push_back({tr("costs"), cost > 0 ? formatTime(cost) : known ? tr("nothing") : tr("not recorded")});
    }

    /// What released a call, the longest waits first.
    std::vector<CardEntry> callWaits() const
    {
        const auto& calls = m_recording.blocking->calls;
        const auto of = m_recording.blocking->of(m_event.row);
        std::vector<Row> stretches(of.begin(), of.end());
        std::stable_sort(stretches.begin(), stretches.end(),
            [&](Row a, Row b) { return calls[a].end - calls[a].start > calls[b].end - calls[b].start; });
        std::vector<CardEntry> entries;
        for (const Row stretch : stretches) {
            const Row by = m_recording.graph ? m_recording.graph->released_by(stretch) : calls[stretch].released_by;
            if (by != no_row && entries.size() < most_waits) {
                const EventRef event {EventTable::operations, by};
                const Ns delay = calls[stretch].end - m_trace.operations.end[by];
                entries.push_back(entry(event,
                    delay > 0 ? tr("on %1; the call went on %2 after its end").arg(where(event), formatTime(delay))
                              : tr("on %1").arg(where(event))));
            }
        }
        return entries;
    }

    std::vector<CardEntry> issuedByCall() const
    {
        const Row first = m_recording.links->issued_by(m_event.row);
        if (first == no_row) {
            return {};
        }
        return {entry(EventRef {EventTable::operations, first},
            tr("on %1; began %2 after the call")
                .arg(where({EventTable::operations, first}),
                    formatTime(m_trace.operations.start[first] - m_span.start)))};
    }

    /// The put that a get waited for, the thread's end that a join did.
    std::vector<CardEntry> hostWaits() const
    {
        const Row from = m_event.table == EventTable::host_spans && m_recording.graph
            ? m_recording.graph->handover_of(m_event.row)
            : no_row;
        return from == no_row ? std::vector<CardEntry>()
                              : std::vector<CardEntry> {entry(EventRef {EventTable::host_spans, from},
                                  tr("on %1").arg(where({EventTable::host_spans, from})))};
    }

    void issued(Card& card, Row call) const
    {
        if (call == no_row) {
            return;
        }
        const EventRef event {EventTable::calls, call};
        const Ns before = m_span.start - m_trace.calls.start[call];
        std::vector<CardEntry> entries {
            entry(event, tr("%1, %2 before it began").arg(where(event), formatTime(before)))};
        const Owner owner = m_recording.graph ? m_recording.graph->owners().of(m_event.row) : Owner();
        if (owner.from == Owner::From::capture) {
            add(card, tr("Issued by"), std::move(entries));
            around(card, owner.thread, owner.time, tr("Captured in"));
        } else {
            around(card, m_trace.calls.thread[call], m_trace.calls.start[call], tr("Issued by"), std::move(entries));
        }
    }

    /// The ranges of a thread around a time under `title`, without those that only lead to the next one.
    void around(Card& card, Row thread, Ns time, const QString& title, std::vector<CardEntry> entries = {}) const
    {
        const std::size_t most = entries.size() + most_frames;
        for (const Row row : ranges_around(m_trace, thread, time)) {
            const EventRef range {EventTable::ranges, row};
            const std::string_view name = m_trace.text(m_trace.ranges[row].name);
            if (range != m_event && !is_plumbing(name) && entries.size() < most) {
                entries.push_back({range, nameText(name), {}, true});
            }
        }
        add(card, title, std::move(entries));
    }

    static QString partText(OwnerPart part)
    {
        switch (part) {
        case OwnerPart::torch_operator:
            return tr("operator");
        case OwnerPart::module:
            return tr("module");
        case OwnerPart::range:
        case OwnerPart::line:
            break;
        }
        return tr("call site");
    }

    /// Whose work an operation is; if it is nobody's, why.
    void owner(Card& card) const
    {
        if (!m_recording.graph) {
            return;
        }
        const Owners& owners = m_recording.graph->owners();
        const Owner owner = owners.of(m_event.row);
        if (owner.within != 0) {
            // Its ranges are before the recorded part: there is nothing to go to.
            QStringList names;
            for (const OwnerPart part : owner_parts) {
                if (owner.has(part) && part != OwnerPart::range) {
                    names << nameText(owners.text(owner, part));
                }
            }
            card.facts.push_back({tr("captured before the recorded part in"), names.join(QStringLiteral(", "))});
        } else if (owner) {
            ownerEntries(card, owners, owner);
        } else if (!m_trace.ranges.empty()) {
            card.facts.push_back({tr("owner"), missingText(owner.missing)});
        }
    }
    /// What runs in a CUDA graph that was recorded as a whole.
    void nodes(Card& card) const
    {
        constexpr std::size_t most_names = 6;
        const auto names
            = m_recording.graph ? m_recording.graph->owners().nodes_of(m_event.row) : std::vector<std::string_view>();
        if (!names.empty()) {
            card.facts.push_back({tr("in the graph, times not recorded"), nameText(in_one_line(names, most_names))});
        }
    }
    /// The same of what a thread did when the event began; `but`: a range that does not count.
    void owner(Card& card, Row thread, Row but) const
    {
        if (m_recording.graph) {
            const Owners& owners = m_recording.graph->owners();
            ownerEntries(card, owners, owners.around(thread, m_span.start, but));
        }
    }
    void ownerEntries(Card& card, const Owners& owners, const Owner& owner) const
    {
        std::vector<CardEntry> entries;
        for (const OwnerPart part : owner_parts) {
            // The ranges are named above; of the others each says what it is.
            if (const Row row = owner.of(part); row != no_row && part != OwnerPart::range) {
                entries.push_back(
                    {EventRef {EventTable::ranges, row}, nameText(owners.text(owner, part)), partText(part), true});
            }
        }
        add(card, tr("Owner"), std::move(entries));
    }
    static QString missingText(Owner::Missing missing)
    {
        return missing == Owner::Missing::call   ? tr("none: its call is not recorded")
            : missing == Owner::Missing::capture ? tr("none: the capture of its CUDA graph is not recorded")
                                                 : tr("none: issued outside of every range");
    }

    const OpenRecording& m_recording;
    const Trace& m_trace;
    EventRef m_event;
    Interval m_span;
    Ns m_begin;
};

/// What events of one name have in common: its table's name, of kernels the full one, of operations also the kind.
struct NameKey {
    StringId name = 0;
    int kind = 0;
    friend bool operator==(const NameKey&, const NameKey&) = default;
};

NameKey keyOf(const Trace& trace, EventRef event)
{
    if (event.table != EventTable::operations) {
        return {name_of(trace, event), 0};
    }
    const OperationTable& table = trace.operations;
    const OperationKind kind = table.kind[event.row];
    const StringId full = kind == OperationKind::kernel ? trace.kernels[table.detail[event.row]].full_name : 0;
    return {full != 0 ? full : table.name[event.row], static_cast<int>(kind)};
}

/// For how long kernels that do not communicate ran beside an operation on its GPU.
Ns besideKernels(const Trace& trace, Row operation, const std::stop_token& stop)
{
    const OperationTable& table = trace.operations;
    const Interval span {table.start[operation], table.end[operation]};
    const Stream& own = trace.streams[table.stream[operation]];
    std::vector<Interval> beside;
    for (Row stream = 0; stream < trace.streams.size() && !stop.stop_requested(); ++stream) {
        if (trace.streams[stream].device != own.device) {
            continue;
        }
        const RowSpan rows = trace.operations_of(stream);
        for (Row row = rows.begin; row < rows.end && table.start[row] < span.end; ++row) {
            if (row != operation && table.end[row] > span.start && table.kind[row] == OperationKind::kernel
                && family_of(trace, row) != Family::communication) {
                beside.push_back(common({table.start[row], table.end[row]}, span));
            }
        }
    }
    return length(unite(std::move(beside)));
}

/// One of each cell of a plot's grid.
std::vector<NameDot> thinned(const std::vector<NameDot>& all, const CardFigures& figures)
{
    constexpr std::size_t columns = 260, rows = 48;  // as many pixels as the plot has, about
    constexpr std::size_t few = 2000;
    if (all.size() <= few) {
        return all;
    }
    std::vector<bool> taken(columns * rows);
    std::vector<NameDot> dots;
    const auto cell = [](Ns value, Ns least, Ns most, std::size_t cells) {
        return most <= least ? 0
                             : static_cast<std::size_t>(static_cast<double>(value - least)
                                 / static_cast<double>(most - least) * static_cast<double>(cells - 1));
    };
    for (const NameDot& dot : all) {
        const std::size_t at = cell(dot.start, figures.span.start, figures.span.end, columns) * rows
            + cell(dot.length, figures.least, figures.most, rows);
        if (!taken[at]) {
            taken[at] = true;
            dots.push_back(dot);
        }
    }
    return dots;
}

QString chainName(const CardWriter& writer, const ChainStep& step)
{
    return writer.shortName(step.from);
}

}  // namespace

Card cardOf(const OpenRecording& recording, EventRef event, Ns begin)
{
    return event ? CardWriter(recording, event, begin).take() : Card();
}

std::vector<ChainLine> chainLines(const OpenRecording& recording, const std::vector<ChainStep>& chain)
{
    const ChainCycle cycle = cycleOf(recording, chain);
    std::vector<ChainLine> lines;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (cycle.isAgain(i)) {
            continue;
        }
        const ChainStep& step = chain[i];
        const CardWriter writer(recording, eventOf(recording, step.to));
        const EventRef from = eventOf(recording, step.from);
        lines.push_back({i + 1, chainWords(step),
            {step.from, chainName(writer, step), writer.where(from), from.table == EventTable::ranges},
            cycle.isLastOfFirst(i) ? cycle.times : 1});
    }
    return lines;
}

CardFigures cardFigures(const Trace& trace, EventRef event, const std::stop_token& stop)
{
    CardFigures figures;
    if (!event) {
        return figures;
    }
    constexpr Row looks = 1U << 16U;  // between two looks at whether to stop
    const NameKey wanted = keyOf(trace, event);
    std::vector<NameDot> all;
    const auto rows = static_cast<Row>(size_of(trace, event.table));
    for (Row row = 0; row < rows && !(row % looks == 0 && stop.stop_requested()); ++row) {
        const EventRef other {event.table, row};
        if (keyOf(trace, other) == wanted) {
            const Interval span = span_of(trace, other);
            all.push_back({row, span.start, span.end - span.start});
        }
    }
    std::sort(all.begin(), all.end(),
        [](const NameDot& a, const NameDot& b) { return std::tie(a.start, a.row) < std::tie(b.start, b.row); });
    figures.count = all.size();
    if (!all.empty()) {
        std::vector<Ns> lengths(all.size());
        std::transform(all.begin(), all.end(), lengths.begin(), [](const NameDot& dot) { return dot.length; });
        figures.median = mean_of_middle(lengths);
        const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
        figures.least = *least;
        figures.most = *most;
        figures.span = {all.front().start, all.back().start};
        figures.dots = thinned(all, figures);
    }
    if (event.table == EventTable::operations) {
        const OperationKind kind = trace.operations.kind[event.row];
        const bool isCopy = kind != OperationKind::kernel && kind != OperationKind::memset;
        if (isCopy || family_of(trace, event.row) == Family::communication) {
            figures.hidden = besideKernels(trace, event.row, stop);
        }
    }
    return figures;
}

}  // namespace lanes::gui
