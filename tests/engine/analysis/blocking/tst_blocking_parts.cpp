// SPDX-License-Identifier: MIT
// Blocked time of programs that had issued work before they were recorded: unknown just where calls may have waited
// for that work.
#include "engine/analysis/blocking/blocking.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/trace/trace_fixture.h"

#include <functional>
#include <QTest>

using namespace lanes;

namespace {

constexpr Ns us = 1000;
using Script = std::function<void(TraceFixture&)>;

}  // namespace

class tst_BlockingParts : public QObject {
    Q_OBJECT

private slots:
    void knowsWhatItCan_data();
    void knowsWhatItCan();
};

void tst_BlockingParts::knowsWhatItCan_data()
{
    QTest::addColumn<Script>("script");
    QTest::addColumn<int>("cause");
    QTest::addColumn<bool>("known");  // in a recording that begins in the middle; else always
    const auto row = [](const char* name, BlockCause cause, bool known, const Script& script) {
        QTest::newRow(name) << script << static_cast<int>(cause) << known;
    };
    const auto sync = [](TraceFixture& f, Ns start, Ns end, std::uint32_t stream) {
        f.sync(SyncRecord::stream_sync, start, end, f.call("cudaStreamSynchronize", start, end), stream);
    };
    const auto launch = [](TraceFixture& f, Ns start, std::uint32_t stream, Ns from, Ns to) {
        f.kernel(stream, from, to, f.call("cudaLaunchKernel", start, start + 5 * us));
    };
    row("a stream before its first work", BlockCause::stream_sync, false, [=](TraceFixture& f) {
        sync(f, 10 * us, 110 * us, 13);
        launch(f, 200 * us, 13, 210 * us, 220 * us);
    });
    row("a short wait", BlockCause::stream_sync, true, [=](TraceFixture& f) {
        sync(f, 10 * us, 30 * us, 13);
        launch(f, 200 * us, 13, 210 * us, 220 * us);
    });
    row("a stream with later work", BlockCause::stream_sync, true, [=](TraceFixture& f) {
        launch(f, 0, 13, 10 * us, 20 * us);
        sync(f, 30 * us, 130 * us, 13);
    });
    row("held by recorded work", BlockCause::stream_sync, true, [=](TraceFixture& f) {
        launch(f, 0, 13, 10 * us, 100 * us);
        sync(f, 30 * us, 101 * us, 13);
    });
    row("another stream's work says nothing", BlockCause::stream_sync, false, [=](TraceFixture& f) {
        launch(f, 0, 13, 10 * us, 20 * us);
        sync(f, 30 * us, 130 * us, 14);
        launch(f, 200 * us, 14, 210 * us, 220 * us);
    });
    row("the device, one of its streams without work so far", BlockCause::device_sync, false, [=](TraceFixture& f) {
        launch(f, 0, 13, 10 * us, 20 * us);
        f.sync(SyncRecord::context_sync, 30 * us, 130 * us, f.call("cudaDeviceSynchronize", 30 * us, 130 * us));
        launch(f, 200 * us, 14, 210 * us, 220 * us);
    });
    row("the device, all of its streams with work", BlockCause::device_sync, true, [=](TraceFixture& f) {
        launch(f, 0, 13, 10 * us, 20 * us);
        launch(f, 6 * us, 14, 20 * us, 25 * us);
        f.sync(SyncRecord::context_sync, 30 * us, 130 * us, f.call("cudaDeviceSynchronize", 30 * us, 130 * us));
    });
    row("an event that was recorded before", BlockCause::event_sync, false, [=](TraceFixture& f) {
        launch(f, 0, 13, 10 * us, 20 * us);
        f.sync(SyncRecord::event, 30 * us, 130 * us, f.call("cudaEventSynchronize", 30 * us, 130 * us), no_id, 3, 5);
    });
    row("an allocation before the first work", BlockCause::memory, false, [=](TraceFixture& f) {
        f.call("cudaMalloc", 10 * us, 110 * us);
        launch(f, 200 * us, 13, 210 * us, 220 * us);
    });
    row("an allocation after it", BlockCause::memory, true, [=](TraceFixture& f) {
        launch(f, 0, 13, 10 * us, 20 * us);
        f.call("cudaMalloc", 30 * us, 130 * us);
    });
}

void tst_BlockingParts::knowsWhatItCan()
{
    QFETCH(Script, script);
    QFETCH(int, cause);
    QFETCH(bool, known);
    for (const bool in_the_middle : {false, true}) {
        TraceFixture f;
        f.builder.write_meta(meta::windows,
            in_the_middle ? "1 0 - delay program\nnonsense\n2 x 3 a b\n" : "1 - 900000000 program duration\n");
        script(f);
        const auto trace = f.finish();
        const auto blocking = find_blocking(trace);
        QVERIFY(blocking.known);
        QCOMPARE(blocking.knows(0, static_cast<BlockCause>(cause)), known || !in_the_middle);
    }
}

QTEST_GUILESS_MAIN(tst_BlockingParts)
#include "tst_blocking_parts.moc"
