// SPDX-License-Identifier: MIT
// Two recordings aligned otherwise than at their starts: times, columns, colours, the
// cursor, the range, the overview and the text about the differences.
#include "gui/timeline/alignment.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/difference_strip.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <random>

using namespace lanes;
using namespace lanes::gui;

class tst_Alignment : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_both.reset(); }
    void timesAndColumnsCrossBothWays();
    void occurrences();
    void viewsStayAlignedWhateverMovesThem();
    void aColumnKeepsItsColour();
    void everythingIsInViewAfterFit();
    void cursorAndRangeCross();
    void swapAndClose();
    void differencesOfWholeAndRange();
    void referenceTurnsTheDifferencesRound();
    void differenceWords_data();
    void differenceWords();
    void theButtonResets();

private:
    Alignment atCopy(std::size_t a, std::size_t b) const
    {
        return {{occurrencesOf(*m_both->side(0).recording(), "Memcpy DtoH", a).start.value(),
                    occurrencesOf(*m_both->side(1).recording(), "Memcpy DtoH", b).start.value()},
            QStringLiteral("Memcpy DtoH #1")};
    }
    void aligned() const
    {
        const Alignment& alignment = m_both->pair().alignment();
        QCOMPARE(m_both->side(1).timeScale(), alignment.across(m_both->side(0).timeScale(), 0));
        const double x0 = m_both->side(0).timeScale().xOf(alignment.anchor[0]);
        const double x1 = m_both->side(1).timeScale().xOf(alignment.anchor[1]);
        QVERIFY2(std::abs(x0 - x1) <= 0.51, qPrintable(QStringLiteral("%1 %2").arg(x0).arg(x1)));
    }
    std::unique_ptr<ComparisonView> m_both;
};

void tst_Alignment::init()
{
    m_both = std::make_unique<ComparisonView>();
    m_both->resize(1100, 700);
    m_both->show();
    m_both->pair().open(
        {samples::copyResultsBack({}), samples::copyResultsBack({.copy = 1'180'000, .blocking = false})});
    QVERIFY(QTest::qWaitForWindowExposed(m_both.get()));
}

void tst_Alignment::timesAndColumnsCrossBothWays()
{
    std::mt19937_64 random(7);
    for (int i = 0; i < 5000; ++i) {
        const Alignment alignment {{Ns(random() % 10'000'000'000), Ns(random() % 10'000'000'000)}, {}};
        const Ns t = Ns(random() % 10'000'000'000);
        QCOMPARE(alignment.across(alignment.across(t, 0), 1), t);
        QCOMPARE(alignment.across(alignment.anchor[0], 0), alignment.anchor[1]);
        const TimeScale scale(std::exp(double(random() % 2000) / 100.0) / 16, std::int64_t(random() % 100000) - 50000);
        const TimeScale other = alignment.across(scale, 0);
        QCOMPARE(alignment.across(other, 1), scale);
        QCOMPARE(other.startingAt(0), scale.startingAt(0));
        // Less than half a column apart: |other.first - scale.first - offset/width| <= 1/2, in ticks.
        const std::int64_t apart = (other.first() - scale.first()) * scale.num() - scale.ticks(alignment.offsetOf(1));
        QVERIFY(std::llabs(apart) * 2 <= scale.num());
        QCOMPARE(alignment.swapped().offsetOf(1), -alignment.offsetOf(1));
    }
}

void tst_Alignment::occurrences()
{
    const ShownRecording& recording = *m_both->side(0).recording();
    const Trace& trace = *recording.trace;
    std::vector<Ns> starts;
    for (std::size_t row = 0; row < trace.operations.size(); ++row) {
        if (trace.text(trace.operations.name[row]) == "Memcpy DtoH") {
            starts.push_back(trace.operations.start[row]);
        }
    }
    QCOMPARE(starts.size(), 8U);
    for (std::size_t n = 1; n <= 8; ++n) {
        QCOMPARE(occurrencesOf(recording, "Memcpy DtoH", n).start, std::optional(starts[n - 1]));
    }
    QCOMPARE(occurrencesOf(recording, "Memcpy DtoH", 9).count, 8U);
    QVERIFY(!occurrencesOf(recording, "Memcpy DtoH", 9).start);
    QCOMPARE(occurrencesOf(recording, "Memcpy DtoX", 1).count, 0U);
    QCOMPARE(occurrencesOf(recording, "", 1).count, 0U);
    const auto names = namesIn(recording);
    QVERIFY(std::count(names.begin(), names.end(), "Memcpy DtoH") == 1);
    for (const std::string& name : names) {
        QVERIFY2(occurrencesOf(recording, name, 1).start, name.c_str());
    }
    // Marks with that text come first, and are names like others.
    recording.marks->add(7'000'000);
    const std::size_t mark = recording.marks->add(5'000'000);
    recording.marks->rename(mark, "Memcpy DtoH");
    QCOMPARE(occurrencesOf(recording, "Memcpy DtoH", 1).start, std::optional<Ns>(5'000'000));
    QCOMPARE(occurrencesOf(recording, "Memcpy DtoH", 1).count, 1U);
    QCOMPARE(occurrencesOf(recording, "", 1).count, 0U);  // the other mark's text
    recording.marks->rename(mark, "here");
    QCOMPARE(namesIn(recording).front(), std::string("here"));
}

void tst_Alignment::viewsStayAlignedWhateverMovesThem()
{
    m_both->setAlignment(atCopy(3, 1));
    aligned();
    for (const int side : {0, 1}) {
        for (const Qt::Key key : {Qt::Key_W, Qt::Key_D, Qt::Key_W, Qt::Key_W, Qt::Key_A, Qt::Key_S, Qt::Key_Home,
                 Qt::Key_W, Qt::Key_Backspace}) {
            QTest::keyClick(m_both->view(side), key);
            aligned();
        }
    }
    m_both->resize(1300, 800);
    QCoreApplication::processEvents();
    aligned();
    m_both->showRange({5'000'000, 6'000'000});
    aligned();
}

void tst_Alignment::aColumnKeepsItsColour()
{
    m_both->setAlignment(atCopy(2, 2));
    TimelineView* below = m_both->view(1);
    m_both->showRange({0, 12'345'678});
    const QImage before = below->grab().toImage();
    QTest::keyClick(m_both->view(0), Qt::Key_D);
    const QImage after = below->grab().toImage();
    const int left = below->timeline().frame().geometry.labelWidth;
    const int by = static_cast<int>(std::lround(0.15 * below->timeline().state().time.columns()));
    const int y = static_cast<int>(boxOf(below->timeline().frame(), {ItemKind::operation, 0})->center().y())
        + 12;  // under the labels
    for (int x = left; x < before.width() - by - 2; ++x) {
        QCOMPARE(after.pixel(x, y), before.pixel(x + by, y));
    }
}

void tst_Alignment::everythingIsInViewAfterFit()
{
    for (const Alignment& alignment : {atCopy(8, 1), atCopy(1, 8), Alignment {{0, 40'000'000}, {}}}) {
        m_both->setAlignment(alignment);
        for (const int side : {0, 1}) {
            QTest::keyClick(m_both->view(side), Qt::Key_Home);
            aligned();
            for (const int each : {0, 1}) {
                const Interval shown = m_both->side(each).visibleRange();
                const Ns column = Ns(m_both->timeScale().nsPerColumn()) + 1;
                QVERIFY(shown.start <= column);
                QVERIFY(shown.end >= m_both->side(each).model()->duration() - column);
            }
            QVERIFY(m_both->side(0).state().time.isFitted() && m_both->side(1).state().time.isFitted());
        }
    }
}

void tst_Alignment::cursorAndRangeCross()
{
    m_both->setAlignment(atCopy(4, 1));
    TimelineView* above = m_both->view(0);
    QMouseEvent move(QEvent::MouseMove, QPointF(600, 100), above->mapToGlobal(QPointF(600, 100)), Qt::NoButton,
        Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(above, &move);
    const QImage other = m_both->view(1)->grab().toImage();
    bool line = false;
    for (int x = 598; x <= 602; ++x) {
        line = line || other.pixel(x, other.height() - 4) == m_both->side(1).theme().muted.rgb();
    }
    QVERIFY(line);
    above->timeline().selectRange(Interval {20'000'000, 25'000'000});
    QCOMPARE(m_both->side(1).state().highlights.range,
        std::optional(m_both->pair().alignment().across(Interval {20'000'000, 25'000'000}, 0)));
    m_both->side(1).selectRange(Interval {1'000'000, 2'000'000});
    QCOMPARE(above->timeline().state().highlights.range,
        std::optional(m_both->pair().alignment().across(Interval {1'000'000, 2'000'000}, 1)));
    m_both->side(1).selectRange({});
    QVERIFY(!above->timeline().state().highlights.range);
}

void tst_Alignment::swapAndClose()
{
    const auto recordings = m_both->recordings();
    const Alignment alignment = atCopy(3, 1);
    m_both->setAlignment(alignment);
    m_both->pair().setReference(1);
    m_both->pair().open({recordings[1], recordings[0]});
    QCOMPARE(m_both->pair().alignment(), alignment.swapped());
    QCOMPARE(m_both->pair().reference(), 0);
    aligned();
    m_both->pair().open({recordings[0]});
    QVERIFY(m_both->pair().alignment().atStarts());
    QVERIFY(!m_both->differences()->isVisible());
    QCOMPARE(m_both->pair().extent().start, 0);
    m_both->pair().open(recordings);
    QVERIFY(m_both->differences()->isVisible());
    QVERIFY(m_both->pair().alignment().atStarts());
}

void tst_Alignment::differencesOfWholeAndRange()
{
    for (int side = 0; side < 2; ++side) {
        const LaneModel& model = *m_both->side(side).model();
        const Report& report = *model.recording().report;
        const SideFigures whole = sideFiguresOf(model);
        QCOMPARE(whole.total, std::optional(report.wall));
        std::mt19937_64 random(11);
        for (int i = 0; i < 300; ++i) {  // the report of a range is the oracle
            Ns a = Ns(random() % 60'000'000);
            Ns b = Ns(random() % 60'000'000);
            const Interval range {std::min(a, b), std::max(a, b) + 1};
            const Report of
                = make_report(model.trace(), *model.recording().blocking, Interval {range.start, range.end});
            const SideFigures figures = sideFiguresOf(model, range);
            QCOMPARE(figures.busy, std::optional(of.gpu_busy));
            QCOMPARE(figures.overlap, std::optional(of.overlap));
            const Ns cost = of.first_thread() == nullptr ? 0 : of.first_thread()->held_cost.value_or(0);
            QVERIFY(std::abs(figures.waitCost.value_or(0) - cost) <= 2);  // a wait that either end cuts is rounded
        }
    }
    QVERIFY2(m_both->differences()->lines().front().contains(QStringLiteral("whole")),
        qPrintable(m_both->differences()->lines().front()));
    QVERIFY2(m_both->differences()->lines().size() == 6, qPrintable(m_both->differences()->lines().join("|")));
    m_both->side(0).selectRange(Interval {0, 10'000'000});
    QVERIFY(m_both->differences()->lines().front().contains(QStringLiteral("10.0 ms")));
    QCOMPARE(m_both->differences()->lines().size(), 4);  // a range is as long in both
    m_both->side(0).selectRange({});
    m_both->showRange({0, 5'000'000});
    m_both->pair().chooseScope(Scope::Of::visible);
    QTRY_VERIFY2(m_both->differences()->lines().front().startsWith(QStringLiteral("In view")),
        qPrintable(m_both->differences()->lines().front()));
    m_both->pair().chooseScope({});
}

void tst_Alignment::referenceTurnsTheDifferencesRound()
{
    const QString forward = m_both->differences()->lines()[1];
    QVERIFY2(forward.endsWith(QStringLiteral("62 % less")), qPrintable(forward));
    m_both->pair().setReference(1);
    const QString back = m_both->differences()->lines()[1];
    QVERIFY2(back.endsWith(QStringLiteral("2.6 times as much")), qPrintable(back));
    QVERIFY(back.contains(QLatin1Char('+')));
}

void tst_Alignment::differenceWords_data()
{
    QTest::addColumn<qint64>("a");
    QTest::addColumn<qint64>("b");
    QTest::addColumn<QString>("words");
    QTest::newRow("more") << qint64(100) << qint64(290) << QStringLiteral("2.9 times as much");
    QTest::newRow("less") << qint64(290) << qint64(100) << QStringLiteral("66 % less");
    QTest::newRow("almost all less") << qint64(1000) << qint64(1) << QStringLiteral("> 99 % less");
    QTest::newRow("almost twice") << qint64(1000) << qint64(1999) << QStringLiteral("100 % more");
    QTest::newRow("much") << qint64(1) << qint64(100) << QStringLiteral("100 times as much");
    QTest::newRow("less than half as much again") << qint64(100) << qint64(123) << QStringLiteral("23 % more");
    QTest::newRow("more than half") << qint64(100) << qint64(60) << QStringLiteral("40 % less");
    QTest::newRow("twice") << qint64(100) << qint64(200) << QStringLiteral("2.0 times as much");
    QTest::newRow("a little") << qint64(100) << qint64(104) << QStringLiteral("4 % more");
    QTest::newRow("hardly") << qint64(100000) << qint64(99999) << QStringLiteral("< 1 % less");
    QTest::newRow("same") << qint64(5) << qint64(5) << QStringLiteral("the same");
    QTest::newRow("none in either") << qint64(0) << qint64(0) << QStringLiteral("the same");
    QTest::newRow("only in the other") << qint64(0) << qint64(5) << QStringLiteral("only in B");
    QTest::newRow("only in the reference") << qint64(5) << qint64(0) << QStringLiteral("only in A");
    QTest::newRow("the reference does not say") << qint64(-1) << qint64(5) << QStringLiteral("A does not say");
    QTest::newRow("the other does not say") << qint64(5) << qint64(-1) << QStringLiteral("B does not say");
    QTest::newRow("neither") << qint64(-1) << qint64(-1) << QStringLiteral("neither says");
}

void tst_Alignment::differenceWords()
{
    QFETCH(qint64, a);
    QFETCH(qint64, b);
    QFETCH(QString, words);
    const auto maybe = [](qint64 value) { return value < 0 ? std::nullopt : std::optional<Ns>(value); };
    QCOMPARE(lanes::gui::differenceWords(maybe(a), maybe(b), u'A', u'B'), words);
}

void tst_Alignment::theButtonResets()
{
    auto* reset = m_both->differences()->findChild<QPushButton*>();
    QVERIFY(!reset->isVisible());
    QSignalSpy changed(&m_both->pair(), &TimelinePair::alignmentChanged);
    m_both->setAlignment(atCopy(3, 1));
    QVERIFY(reset->isVisible());
    QVERIFY2(reset->text().contains(QStringLiteral("DtoH")), qPrintable(reset->text()));
    QTest::mouseClick(reset, Qt::LeftButton);
    QVERIFY(m_both->pair().alignment().atStarts());
    QVERIFY(!reset->isVisible());
    QCOMPARE(m_both->side(0).timeScale(), m_both->side(1).timeScale());
    QCOMPARE(changed.count(), 2);
}

QTEST_MAIN(tst_Alignment)
#include "tst_alignment.moc"
