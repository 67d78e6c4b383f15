// SPDX-License-Identifier: MIT
#include "engine/replay/whatif.h"
#include "engine/store/recording_file.h"
#include "gui/export/html/html_page.h"
#include "gui/lanes/staged_copies.h"
#include "gui/paint/lane_figure.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/range_figures.h"
#include "gui/paint/words/role_text.h"
#include "tests/gui/export/html_page/browser.h"
#include "tests/gui/export/html_page/page_reading.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include <sqlite3.h>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr const char* hostile = "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>";

RecordingPtr shipped(const QString& name)
{
    const QString path = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings/h200/") + name;
    return ShownRecording::of(open_recording(path.toStdString()), name.toStdString());
}

/// The pair of shippedPair() with what is drawn over its lanes.
std::vector<ViewState> annotatedPair()
{
    std::vector<ViewState> views;
    for (const char* variant : {"blocking", "overlapped"}) {
        const RecordingPtr plain = shipped(QStringLiteral("copy-results-back.%1.sqlite").arg(QLatin1String(variant)));
        auto recording = std::make_shared<ShownRecording>(*plain);
        recording->annotations = std::make_shared<std::vector<Annotation>>();
        views.push_back(ViewState::of(recording));
    }
    const std::string lane = "copy";
    *views[0].model->recording().annotations
        = {{Annotation::Kind::bracket, 0, {2'030'000, lane, 0.5}, {6'500'000, lane, 0.5}, {}},
            {Annotation::Kind::frame, 0, {7'000'000, {}, 0}, {13'000'000, {}, 1}, "one round"},
            {Annotation::Kind::arrow, 0, {20'000'000, "compute", 0.5}, {22'000'000, lane, 0.5}, "then \u00FC"}};
    *views[1].model->recording().annotations
        = {{Annotation::Kind::text, 1, {8'000'000, "main", 0.5}, {8'000'000, "main", 0.5}, "<b>free</b>"}};
    return views;
}

std::vector<ViewState> shippedPair()
{
    return {ViewState::of(shipped(QStringLiteral("copy-results-back.blocking.sqlite"))),
        ViewState::of(shipped(QStringLiteral("copy-results-back.overlapped.sqlite")))};
}

/// A recording, and the run that is predicted from it with pinned memory.
std::vector<ViewState> predictedPair()
{
    const RecordingPtr recorded = shipped(QStringLiteral("copy-results-back.blocking.sqlite"));
    const replay::WhatIf whatIf(*recorded->graph);
    Trace run = whatIf.predicted_trace({{replay::ChangeKind::pin}, {replay::ChangeKind::non_blocking}});
    return {ViewState::of(recorded), ViewState::of(ShownRecording::of(std::move(run), "pinned"))};
}

}  // namespace

class tst_HtmlPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }
    void dataIsTheModels_data();
    void dataIsTheModels();
    void sameBytesTwice();
    void isSmallBesideItsData();
    void asksForNothing();
    void namesDoNothing();
    void speaksBothLanguages();
    void wordsAreThereInBothLanguages();
    void rolesAreCalledAsInTheWindow();
    void isWholeWithoutScript();
    void templatesAreFilledOnce();
    void overlaysAreThoseOfPictures();
    void differencesAreAgainstTheReference_data();
    void differencesAreAgainstTheReference();
    void livesInABrowser_data();
    void livesInABrowser();

private:
    std::vector<ViewState> views(const QString& name);
    RecordingPtr hostileRecording();
    void compareRanges(const QJsonObject& result, const std::vector<ViewState>& views);
    void compareOverlays(const QJsonObject& result);
    void compareTips(const QJsonObject& result, const std::vector<ViewState>& views);
    QTemporaryDir m_folder;
};

/// The sample with kernels whose name would end our script.
RecordingPtr tst_HtmlPage::hostileRecording()
{
    const QString path = m_folder.filePath(QStringLiteral("hostile.sqlite"));
    save_recording(*samples::copyResultsBack({})->trace, path.toStdString());
    sqlite3* database = nullptr;
    sqlite3_open(path.toUtf8(), &database);
    const QByteArray change = "UPDATE StringIds SET value = '" + QByteArray(hostile).replace("'", "''")
        + "' || value WHERE value LIKE 'mm%'";
    sqlite3_exec(database, change, nullptr, nullptr, nullptr);
    const int changed = sqlite3_changes(database);
    sqlite3_close(database);
    return changed > 0 ? ShownRecording::of(open_recording(path.toStdString()), hostile) : nullptr;
}

std::vector<ViewState> tst_HtmlPage::views(const QString& name)
{
    if (name == QLatin1String("everything")) {
        return {ViewState::of(samples::everything())};
    }
    if (name == QLatin1String("engines")) {
        LaneChoice engines;
        engines.grouping = LaneGrouping::engine;
        return {ViewState::of(samples::everything(), engines)};
    }
    if (name == QLatin1String("annotated")) {
        return annotatedPair();
    }
    if (name == QLatin1String("predicted")) {
        return predictedPair();
    }
    if (name == QLatin1String("collectives")) {
        return {ViewState::of(shipped(QStringLiteral("pipeline.one-batch.sqlite")))};
    }
    if (name == QLatin1String("hostile")) {
        return {ViewState::of(hostileRecording())};
    }
    return shippedPair();
}

void tst_HtmlPage::dataIsTheModels_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("all kinds of lanes") << "everything";
    QTest::newRow("engines") << "engines";
    QTest::newRow("two recordings of a lesson") << "pair";
    QTest::newRow("collectives that wait") << "collectives";
}

void tst_HtmlPage::dataIsTheModels()
{
    QFETCH(QString, name);
    const auto shown = views(name);
    const page::Read page = page::read(htmlPage(shown, {}, {}));
    QVERIFY(page.whole);
    QCOMPARE(page.rows.size(), shown.size());
    int early = 0;
    for (std::size_t r = 0; r < shown.size(); ++r) {
        const LaneModel& model = *shown[r].model;
        QCOMPARE(page.rows[r].size(), model.lanes().size());
        for (std::size_t l = 0; l < model.lanes().size(); ++l) {
            QCOMPARE(page.rows[r][l].size(), model.lanes()[l].rows.size());
            const page::Row& marked = page.exposed[r][l];
            const auto& exposed = model.lanes()[l].exposed;
            QCOMPARE(marked.start.size(), exposed ? exposed->items.size() : 0);
            for (std::size_t i = 0; i < marked.start.size(); ++i) {
                QVERIFY(marked.start[i] == exposed->items.start(i) && marked.end[i] == exposed->items.end(i));
            }
            for (std::size_t k = 0; k < model.lanes()[l].rows.size(); ++k) {
                const LaneRow& row = model.lanes()[l].rows[k];
                const page::Row& read = page.rows[r][l][k];
                QCOMPARE(read.start.size(), row.items.size());
                for (std::size_t i = 0; i < row.items.size(); ++i) {
                    QCOMPARE(read.start[i], row.items.start(i));
                    QCOMPARE(read.end[i], row.items.end(i));
                    QCOMPARE(read.role[i], static_cast<std::uint32_t>(row.items.role(i)));
                    if (!read.shade.empty()) {
                        QCOMPARE(read.shade[i], static_cast<std::uint32_t>(row.items.shade(i)));
                    }
                    if (!row.costs.empty()) {
                        QCOMPARE(read.costs[i], row.costs[i + 1] - row.costs[i]);
                    }
                    if (!read.staged.empty()) {
                        QCOMPARE(read.staged[i] > 0, isStaged(model.trace(), row.items.place(i)));
                    }
                    if (!read.early.empty()) {
                        const auto until = model.recording().awaitedUntil(row.items.place(i));
                        QCOMPARE(read.early[i], until ? std::min(*until, row.items.end(i)) - row.items.start(i) : 0);
                        early += read.early[i] > 0;
                    }
                    if (!read.bytes.empty()) {
                        QCOMPARE(static_cast<std::uint64_t>(read.bytes[i]), model.trace().bytes_of(row.items.place(i)));
                    }
                    if (row.kind == ItemKind::operation) {
                        QCOMPARE(page.said(read.text[i], QStringLiteral("en")),
                            labelsOf(model.recording(), row.itemAt(i)).join(QLatin1Char('\n')));
                    }
                }
            }
        }
    }
    QCOMPARE(early > 0, name == QLatin1String("collectives"));
}

void tst_HtmlPage::sameBytesTwice()
{
    QCOMPARE(htmlPage(shippedPair(), {}, {}), htmlPage(shippedPair(), {}, {}));
}

void tst_HtmlPage::isSmallBesideItsData()
{
    const QByteArray html = htmlPage(shippedPair(), {}, {});
    const qsizetype beside = html.size() - page::dataOf(html).size();
    QVERIFY2(beside < 300 * 1024, qPrintable(QString::number(beside)));
    qInfo("%lld bytes, %lld of them data", static_cast<long long>(html.size()),
        static_cast<long long>(page::dataOf(html).size()));
}

/// Nothing is loaded from anywhere, and the policy allows only our script and style.
void tst_HtmlPage::asksForNothing()
{
    const QByteArray html = htmlPage(shippedPair(), {}, {});
    for (const char* word : {"http:", "https:", "src=", "@import", "url(", "import(", "fetch(", "XMLHttpRequest"}) {
        QVERIFY2(!html.contains(word), word);
    }
    const auto hash = [](const QByteArray& text) {
        return "'sha256-" + QCryptographicHash::hash(text, QCryptographicHash::Sha256).toBase64() + "'";
    };
    QVERIFY(html.contains("default-src 'none'; style-src " + hash(page::styleOf(html)) + "; script-src "
        + hash(page::scriptOf(html)) + "\""));
}

void tst_HtmlPage::namesDoNothing()
{
    const RecordingPtr recording = hostileRecording();
    QVERIFY(recording);
    PageOptions options;
    options.title = QLatin1String(hostile);
    const QByteArray html = htmlPage({ViewState::of(recording)}, options, {});
    QCOMPARE(html.count("<script"), 2);
    QCOMPARE(html.count("</script"), 2);
    QVERIFY(!html.contains("<img"));
    QVERIFY(html.contains("<title>&lt;/script&gt;"));
    const page::Read page = page::read(html);
    QVERIFY(page.said(page.head[QLatin1String("title")].toInteger(), QStringLiteral("en")) == QLatin1String(hostile));
}

/// The texts are asked for in each language; the page's language is restored afterwards.
void tst_HtmlPage::speaksBothLanguages()
{
    QStringList spoken;
    PageOptions options;
    options.language = QStringLiteral("zh_CN");
    const page::Read page
        = page::read(htmlPage(shippedPair(), options, [&](const QString& language) { spoken += language; }));
    QCOMPARE(spoken, (QStringList {"en", "zh_CN"}));
    const auto rule = page.head[QLatin1String("pairs")][QLatin1String("0-1")][QLatin1String("lesson")][2].toInteger();
    QVERIFY(page.said(rule, QStringLiteral("en")).contains(QStringLiteral("non_blocking frees the CPU")));
    QVERIFY(page.said(rule, QStringLiteral("zh_CN")).contains(QStringLiteral("锁页内存")));
    const auto title = page.head[QLatin1String("title")].toInteger();
    QCOMPARE(page.said(title, QStringLiteral("en")), QStringLiteral("Copy results back"));
    QCOMPARE(page.said(title, QStringLiteral("zh_CN")), QStringLiteral("把结果拷回主机"));
}

/// Every word that the scripts ask for, with as many placeholders in both languages.
void tst_HtmlPage::wordsAreThereInBothLanguages()
{
    const QString words = QString::fromUtf8(pageResource(QStringLiteral("words.js")));
    const qsizetype chinese = words.indexOf(QStringLiteral("  zh_CN: {"));
    QVERIFY(chinese > 0);
    const auto texts = [](const QString& part) {
        QMap<QString, QString> found;
        static const QRegularExpression entry(QStringLiteral("[ {](\\w+): '([^']*)'"));
        for (auto it = entry.globalMatch(part); it.hasNext();) {
            const auto match = it.next();
            found[match.captured(1)] = match.captured(2);
        }
        return found;
    };
    const auto en = texts(words.left(chinese));
    const auto zh = texts(words.mid(chinese));
    QCOMPARE(en.keys(), zh.keys());
    QVERIFY(en.size() > 40);
    static const QRegularExpression place(QStringLiteral("\\{\\d\\}"));
    for (auto it = en.begin(); it != en.end(); ++it) {
        QVERIFY2(it.value().count(place) == zh[it.key()].count(place), qPrintable(it.key()));
    }
    const QString script = QString::fromUtf8(page::scriptOf(htmlPage(shippedPair(), {}, {})));
    static const QRegularExpression use(QStringLiteral("\\bword\\('(\\w+)'"));
    for (auto it = use.globalMatch(script); it.hasNext();) {
        const QString id = it.next().captured(1);
        const auto first = en.lowerBound(id);
        QVERIFY2(id.endsWith(u'_') ? first != en.end() && first.key().startsWith(id) : en.contains(id), qPrintable(id));
    }
}

/// The legends of the window, of pictures and of the page use the same words.
void tst_HtmlPage::rolesAreCalledAsInTheWindow()
{
    class Marks : public QTranslator {
    public:
        bool isEmpty() const override { return false; }
        QString translate(const char* context, const char* source, const char*, int) const override
        {
            return qstrcmp(context, "Roles") == 0 ? QStringLiteral("zh: ") + QString::fromUtf8(source) : QString();
        }
    } chinese;
    PageOptions options;
    options.language = QStringLiteral("en");
    const page::Read page = page::read(htmlPage(shippedPair(), options, [&](const QString& language) {
        language == QLatin1String("en") ? QCoreApplication::removeTranslator(&chinese)
                                        : QCoreApplication::installTranslator(&chinese);
    }));
    const QJsonArray roles = page.head[QLatin1String("roles")].toArray();
    QCOMPARE(roles.size(), static_cast<qsizetype>(itemRoleCount));
    for (std::size_t role = 0; role < itemRoleCount; ++role) {
        const auto said = roles[static_cast<qsizetype>(role)].toInteger();
        const QString text = roleText(static_cast<ItemRole>(role));
        QCOMPARE(page.said(said, QStringLiteral("en")), text);
        QCOMPARE(page.said(said, QStringLiteral("zh_CN")), text.isEmpty() ? text : QStringLiteral("zh: ") + text);
    }
}

void tst_HtmlPage::isWholeWithoutScript()
{
    const QByteArray html = htmlPage(shippedPair(), {}, {});
    const qsizetype from = html.indexOf("<noscript>");
    const QByteArray plain = html.mid(from, html.indexOf("</noscript>") - from);
    for (const char* text : {"Without JavaScript", "JavaScript：", "50.1 ms", "17.3 ms", "waits cost 32.8 ms",
             "non_blocking frees the CPU"}) {
        QVERIFY2(plain.contains(text), text);
    }
}

void tst_HtmlPage::templatesAreFilledOnce()
{
    QCOMPARE(filledTemplate("a {{x}} b {{y}} {{none}}.", {{"x", "{{y}}"}, {"y", "2"}}), QByteArray("a {{y}} b 2 ."));
}

/// Lanes are identified by their place, even with a name that looks like markup; a sketch is that of the call.
void tst_HtmlPage::overlaysAreThoseOfPictures()
{
    const std::vector<ViewState> shown = annotatedPair();
    const QByteArray html = htmlPage(shown, {}, {});
    const page::Read page = page::read(html);
    const QJsonArray recordings = page.head[QLatin1String("recordings")].toArray();
    const LaneModel& model = *shown[0].model;
    const QJsonArray annotations = recordings[0][QLatin1String("annotations")].toArray();
    QCOMPARE(annotations.size(), 3);
    QCOMPARE(annotations[0][QLatin1String("kind")].toString(), QStringLiteral("bracket"));
    const auto& lane = model.lanes()[static_cast<std::size_t>(annotations[0][QLatin1String("from")][1].toInt())];
    QVERIFY(lane.key.kind == LaneKind::stream);
    QCOMPARE(model.trace().label_of(model.trace().streams[lane.row]), std::string("copy"));
    QCOMPARE(annotations[1][QLatin1String("to")], QJsonValue(QJsonArray({13'000'000, -1, 1})));
    QCOMPARE(
        page.said(annotations[2][QLatin1String("text")].toInteger(), QStringLiteral("en")), QStringLiteral("then ü"));

    const auto stagedRows = [&](int side) {
        int found = 0;
        for (const QJsonValue& each : recordings[side][QLatin1String("lanes")].toArray()) {
            for (const QJsonValue& row : each[QLatin1String("rows")].toArray()) {
                found += row[QLatin1String("staged")].toBool();
            }
        }
        return found;
    };
    QCOMPARE(stagedRows(0), 1);
    QCOMPARE(stagedRows(1), 0);  // into pinned memory
}

void tst_HtmlPage::compareOverlays(const QJsonObject& result)
{
    const auto plates
        = [&](int side) { return result[QLatin1String("overlays")][side][QLatin1String("plates")].toArray(); };
    QCOMPARE(plates(0), QJsonArray({"4.47 ms", "one round", "then ü"}));
    QCOMPARE(plates(1), QJsonArray({"<b>free</b>"}));
}

void tst_HtmlPage::differencesAreAgainstTheReference_data()
{
    QTest::addColumn<int>("reference");
    QTest::newRow("A") << 0;
    QTest::newRow("B") << 1;
}

/// The second run of the pair takes less time.
void tst_HtmlPage::differencesAreAgainstTheReference()
{
    QFETCH(int, reference);
    std::vector<ViewState> shown = shippedPair();
    shown[0].compared = reference == 1;
    shown[1].compared = reference == 0;
    const page::Read page = page::read(htmlPage(shown, {}, {}));
    const QJsonValue pair = page.head[QLatin1String("pairs")][QLatin1String("0-1")];
    QCOMPARE(pair[QLatin1String("reference")].toInt(-1), reference);
    int totals = 0;
    for (const QJsonValue& cell : pair[QLatin1String("differences")].toArray()) {
        if (page.said(cell[0].toInteger(), QStringLiteral("en")) == QLatin1String("total")) {
            const QString words = page.said(cell[1].toInteger(), QStringLiteral("en"));
            QCOMPARE(words.endsWith(QLatin1String(" less")), reference == 0);
            ++totals;
        }
    }
    QCOMPARE(totals, 1);
}

void tst_HtmlPage::livesInABrowser_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("two recordings of a lesson") << "pair";
    QTest::newRow("all kinds of lanes") << "everything";
    QTest::newRow("engines") << "engines";
    QTest::newRow("hostile names") << "hostile";
    QTest::newRow("annotations and staged copies") << "annotated";
    QTest::newRow("a prediction under its recording") << "predicted";
    QTest::newRow("collectives that wait") << "collectives";
}

void tst_HtmlPage::livesInABrowser()
{
    if (page::browserProgram().isEmpty()) {
        QSKIP("no Chromium is installed (package chromium): the page's data was checked, its script was not run");
    }
    QFETCH(QString, name);
    const auto shown = views(name);
    const QString file = m_folder.filePath(name + QStringLiteral(".html"));
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(htmlPage(shown, {}, {}));
    out.close();
    const page::Driven driven = page::drive(file, QStringLiteral("1us:300us;1234567:7654321;0:1s;3.1ms:3.2ms"));
    QVERIFY2(!driven.result.isEmpty(), qPrintable(driven.errors + driven.dom.left(2000)));
    QCOMPARE(driven.errors, QString());
    for (const QJsonValue& problem : driven.result[QLatin1String("problems")].toArray()) {
        QFAIL(qPrintable(problem.toString()));
    }
    compareRanges(driven.result, shown);
    compareTips(driven.result, shown);
    if (name == QLatin1String("annotated")) {
        compareOverlays(driven.result);
    }
    if (name == QLatin1String("predicted")) {  // in what the reader sees, in both languages
        const QString dom = QString(driven.dom)
                                .remove(QRegularExpression(QStringLiteral("<script.*?</script>"),
                                    QRegularExpression::DotMatchesEverythingOption));
        QVERIFY2(dom.contains(QStringLiteral("redicted")), qPrintable(dom.left(3000)));
    }
    QVERIFY(driven.result[QLatin1String("texts")][QLatin1String("en")][QLatin1String("title")].toString()
        != QLatin1String("taken"));
}

/// Busy, overlap, blocked, counts, bytes and the figures beside the lanes are the engine's; so are the words.
void tst_HtmlPage::compareRanges(const QJsonObject& result, const std::vector<ViewState>& views)
{
    const QJsonArray ranges = result[QLatin1String("ranges")].toArray();
    QCOMPARE(ranges.size(), 5);
    for (const QJsonValue& each : ranges) {
        const Interval range {each[QLatin1String("range")][0].toInteger(), each[QLatin1String("range")][1].toInteger()};
        for (std::size_t side = 0; side < views.size(); ++side) {
            const LaneModel& model = *views[side].model;
            const QJsonValue read = each[QLatin1String("sides")][static_cast<qsizetype>(side)];
            const ScopeFigures figures = figuresOf(model, range);
            QCOMPARE(read[QLatin1String("length")].toInteger(), figures.length);
            QCOMPARE(read[QLatin1String("busy")].toInteger(), figures.summary->at_least[0]);
            QCOMPARE(read[QLatin1String("overlap")].toInteger(), figures.summary->at_least[1]);
            QCOMPARE(read[QLatin1String("blocked")].isNull(), !figures.blocked.has_value());
            QCOMPARE(read[QLatin1String("blocked")].toInteger(), figures.blocked.value_or(0));
            for (std::size_t kind = 0; kind < figures.summary->kinds.size(); ++kind) {
                const QJsonValue of = read[QLatin1String("kinds")][static_cast<qsizetype>(kind + 1)];
                QCOMPARE(
                    of[QLatin1String("count")].toInteger(), static_cast<qint64>(figures.summary->kinds[kind].count));
                QCOMPARE(
                    of[QLatin1String("bytes")].toInteger(), static_cast<qint64>(figures.summary->kinds[kind].bytes));
            }
            const QString letter = views.size() > 1 ? QString(QChar(u'A' + static_cast<char16_t>(side))) : QString();
            QCOMPARE(
                read[QLatin1String("text")].toString(), letter + linesOf(figures).join(QStringLiteral(" \u00B7 ")));
            for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
                const auto figure = figureOf(model, lane, {Scope::Of::selected, range});
                const QJsonValue own
                    = each[QLatin1String("lanes")][static_cast<qsizetype>(side)][static_cast<qsizetype>(lane)];
                QCOMPARE(own.isNull(), !figure.has_value());
                QCOMPARE(own.toInteger(0), figure ? figure->time : 0);
            }
        }
    }
}

void tst_HtmlPage::compareTips(const QJsonObject& result, const std::vector<ViewState>& views)
{
    const QJsonArray tips = result[QLatin1String("tips")].toArray();
    QVERIFY(tips.size() > 3);
    for (const QJsonValue& tip : tips) {
        const LaneModel& model = *views[static_cast<std::size_t>(tip[QLatin1String("side")].toInt())].model;
        const Lane& lane = model.lanes()[static_cast<std::size_t>(tip[QLatin1String("lane")].toInt())];
        const LaneRow& row = lane.rows[static_cast<std::size_t>(tip[QLatin1String("row")].toInt())];
        const ItemRef item = row.itemAt(static_cast<std::size_t>(tip[QLatin1String("item")].toInt()));
        QStringList expected = tooltipOf(model.recording(), item);
        expected.removeIf(
            [](const QString& line) { return line.contains(QStringLiteral("communicator ")); });  // not there
        QStringList read;
        for (const QJsonValue& line : tip[QLatin1String("lines")].toArray()) {
            read += line.toString();
        }
        if (labelsOf(model.recording(), item).isEmpty()) {
            read.removeFirst();  // for a stale read the picture has a separate sign
        }
        QCOMPARE(read, expected);
    }
}

QTEST_MAIN(tst_HtmlPage)
#include "tst_html_page.moc"
