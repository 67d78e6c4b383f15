// SPDX-License-Identifier: MIT
#include "gui/export/html/page_facts.h"

#include "engine/analysis/caveats.h"
#include "engine/analysis/lesson_texts.h"
#include "engine/trace/event.h"
#include "engine/workload/catalogue.h"
#include "gui/export/picture_options.h"
#include "gui/paint/differences.h"
#include "gui/paint/waterfall.h"
#include "gui/paint/words/scope_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/run_steps.h"

#include <algorithm>
#include <numeric>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct PageFactsTexts {
    Q_DECLARE_TR_FUNCTIONS(PageFacts)
};

constexpr std::size_t most_steps = 5000;  // more are not stepped through

QString figureText(MaybeNs time)
{
    return time ? formatTime(*time) : QStringLiteral("\u2013");
}

/// "49.2 ms (98 %)" of the total.
QString shareText(MaybeNs time, Ns of)
{
    return time && of > 0 ? QStringLiteral("%1 (%2)").arg(
               formatTime(*time), formatShare(static_cast<double>(*time) / static_cast<double>(of)))
                          : figureText(time);
}

/// Of all GPUs.
Ns sumOf(const Report& report, Ns GpuFigures::*of)
{
    return std::accumulate(report.gpus.begin(), report.gpus.end(), Ns {0},
        [of](Ns total, const GpuFigures& gpu) { return total + gpu.*of; });
}

QJsonArray summaryOf(const Report& report, PageTexts& texts)
{
    const ThreadFigures* first = report.first_thread();
    const auto count = [](std::uint64_t number) { return QString::number(number); };
    QJsonArray rows;
    const auto add = [&](const QString& name, const QString& value, const char* term = "") {
        rows += QJsonArray {
            static_cast<qint64>(texts.say(name)), static_cast<qint64>(texts.say(value)), QLatin1String(term)};
    };
    add(PageFactsTexts::tr("Total"), formatTime(report.wall));
    add(PageFactsTexts::tr("GPU busy"), shareText(report.of_gpus(report.gpu_busy), report.wall), "busy");
    add(PageFactsTexts::tr("Overlap of streams"), shareText(report.of_gpus(report.overlap), report.wall), "overlap");
    add(PageFactsTexts::tr("First CPU thread waits for a GPU"),
        shareText(first == nullptr ? std::nullopt : first->blocked, report.wall), "blocked");
    add(PageFactsTexts::tr("Its waits cost"),
        shareText(first == nullptr ? std::nullopt : first->held_cost, report.wall), "held");
    add(PageFactsTexts::tr("CPU free while a GPU is busy"), shareText(report.cpu_free, report.wall), "free");
    add(PageFactsTexts::tr("Copies"), figureText(report.of_nodes(sumOf(report, &GpuFigures::copy))));
    add(PageFactsTexts::tr("Copies hidden behind kernels"),
        figureText(report.of_nodes(sumOf(report, &GpuFigures::copy_hidden))), "hidden");
    add(PageFactsTexts::tr("Copies exposed"), figureText(report.of_nodes(sumOf(report, &GpuFigures::copy_exposed))),
        "exposed");
    add(PageFactsTexts::tr("Number of kernels"), report.of_nodes(0) ? count(report.counts.kernels) : figureText({}));
    add(PageFactsTexts::tr("Number of copies"), report.of_nodes(0) ? count(report.counts.copies) : figureText({}));
    add(PageFactsTexts::tr("Number of API calls"), count(report.counts.api_calls));
    if (report.read_bytes > 0) {
        add(PageFactsTexts::tr("Bytes read that were wrong"),
            QStringLiteral("%1 / %2").arg(formatBytes(report.wrong_bytes), formatBytes(report.read_bytes)));
    }
    return rows;
}

QJsonArray findingsOf(const Report& report, const Messages& messages, PageTexts& texts)
{
    QJsonArray all;
    const auto say
        = [&](const std::string& text) { return static_cast<qint64>(texts.say(QString::fromStdString(text))); };
    for (const Finding& finding : report.findings) {
        all += QJsonArray {say(cost_text(finding, messages)), say(messages.format(finding.title)),
            say(messages.format(finding.advice))};
    }
    return all;
}

/// [time, sentence, step of the workload from 1 or 0].
QJsonArray stepsOf(const OpenRecordingPtr& recording, PageTexts& texts)
{
    QJsonArray all;
    const RunSteps steps(recording);
    for (std::size_t i = 0; steps.size() <= most_steps && i < steps.size(); ++i) {
        const std::uint32_t step = step_of(*recording->trace, steps.event(i));
        all += QJsonArray {static_cast<qint64>(steps.time(i)), static_cast<qint64>(texts.say(steps.text(i))),
            step == no_id ? 0 : static_cast<qint64>(step) + 1};
    }
    return all;
}

/// By which the scripts know it.
QString scopeWord(Scope::Of of)
{
    switch (of) {
    case Scope::Of::repeated:
        return QStringLiteral("repeated");
    case Scope::Of::visible:
        return QStringLiteral("visible");
    case Scope::Of::selected:
        return QStringLiteral("selected");
    case Scope::Of::all:
        break;
    }
    return QStringLiteral("all");
}

/// Start and end of what repeats. Null: nothing does.
QJsonValue steadyOf(const Recording& recording)
{
    const auto part = steadyPart(recording);
    return part ? QJsonArray {static_cast<qint64>(part->start), static_cast<qint64>(part->end)} : QJsonValue();
}

const char* toneName(TitleVerdict::Tone tone)
{
    return tone == TitleVerdict::Tone::blocking  ? "blocking"
        : tone == TitleVerdict::Tone::wrong      ? "caution"
        : tone == TitleVerdict::Tone::overlapped ? "overlapped"
                                                 : "neutral";
}

LessonRun runOf(const PageRecording& recording)
{
    return {recording.opened->run.variant, recording.opened->trace.get(), recording.opened->report.get()};
}

bool isLesson(const PageRecording& a, const PageRecording* b)
{
    return a.lesson && !a.lesson->rule.empty() && (b == nullptr || (b->lesson && b->lesson->name == a.lesson->name));
}

/// Its title and its steps: name, difference, note, ns.
QJsonObject waterfallFacts(const Waterfall& waterfall, PageTexts& texts)
{
    QJsonArray steps;
    for (const Waterfall::Row& row : waterfall.rows()) {
        steps += QJsonArray {static_cast<qint64>(texts.say(row.name)), static_cast<qint64>(texts.say(row.more)),
            static_cast<qint64>(texts.say(row.note)), static_cast<qint64>(row.by)};
    }
    return {
        {QStringLiteral("title"), static_cast<qint64>(texts.say(waterfall.title()))}, {QStringLiteral("steps"), steps}};
}

/// The heading that the window gives it, in `language`; a title that somebody else gave stays.
QString headingOf(const OpenRecording& opened, const QString& language)
{
    const auto heading = [&](const std::string& in) { return variant_title(*opened.workload, opened.run.variant, in); };
    if (opened.workload && !opened.run.variant.empty()) {
        const auto& all = Messages::languages();
        if (opened.title == opened.run.variant || std::any_of(all.begin(), all.end(), [&](const std::string& in) {
                return opened.title == heading(in);
            })) {
            return QString::fromStdString(heading(language.toStdString()));
        }
    }
    return QString::fromStdString(opened.title);
}

}  // namespace

PageRecording PageRecording::of(const ViewState& view, std::optional<Interval> opensWith)
{
    const OpenRecordingPtr opened = withWorkload(view.model->recording());
    PageRecording page {view, opened, opened->workload ? newest_of(opened->workload) : nullptr, nullptr};
    DrawnScope& scope = page.view.scope;
    const Interval all {0, opened->trace->duration};
    if (scope.of == Scope::Of::visible && opensWith) {
        scope.range
            = {std::clamp(opensWith->start, all.start, all.end), std::clamp(opensWith->end, all.start, all.end)};
    } else if (scope.of == Scope::Of::visible || scope.of == Scope::Of::all) {
        scope = {Scope::Of::all, wholePart(*opened)};
    }
    page.scoped = reportOf(*opened, scope);
    if (!page.scoped) {
        scope = {Scope::Of::all, wholePart(*opened)};
        page.scoped = opened->report;
    }
    return page;
}

QString pageTitle(const PageRecording& recording, const QString& language)
{
    const std::string title = recorded_titles(*recording.opened->trace, language.toStdString()).workload;
    return title.empty() ? longTitle(*recording.opened) : QString::fromStdString(title);
}

QJsonObject factsOf(const PageRecording& recording, const QString& language, PageTexts& texts)
{
    const OpenRecording& opened = *recording.opened;
    const Messages& messages = Messages::of(language.toStdString());
    const auto say = [&](const QString& text) { return static_cast<qint64>(texts.say(text)); };
    QJsonArray warnings;
    for (const QString& line : caveats(opened)) {
        warnings += say(line);
    }
    QJsonArray lines;
    for (const StepInfo& step : opened.steps) {
        lines += QJsonArray {static_cast<int>(step.pytorch_line), static_cast<int>(step.cuda_line)};
    }
    const ThreadFigures* first = opened.report->first_thread();
    QJsonValue iteration;
    if (const auto& shown = recording.view.highlights.iteration) {
        const Ns start = shown->span.start;
        iteration = QJsonArray {static_cast<qint64>(start), static_cast<qint64>(shown->span.end),
            static_cast<qint64>(start + shown->low), static_cast<qint64>(start + shown->high)};
    }
    QJsonArray staged;  // copies that would be shorter from pinned memory: stream, start, end, by how much
    for (const StagedCopy& copy : opened.waits ? opened.waits->staged : std::vector<StagedCopy> {}) {
        const auto& ops = opened.trace->operations;
        staged += QJsonArray {static_cast<qint64>(ops.stream[copy.operation]),
            static_cast<qint64>(ops.start[copy.operation]), static_cast<qint64>(ops.end[copy.operation]),
            static_cast<qint64>(copy.saved)};
    }
    return {{QStringLiteral("iteration"), iteration}, {QStringLiteral("staged"), staged},
        {QStringLiteral("lastEnd"),
            static_cast<qint64>(opened.ranges ? opened.ranges->bounds().last_end : opened.trace->duration)},
        {QStringLiteral("title"), say(headingOf(opened, language))},
        {QStringLiteral("variant"), QString::fromStdString(opened.run.variant)},
        {QStringLiteral("source"), say(sourceText(*opened.trace))},
        {QStringLiteral("wall"), static_cast<qint64>(opened.report->wall)},
        {QStringLiteral("drawnEnd"), static_cast<qint64>(recording.view.model->drawnEnd())},
        {QStringLiteral("duration"), static_cast<qint64>(opened.trace->duration)},
        {QStringLiteral("anchor"), static_cast<qint64>(recording.view.highlights.anchor.value_or(0))},
        {QStringLiteral("knowsBlocked"), first != nullptr && first->blocked.has_value()},
        {QStringLiteral("filtered"), recording.view.model->choice().filter != nullptr},
        {QStringLiteral("scope"), scopeWord(recording.view.scope.of)},
        {QStringLiteral("scopeText"),
            say(scopeTextOf(
                {recording.view.scope.of, {recording.view.scope.range, {}}, recording.view.scope.isIteration}, 0))},
        {QStringLiteral("repeated"), steadyOf(opened)},
        {QStringLiteral("summary"), summaryOf(recording.report(), texts)},
        {QStringLiteral("findings"), findingsOf(recording.report(), messages, texts)},
        {QStringLiteral("caveats"), warnings}, {QStringLiteral("lines"), lines},
        {QStringLiteral("steps"), stepsOf(recording.opened, texts)}};
}

QJsonObject factsOf(const PageRecording& a, const PageRecording* b, const QString& language, PageTexts& texts)
{
    const auto say = [&](const QString& text) { return static_cast<qint64>(texts.say(text)); };
    QJsonArray verdicts;
    const std::size_t reference = b != nullptr && a.view.compared ? 1 : 0;
    const bool isWide = b != nullptr && (a.view.model->recording().wideTotal || b->view.model->recording().wideTotal);
    for (std::size_t i = 0; i < (b != nullptr ? 2U : 1U); ++i) {
        const PageRecording& side = i == 0 ? a : *b;
        const PageRecording& other = reference == 0 ? a : *b;
        const auto verdict = TitleVerdict::of(side.report(),
            i == reference || isWide || side.view.part || (side.isOfPart() && !side.view.highlights.iteration)
                ? nullptr
                : &other.report(),
            language, QChar(u'A' + static_cast<char16_t>(reference)),
            {side.view.highlights.iteration, other.view.highlights.iteration});
        const bool filtered = side.view.model->choice().filter != nullptr;
        verdicts += QJsonArray {
            say(filtered ? verdict.textBesideFilter() : verdict.text), QLatin1String(toneName(verdict.tone))};
    }
    QJsonObject facts {{QStringLiteral("verdicts"), verdicts}};
    if (b != nullptr) {
        Differences differences;
        differences.reference = static_cast<int>(reference);
        differences.filtered = a.view.model->choice().filter != nullptr;
        const bool isOfPart = a.isOfPart() || b->isOfPart();
        for (const std::size_t side : {std::size_t {0}, std::size_t {1}}) {
            const ViewState& of = side == 0 ? a.view : b->view;
            differences.sides[side] = of.highlights.iteration ? sideFiguresOf(*of.model, *of.highlights.iteration)
                : isOfPart                                    ? sideFiguresOf(*of.model, of.scope.range)
                                                              : sideFiguresOf(*of.model);
        }
        differences.takeWideTotals({a.view.model->pointer(), b->view.model->pointer()},
            isOfPart ? std::optional(Ranges {a.view.scope.range, b->view.scope.range}) : std::nullopt);
        QJsonArray cells;
        for (const Differences::Cell& cell : differences.cells()) {
            cells += QJsonArray {say(cell.name), say(cell.words), say(cell.values), say(cell.change)};
        }
        facts[QStringLiteral("differences")] = cells;
        facts[QStringLiteral("reference")] = static_cast<int>(reference);
    }
    if (b != nullptr && a.view.changes && a.view.highlights.iteration && b->view.highlights.iteration) {
        facts[QStringLiteral("waterfall")] = waterfallFacts(*a.view.changes, texts);
    }
    if (isLesson(a, b)) {
        std::vector<LessonRun> runs {runOf(a)};
        if (b != nullptr) {
            runs.push_back(runOf(*b));
        }
        const LessonTexts lesson = lesson_texts(*a.lesson, language.toStdString(), runs);
        QJsonArray sections;
        for (const std::string& section : {lesson.look, lesson.why, lesson.rule}) {
            sections += static_cast<qint64>(
                texts.say(QString::fromStdString(section).split(QLatin1Char('\n'), Qt::SkipEmptyParts)));
        }
        facts[QStringLiteral("lesson")] = sections;
    }
    return facts;
}

}  // namespace lanes::gui
