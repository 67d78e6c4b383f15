// SPDX-License-Identifier: MIT
#include "gui/export/html/job_page.h"

#include "gui/export/html/html_page.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/rank_columns.h"

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

/// A cell is what to sort by, -1 where it is not known, and its text.
QJsonArray tableOf(const OpenJob& job, const std::vector<RankColumn>& columns)
{
    QJsonArray rows;
    for (const JobRank& row : job.report.ranks) {
        QJsonArray cells;
        for (const RankColumn& column : columns) {
            const QVariant value = rankValue(job, row, column.figure);
            cells.append(QJsonArray {
                value.isValid() ? QJsonValue::fromVariant(value) : QJsonValue(-1), rankText(job, row, column.figure)});
        }
        rows.append(cells);
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
    const std::vector<RankColumn> columns = rankColumns(*job);
    QJsonArray heads;
    int hostColumn = -1;
    for (const RankColumn& column : columns) {
        hostColumn = column.figure == RankFigure::host ? static_cast<int>(heads.size()) : hostColumn;
        heads.append(column.title);
    }
    const JobHeat& heat = job->heat(measure);
    const QJsonObject data {{QStringLiteral("measures"), measures}, {QStringLiteral("names"), names},
        {QStringLiteral("hosts"), hosts}, {QStringLiteral("columns"), static_cast<int>(heat_columns)},
        {QStringLiteral("length"), static_cast<double>(heat.time.end - heat.time.start)},
        {QStringLiteral("first"), static_cast<int>(measure)}, {QStringLiteral("heads"), heads},
        {QStringLiteral("host"), hostColumn}, {QStringLiteral("rows"), tableOf(*job, columns)},
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
