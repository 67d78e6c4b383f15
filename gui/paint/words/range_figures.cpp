// SPDX-License-Identifier: MIT
#include "gui/paint/words/range_figures.h"

#include "engine/trace/event.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct RangeFiguresTexts {
    Q_DECLARE_TR_FUNCTIONS(RangeFigures)
};

QString joined(const QStringList& parts)
{
    return parts.join(QStringLiteral(" \u00B7 "));
}

struct Direction {
    RangeSummary::OfKind of;
    std::string_view name;
};

/// Where there are bytes, the most first.
std::vector<Direction> directionsOf(const RangeSummary& summary)
{
    std::vector<Direction> directions;
    for (const OperationKind kind :
        {OperationKind::h2d, OperationKind::d2h, OperationKind::d2d, OperationKind::p2p, OperationKind::h2h}) {
        if (summary.of(kind).bytes > 0) {
            directions.push_back({summary.of(kind), short_name_of(kind)});
        }
    }
    std::stable_sort(
        directions.begin(), directions.end(), [](const auto& a, const auto& b) { return a.of.bytes > b.of.bytes; });
    return directions;
}

QStringList bytesTexts(const RangeSummary& summary)
{
    constexpr std::size_t most = 2;
    QStringList parts;
    std::uint64_t rest = 0;
    for (const auto& [of, direction] : directionsOf(summary)) {
        const QLatin1String name(direction.data(), static_cast<qsizetype>(direction.size()));
        if (parts.size() == most) {
            rest += of.bytes;
        } else if (of.busy > 0) {
            parts << RangeFiguresTexts::tr("%1 %2 at %3")
                         .arg(formatBytes(of.bytes), name, bandwidthText(of.bytes, of.busy));
        } else {
            parts << formatBytes(of.bytes) + QLatin1Char(' ') + name;
        }
    }
    if (rest > 0) {
        parts << RangeFiguresTexts::tr("%1 of other copies").arg(formatBytes(rest));
    }
    return parts;
}

QString countText(std::uint64_t count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(static_cast<qulonglong>(count));
}

QStringList countsTexts(const RangeSummary& summary)
{
    QStringList parts;
    if (const auto kernels = summary.of(OperationKind::kernel).count; kernels > 0) {
        parts << countText(kernels, RangeFiguresTexts::tr("1 kernel"), RangeFiguresTexts::tr("%L1 kernels"));
    }
    if (summary.copies.count > 0) {
        parts << countText(summary.copies.count, RangeFiguresTexts::tr("1 copy"), RangeFiguresTexts::tr("%L1 copies"));
    }
    if (const auto memsets = summary.of(OperationKind::memset).count; memsets > 0) {
        parts << countText(memsets, RangeFiguresTexts::tr("1 memset"), RangeFiguresTexts::tr("%L1 memsets"));
    }
    return parts;
}

}  // namespace

QStringList linesOf(const ScopeFigures& figures)
{
    QString times = RangeFiguresTexts::tr("\u0394T %1").arg(formatTime(figures.length));
    if (!figures.summary) {
        return QStringList(times);
    }
    const auto share = [&](Ns part) {
        return formatShare(figures.length > 0 ? static_cast<double>(part) / static_cast<double>(figures.length) : 0);
    };
    times += RangeFiguresTexts::tr(" \u00B7 GPU busy %1 \u00B7 overlap %2")
                 .arg(share(figures.summary->at_least[0]), share(figures.summary->at_least[1]));
    if (figures.blocked) {
        times += RangeFiguresTexts::tr(" \u00B7 CPU waits %1").arg(formatTime(*figures.blocked));
        if (figures.waitCost && *figures.blocked > 0) {
            times += *figures.waitCost > 0 ? RangeFiguresTexts::tr(", costs %1").arg(formatTime(*figures.waitCost))
                                           : RangeFiguresTexts::tr(", costs nothing");
        }
    }
    const QStringList work = bytesTexts(*figures.summary) + countsTexts(*figures.summary);
    QStringList lines(times);
    if (!work.isEmpty()) {
        lines << joined(work);
    }
    return lines;
}

}  // namespace lanes::gui
