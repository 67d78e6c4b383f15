// SPDX-License-Identifier: MIT
// The chain of an item is what `[` follows, step by step, back in time.
#include "engine/store/recording_file.h"
#include "gui/lanes/cause_chain.h"
#include "gui/lanes/shown_recording.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_CauseChain : public QObject {
    Q_OBJECT

private slots:
    void isWhatOneStepsAlong_data();
    void isWhatOneStepsAlong();
    void saysWhy();
    void isBounded();
    void nothingIsKnownOfARange();
};

void tst_CauseChain::isWhatOneStepsAlong_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"copy-results-back.blocking", "copy-results-back.overlapped", "item-every-batch.every",
             "events-across-streams.event-wait", "data-loader.workers-4-pinned", "cuda-graph.graph", "two-gpus.both",
             "default-stream.legacy", "all-reduce.after-backward"}) {
        QTest::newRow(name) << name;
    }
}

void tst_CauseChain::isWhatOneStepsAlong()
{
    QFETCH(QString, name);
    const QString path
        = QStringLiteral("%1/resources/recordings/h200/%2.sqlite").arg(qEnvironmentVariable("LANES_SOURCE"), name);
    const RecordingPtr recording = ShownRecording::of(open_recording(path.toStdString()));
    std::vector<ItemRef> items;
    for (Row row = 0; row < recording->trace->operations.size(); row += 1 + row / 40) {
        items.emplace_back(EventRef {EventTable::operations, row});
    }
    for (Row row = 0; row < recording->blocking->calls.size(); row += 1 + row / 40) {
        items.emplace_back(ItemKind::blocked, row);
    }
    std::size_t steps = 0;
    std::size_t same = 0;
    for (const ItemRef item : items) {
        ItemRef at = item;
        Ns time = spanOf(*recording, item).end;
        for (const ChainStep& step : chainOf(*recording, item)) {
            QVERIFY2(step.start <= step.end || step.why == ChainStep::partner, qPrintable(name));
            QVERIFY(step.end <= time);
            QCOMPARE(step.to, at);
            QVERIFY(step.from != step.to);
            time = step.end;
            const ItemRef cause = causeOf(*recording, at);
            ++steps;
            same += cause == step.from || eventOf(*recording, cause) == eventOf(*recording, step.from) ? 1 : 0;
            at = step.from;
        }
    }
    QVERIFY(steps > items.size());
    QVERIFY2(same >= steps * 95 / 100, qPrintable(QStringLiteral("%1 of %2").arg(same).arg(steps)));
}

void tst_CauseChain::saysWhy()
{
    // A kernel, another after it on its stream, and a thread that waits for that.
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5'000), 7, 10'000, 500'000);
    tape.kernel(tape.call("cudaLaunchKernel", 6'000, 9'000), 7, 500'500, 900'000);
    const auto sync = tape.call("cudaStreamSynchronize", 10'000, 905'000);
    tape.sync(sync, SyncRecord::stream_sync, 10'000, 905'000, 7);
    const RecordingPtr recording = ShownRecording::of(tape.finish());
    QCOMPARE(recording->blocking->calls.size(), std::size_t(1));
    const auto chain = chainOf(*recording, {ItemKind::blocked, 0});
    QVERIFY(chain.size() >= 3);
    QCOMPARE(chain[0].why, ChainStep::release);
    QCOMPARE(chain[0].from, ItemRef(ItemKind::operation, 1));
    QCOMPARE(chain[1].why, ChainStep::stream);
    QCOMPARE(chain[1].from, ItemRef(ItemKind::operation, 0));
    QCOMPARE(chain[2].why, ChainStep::launch);
    QCOMPARE(chain[2].from, ItemRef(ItemKind::call, 0));
    QCOMPARE(chain[2].start, Ns(0));
    QCOMPARE(chain[2].end, Ns(10'000));
}

void tst_CauseChain::isBounded()
{
    Tape tape;
    for (Ns i = 0; i < 200; ++i) {
        tape.kernel(
            tape.call("cudaLaunchKernel", i * 1'000, i * 1'000 + 900), 7, 300'000 + i * 10'000, 309'500 + i * 10'000);
    }
    const RecordingPtr recording = ShownRecording::of(tape.finish());
    const auto chain = chainOf(*recording, {ItemKind::operation, 150}, 10);
    QCOMPARE(chain.size(), std::size_t(10));
    for (std::size_t i = 0; i < chain.size(); ++i) {
        QCOMPARE(chain[i].from, ItemRef(ItemKind::operation, static_cast<Row>(149 - i)));
    }
}

void tst_CauseChain::nothingIsKnownOfARange()
{
    Tape tape;
    tape.range("step", 0, 1'000'000);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5'000), 7, 10'000, 500'000);
    const RecordingPtr recording = ShownRecording::of(tape.finish());
    QVERIFY(chainOf(*recording, {ItemKind::range, 0}).empty());
    QVERIFY(chainOf(*recording, {}).empty());
}

QTEST_GUILESS_MAIN(tst_CauseChain)
#include "tst_cause_chain.moc"
