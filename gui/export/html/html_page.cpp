// SPDX-License-Identifier: MIT
#include "gui/export/html/html_page.h"

#include "engine/workload/workload.h"
#include "gui/export/html/page_columns.h"
#include "gui/export/html/page_facts.h"
#include "gui/export/html/page_overlays.h"
#include "gui/lanes/lane_kinds.h"
#include "gui/lanes/lane_layout.h"
#include "gui/paint/lane_figure.h"
#include "gui/paint/row_painter.h"
#include "gui/paint/waterfall.h"
#include "gui/paint/words/lane_names.h"
#include "gui/paint/words/role_text.h"
#include "gui/paint/words/utf8_text.h"

#include <QJsonDocument>

#include <stdexcept>

namespace lanes::gui {

namespace {

constexpr double page_stretch = 1.25;  // as in pictures whose height is ours to choose
constexpr std::size_t most_chosen = 12;  // recordings; any two of them can be chosen

QJsonArray rowsOf(const PlacedLane& placed)
{
    QJsonArray rows;
    for (const PlacedRow& row : placed.rows) {
        rows += QJsonArray {static_cast<int>(row.lane), static_cast<int>(row.row), row.y, row.height, row.over};
    }
    return rows;
}

/// Which of the rows show a level of a stack: [place in `rows`, part, how many of the part are over it].
QJsonArray levelsOf(const PlacedLane& placed)
{
    QJsonArray levels;
    for (const PlacedLane::LevelRow& each : placed.levelRows) {
        levels += QJsonArray {static_cast<int>(each.row), static_cast<int>(each.part), static_cast<int>(each.below)};
    }
    return levels;
}

/// The samples of a counter; of more than a screen can show the least and the most of each group. Null: none.
QJsonValue curveOf(const LaneModel& model, const Lane& lane)
{
    constexpr std::size_t most_groups = 2500;
    if (!lane.curve) {
        return {};
    }
    const Trace& trace = model.trace();
    const RowSpan span = trace.counters[lane.row].samples;
    const std::size_t group = span.size() <= 2 * most_groups ? 1 : (span.size() + most_groups - 1) / most_groups;
    QJsonArray times;
    QJsonArray values;
    for (std::size_t from = span.begin; from < span.end; from += group) {
        const auto begin = trace.samples.value.begin() + static_cast<std::ptrdiff_t>(from);
        const auto [least, most] = std::minmax_element(
            begin, begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(group, span.end - from)));
        for (const auto at : {std::min(least, most), std::max(least, most)}) {
            times
                += static_cast<qint64>(trace.samples.time[static_cast<std::size_t>(at - trace.samples.value.begin())]);
            values += *at;
            if (group == 1) {
                break;
            }
        }
    }
    return QJsonObject {{QStringLiteral("unit"), static_cast<int>(lane.curve->unit())},
        {QStringLiteral("least"), lane.curve->values().least}, {QStringLiteral("most"), lane.curve->values().most},
        {QStringLiteral("times"), times}, {QStringLiteral("values"), values}};
}

/// What tips of its items say that they are on: of a part of a stream the stream.
QString placeOf(const LaneModel& model, const Lane& lane, const LaneName& name)
{
    return lane.key.part == StreamPart::whole ? name.title
                                              : text(model.trace().label_of(model.trace().streams[lane.row]));
}

/// The word of the figure beside a lane's name: by it the scripts know what the lane is.
QString figureOf(const Lane& lane)
{
    switch (laneKindRow(lane.key.kind).figure) {
    case LaneKindRow::Figure::none:
        return {};
    case LaneKindRow::Figure::overlap:
        return QStringLiteral("overlap");
    case LaneKindRow::Figure::blocked:
        return QStringLiteral("blocked");
    case LaneKindRow::Figure::busyOfGpu:
        return QStringLiteral("busyOfGpu");
    case LaneKindRow::Figure::busy:
        return QStringLiteral("busy");
    case LaneKindRow::Figure::value:
        return QStringLiteral("value");
    case LaneKindRow::Figure::gpuTime:
        return QStringLiteral("gpuTime");
    }
    return {};
}

/// The lanes with their rows, whose columns go to `bytes`, and where they are.
QJsonObject lanesOf(const PageRecording& recording, PageTexts& texts, QByteArray& bytes)
{
    const LaneModel& model = *recording.view.model;
    PageColumns columns(model, !recording.opened->steps.empty(), texts);
    const ThreadFigures* first = recording.report().first_thread();
    const auto heads = headsOf(model.lanes());
    const ArrangedLanes arranged = recording.view.arranged();
    const LaneLayout layout(model.lanes(), arranged, LaneLayout::heightOf(model.lanes(), arranged, page_stretch));
    const LaneRow none(ItemKind::range, RowItems({}, {}, ItemRole::range, 0, 0));
    QJsonArray lanes;
    int firstThread = -1;
    for (std::size_t i = 0; i < model.lanes().size(); ++i) {
        const Lane& lane = model.lanes()[i];
        QJsonArray rows;
        const PlacedLane* placed = layout.find(i);
        const bool folded = placed == nullptr || !placed->allDepths;
        for (const LaneRow& row : lane.rows) {  // of a stack, which is large, either all depths or the folded rows
            rows += columns.append(LaneLayout::shows(lane, row, folded) ? row : none, bytes);
        }
        const QJsonValue exposed = lane.exposed ? QJsonValue(columns.append(*lane.exposed, bytes)) : QJsonValue();
        const LaneName name = laneName(model, i);
        lanes
            += QJsonObject {{QStringLiteral("figure"), figureOf(lane)}, {QStringLiteral("header"), isHeader(lane.key)},
                {QStringLiteral("under"), heads[i] ? static_cast<int>(*heads[i]) : -1},
                {QStringLiteral("title"), static_cast<qint64>(texts.say(name.title))},
                {QStringLiteral("subtitle"), static_cast<qint64>(texts.say(name.subtitle))},
                {QStringLiteral("stream"), lane.key.kind == LaneKind::stream ? static_cast<qint64>(lane.row) : -1},
                {QStringLiteral("gpu"), lane.key.device == no_id ? -1 : static_cast<qint64>(lane.key.device)},
                {QStringLiteral("knowsBlocked"),
                    lane.key.kind == LaneKind::thread && recording.opened->blocking->knows(lane.row)},
                {QStringLiteral("rows"), rows}, {QStringLiteral("exposed"), exposed},
                {QStringLiteral("where"), static_cast<qint64>(texts.say(placeOf(model, lane, name)))},
                {QStringLiteral("curve"), curveOf(model, lane)}};
        if (first != nullptr && lane.key.kind == LaneKind::thread && lane.row == first->thread) {
            firstThread = static_cast<int>(i);
        }
    }
    const QJsonArray movable {static_cast<int>(StackPart::frame), static_cast<int>(StackPart::module)};
    QJsonArray places;
    for (const PlacedLane& placed : layout.lanes()) {
        places += QJsonObject {{QStringLiteral("lane"), static_cast<int>(placed.lane)}, {QStringLiteral("y"), placed.y},
            {QStringLiteral("height"), placed.height}, {QStringLiteral("rows"), rowsOf(placed)},
            {QStringLiteral("path"), QJsonArray {placed.pathY - placed.y, placed.pathHeight}},
            {QStringLiteral("levels"), levelsOf(placed)}, {QStringLiteral("movable"), movable},
            {QStringLiteral("curve"), QJsonArray {placed.curveY - placed.y, placed.curveHeight}},
            {QStringLiteral("mark"), QJsonArray {placed.markY - placed.y, placed.markHeight}}};
    }
    return {{QStringLiteral("lanes"), lanes}, {QStringLiteral("places"), places},
        {QStringLiteral("height"), layout.height()}, {QStringLiteral("firstThread"), firstThread}};
}

QJsonObject themeOf(const Theme& theme)
{
    QJsonArray items;
    for (const auto& shades : theme.items) {  // one colour where all shades are the same
        QJsonArray names;
        for (const QColor& color : shades) {
            names += color.name();
        }
        items += shades.front() == shades.back() ? QJsonValue(names.first()) : QJsonValue(names);
    }
    const auto stagedLook = [&](ItemRole role) {
        return QJsonObject {{QStringLiteral("edge"), theme.staged(role).edge.name()},
            {QStringLiteral("ground"), theme.staged(role).ground.name()}};
    };
    const QJsonObject staged {{QString::number(static_cast<int>(ItemRole::h2d)), stagedLook(ItemRole::h2d)},
        {QString::number(static_cast<int>(ItemRole::d2h)), stagedLook(ItemRole::d2h)}};  // by role
    const QJsonArray deeper {theme.deeperOperators[0].name(), theme.deeperOperators[1].name()};
    QJsonObject hatches;  // by role
    for (std::size_t i = 0; i < itemRoleCount; ++i) {
        if (const Theme::Hatch* hatch = theme.hatch(static_cast<ItemRole>(i))) {
            hatches.insert(QString::number(i),
                QJsonObject {{QStringLiteral("line"), hatch->line.name()},
                    {QStringLiteral("ground"), hatch->ground.name()}, {QStringLiteral("edge"), hatch->edge.name()},
                    {QStringLiteral("share"), hatch->width / Theme::hatch_period},
                    {QStringLiteral("falls"), hatch->falls}});
        }
    }
    return {{QStringLiteral("items"), items}, {QStringLiteral("deeper"), deeper},
        {QStringLiteral("operator"), static_cast<int>(ItemRole::torchOperator)},
        {QStringLiteral("background"), theme.background.name()}, {QStringLiteral("panel"), theme.panel.name()},
        {QStringLiteral("line"), theme.line.name()}, {QStringLiteral("grid"), theme.grid.name()},
        {QStringLiteral("text"), theme.text.name()}, {QStringLiteral("muted"), theme.muted.name()},
        {QStringLiteral("ink"), theme.ink.name()}, {QStringLiteral("accent"), theme.accent.name()},
        {QStringLiteral("chip"), theme.chip.name()}, {QStringLiteral("went"), QColor(Waterfall::went).name()},
        {QStringLiteral("came"), QColor(Waterfall::came).name()},
        {QStringLiteral("onBar"), QColor(Waterfall::onBar).name()}, {QStringLiteral("hatches"), hatches},
        {QStringLiteral("staged"), staged}, {QStringLiteral("early"), earlyGround(theme).name()},
        {QStringLiteral("counter"), theme.counter.name()}, {QStringLiteral("overlapIdle"), theme.overlapIdle.name()},
        {QStringLiteral("pillBlocking"), theme.pillBlocking.name()},
        {QStringLiteral("pillBlockingText"), theme.pillBlockingText.name()},
        {QStringLiteral("pillNeutralText"), theme.pillNeutralText.name()}};
}

struct Made {
    QJsonObject head;
    QByteArray columns;
};

/// All that the page holds, with the texts of one language said.
Made made(
    const std::vector<PageRecording>& recordings, const PageOptions& options, const QString& language, PageTexts& texts)
{
    Made page;
    QJsonArray all;
    for (const PageRecording& recording : recordings) {
        QJsonObject facts = factsOf(recording, language, texts);
        const QJsonObject lanes = lanesOf(recording, texts, page.columns);
        for (auto it = lanes.begin(); it != lanes.end(); ++it) {
            facts[it.key()] = it.value();
        }
        facts[QStringLiteral("annotations")] = annotationsOf(recording, texts);
        all += facts;
    }
    QJsonObject pairs;
    const std::size_t chosen = std::min(recordings.size(), most_chosen);
    for (std::size_t a = 0; a < chosen; ++a) {
        pairs[QString::number(a)] = factsOf(recordings[a], nullptr, language, texts);
        for (std::size_t b = 0; b < chosen; ++b) {
            if (a != b) {
                pairs[QStringLiteral("%1-%2").arg(a).arg(b)] = factsOf(recordings[a], &recordings[b], language, texts);
            }
        }
    }
    QJsonArray roles;
    for (std::size_t role = 0; role < itemRoleCount; ++role) {
        roles += static_cast<qint64>(texts.say(roleText(static_cast<ItemRole>(role))));
    }
    const PageRecording& first = recordings.front();
    const QString title = options.title.isEmpty() ? pageTitle(first, language) : options.title;
    page.head = {{QStringLiteral("title"), static_cast<qint64>(texts.say(title))}, {QStringLiteral("recordings"), all},
        {QStringLiteral("pairs"), pairs}, {QStringLiteral("roles"), roles}};
    if (const auto& workload = first.opened->workload) {
        page.head[QStringLiteral("code")] = QJsonObject {
            {QStringLiteral("PyTorch"), first.opened->codePyTorch}, {QStringLiteral("CUDA"), first.opened->codeCuda}};
        page.head[QStringLiteral("description")] = static_cast<qint64>(
            texts.say(QString::fromStdString(in_language(workload->description, language.toStdString()))));
    }
    return page;
}

QByteArray htmlOf(const QString& text)
{
    return text.toHtmlEscaped().toUtf8();
}

/// What a reader without JavaScript gets, and a search engine: titles, verdicts, tables, the lesson's texts.
QByteArray plainOf(const QJsonObject& head, const std::vector<QString>& words, bool two)
{
    const auto word
        = [&](const QJsonValue& number) { return htmlOf(words.at(static_cast<std::size_t>(number.toInteger()))); };
    QByteArray html;
    const QJsonArray recordings = head[QLatin1String("recordings")].toArray();
    const QJsonObject pair = head[QLatin1String("pairs")][two ? QLatin1String("0-1") : QLatin1String("0")].toObject();
    for (int i = 0; i < (two ? 2 : 1); ++i) {
        const QJsonObject recording = recordings[i].toObject();
        html += "<h2>" + word(recording[QLatin1String("title")]) + "</h2>\n<p>"
            + word(pair[QLatin1String("verdicts")][i][0]) + "</p>\n<table>\n";
        for (const QJsonValue row : recording[QLatin1String("summary")].toArray()) {
            html += "<tr><th scope=\"row\">" + word(row[0]) + "</th><td>" + word(row[1]) + "</td></tr>\n";
        }
        html += "</table>\n";
    }
    for (const QJsonValue section : pair[QLatin1String("lesson")].toArray()) {
        html += "<p>" + word(section).replace("\n", "</p>\n<p>") + "</p>\n";
    }
    const QString code = head[QLatin1String("code")][QLatin1String("PyTorch")].toString();
    return html + (code.isEmpty() ? QByteArray() : "<pre>" + htmlOf(code) + "</pre>\n");
}

/// The page's links to other pages, and what is in sight and selected when it opens.
void addPlace(QJsonObject& head, const PageOptions& options, const ViewState& first)
{
    QJsonArray devices;
    for (const auto& [name, link] : options.devices) {
        devices += QJsonArray {name, link};
    }
    head[QStringLiteral("devices")] = devices;
    head[QStringLiteral("terms")] = options.terms;
    head[QStringLiteral("links")] = QJsonArray {options.index, options.previous, options.next};
    head[QStringLiteral("scope")] = head[QStringLiteral("recordings")][0][QLatin1String("scope")];
    if (options.range) {
        head[QStringLiteral("view")]
            = QJsonArray {static_cast<qint64>(options.range->start), static_cast<qint64>(options.range->end)};
    }
    if (const auto& range = first.highlights.range) {
        head[QStringLiteral("selected")]
            = QJsonArray {static_cast<qint64>(range->start), static_cast<qint64>(range->end)};
    }
}

/// In both languages, in a section of its own; "" for nothing.
QByteArray sectionOf(const QByteArray& html, const QByteArray& attributes)
{
    return html.isEmpty() ? html : "<section " + attributes + ">\n" + html + "</section>\n";
}

QByteArray packed(const QJsonObject& head, const QByteArray& columns)
{
    const QByteArray json = QJsonDocument(head).toJson(QJsonDocument::Compact);
    QByteArray bytes;
    for (int shift = 0; shift < 32; shift += 8) {
        bytes.append(static_cast<char>(static_cast<std::uint32_t>(json.size()) >> shift));
    }
    bytes += json;
    bytes += columns;
    constexpr int best = 9;
    constexpr int length = 4;  // that qCompress puts before the stream
    return qCompress(bytes, best).mid(length).toBase64();
}

}  // namespace

std::size_t pageItems(const std::vector<ViewState>& views)
{
    std::size_t items = 0;
    for (const ViewState& view : views) {
        for (const Lane& lane : view.model->lanes()) {
            for (const LaneRow& row : lane.rows) {
                items += isEventOrPart(row.kind) && !row.level ? row.items.size() : 0;
            }
        }
    }
    return items;
}

QByteArray htmlPage(const std::vector<ViewState>& views, const PageOptions& options, const Speak& speak)
{
    if (views.empty()) {
        throw std::runtime_error("a page needs a recording");
    }
    std::vector<PageRecording> recordings;
    recordings.reserve(views.size());
    const Ns anchor = views.front().highlights.anchor.value_or(0);
    for (const ViewState& view : views) {
        const Ns by = view.highlights.anchor.value_or(0) - anchor;
        recordings.push_back(PageRecording::of(view,
            options.range ? std::optional(Interval {options.range->start + by, options.range->end + by})
                          : std::nullopt));
    }
    QStringList languages {options.language};
    for (const std::string& language : Messages::languages()) {
        if (const QString name = text(language); speak && name != options.language) {
            languages.prepend(name);
        }
    }
    PageTexts texts(static_cast<std::size_t>(languages.size()));
    Made page;
    for (const QString& language : languages) {  // the page's own last: it is the window's again
        if (speak) {
            speak(language);
        }
        texts.next();
        page = made(recordings, options, language, texts);
    }
    QJsonObject words;
    for (std::size_t i = 0; i < texts.languages(); ++i) {
        QJsonArray list;
        for (std::size_t n = 0; n < texts.texts(i).size(); ++n) {
            const QString& word = texts.texts(i)[n];
            list += i > 0 && word == texts.texts(0)[n] ? QJsonValue() : QJsonValue(word);
        }
        words[languages[static_cast<qsizetype>(i)]] = list;
    }
    const bool two = options.two && recordings.size() > 1;
    QJsonObject& head = page.head;
    head[QStringLiteral("languages")] = QJsonArray::fromStringList(languages);
    head[QStringLiteral("texts")] = words;
    head[QStringLiteral("shown")] = two ? QJsonArray {0, 1} : QJsonArray {0};
    head[QStringLiteral("themes")]
        = QJsonObject {{QStringLiteral("light"), themeOf(Theme::named(QStringLiteral("light")))},
            {QStringLiteral("dark"), themeOf(Theme::named(QStringLiteral("dark")))},
            {QStringLiteral("print"), themeOf(Theme::named(QStringLiteral("print")))}};
    addPlace(head, options, views.front());

    const QByteArray style = themeStyle() + pageResource(QStringLiteral("page.css"));
    QByteArray script = "'use strict';\n(() => {\n";
    for (const char* part : {"words", "data", "format", "figures", "scale", "draw", "curve", "gpu_time", "fold",
             "links", "lane_labels", "overlays", "iteration", "stack", "part", "range", "tip", "lesson", "summary",
             "input", "link", "main", "selftest"}) {
        script += pageResource(QLatin1String(part) + QStringLiteral(".js"));
    }
    script += "start();\n})();\n";
    const std::vector<QString>& own = texts.texts(texts.languages() - 1);
    return filledTemplate(pageResource(QStringLiteral("page.html")),
        {{"lang", options.language == QLatin1String("zh_CN") ? "zh-CN" : "en"}, {"theme", options.theme.toUtf8()},
            {"title", htmlOf(own.at(static_cast<std::size_t>(head[QLatin1String("title")].toInteger())))},
            {"style", style}, {"course", sectionOf(options.course, "class=\"both course\"")},
            {"questions", sectionOf(options.questions, "class=\"both questions\" id=\"questions\"")},
            {"exercise", sectionOf(options.exercise, "class=\"both questions\"")}, {"style-hash", policyHash(style)},
            {"script", script}, {"script-hash", policyHash(script)}, {"plain", plainOf(head, own, two)},
            {"data", packed(head, page.columns)}});
}

}  // namespace lanes::gui
