// SPDX-License-Identifier: MIT
#include "gui/timeline/range_figures.h"

#include "gui/timeline/time_format.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(RangeFigures)
};

Ns lengthIn(const IntervalSet& set, TimeSpan range)
{
    Ns sum = 0;
    auto at = std::lower_bound(set.begin(), set.end(), range.start, [](const Interval& i, Ns t) { return i.end <= t; });
    for (; at != set.end() && at->start < range.end; ++at) {
        sum += std::min(at->end, range.end) - std::max(at->start, range.start);
    }
    return sum;
}

}  // namespace

RangeFigures figuresOf(const LaneModel& model, TimeSpan range)
{
    RangeFigures figures;
    figures.length = range.end - range.start;
    figures.busy = lengthIn(model.atLeast(1), range);
    figures.overlap = lengthIn(model.atLeast(2), range);
    bool firstThread = true;
    const Trace& trace = model.trace();
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::thread && firstThread) {
            firstThread = false;
            if (model.recording().blocking->known) {
                figures.blocked = 0;
                for (const LaneRow& row : lane.rows) {
                    *figures.blocked += row.kind == ItemKind::blocked ? row.busyIn(range.start, range.end) : 0;
                }
            }
        }
        if (lane.key.kind != LaneKind::stream) {
            continue;
        }
        for (const LaneRow& row : lane.rows) {
            for (std::size_t i = row.items.firstEndingAfter(range.start); i < row.items.size() && row.items.start(i) < range.end; ++i) {
                ++figures.operations;
                const Row operation = row.items.place(i);
                if (row.items.start(i) >= range.start && is_copy(trace.operations.kind[operation])) {
                    figures.bytes += trace.bytes_of(operation);
                }
            }
        }
    }
    return figures;
}

QString textOf(const RangeFigures& figures)
{
    const auto share = [&](Ns part) { return formatShare(figures.length > 0 ? static_cast<double>(part) / static_cast<double>(figures.length) : 0); };
    QString text = Texts::tr("\u0394T %1 \u00B7 GPU busy %2 \u00B7 overlap %3").arg(formatTime(figures.length), share(figures.busy), share(figures.overlap));
    if (figures.blocked) {
        text += Texts::tr(" \u00B7 CPU blocked %1").arg(formatTime(*figures.blocked));
    }
    if (figures.bytes > 0) {
        text += Texts::tr(" \u00B7 %1 copied").arg(formatBytes(figures.bytes));
    }
    return text;
}

}  // namespace lanes::gui
