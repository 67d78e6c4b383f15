// SPDX-License-Identifier: MIT
#include "gui/panels/summary/summary_rows.h"

#include "gui/lanes/family_role.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/role_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/format.h"
#include "gui/session/texts.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace lanes::gui {

namespace {

/// Of a finding there is the time that it cost and how often it occurred.
SummaryRow rowOf(const Finding& finding)
{
    SummaryRow row;
    row.name = finding.rule;
    row.count = finding.count;
    row.total = finding.cost;
    row.longest = finding.evidence.empty() ? EventRef {} : finding.evidence.front();
    row.min = row.max = row.median = -1;  // not known
    return row;
}

/// What a missing side counts as in a difference: a name that does not occur took no time, but has no mean.
bool isZeroWhereMissing(SummaryFigure figure)
{
    return figure == SummaryFigure::total || figure == SummaryFigure::own || figure == SummaryFigure::count
        || figure == SummaryFigure::bytes || figure == SummaryFigure::blocked || figure == SummaryFigure::exposed;
}

std::optional<double> figureOf(const CounterRow& row, SummaryFigure figure)
{
    switch (figure) {
    case SummaryFigure::count:
        return static_cast<double>(row.samples);
    case SummaryFigure::least:
        return row.min;
    case SummaryFigure::average:
        return row.mean;
    case SummaryFigure::most:
        return row.max;
    case SummaryFigure::last:
        return row.last;
    default:
        return {};
    }
}

/// "torch allocated · GPU 0"
QString shownCounter(const CounterRow& row, bool severalProcesses)
{
    QStringList words {row.name.empty() ? tr("(no name)") : printable(text(row.name))};
    if (row.device != no_id) {
        words += tr("GPU %1").arg(row.device);
    }
    if (severalProcesses) {
        words += tr("process %1").arg(row.process);
    }
    return words.join(QStringLiteral(" · "));
}

std::optional<double> figureOf(const NamedRow& row, SummaryFigure figure, std::size_t side)
{
    if (row.counters[side]) {
        return figureOf(*row.counters[side], figure);
    }
    const std::optional<SummaryRow>& figures = row.sides[side];
    if (!figures) {
        return {};
    }
    const auto known
        = [&](Ns value) { return figures->min < 0 ? std::nullopt : std::optional(static_cast<double>(value)); };
    switch (figure) {
    case SummaryFigure::name:
        break;
    case SummaryFigure::family:
        return figures->family ? std::optional(static_cast<double>(*figures->family)) : std::nullopt;
    case SummaryFigure::total:
        return static_cast<double>(figures->total);
    case SummaryFigure::own:
        return static_cast<double>(figures->own);
    case SummaryFigure::share:
        return row.share[side];
    case SummaryFigure::count:
        return static_cast<double>(figures->count);
    case SummaryFigure::mean:
        return known(figures->mean());
    case SummaryFigure::median:
        return known(figures->median);
    case SummaryFigure::min:
        return known(figures->min);
    case SummaryFigure::max:
        return known(figures->max);
    case SummaryFigure::bytes:
        return static_cast<double>(figures->bytes);
    case SummaryFigure::blocked:
        return figures->blocked ? std::optional(static_cast<double>(*figures->blocked)) : std::nullopt;
    case SummaryFigure::exposed:
        return figures->exposed ? std::optional(static_cast<double>(*figures->exposed)) : std::nullopt;
    default:
        break;
    }
    return {};
}

/// What a row without a name is called.
QString unnamed(SummaryBy by)
{
    switch (by) {
    case SummaryBy::owner:
        return tr("(no owner)");
    case SummaryBy::module:
        return tr("(no module)");
    case SummaryBy::line:
        return tr("(no line)");
    default:
        return tr("(no name)");
    }
}

}  // namespace

std::vector<SummaryColumn> columnsOf(const SummaryOf& of)
{
    using enum SummaryFigure;
    std::vector<SummaryFigure> figures {total, share, count};
    if (of.counters) {
        figures = {count, least, average, most, last};
    } else if (!of.findings) {
        figures.insert(figures.end(), {mean, median, min, max});
    }
    if (!of.findings && !of.counters && of.by == SummaryBy::range) {
        figures.insert(figures.begin() + 1, own);
    }
    if (!of.findings && !of.counters && of.by == SummaryBy::copy) {
        figures.push_back(bytes);
    } else if (!of.findings && !of.counters && of.by == SummaryBy::api) {
        figures.push_back(blocked);
    }
    const bool isOfWork = of.by == SummaryBy::kernel || of.by == SummaryBy::copy || of.by == SummaryBy::family;
    if (!of.findings && !of.counters && isOfWork) {
        figures.push_back(exposed);
    }
    std::vector<SummaryColumn> columns {{}};
    if (!of.findings && !of.counters && of.by == SummaryBy::kernel) {
        columns.push_back({family, 0});
    }
    for (const SummaryFigure figure : figures) {
        columns.push_back({figure, 0});
        if (of.recordings.size() > 1) {
            columns.push_back({figure, 1});
            if (figure != share) {
                columns.push_back({figure, 2});
            }
        }
    }
    return columns;
}

NamedRows rowsOf(const SummaryOf& of, const std::stop_token& stop)
{
    NamedRows rows;
    std::unordered_map<std::string, std::size_t> places;
    const auto put = [&](std::size_t side, const SummaryRow& row, const QString& shown, double share) {
        const auto [place, isNew] = places.try_emplace(row.name, rows.size());
        if (isNew) {
            rows.push_back({row.name, shown, {}, {}, {}});
        }
        std::optional<SummaryRow>& figures = rows[place->second].sides[side];
        if (figures) {  // two findings of one rule: of two threads
            figures->count += row.count;
            figures->total += row.total;
            figures->own += row.own;
        } else {
            figures = row;
        }
        rows[place->second].share[side] += share;
    };
    for (std::size_t side = 0; side < of.recordings.size() && !stop.stop_requested(); ++side) {
        const OpenRecording& recording = *of.recordings[side];
        if (of.counters) {
            const CounterSummary summary = summarise_counters(
                *recording.trace, of.isRanged() ? std::optional(of.scope.ranges[side]) : std::nullopt);
            for (const CounterRow& row : summary.rows) {
                const QString shown = shownCounter(row, summary.several_processes);
                const auto [place, isNew] = places.try_emplace(shown.toStdString(), rows.size());
                if (isNew) {
                    rows.push_back({place->first, shown, {}, {}, {}});
                }
                rows[place->second].counters[side] = row;
            }
            continue;
        }
        if (of.findings) {
            const auto& report = of.reports[side];
            for (const Finding& finding : report ? report->findings : std::vector<Finding> {}) {
                put(side, rowOf(finding), text(engineMessages().format(finding.title)),
                    report->wall > 0 ? static_cast<double>(finding.cost) / static_cast<double>(report->wall) : 0);
            }
            continue;
        }
        const Summary summary = summarise(recording, of.by, of.asked(side), stop);
        for (const SummaryRow& row : summary.rows) {
            put(side, row, row.name.empty() ? unnamed(of.by) : printable(text(row.name)), summary.share(row));
        }
    }
    return stop.stop_requested() ? NamedRows() : rows;
}

std::optional<double> valueOf(const NamedRow& row, SummaryColumn column)
{
    if (column.figure == SummaryFigure::family) {  // of the name, on whichever side it occurs
        const auto side = static_cast<std::size_t>(row.occurs(0) ? 0 : 1);
        return figureOf(row, column.figure, side);
    }
    if (column.part < 2) {
        return figureOf(row, column.figure, static_cast<std::size_t>(column.part));
    }
    auto a = figureOf(row, column.figure, 0);
    auto b = figureOf(row, column.figure, 1);
    if (isZeroWhereMissing(column.figure)) {
        a = !row.occurs(0) ? std::optional(0.0) : a;
        b = !row.occurs(1) ? std::optional(0.0) : b;
    }
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

QString cellOf(const NamedRow& row, SummaryColumn column)
{
    if (column.figure == SummaryFigure::name) {
        return row.shown;
    }
    const auto value = valueOf(row, column);
    if (!value) {
        return column.part < 2 && row.occurs(column.part) ? maybeTime({}) : QString();
    }
    if (column.figure >= SummaryFigure::least) {
        const auto unit = (row.counters[0] ? row.counters[0] : row.counters[1])->unit;
        const QString size = formatValue(column.part == 2 ? std::abs(*value) : *value, unit);
        return column.part < 2 || *value == 0 ? size : QChar(*value < 0 ? minus_sign : u'+') + size;
    }
    const auto whole = static_cast<Ns>(*value);
    switch (column.figure) {
    case SummaryFigure::family:
        return roleText(roleOf(static_cast<Family>(whole)));
    case SummaryFigure::share:
        return formatShare(*value);
    case SummaryFigure::count:
        return column.part == 2 ? countDifferenceText(whole) : QStringLiteral("%L1").arg(whole);
    case SummaryFigure::bytes: {
        const QString size = formatBytes(static_cast<std::uint64_t>(whole < 0 ? -whole : whole));
        return column.part < 2 || whole == 0 ? size : QChar(whole < 0 ? minus_sign : u'+') + size;
    }
    default:
        return column.part == 2 ? differenceText(whole) : formatTime(whole);
    }
}

std::vector<std::uint32_t> arranged(
    const NamedRows& rows, const QString& text, SummaryColumn column, bool descending, const std::stop_token& stop)
{
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<std::uint32_t> numbers;
    std::vector<std::optional<double>> values(rows.size());
    for (std::size_t i = 0; i < rows.size() && !stop.stop_requested(); ++i) {
        if (std::all_of(words.begin(), words.end(),
                [&](const QString& word) { return rows[i].shown.contains(word, Qt::CaseInsensitive); })) {
            numbers.push_back(static_cast<std::uint32_t>(i));
            values[i] = valueOf(rows[i], column);
        }
    }
    const bool byName = column.figure == SummaryFigure::name;
    std::sort(numbers.begin(), numbers.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (!byName && values[a] != values[b]) {
            return !values[a] || !values[b] ? values[a].has_value()
                : descending                ? *values[a] > *values[b]
                                            : *values[a] < *values[b];
        }
        const int order = rows[a].shown.compare(rows[b].shown, Qt::CaseInsensitive);
        return order != 0 ? (byName && descending ? order > 0 : order < 0) : a < b;
    });
    return numbers;
}

}  // namespace lanes::gui
