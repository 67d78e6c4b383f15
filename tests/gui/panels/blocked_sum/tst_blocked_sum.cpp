// SPDX-License-Identifier: MIT
// A call that was blocked twice: wherever the window gives the time, it is the sum of both stretches.
#include "engine/analysis/query/query_matcher.h"
#include "gui/panels/details.h"
#include "gui/panels/events_model.h"
#include "gui/session/format.h"
#include "gui/session/run_steps.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr Ns us = 1000;
constexpr Row held = 2;
constexpr Ns longer = 180 * us, shorter = 110 * us, sum = longer + shorter;

OpenRecordingPtr blockedTwice()
{
    Tape tape;
    tape.thread(1, "main", 0);
    tape.stream(17, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 17, 6 * us, 200 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 8 * us, 12 * us), 17, 200 * us, 400 * us);
    const auto call = tape.call("cudaLaunchKernel", 20 * us, 500 * us);
    tape.overhead(OverheadRecord::command_buffer_full, call, 1, 30 * us, 30 * us + longer);
    tape.overhead(OverheadRecord::command_buffer_full, call, 1, 300 * us, 300 * us + shorter);
    tape.kernel(call, 17, 510 * us, 600 * us);
    return analysed(tape.finish(), QString());
}

}  // namespace

class tst_BlockedSum : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QCOMPARE(m_recording->blocking->of(held).size(), std::size_t {2}); }
    void inTheTable();
    void inTheOrderOfTheTable();
    void inTheDetails();
    void inTheSentenceOfAStep();
    void inTheFilter_data();
    void inTheFilter();
    void inTheArrows();

private:
    OpenRecordingPtr m_recording = blockedTwice();
    EventRef m_call {EventTable::calls, held};
};

void tst_BlockedSum::inTheTable()
{
    EventsModel model;
    model.setRecording(m_recording);
    const QModelIndex cell = model.index(model.rowOf(m_call), EventsModel::blocked);
    QCOMPARE(cell.data().toString(), formatTime(sum));
}

void tst_BlockedSum::inTheOrderOfTheTable()
{
    EventsModel model;
    model.setRecording(m_recording);
    model.sort(EventsModel::blocked, Qt::DescendingOrder);
    QCOMPARE(model.eventAt(0), m_call);
}

void tst_BlockedSum::inTheDetails()
{
    QString blocked;
    for (const DetailField& field : detailsOf(*m_recording, m_call)) {
        blocked += field.name == QLatin1String("Blocked") ? field.value : QString();
    }
    QVERIFY2(blocked.startsWith(formatTime(sum)), qPrintable(blocked));
    QVERIFY2(blocked.contains(QStringLiteral("%L1 ns").arg(sum)), qPrintable(blocked));
}

void tst_BlockedSum::inTheSentenceOfAStep()
{
    const RunSteps steps(m_recording);
    const QString text = steps.text(*steps.of(m_call));
    QVERIFY2(text.contains(formatTime(sum)), qPrintable(text));
}

void tst_BlockedSum::inTheFilter_data()
{
    QTest::addColumn<QByteArray>("query");
    QTest::addColumn<bool>("found");
    QTest::newRow("more than either") << QByteArray("blocked>181us") << true;
    QTest::newRow("the sum") << QByteArray("blocked=290us") << true;
    QTest::newRow("more than the sum") << QByteArray("blocked>290us") << false;
}

void tst_BlockedSum::inTheFilter()
{
    QFETCH(QByteArray, query);
    const QueryMatcher matcher(Query::parse(query.toStdString()), *m_recording->trace, m_recording->blocking.get());
    QTEST(matcher.matches(m_call), "found");
}

void tst_BlockedSum::inTheArrows()
{
    Ns released = 0;
    for (const Link& link : linksOf(*m_recording, m_call)) {
        const Interval stretch = link.kind == Link::Kind::release ? spanOf(*m_recording, link.to) : Interval {};
        released += stretch.end - stretch.start;
    }
    QCOMPARE(released, sum);
}

QTEST_MAIN(tst_BlockedSum)
#include "tst_blocked_sum.moc"
