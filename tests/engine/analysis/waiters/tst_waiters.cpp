// SPDX-License-Identifier: MIT
// What waited for an operation: after it on its stream, after its event, and the thread that was held meanwhile.
#include "engine/analysis/waiters.h"
#include "engine/trace/event.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

namespace {

constexpr Ns us = 1000;

/// "matmul" for 1 ms on stream 13; "next" was issued meanwhile and follows it, "late" was issued after its end.
/// "beside" runs on stream 14. The thread waits for stream 13 from 100 us on.
Recording tape()
{
    Tape tape;
    tape.thread(1, "main", 0);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 1010 * us, 0, "matmul");
    tape.kernel(tape.call("cudaLaunchKernel", 6 * us, 9 * us), 13, 1010 * us, 1110 * us, 0, "next");
    tape.kernel(tape.call("cudaLaunchKernel", 10 * us, 14 * us), 14, 20 * us, 40 * us, 0, "beside");
    const auto sync = tape.call("cudaStreamSynchronize", 100 * us, 1112 * us);
    tape.sync(sync, SyncRecord::stream_sync, 100 * us, 1112 * us, 13);
    tape.kernel(tape.call("cudaLaunchKernel", 1120 * us, 1125 * us), 13, 1130 * us, 1140 * us, 0, "late");
    return analysed(tape.finish());
}

}  // namespace

class tst_Waiters : public QObject {
    Q_OBJECT

private slots:
    void ofAnOperation_data();
    void ofAnOperation();
};

void tst_Waiters::ofAnOperation_data()
{
    QTest::addColumn<QString>("operation");
    QTest::addColumn<QStringList>("waited");
    QTest::newRow("the long one") << "matmul" << QStringList {"next", "cudaStreamSynchronize"};
    QTest::newRow("the last one") << "next" << QStringList {"cudaStreamSynchronize"};
    QTest::newRow("another stream") << "beside" << QStringList();
    QTest::newRow("nobody asked") << "late" << QStringList();
}

void tst_Waiters::ofAnOperation()
{
    QFETCH(QString, operation);
    QFETCH(QStringList, waited);
    const Recording recording = tape();
    const Trace& trace = *recording.trace;
    QStringList found;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (trace.text(trace.operations.name[row]) == operation.toStdString()) {
            for (const EventRef event : waiters_of(recording, row)) {
                found += QString::fromStdString(std::string(trace.text(name_of(trace, event))));
            }
        }
    }
    QCOMPARE(found, waited);
    QVERIFY(waiters_of(recording, no_row).empty());
}

QTEST_GUILESS_MAIN(tst_Waiters)
#include "tst_waiters.moc"
