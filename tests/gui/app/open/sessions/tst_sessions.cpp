// SPDX-License-Identifier: MIT
// Sessions: the contents of the file, what it refuses, and what a window shows that opens it again.
#include "engine/workload/workload.h"
#include "gui/app/frame/command_line.h"
#include "gui/app/open/sessions.h"
#include "gui/timeline/alignment.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "tests/gui/app/window_case.h"

#include <QDir>
#include <QFile>

using namespace lanes;
using namespace lanes::gui;

class tst_sessions : public WindowCase {
    Q_OBJECT

    QString m_path = m_folder.filePath(QStringLiteral("both.lanescope"));

    void write(const QByteArray& text) const
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        startAfresh();
        QFile::remove(m_path);
    }
    void isReadAsItWasWritten();
    void whatIsWrongHasAPlace_data();
    void whatIsWrongHasAPlace();
    void opensAsItWasSaved();
    void keepsWhatNoFileHolds();
    void saysWhatChangedSince();
};

void tst_sessions::isReadAsItWasWritten()
{
    const LaneKey stream {LaneKind::stream, 0, 4711, 1, 7};
    const LaneKey thread {LaneKind::thread, 0, 4711, 0, 4712};
    const LaneKey copies {LaneKind::stream, 0, 4711, 1, 7, StreamPart::copies};
    Session session;
    session.sides = {{.file = m_a,
                         .bytes = 4096,
                         .marks = {{12'345'678, "a \"quoted\" mark"}, {12'345'679, ""}},
                         .arrangement = LaneArrangement(LaneArrangement::Settings {
                             {stream}, {thread, copies}, {thread}, {thread, stream}, {{LaneKey {}, {thread}}}}),
                         .scroll = 40},
        {.file = m_b}};
    session.view = Interval {-1'500, 2'000'001};
    session.range = Interval {1, 2};
    session.filter = "kind:copy or dur>1ms";
    session.grouping = LaneGrouping::engine;
    session.order = LaneOrder::cpuFirst;
    session.colours = LaneColours::kinds;
    session.alignment = {{5, 1'000'000'000'007}, QStringLiteral("matmul #3"), 21'000};
    session.reference = 1;
    session.scope = Scope::Of::visible;
    session.annotations = {{Annotation::Kind::bracket, 1, {1'000, "copy", 0.5}, {2'500, "copy", 0.5}, "one: copy"}};
    const std::string text = sessionText(session, m_folder.path());
    QVERIFY2(
        text.find(m_folder.path().toStdString()) == std::string::npos, text.c_str());  // it can be moved with its files
    write(QByteArray::fromStdString(text));
    const Session read = readSession(m_path);
    QCOMPARE(read.sides.size(), std::size_t {2});
    QCOMPARE(read.sides[0].file, QFileInfo(m_a).absoluteFilePath());
    QCOMPARE(read.sides[1].file, QFileInfo(m_b).absoluteFilePath());
    QCOMPARE(read.sides[0].bytes, std::int64_t {4096});
    QCOMPARE(read.sides[0].marks.size(), std::size_t {2});
    QCOMPARE(read.sides[0].marks[0].time, Ns {12'345'678});
    QCOMPARE(read.sides[0].marks[0].text, std::string("a \"quoted\" mark"));
    QCOMPARE(read.sides[0].scroll, 40);
    QVERIFY(read.sides[0].arrangement == session.sides[0].arrangement);
    QVERIFY(read.sides[1].arrangement.isEmpty());
    QVERIFY(read.view == session.view && read.range == session.range);
    QCOMPARE(read.filter, session.filter);
    QVERIFY(read.grouping == session.grouping && read.order == session.order && read.alignment == session.alignment);
    QVERIFY(read.colours == session.colours);
    QCOMPARE(read.reference, 1);
    QVERIFY(read.scope == Scope::Of::visible);
    QVERIFY(read.annotations == session.annotations);
    QCOMPARE(sessionText(read, m_folder.path()), text);
}

void tst_sessions::whatIsWrongHasAPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("said");
    const QByteArray head = "lanescope_session: 1\nrecordings:\n  - file: a.sqlite\n";
    QTest::newRow("nothing") << QByteArray() << QByteArray("1:1: the file is empty, expected a session");
    QTest::newRow("not YAML") << QByteArray("lanescope_session: [1\n") << QByteArray("both.lanescope:");
    QTest::newRow("another file") << QByteArray("a: 1\n") << QByteArray("found no lanescope_session");
    QTest::newRow("newer") << QByteArray("lanescope_session: 2\n") << QByteArray("1:20: found version '2', expected 1");
    QTest::newRow("no recordings") << QByteArray("lanescope_session: 1\n") << QByteArray("'recordings' is missing");
    QTest::newRow("three") << head + "  - file: a.sqlite\n  - file: a.sqlite\n"
                           << QByteArray("found 3 recordings, expected one or two");
    QTest::newRow("gone") << QByteArray("lanescope_session: 1\nrecordings:\n  - file: gone.sqlite\n")
                          << QByteArray("3:11: found no recording ");
    QTest::newRow("a folder") << QByteArray("lanescope_session: 1\nrecordings:\n  - file: .\n")
                              << QByteArray("3:11: found no recording ");
    QTest::newRow("unknown key") << head + "filtre: x\n" << QByteArray("did you mean 'filter'?");
    QTest::newRow("unknown key of a side") << head + "    mark: []\n" << QByteArray("did you mean 'marks'?");
    QTest::newRow("time") << head + "range: {from: 1, to: 2 ms}\n" << QByteArray("4:15: found '1', expected a time");
    QTest::newRow("huge time") << head + "range: {from: 1 ms, to: 1e300 s}\n" << QByteArray("expected a time");
    QTest::newRow("turned") << head + "range: {from: 2 ms, to: 1 ms}\n" << QByteArray("found an end before the start");
    QTest::newRow("filter") << head + "filter: 'dur>'\n" << QByteArray("4:9: found 'dur>', expected a filter");
    QTest::newRow("lane") << head + "    hidden: [stream 7]\n" << QByteArray("4:14: found 'stream 7', expected a lane");
    QTest::newRow("lane number") << head + "    hidden: [stream 0 0 0 99999999999]\n" << QByteArray("expected a lane");
    QTest::newRow("reference") << head + "reference: B\n" << QByteArray("found B, but there is one recording");
    QTest::newRow("scope") << head + "scope: loop\n" << QByteArray("4:8: found 'loop', expected");
    QTest::newRow("scroll") << head + "    scroll: -1\n" << QByteArray("expected a number from 0");
    QTest::newRow("annotations") << head + "annotations: [7]\n" << QByteArray("4:15: found '7', expected one of");
    QTest::newRow("no UTF-8") << head + "filter: \xff\n" << QByteArray("4:9:");
    QTest::newRow("too large") << head + "filter: '" + QByteArray(2 << 20, 'x') + "'\n"
                               << QByteArray("both.lanescope:");
}

void tst_sessions::whatIsWrongHasAPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, said);
    write(text);
    try {
        readSession(m_path);
        QFAIL("it was read");
    } catch (const WorkloadError& error) {
        QVERIFY2(QByteArray(error.what()).startsWith("both.lanescope:"), error.what());
        QVERIFY2(QByteArray(error.what()).contains(said), error.what());
        QVERIFY2(!QByteArray(error.what()).contains('\n'), error.what());
    }
    const CommandLine line = readCommandLine({m_path});
    QVERIFY(line.what == CommandLine::What::error && !line.error.isEmpty());
    auto w = window();
    w->openFiles({m_a});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(!w->isBusy());
    w->openFiles({m_path});
    QVERIFY2(notice(*w).contains(QString::fromUtf8(said)), qPrintable(notice(*w)));
    QCOMPARE(w->workspace().count(), 1);  // what is open stays
}

void tst_sessions::opensAsItWasSaved()
{
    TimelineState kept;
    Interval seen {};
    {
        auto w = window();
        w->openFiles({m_a, m_b});
        QTRY_COMPARE(w->workspace().count(), 2);
        QTRY_VERIFY(!w->isBusy());
        ComparisonView& timeline = w->timeline();
        timeline.filterBar()->ask(QStringLiteral("kind:copy"));
        QTest::qWait(0);
        timeline.pair().setAlignment({{0, 1'000'000}, {}}, 0);
        timeline.pair().setReference(1);
        timeline.side(0).selectRange(Interval {2'000'000, 3'000'000});
        timeline.side(0).showRange({1'000'000, 5'000'000});
        LaneArrangement lanes = timeline.side(1).state().arrangement;
        lanes.setPinned(timeline.side(1).model()->lanes().back().key, true);
        timeline.side(1).setArrangement(lanes);
        w->workspace().at(0)->marks->set({{1'234'567, "here"}});
        w->workspace().at(1)->annotations->push_back({Annotation::Kind::frame, 0, {10, {}, 0.5}, {20, {}, 0.5}, "f"});
        w->workspace().chooseScope(Scope::Of::visible);
        kept = timeline.side(1).state();
        seen = timeline.side(0).visibleRange();
        w->findChild<Sessions*>()->save(m_path);
        QVERIFY2(QFile::exists(m_path), qPrintable(notice(*w)));
    }
    startAfresh();
    auto w = window();
    QCOMPARE(readCommandLine({m_path}).files, QStringList {m_path});
    QVERIFY(readCommandLine({m_path, m_a}).what == CommandLine::What::error);
    w->openFiles({m_path});
    QTRY_COMPARE(w->workspace().count(), 2);
    ComparisonView& timeline = w->timeline();
    QTRY_COMPARE(timeline.filterBar()->field()->text(), QStringLiteral("kind:copy"));
    QCOMPARE(w->workspace().at(0)->path, QFileInfo(m_a).absoluteFilePath());
    QVERIFY(timeline.side(0).state().highlights.range == (Interval {2'000'000, 3'000'000}));
    QVERIFY(timeline.side(1).state().highlights.range == (Interval {3'000'000, 4'000'000}));
    const Interval now = timeline.side(0).visibleRange();
    QVERIFY2(std::abs(now.start - seen.start) < 10'000 && std::abs(now.end - seen.end) < 10'000,
        qPrintable(QStringLiteral("%1 %2").arg(now.start).arg(now.end)));
    QCOMPARE(timeline.pair().reference(), 1);
    QCOMPARE(w->workspace().scope().of, Scope::Of::visible);
    QVERIFY(timeline.side(1).state().arrangement == kept.arrangement);
    QVERIFY(timeline.side(1).state().choice == kept.choice);
    QCOMPARE(w->workspace().at(0)->marks->all().size(), std::size_t {1});
    QCOMPARE(w->workspace().at(0)->marks->all().front().text, std::string("here"));
    QCOMPARE(w->workspace().at(1)->annotations->size(), std::size_t {1});
    QVERIFY(w->workspace().at(0)->annotations->empty());
    QVERIFY2(notice(*w).isEmpty(), qPrintable(notice(*w)));
}

/// A run that was made here has no file: it gets one beside the session, and no other file is overwritten.
void tst_sessions::keepsWhatNoFileHolds()
{
    const QString taken = m_folder.filePath(QStringLiteral("both.a.sqlite"));
    QFile other(taken);
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("mine") == 4);
    other.close();
    auto w = window();
    w->workspace().set({withWorkload(*modelRecording("blocking"))});
    w->findChild<Sessions*>()->save(m_path);
    QTRY_VERIFY2(QFile::exists(m_path), qPrintable(notice(*w)));
    QVERIFY(other.open(QIODevice::ReadOnly));
    QCOMPARE(other.readAll(), QByteArray("mine"));
    QCOMPARE(readSession(m_path).sides.front().file, m_folder.filePath(QStringLiteral("both.a-2.sqlite")));
    w->findChild<Sessions*>()->save(m_path);  // the same one again, not a third
    QCOMPARE(readSession(m_path).sides.front().file, m_folder.filePath(QStringLiteral("both.a-2.sqlite")));
}

void tst_sessions::saysWhatChangedSince()
{
    write("lanescope_session: 1\nrecordings:\n  - {file: a.sqlite, bytes: 17}\n");
    auto w = window();
    w->openFiles({m_path});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY2(notice(*w).contains(QStringLiteral("a.sqlite changed since")), qPrintable(notice(*w)));
}

QTEST_MAIN(tst_sessions)
#include "tst_sessions.moc"
