// SPDX-License-Identifier: MIT
#include "gui/export/html/job_page.h"

#include "gui/export/html/html_page.h"
#include "gui/paint/words/time_format.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lanes::gui {

namespace {

struct JobPageTexts {
    Q_DECLARE_TR_FUNCTIONS(JobPage)
};

constexpr int unknown_cell = 255, most_cell = 254;

/// A byte a cell: what share of the scale's top it is; unknown_cell: nothing was recorded.
QJsonObject heatOf(const OpenJob& job, HeatMeasure measure)
{
    const JobHeat& heat = job.heat(measure);
    QByteArray bytes;
    bytes.reserve(static_cast<qsizetype>(heat.cells.size()));
    const auto top = static_cast<double>(std::max<Ns>(1, heat.top));
    for (const std::size_t rank : job.rows) {
        for (std::size_t column = 0; column < heat_columns; ++column) {
            const Ns value = heat.at(rank, column);
            const double share = std::min(1., static_cast<double>(value) / top);
            bytes.append(static_cast<char>(value < 0 ? unknown_cell : static_cast<int>(share * most_cell + 0.5)));
        }
    }
    return {{QStringLiteral("name"), measureText(measure)}, {QStringLiteral("top"), static_cast<double>(heat.top)},
        {QStringLiteral("most"), formatTime(heat.top)},
        {QStringLiteral("unit"),
            heat.is_of_steps ? JobPageTexts::tr("in each step")
                             : JobPageTexts::tr("in each %1").arg(formatTime(heat.part))},
        {QStringLiteral("known"), measure != HeatMeasure::step || heat.is_of_steps},
        {QStringLiteral("cells"), QString::fromLatin1(bytes.toBase64())}};
}

QJsonArray tableOf(const OpenJob& job)
{
    QJsonArray rows;
    for (const JobRank& row : job.report.ranks) {
        const RankRow of = row.row();
        const QJsonArray unknown {-1, QStringLiteral("–")};
        const auto time = [&](std::optional<Ns> value) {
            return value ? QJsonArray {static_cast<double>(*value), formatTime(*value)} : unknown;
        };
        const QJsonArray clock
            = of.clock ? QJsonArray {static_cast<double>(*of.clock), uncertaintyText(*of.clock)} : unknown;
        rows.append(QJsonArray {QJsonArray {static_cast<double>(job.ranks[row.index].identity.rank),
                                    QString::number(job.ranks[row.index].identity.rank)},
            QJsonArray {job.hostOf(row.index), job.hostOf(row.index)}, time(of.step), time(of.p95), time(of.compute),
            time(of.exposed), time(of.idle), time(of.waited), time(of.caused),
            of.last ? QJsonArray {static_cast<double>(*of.last), QStringLiteral("%L1 / %L2").arg(*of.last).arg(row.of)}
                    : unknown,
            clock});
    }
    return rows;
}

QJsonArray rampOf(const Theme& theme)
{
    QJsonArray colors;
    for (const QColor& color : theme.heat) {
        colors.append(QJsonArray {color.red(), color.green(), color.blue()});
    }
    return colors;
}

}  // namespace

QByteArray jobPage(const OpenJobPtr& job, HeatMeasure measure, const QString& language)
{
    QJsonArray measures, names, hosts;
    for (const HeatMeasure each : heat_measures) {
        measures.append(heatOf(*job, each));
    }
    for (const std::size_t rank : job->rows) {
        names.append(job->nameOf(rank));
        hosts.append(job->hostOf(rank));
    }
    const QStringList columns {JobPageTexts::tr("Rank"), JobPageTexts::tr("Host"), JobPageTexts::tr("Step"),
        QStringLiteral("p95"), JobPageTexts::tr("Compute"), JobPageTexts::tr("Exposed"), JobPageTexts::tr("Idle"),
        JobPageTexts::tr("Waited"), JobPageTexts::tr("Costs others"), JobPageTexts::tr("Last in"),
        JobPageTexts::tr("Clock")};
    const JobHeat& heat = job->heat(measure);
    const QJsonObject data {{QStringLiteral("measures"), measures}, {QStringLiteral("names"), names},
        {QStringLiteral("hosts"), hosts}, {QStringLiteral("columns"), static_cast<int>(heat_columns)},
        {QStringLiteral("length"), static_cast<double>(heat.time.end - heat.time.start)},
        {QStringLiteral("first"), static_cast<int>(measure)},
        {QStringLiteral("heads"), QJsonArray::fromStringList(columns)}, {QStringLiteral("rows"), tableOf(*job)},
        {QStringLiteral("none"), JobPageTexts::tr("nothing recorded")},
        {QStringLiteral("andMore"), JobPageTexts::tr("and more")},
        {QStringLiteral("light"), rampOf(Theme::named(QStringLiteral("light")))},
        {QStringLiteral("dark"), rampOf(Theme::named(QStringLiteral("dark")))}};
    // No "<" of a name ends the script that carries it.
    const QByteArray packed = QJsonDocument(data).toJson(QJsonDocument::Compact).replace('<', "\\u003c");
    QByteArray notes;
    for (const QString& note : job->notes()) {
        notes += "<p class=\"note\">" + note.toHtmlEscaped().toUtf8() + "</p>\n";
    }
    const QByteArray style = themeStyle() + pageResource(QStringLiteral("job.css"));
    const QByteArray script = pageResource(QStringLiteral("job.js"));
    return filledTemplate(pageResource(QStringLiteral("job.html")),
        {{"lang", language == QLatin1String("zh_CN") ? "zh-CN" : "en"}, {"style", style},
            {"style-hash", policyHash(style)}, {"script", script}, {"script-hash", policyHash(script)},
            {"title", job->title().toHtmlEscaped().toUtf8()}, {"subtitle", job->subtitle().toHtmlEscaped().toUtf8()},
            {"sentence", job->sentence().toHtmlEscaped().toUtf8()}, {"notes", notes}, {"data", packed}});
}

}  // namespace lanes::gui
