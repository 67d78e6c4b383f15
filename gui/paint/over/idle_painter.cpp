// SPDX-License-Identifier: MIT
#include "gui/paint/over/idle_painter.h"

#include "engine/trace/event.h"
#include "engine/trace/range_around.h"
#include "gui/lanes/wait_role.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"

#include <algorithm>
#include <QCoreApplication>
#include <QPainter>

namespace lanes::gui {

namespace {

struct IdlePainterTexts {
    Q_DECLARE_TR_FUNCTIONS(IdlePainter)
};

constexpr double least_bar_height = 3, most_bar_height = 7;
constexpr std::size_t most_in_column = 8;  // parts that are looked at
constexpr double least_patterned = 6;  // logical pixels
constexpr double most_busy = 0.75;  // of a column: beyond it, it shows what ran

enum class IdlePattern : std::uint8_t { solid, rising, falling, upright, dots, line };

struct IdleLook {
    QColor color;
    IdlePattern pattern;
};

/// What the thread did meanwhile was a wait that cost time.
bool isHeldIn(const Recording& recording, const IdlePart& part)
{
    if ((part.reason != IdleReason::sync && part.reason != IdleReason::pageable
            && part.reason != IdleReason::queue_full)
        || part.because.table != EventTable::calls) {
        return false;
    }
    const auto stretches = recording.blocking->of(part.because.row);
    return std::any_of(stretches.begin(), stretches.end(),
        [&](Row stretch) { return waitRole(recording, stretch) == ItemRole::held; });
}

/// Nothing is drawn where no more work came.
std::optional<IdleLook> idleLook(const Theme& theme, IdleReason reason, bool isHeld = false)
{
    const QColor& cpu = theme.item(ItemRole::cpuWorking);
    const QColor& held = theme.item(isHeld ? ItemRole::held : ItemRole::freeWait);
    const QColor& scarce = theme.item(ItemRole::d2d);
    switch (reason) {
    case IdleReason::late:
        return IdleLook {cpu, IdlePattern::solid};
    case IdleReason::loading:
        return IdleLook {cpu, IdlePattern::upright};
    case IdleReason::start_up:
        return IdleLook {cpu, IdlePattern::rising};
    case IdleReason::host_wait:
        return IdleLook {cpu, IdlePattern::dots};
    case IdleReason::sync:
        return IdleLook {held, IdlePattern::rising};
    case IdleReason::pageable:
        return IdleLook {held, IdlePattern::falling};
    case IdleReason::memory:
        return IdleLook {held, IdlePattern::upright};
    case IdleReason::queue_full:
        return IdleLook {held, IdlePattern::solid};
    case IdleReason::event:
        return IdleLook {theme.accent, IdlePattern::solid};
    case IdleReason::graph:
        return IdleLook {theme.accent, IdlePattern::upright};
    case IdleReason::legacy:
        return IdleLook {theme.accent, IdlePattern::rising};
    case IdleReason::same_stream:
        return IdleLook {theme.accent, IdlePattern::falling};
    case IdleReason::engine:
        return IdleLook {scarce, IdlePattern::solid};
    case IdleReason::multiprocessors:
        return IdleLook {scarce, IdlePattern::rising};
    case IdleReason::hand_over:
        return IdleLook {theme.muted, IdlePattern::line};
    case IdleReason::unknown:
        return IdleLook {theme.muted, IdlePattern::dots};
    case IdleReason::nothing:
        break;
    }
    return {};
}

/// Of rectangles alone: they look the same in every output.
void paintIdleBox(QPainter& painter, const Theme& theme, const IdleLook& look, const QRectF& box)
{
    const double h = box.height();
    if (box.width() < least_patterned && look.pattern != IdlePattern::line) {
        painter.fillRect(box, look.color);
        return;
    }
    if (look.pattern == IdlePattern::line) {
        painter.fillRect(QRectF(box.left(), box.center().y() - 0.75, box.width(), 1.5), look.color);
        return;
    }
    painter.fillRect(box, look.pattern == IdlePattern::solid ? look.color : blend(theme.background, look.color, 0.22));
    const auto part = [&](double x, double y, double width, double height) {
        const double right = std::min(x + width, box.right());
        if (right > x) {
            painter.fillRect(QRectF(x, y, right - x, height), look.color);
        }
    };
    for (double x = box.left() + 1; look.pattern != IdlePattern::solid && x < box.right(); x += 6) {
        switch (look.pattern) {
        case IdlePattern::rising:
            part(x, box.top() + h / 2, 2, h / 2);
            part(x + 2, box.top(), 2, h / 2);
            break;
        case IdlePattern::falling:
            part(x, box.top(), 2, h / 2);
            part(x + 2, box.top() + h / 2, 2, h / 2);
            break;
        case IdlePattern::upright:
            part(x, box.top(), 2, h);
            break;
        default:
            part(x, box.top() + h / 2 - 1, 2, 2);
        }
    }
}

const LaneIdle* idleOf(const IdleReasons& idle, Row stream)
{
    const auto found = std::partition_point(
        idle.lanes.begin(), idle.lanes.end(), [stream](const LaneIdle& lane) { return lane.stream < stream; });
    return found == idle.lanes.end() || found->stream != stream ? nullptr : &*found;
}

/// Of the lanes of a stream's parts the first has its bar.
bool isFirstOfStream(const Lane& lane)
{
    for (const StreamPart part : {StreamPart::compute, StreamPart::communication, StreamPart::copies}) {
        if (lane.work.hasShown(part)) {
            return lane.key.part == StreamPart::whole || lane.key.part == part;
        }
    }
    return true;
}

/// Where the bar of a lane lies, and what it shows; none of lanes that have no bar.
struct IdleBar {
    const LaneIdle* idle = nullptr;
    QRectF box;
};

IdleBar idleBarOf(const TimelineFrame& frame, const IdleReasons& idle, const PlacedLane& lane)
{
    const Lane& model = frame.model.lanes()[lane.lane];
    if (model.key.kind != LaneKind::stream || !isFirstOfStream(model) || lane.collapsed || lane.rows.empty()) {
        return {};
    }
    const PlacedRow& row = lane.rows.back();
    const double height = std::clamp(row.height / 4.0, least_bar_height, most_bar_height);
    const double bottom = frame.yOf(lane, row) + row.height;
    const double seen = frame.isSticky(lane) ? frame.geometry.lanesTop() : frame.scrollTop();
    if (bottom - height < seen || bottom > frame.geometry.size.height()) {
        return {};
    }
    return {idleOf(idle, model.row),
        QRectF(frame.geometry.labelWidth, bottom - height, frame.geometry.plotWidth(), height)};
}

using IdlePlace = std::vector<IdlePart>::const_iterator;

/// The first part from `at` on that ends after `time`: near `at`, as a rule.
IdlePlace endingAfter(IdlePlace at, IdlePlace end, Ns time)
{
    const auto isBefore = [time](const IdlePart& part) { return part.span.end <= time; };
    for (std::ptrdiff_t step = 1; step < end - at; step *= 2) {
        if (!isBefore(at[step])) {
            return std::partition_point(at, at + step, isBefore);
        }
        at += step;
    }
    return std::partition_point(at, end, isBefore);
}

void paintIdleBar(const TimelineFrame& frame, const IdleBar& bar, QPainter& painter)
{
    const TimeScale& scale = frame.scale;
    const auto& parts = bar.idle->parts;
    const Ns end = scale.timeAt(frame.columns());
    std::int64_t from = 0;  // a run of one reason, in columns of the view
    std::int64_t to = 0;
    IdleReason reason = IdleReason::nothing;
    bool isHeld = false;
    const auto flush = [&] {
        if (const auto look = to > from ? idleLook(frame.theme, reason, isHeld) : std::nullopt) {
            const double left = frame.geometry.labelWidth;
            const double x0 = std::max(left + static_cast<double>(from) / frame.ratio, left);
            const double x1 = std::min(left + static_cast<double>(to) / frame.ratio, bar.box.right());
            paintIdleBox(painter, frame.theme, *look, QRectF(x0, bar.box.top(), x1 - x0, bar.box.height()));
        }
        from = to = 0;
    };
    const auto take = [&](std::int64_t x0, std::int64_t x1, IdleReason of, bool held) {
        if (of != reason || held != isHeld || x0 > to) {
            flush();
            from = x0;
        }
        reason = of;
        isHeld = held;
        to = std::max(to, x1);
    };
    auto at = std::partition_point(
        parts.begin(), parts.end(), [&](const IdlePart& part) { return part.span.end <= scale.timeAt(0); });
    while (at != parts.end() && at->span.start < end) {
        const std::int64_t x0 = scale.columnOf(at->span.start) - scale.first();
        const std::int64_t x1 = scale.columnOf(at->span.end) - scale.first();
        if (x1 > x0) {
            take(std::max<std::int64_t>(x0, 0), std::min<std::int64_t>(x1, frame.columns()), at->reason,
                isHeldIn(frame.model.recording(), *at));
            ++at;
            continue;
        }
        const Ns next = scale.startOf(scale.first() + x0 + 1);
        const Ns first = at->span.start;
        Ns last = first;
        Ns stood = 0;
        ReasonTimes times {};
        ReasonTimes held {};
        for (std::size_t i = 0; i < most_in_column && at != parts.end() && at->span.start < next; ++i) {
            last = std::min(at->span.end, next);
            stood += last - at->span.start;
            times[static_cast<std::size_t>(at->reason)] += last - at->span.start;
            held[static_cast<std::size_t>(at->reason)]
                += isHeldIn(frame.model.recording(), *at) ? last - at->span.start : 0;
            if (at->span.end > next) {  // it has columns of its own
                break;
            }
            ++at;
        }
        const bool isAll = at == parts.end() || at->span.start >= next || at->span.end > next;
        const Ns looked = (isAll ? next : last) - first;  // the rest of the column is taken to be like it
        at = endingAfter(at, parts.end(), next);
        if (static_cast<double>(stood) >= (1 - most_busy) * static_cast<double>(looked)) {
            const auto most = static_cast<std::size_t>(std::max_element(times.begin(), times.end()) - times.begin());
            take(x0, x0 + 1, static_cast<IdleReason>(most), 2 * held[most] > times[most]);
        }
    }
    flush();
}

}  // namespace

void paintIdle(const TimelineFrame& frame, const IdleReasons& idle, QPainter& painter)
{
    for (const PlacedLane& lane : frame.layout.lanes()) {
        if (const IdleBar bar = idleBarOf(frame, idle, lane); bar.idle != nullptr) {
            paintIdleBar(frame, bar, painter);
        }
    }
}

const IdlePart* idleAt(const TimelineFrame& frame, const IdleReasons& idle, QPointF at)
{
    for (const PlacedLane& lane : frame.layout.lanes()) {
        const IdleBar bar = idleBarOf(frame, idle, lane);
        if (bar.idle == nullptr || !bar.box.adjusted(0, -2, 0, 2).contains(at)) {
            continue;
        }
        const auto& parts = bar.idle->parts;
        const Ns time = frame.timeAt(at.x());
        const auto found = std::partition_point(
            parts.begin(), parts.end(), [time](const IdlePart& part) { return part.span.end <= time; });
        return found != parts.end() && found->span.start <= time && idleLook(frame.theme, found->reason) ? &*found
                                                                                                         : nullptr;
    }
    return nullptr;
}

void paintIdleSwatch(QPainter& painter, const Theme& theme, IdleReason reason, const QRectF& box)
{
    if (const auto look = idleLook(theme, reason)) {
        paintIdleBox(painter, theme, *look, QRectF(box.left(), box.center().y() - 3, box.width(), 6));
    }
}

std::vector<IdleReason> shownReasons(const std::vector<const IdleReasons*>& idle)
{
    ReasonTimes times {};
    for (const IdleReasons* one : idle) {
        for (std::size_t i = 0; one != nullptr && i < times.size(); ++i) {
            times[i] += one->idle[i];
        }
    }
    times[static_cast<std::size_t>(IdleReason::nothing)] = 0;
    return reasons_by_time(times);
}

QString idleWord(IdleReason reason)
{
    return QString::fromStdString(engineMessages().text("reason." + std::string(name_of(reason))));
}

QString idleSentence(IdleReason reason)
{
    switch (reason) {
    case IdleReason::late:
        return IdlePainterTexts::tr("The call of the next operation came late: its thread did something else");
    case IdleReason::sync:
        return IdlePainterTexts::tr(
            "The thread of the next operation was in a wait for the GPU, or in a copy; vermilion: that cost time");
    case IdleReason::pageable:
        return IdlePainterTexts::tr(
            "The thread of the next operation was in a copy of pageable memory; vermilion: that cost time");
    case IdleReason::memory:
        return IdlePainterTexts::tr("The thread of the next operation allocated, freed or pinned memory");
    case IdleReason::queue_full:
        return IdlePainterTexts::tr("The thread of the next operation waited for room in the launch queue");
    case IdleReason::host_wait:
        return IdlePainterTexts::tr("The thread of the next operation waited for another thread");
    case IdleReason::loading:
        return IdlePainterTexts::tr("The next operation was the first launch of its kernel: its code was loaded");
    case IdleReason::start_up:
        return IdlePainterTexts::tr(
            "The thread of the next operation was in the first call of its process: CUDA started up");
    case IdleReason::same_stream:
        return IdlePainterTexts::tr("The next operation waited for the previous one on its stream");
    case IdleReason::event:
        return IdlePainterTexts::tr("The next operation waited for another stream, through an event");
    case IdleReason::graph:
        return IdlePainterTexts::tr("The next operation waited for another node of its graph");
    case IdleReason::legacy:
        return IdlePainterTexts::tr("The next operation waited because of the legacy default stream");
    case IdleReason::engine:
        return IdlePainterTexts::tr("The next operation waited for its copy engine, which was busy with another copy");
    case IdleReason::multiprocessors:
        return IdlePainterTexts::tr("The next operation waited for free SMs, which other kernels occupied");
    case IdleReason::hand_over:
        return IdlePainterTexts::tr(
            "From the call of the next operation, or the end of what it waited for, to its start");
    case IdleReason::nothing:
        return IdlePainterTexts::tr("No more work came to the stream");
    case IdleReason::unknown:
        break;
    }
    return IdlePainterTexts::tr("The recording does not say why the next operation did not begin earlier");
}

QStringList idleTip(const Trace& trace, const IdlePart& part)
{
    QStringList tip {
        IdlePainterTexts::tr("idle for %1: %2").arg(formatTime(part.span.end - part.span.start), idleWord(part.reason)),
        idleSentence(part.reason)};
    if (part.reason == IdleReason::late) {
        // The call comes after the gap: what its thread did in it is what a range says, such as that of a data loader.
        const Row thread = part.because ? trace.calls.thread[part.because.row] : no_row;
        const std::vector<Row> doing
            = ranges_around(trace, thread, part.span.start + (part.span.end - part.span.start) / 2);
        if (!doing.empty()) {
            tip << IdlePainterTexts::tr("meanwhile: %1").arg(nameText(trace.text(trace.ranges[doing.front()].name)));
        }
    } else if (part.because) {
        tip << IdlePainterTexts::tr("meanwhile: %1").arg(nameText(trace.text(name_of(trace, part.because))));
    }
    if (part.operation != no_row) {
        tip << IdlePainterTexts::tr("next operation: %1")
                   .arg(nameText(trace.text(trace.operations.name[part.operation])));
    }
    return tip;
}

}  // namespace lanes::gui
