// SPDX-License-Identifier: MIT
#include "engine/trace/range_around.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

class tst_RangeAround : public QObject {
    Q_OBJECT

private slots:
    void innermostAndAllAround_data();
    void innermostAndAllAround();
    void ofNoThread();

private:
    Trace m_trace = [] {
        Tape tape;
        tape.thread(1, "main", 0);
        tape.thread(2, "loader", 1);
        tape.range("step 0", 0, 100);
        tape.range("forward", 0, 50);  // begins with the step
        tape.range("linear", 10, 30);
        tape.range("addmm", 12, 30);  // ends with linear
        tape.range("step 1", 100, 200);
        tape.range("fetch", 5, 150, 2);
        tape.mark("here", 20, 1);
        return tape.finish();
    }();
};

void tst_RangeAround::innermostAndAllAround_data()
{
    QTest::addColumn<std::uint32_t>("thread");
    QTest::addColumn<Ns>("time");
    QTest::addColumn<QByteArray>("names");
    const auto at = [](std::uint32_t thread, Ns time, const char* names) {
        QTest::addRow("thread %u at %lld", thread, static_cast<long long>(time)) << thread << time << QByteArray(names);
    };
    at(1, 0, "forward, step 0");
    at(1, 11, "linear, forward, step 0");
    at(1, 20, "addmm, linear, forward, step 0");
    at(1, 29, "addmm, linear, forward, step 0");
    at(1, 30, "forward, step 0");
    at(1, 60, "step 0");
    at(1, 100, "step 1");
    at(1, 200, "");
    at(2, 4, "");
    at(2, 120, "fetch");
    at(2, 180, "");
}

void tst_RangeAround::innermostAndAllAround()
{
    QFETCH(std::uint32_t, thread);
    QFETCH(Ns, time);
    QFETCH(QByteArray, names);
    Row row = 0;
    while (m_trace.threads[row].id != thread) {
        ++row;
    }
    std::string found;
    const auto rows = ranges_around(m_trace, row, time);
    for (const Row range : rows) {
        found += (found.empty() ? "" : ", ") + std::string(m_trace.text(m_trace.ranges[range].name));
    }
    QCOMPARE(found.c_str(), names.constData());
}

void tst_RangeAround::ofNoThread()
{
    QVERIFY(ranges_around(m_trace, no_row, 20).empty());
}

QTEST_APPLESS_MAIN(tst_RangeAround)
#include "tst_range_around.moc"
