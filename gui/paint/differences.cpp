// SPDX-License-Identifier: MIT
#include "gui/paint/differences.h"

#include "engine/analysis/compare/compare.h"
#include "gui/lanes/scope_figures.h"
#include "gui/paint/timeline_frame.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct DifferencesTexts {
    Q_DECLARE_TR_FUNCTIONS(Differences)
};

constexpr int strip_margin = 14;
constexpr double wide_gap = 28, narrow_gap = 14;
constexpr LabelPainter::Style name_style {11, TextStyle::regular};
constexpr LabelPainter::Style words_style {11, TextStyle::semiBold};
constexpr LabelPainter::Style value_style {12, TextStyle::regular};

QString valueText(std::optional<Ns> value)
{
    return value ? formatTime(*value) : DifferencesTexts::tr("unknown");
}

QString changeText(std::optional<Ns> from, std::optional<Ns> to)
{
    return !from || !to || *from == *to ? QString() : differenceText(*to - *from);
}

/// "": not known.
QString totalText(const SideFigures& side)
{
    return side.between
        ? QStringLiteral("%1 \u2013 %2").arg(formatTime(side.between->low), formatTime(side.between->high))
        : side.total && !side.isWide ? formatTime(*side.total)
                                     : QString();
}

/// What the host read: nothing, "all right", or how many bytes were not.
QString readText(const Report& report)
{
    return report.wrong_bytes > 0 ? DifferencesTexts::tr("%1 wrong").arg(formatBytes(report.wrong_bytes))
        : report.read_bytes > 0   ? DifferencesTexts::tr("all right")
                                  : DifferencesTexts::tr("none");
}

/// Whether a thread had time enough for other work to speak of it.
bool countsFor(const SideFigures& side)
{
    constexpr Ns least_share = 20;  // of the run
    return side.cpuFree && side.total && *side.cpuFree >= *side.total / least_share;
}

}  // namespace

SideFigures sideFiguresOf(const LaneModel& model, std::optional<Interval> part)
{
    const auto& report = model.recording().report;
    SideFigures figures;
    figures.report = report;
    if (report && !part) {
        figures.total = report->wall;
    }
    const ScopeFigures of = shownFiguresOf(model, part.value_or(Interval {0, model.trace().duration}));
    if (of.summary && (!report || report->gpu_recorded)) {
        figures.busy = of.summary->at_least[0];
        figures.overlap = of.summary->at_least[1];
    }
    figures.waitCost = of.waitCost;
    if (report && !part && model.choice().filter == nullptr) {
        figures.cpuFree = report->cpu_free;
        figures.waitCost = report->verdict.waits_cost;  // as the verdict beside it says
        figures.compared = model.recording().compared;
        if (const GpuFigures* gpu = report->communicating_gpu()) {
            figures.communicationHidden = report->of_gpus(gpu->communication - gpu->communication_exposed);
        }
    }
    return figures;
}

SideFigures sideFiguresOf(const LaneModel& model, const ShownIteration& iteration)
{
    SideFigures figures = sideFiguresOf(model, iteration.span);
    figures.total = iteration.length();
    return figures;
}

QString differenceWords(std::optional<Ns> reference, std::optional<Ns> other, QChar referenceLetter, QChar otherLetter)
{
    if (!reference || !other) {
        return !reference && !other
            ? DifferencesTexts::tr("neither says")
            : DifferencesTexts::tr("%1 does not say").arg(reference ? otherLetter : referenceLetter);
    }
    if (*reference == *other) {
        return DifferencesTexts::tr("the same");
    }
    if (*reference == 0 || *other == 0) {
        return DifferencesTexts::tr("only in %1").arg(*reference == 0 ? otherLetter : referenceLetter);
    }
    const double ratio = static_cast<double>(*other) / static_cast<double>(*reference);
    if (ratio >= 2) {
        return DifferencesTexts::tr("%1 times as much").arg(ratioText(ratio));
    }
    const double percent = std::abs(ratio - 1) * 100;
    if (percent < 1) {
        return ratio > 1 ? DifferencesTexts::tr("< 1 % more") : DifferencesTexts::tr("< 1 % less");
    }
    if (percent > 99 && ratio < 1) {
        return DifferencesTexts::tr("> 99 % less");
    }
    const QString text = QString::number(percent, 'f', 0);
    return ratio > 1 ? DifferencesTexts::tr("%1 % more").arg(text) : DifferencesTexts::tr("%1 % less").arg(text);
}

void Differences::takeWideTotals(const std::array<RecordingPtr, 2>& of, const std::optional<Ranges>& ranges)
{
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& wide = of[i]->wideTotal;
        if (!wide) {
            continue;
        }
        sides[i].isWide = true;
        if (!ranges) {
            sides[i].between = wide->all;
        } else if (const Interval recorded = (*ranges)[1 - i]; recorded == wide->part) {
            sides[i].between = wide->ofPart;
            sides[1 - i].total = recorded.end - recorded.start;
        }
    }
}

static QChar letterOf(std::size_t side)
{
    return QChar(u'A' + static_cast<char16_t>(side));
}

/// What makes the runs incomparable: other work, wrong bytes.
static void addWork(const Differences& of, std::vector<Differences::Cell>& all)
{
    const auto from = static_cast<std::size_t>(of.reference);
    const std::size_t to = 1 - from;
    const auto& fromReport = of.sides[from].report;
    const auto& toReport = of.sides[to].report;
    if (!fromReport || !toReport) {
        return;
    }
    if (const auto differences = work_differences(*fromReport, *toReport); !differences.empty()) {
        QStringList what;
        for (const Message& difference : differences) {
            what += QString::fromStdString(engineMessages().format(difference));
        }
        const bool ofPart = !of.sides[from].total && !of.sides[to].total;
        all.push_back({ofPart ? DifferencesTexts::tr("work, whole recordings") : DifferencesTexts::tr("work"),
            what.join(QStringLiteral(", ")), {}, DifferencesTexts::tr("not the same")});
    }
    if (fromReport->wrong_bytes + toReport->wrong_bytes > 0) {
        all.push_back({DifferencesTexts::tr("bytes read"),
            QStringLiteral("%1 \u2192 %2").arg(readText(*fromReport), readText(*toReport)), {},
            fromReport->wrong_bytes > 0 && toReport->wrong_bytes > 0
                ? DifferencesTexts::tr("wrong in both")
                : DifferencesTexts::tr("wrong in %1").arg(letterOf(fromReport->wrong_bytes > 0 ? from : to))});
    }
}

std::vector<Differences::Cell> Differences::cells() const
{
    const auto from = static_cast<std::size_t>(reference);
    const std::size_t to = 1 - from;
    const std::pair<QString, std::optional<Ns> SideFigures::*> figures[]
        = {{DifferencesTexts::tr("total"), &SideFigures::total}, {DifferencesTexts::tr("GPU busy"), &SideFigures::busy},
            {DifferencesTexts::tr("waits cost"), &SideFigures::waitCost},
            {DifferencesTexts::tr("communication hidden"), &SideFigures::communicationHidden},
            {DifferencesTexts::tr("overlap"), &SideFigures::overlap},
            {DifferencesTexts::tr("CPU free"), &SideFigures::cpuFree}};
    std::vector<Cell> all;
    if (!isTold) {
        return all;
    }
    const auto& fromFigure = sides[from].compared;
    const auto& toFigure = sides[to].compared;
    const bool hasOwn = fromFigure && toFigure && fromFigure->label == toFigure->label;
    const auto& fromReport = sides[from].report;
    const auto& toReport = sides[to].report;
    const bool same = !fromReport || !toReport || work_differences(*fromReport, *toReport).empty();
    addWork(*this, all);
    const auto addOwn = [&] {
        const bool isAmount = fromFigure->amount && toFigure->amount;
        all.push_back({QString::fromStdString(fromFigure->label),
            QStringLiteral("%1 \u2192 %2")
                .arg(QString::fromStdString(fromFigure->text), QString::fromStdString(toFigure->text)),
            fromFigure->is_time ? changeText(fromFigure->amount, toFigure->amount) : QString(),
            same && isAmount ? differenceWords(fromFigure->amount, toFigure->amount, letterOf(from), letterOf(to))
                             : QString()});
    };
    for (const auto& [name, figure] : figures) {
        if (hasOwn && figure == &SideFigures::busy) {
            addOwn();  // after the total
        }
        const std::optional<Ns> a = sides[from].*figure;
        const std::optional<Ns> b = sides[to].*figure;
        if (figure == &SideFigures::total && (sides[from].isWide || sides[to].isWide)) {
            if (const QString was = totalText(sides[from]), is = totalText(sides[to]);
                !was.isEmpty() && !is.isEmpty()) {
                all.push_back({filtered ? DifferencesTexts::tr("total, unfiltered") : name,
                    QStringLiteral("%1 \u2192 %2").arg(was, is), {}, {}});
            }
            continue;
        }
        if (figure == &SideFigures::total && !a && !b) {
            continue;  // of a range, both are as long as it is
        }
        if (figure == &SideFigures::waitCost && filtered && !a && !b) {
            continue;  // of a part of the waits: that is not to say that it is unknown
        }
        const bool isOfGpus = sides[from].communicationHidden && sides[to].communicationHidden;
        if (figure == &SideFigures::overlap && (isOfGpus || (a == Ns(0) && b == Ns(0)))) {
            // One stream: there is nothing to overlap, and what differs is elsewhere. Several GPUs: it counts streams
            // of different ones, also while each does one thing at a time.
            continue;
        }
        if ((figure == &SideFigures::cpuFree || figure == &SideFigures::communicationHidden) && (!a || !b)) {
            continue;
        }
        if (figure == &SideFigures::cpuFree && (hasOwn || (!countsFor(sides[from]) && !countsFor(sides[to])))) {
            continue;  // a lesson that is about it says so
        }
        all.push_back({filtered && figure == &SideFigures::total ? DifferencesTexts::tr("total, unfiltered") : name,
            QStringLiteral("%1 \u2192 %2").arg(valueText(a), valueText(b)), changeText(a, b),
            same || !a || !b ? differenceWords(a, b, letterOf(from), letterOf(to)) : QString()});
    }
    return all;
}

QString Differences::scopeText() const
{
    return filtered ? DifferencesTexts::tr("%1, filtered").arg(scope) : scope;
}

QStringList Differences::lines() const
{
    if (!isTold) {
        return {};
    }
    QStringList lines {scopeText()};
    for (const Cell& cell : cells()) {
        QStringList parts {cell.values};
        if (!cell.change.isEmpty()) {
            parts += cell.change;
        }
        if (!cell.words.isEmpty()) {
            parts += cell.words;
        }
        lines += QStringLiteral("%1: %2").arg(cell.name, parts.join(QStringLiteral(", ")));
    }
    return lines;
}

void Differences::paint(
    QPainter& painter, const Theme& theme, LabelPainter& labels, int width, double right, bool vector) const
{
    painter.fillRect(QRectF(0, 0, width, strip_height), theme.panel);
    painter.fillRect(QRectF(0, 0, width, 1), theme.line);
    painter.fillRect(QRectF(0, strip_height - 1, width, 1), theme.line);
    painter.setRenderHint(QPainter::Antialiasing, true);
    constexpr double upper = 13;
    constexpr double lower = 28;
    const int left = FrameGeometry::labelWidthFor(width);
    labels.draw(painter, strip_margin, upper,
        reference == 0 ? QStringLiteral("A \u2192 B") : QStringLiteral("B \u2192 A"), words_style, theme.accent,
        vector);
    labels.draw(painter, strip_margin, lower, labels.elided(scopeText(), left - strip_margin - 6, name_style),
        name_style, theme.muted, vector);
    // Where there is no room for all of them, the changes go, then the space between; then the last figures.
    const std::vector<Cell> all = cells();
    const auto changeOf
        = [](const Cell& cell) { return cell.change.isEmpty() ? QString() : QStringLiteral("  ") + cell.change; };
    const auto widthOf = [&](const Cell& cell, bool changes) {
        const double change = changes && !cell.change.isEmpty() ? labels.width(changeOf(cell), value_style) + 6 : 0;
        return std::max(labels.width(cell.name, name_style) + 8 + labels.width(cell.words, words_style),
            labels.width(cell.values, value_style) + change);
    };
    bool changes = true;
    double gap = wide_gap;
    const auto fits = [&] {
        double needed = -gap;
        for (const Cell& cell : all) {
            needed += widthOf(cell, changes) + gap;
        }
        return left + needed <= right;
    };
    changes = fits();
    gap = fits() ? wide_gap : narrow_gap;
    double x = left;
    for (const Cell& cell : all) {
        const double wide = widthOf(cell, changes);
        if (x + wide > right) {
            break;
        }
        labels.draw(painter, x, upper, cell.name, name_style, theme.muted, vector);
        labels.draw(
            painter, x + labels.width(cell.name, name_style) + 8, upper, cell.words, words_style, theme.text, vector);
        labels.draw(painter, x, lower, cell.values, value_style, theme.text, vector);
        if (changes) {
            labels.draw(painter, x + labels.width(cell.values, value_style) + 6, lower, changeOf(cell), value_style,
                theme.muted, vector);
        }
        x += changes ? std::max(wide + gap, (right - left) / static_cast<double>(all.size() + 1)) : wide + gap;
    }
}

}  // namespace lanes::gui
