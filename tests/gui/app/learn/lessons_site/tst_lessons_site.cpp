// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "engine/workload/catalogue.h"
#include "gui/app/learn/lessons_site.h"
#include "gui/export/html/index_page.h"
#include "gui/session/open_recording.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

using namespace lanes::gui;

class tst_LessonsSite : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }
    void refusesWhatIsNotItsOwn_data();
    void refusesWhatIsNotItsOwn();
    void writesAllLessons();
    void listingsAreThoseOfToday();
    void aPageAsksWithoutAScript();
    void somebodysOwnLessonJoinsTheCourse();
    void aLessonWithoutRecordingsIsRunOnTheModel();  // and our files are written anew

private:
    QString at(const QString& name) const { return m_folder.filePath(name); }
    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void put(const QString& path, const QByteArray& bytes)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    QTemporaryDir m_folder;
};

void tst_LessonsSite::refusesWhatIsNotItsOwn_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::newRow("a file") << QStringList {"notes.txt"};
    QTest::newRow("a hidden file") << QStringList {".git"};
    QTest::newRow("somebody's pages") << QStringList {"index.html", "about.html"};
    QTest::newRow("a site of ours with something else in it") << QStringList {"index.html*", "thesis.tex"};
    QTest::newRow("something else among its pictures") << QStringList {"index.html*", "pictures/holiday.jpg"};
}

/// Nothing is touched, and no temporary file is left.
void tst_LessonsSite::refusesWhatIsNotItsOwn()
{
    QFETCH(QStringList, files);
    const QString folder = at(QLatin1String(QTest::currentDataTag()));
    QVERIFY(QDir().mkpath(folder + QStringLiteral("/pictures")));
    if (!files.last().startsWith(QLatin1String("pictures"))) {
        QVERIFY(QDir().rmdir(folder + QStringLiteral("/pictures")));
    }
    for (QString name : files) {
        const bool ours = name.endsWith(QLatin1Char('*'));
        name.remove(QLatin1Char('*'));
        put(folder + QLatin1Char('/') + name, ours ? QByteArray(course_mark) : QByteArray("mine"));
    }
    QCOMPARE(writeLessonsSite(folder, QStringLiteral("en")), 2);
    for (QString name : files) {
        const bool ours = name.endsWith(QLatin1Char('*'));
        name.remove(QLatin1Char('*'));
        QCOMPARE(read(folder + QLatin1Char('/') + name), ours ? QByteArray(course_mark) : QByteArray("mine"));
    }
    QCOMPARE(
        QDir(m_folder.path()).entryList({QStringLiteral("*.partial*")}, QDir::AllEntries | QDir::Hidden).size(), 0);
}

void tst_LessonsSite::writesAllLessons()
{
    const QString site = at(QStringLiteral("deep/site"));
    QCOMPARE(writeLessonsSite(site, QStringLiteral("zh_CN")), 0);
    const QByteArray index = read(site + QStringLiteral("/index.html"));
    QVERIFY(index.startsWith("<!DOCTYPE html>\n<html lang=\"zh-CN\""));
    static const QRegularExpression link(QStringLiteral("(?:href|src)=\"([^\"]+)\""));
    int pages = 0;
    std::set<QString> linked;
    for (auto it = link.globalMatch(QString::fromUtf8(index)); it.hasNext();) {
        const QString target = it.next().captured(1);
        if (target.startsWith(QLatin1String("https://github.com/"))) {  // why a lesson matters
            continue;
        }
        QVERIFY2(QFile::exists(site + QLatin1Char('/') + target), qPrintable(target));
        if (target.endsWith(QLatin1String(".html"))) {
            linked.insert(target);
        }
    }
    pages = static_cast<int>(linked.size());
    const std::size_t countOfPages
        = lanes::catalogue_names().size() + 3;  // and those of the articles, the terms and the answer sheet
    QCOMPARE(static_cast<std::size_t>(pages), countOfPages);
    const QByteArray claims = read(site + QStringLiteral("/claims.html"));
    for (auto it = link.globalMatch(QString::fromUtf8(claims)); it.hasNext();) {
        const QString target = it.next().captured(1);
        QVERIFY2(QFile::exists(site + QLatin1Char('/') + target), qPrintable(target));
    }
    QCOMPARE(claims.count("<tr><td>"), 53);
    QVERIFY(claims.contains("<code>print(loss)</code>") && claims.contains("部分对"));
    QVERIFY(index.contains("把结果拷回主机") && index.contains("Copy results back"));
    QVERIFY(read(site + QStringLiteral("/pictures/copy-results-back.dark.png")).startsWith("\x89PNG"));
    const QByteArray page = read(site + QStringLiteral("/copy-results-back.html"));
    QVERIFY(page.contains("<title>把结果拷回主机</title>"));
    QVERIFY(
        page.contains("<td>50.1 ms</td>"));  // it opens on a part, and its figures are of the whole run, as its texts
    const QByteArray prefetcher = read(site + QStringLiteral("/prefetcher.html"));
    const lanes::Workload newest = lanes::find_workload("prefetcher");  // what its recordings carry is older
    QVERIFY(prefetcher.contains(QByteArray::fromStdString(newest.look.at("zh_CN"))));
    QVERIFY(!prefetcher.contains("first two variants"));
    qInfo("%lld bytes of copy-results-back with its six recordings", static_cast<long long>(page.size()));
    QCOMPARE(
        QDir(at(QStringLiteral("deep"))).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 1);
}

/// In both languages, with the answers folded away; the index does not tell them.
void tst_LessonsSite::aPageAsksWithoutAScript()
{
    const QString site = at(QStringLiteral("deep/site"));  // of the test before
    const QByteArray page = read(site + QStringLiteral("/read-too-early.html"));
    const qsizetype at = page.indexOf("id=\"questions\"");
    QVERIFY(at > 0);
    QVERIFY(at < page.indexOf("<noscript") && at < page.indexOf("<main"));  // before what answers them
    QVERIFY(page.indexOf("lanes run mine.yaml --check") > page.indexOf("<main"));
    const QByteArray questions = page.mid(at, page.indexOf("</section>", at) - at);
    QCOMPARE(questions.count("<fieldset>"), 2);
    QCOMPARE(questions.count("<details>"), 6);
    QCOMPARE(questions.count("class=\"right\""), 2);
    QVERIFY(questions.contains("No: a part of them is old") && questions.contains("有一部分是旧数据"));
    QVERIFY(!questions.contains("<details open"));
    QVERIFY(page.contains("https://github.com/pytorch/pytorch/issues/140296"));
    const QByteArray index = read(site + QStringLiteral("/index.html"));
    QVERIFY(index.contains("Will the bytes be right?"));
    QVERIFY(!index.contains("a part of them is old") && !index.contains("reads the old content"));
    QCOMPARE(index.count("<h2>"), 8);  // chapters
    QVERIFY(QFile::exists(site + QStringLiteral("/read-too-early.h100.html")));
    QVERIFY(read(site + QStringLiteral("/terms.html")).contains("id=\"held\""));
    const QByteArray sheet = read(site + QStringLiteral("/sheet.html"));
    QVERIFY(sheet.contains("Will the bytes be right?") && sheet.contains("No: a part of them is old"));
    QVERIFY(!sheet.contains("And nothing reports an error"));
    const QByteArray slides = read(site + QStringLiteral("/read-too-early.slides.pdf"));
    QVERIFY(slides.startsWith("%PDF"));
    QCOMPARE(slides.count("/Type /Page\n"), 4);
}

void tst_LessonsSite::somebodysOwnLessonJoinsTheCourse()
{
    const QString own = at(QStringLiteral("mine.yaml"));
    put(own,
        "title: Mine\nrule: Wait.\nquiz: [{question: 'Why?', choices: [{text: So, right: true}, {text: Not so, why: "
        "<b>}]}]\n"
        "threads: {main: [{cpu: {time: 1 ms}}]}\n");
    const QString site = at(QStringLiteral("with-mine"));
    QCOMPARE(writeLessonsSite(site, QStringLiteral("en"), {own}), 0);
    const QByteArray page = read(site + QStringLiteral("/mine.html"));
    QVERIFY(page.contains("<title>Mine</title>") && page.contains("Not so") && page.contains("&lt;b&gt;"));
    const QByteArray index = read(site + QStringLiteral("/index.html"));
    QVERIFY(index.indexOf("More lessons") > index.indexOf("all-reduce.html"));
    QVERIFY(index.indexOf("mine.html") > index.indexOf("More lessons"));
    put(own, "title: Mine\nthread: {}\n");  // what is wrong is said, and the site stays
    QCOMPARE(writeLessonsSite(site, QStringLiteral("en"), {own}), 2);
    QCOMPARE(read(site + QStringLiteral("/mine.html")), page);
    QCOMPARE(writeLessonsSite(site, QStringLiteral("en"),
                 {qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/workloads/pinning.yaml")}),
        2);
}

/// Recordings carry the listings of their day, some of which were wrong. Window and pages show what this makes.
void tst_LessonsSite::listingsAreThoseOfToday()
{
    const auto opened = [](const char* name) {
        const QString path = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings/h200/")
            + QLatin1String(name) + QStringLiteral(".sqlite");
        return analysed(lanes::open_recording(path.toStdString()), path);
    };
    const OpenRecordingPtr late = opened("late-error.late");
    QVERIFY(late->codePyTorch.contains(QLatin1String("lookup(embedding, tokens)")));
    QVERIFY(!late->codePyTorch.contains(QLatin1String("embedding[tokens]")));
    QVERIFY(caveats(*late).first().contains(QLatin1String("14")));
    const OpenRecordingPtr offload = opened("offload.own-stream");
    QVERIFY(offload->codePyTorch.contains(QLatin1String("x = act[i] = forward(i, x)")));
    QCOMPARE(withWorkload(*offload)->codePyTorch, offload->codePyTorch);
    const QStringList lines = offload->codePyTorch.split(QLatin1Char('\n'));
    const auto& step = std::find_if(offload->steps.begin(), offload->steps.end(),
        [](const lanes::StepInfo& of) { return of.label == "kernel forward on compute"; });
    QVERIFY(step != offload->steps.end());
    QVERIFY(lines.value(static_cast<qsizetype>(step->pytorch_line) - 1).contains(QLatin1String("forward(i, x)")));
}

void tst_LessonsSite::aLessonWithoutRecordingsIsRunOnTheModel()
{
    const QDir ours(qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources"));
    const QString resources = at(QStringLiteral("resources"));
    QVERIFY(QDir().mkpath(resources + QStringLiteral("/workloads")));
    for (const QString& name : ours.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (name != QLatin1String("workloads") && name != QLatin1String("recordings")) {
            QVERIFY(QFile::link(ours.filePath(name), resources + QLatin1Char('/') + name));
        }
    }
    QVERIFY(QFile::link(ours.filePath(QStringLiteral("workloads/copy-results-back.yaml")),
        resources + QStringLiteral("/workloads/copy-results-back.yaml")));
    const QByteArray before = qgetenv("LANES_RESOURCES");
    qputenv("LANES_RESOURCES", resources.toLocal8Bit());
    const QString site = at(QStringLiteral("of-the-model"));
    const QString written = site + QStringLiteral("/copy-results-back.html");
    const int status = writeLessonsSite(site, QStringLiteral("en"));
    const QByteArray page = read(written);
    put(written, "old");  // ours: written anew
    const int again = writeLessonsSite(site, QStringLiteral("en"));
    if (before.isNull()) {
        qunsetenv("LANES_RESOURCES");
    } else {
        qputenv("LANES_RESOURCES", before);
    }
    QCOMPARE(status, 0);
    const QByteArray index = read(site + QStringLiteral("/index.html"));
    QVERIFY(index.contains("computed by the model device") && index.contains("由模型设备计算得出"));
    QVERIFY(page.contains("<title>Copy results back</title>"));
    QCOMPARE(again, 0);
    QCOMPARE(read(written), page);
    QCOMPARE(
        QDir(m_folder.path()).entryList({QStringLiteral("*.partial*")}, QDir::AllEntries | QDir::Hidden).size(), 0);
}

QTEST_MAIN(tst_LessonsSite)
#include "tst_lessons_site.moc"
