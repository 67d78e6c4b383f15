// SPDX-License-Identifier: MIT
#include "engine/analysis/caveats.h"
#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

class tst_Caveats : public QObject {
    Q_OBJECT

private slots:
    void stretchesInWhichNothingIsRecorded();
    void whatCuptiRefused();
    void cutShort_data();
    void cutShort();
    void withoutALastFlush_data();
    void withoutALastFlush();
    void aFailedContext();
    void graphsThatCuptiDoesNotKnow();
    void copiesFasterThanAnyLink();
};

/// A call of more than half of the recording is mentioned, with its start and end, whatever spans all of the recording.
void tst_Caveats::stretchesInWhichNothingIsRecorded()
{
    constexpr Ns us = 1000;
    for (const bool is_told : {true, false}) {
        Tape tape;
        tape.range("main", 0, 1000 * us);
        tape.call("cudaMalloc", 10 * us, 20 * us);
        if (!is_told) {
            tape.range("import torch", 300 * us, 600 * us);
        }
        tape.call("cudaMalloc", 900 * us, 910 * us);
        const auto message = unrecorded_message(tape.finish());
        QCOMPARE(!message.empty(), is_told);
        if (is_told) {
            QCOMPARE(message.id, std::string("steady.unrecorded_in_range"));
            QCOMPARE(message.arguments.back().second, std::string("main"));
            QCOMPARE(message.arguments[0].second, std::string("20.0 µs"));
            QCOMPARE(message.arguments[1].second, std::string("900 µs"));
        }
    }
    Tape tape;  // an operator of PyTorch that compiles most of the time
    tape.call("cudaMalloc", 0, 10 * us);
    tape.range("aten::rand", 100 * us, 900 * us, 1, operator_domain);
    tape.call("cudaMalloc", 990 * us, 1000 * us);
    auto trace = tape.finish();
    trace.source = Source::cupti;
    QVERIFY(unrecorded_message(trace).empty());
    QVERIFY(unrecorded_message(Tape().finish()).empty());
    for (const bool is_one_clock : {true, false}) {
        Tape clocks;  // the clock of the GPU began with the machine
        for (Ns at = 0; at < 100 * us; at += 10 * us) {
            clocks.kernel(clocks.call("cudaLaunchKernel", 900 * us + at, 901 * us + at), 7,
                (is_one_clock ? 902 * us : 0) + at, (is_one_clock ? 905 * us : 5 * us) + at);
        }
        QCOMPARE(!unrecorded_message(clocks.finish()).empty(), is_one_clock);
    }
}

void tst_Caveats::whatCuptiRefused()
{
    Trace trace;
    QVERIFY(caveats_of(trace).empty());
    trace.meta[meta::not_recorded]
        = "devices, contexts, streams, names, peer copies, synchronisation, events, overhead, "
          "NVTX ranges, colours of NVTX ranges, memory operations, GPU times in pinned host "
          "memory, what comes \033[2J later";
    const auto caveats = caveats_of(trace);
    QCOMPARE(caveats.size(), 1U);
    const std::string text = caveats[0];
    const std::string known
        = "CUPTI did not record: devices, contexts, streams, names of devices, contexts and streams, "
          "copies between GPUs, synchronisation (blocked times are unknown), events, the recorder's "
          "own overhead, NVTX ranges, colours of NVTX ranges, allocations and frees of GPU memory, "
          "GPU times that a fault leaves, what comes ";
    QCOMPARE(text.substr(0, known.size()), known);
    QVERIFY(text.find('\033') == std::string::npos);
}

void tst_Caveats::copiesFasterThanAnyLink()
{
    const auto said = [](CopyKind kind, std::uint64_t bytes, Ns takes) {
        Tape tape;
        tape.copy(tape.call("cudaMemcpyAsync", 0, 10), 13, 20, 20 + takes, kind, MemoryKind::pinned, true, 0, bytes);
        const auto caveats = caveats_of(tape.finish());
        return caveats.empty() ? std::string() : std::string(caveats.front());
    };
    constexpr std::uint64_t mib = 1U << 20U;
    QVERIFY(said(CopyKind::d2h, 256 * mib, 22'016)
                .starts_with("Copies recorded as faster than any link, such as 256 MiB in 22.0 µs: 1."));
    QCOMPARE(said(CopyKind::p2p, 256 * mib, 300'000), std::string());  // 0.9 TB/s
    QCOMPARE(said(CopyKind::d2d, 256 * mib, 22'016), std::string());  // no link
    QCOMPARE(said(CopyKind::h2d, 4096, 1), std::string());
}

/// Only of several parts, between which CUPTI is detached.
void tst_Caveats::graphsThatCuptiDoesNotKnow()
{
    Tape tape;
    tape.call("cudaGraphLaunch", 0, 10);
    tape.kernel(tape.call("cudaGraphLaunch", 11, 19), 13, 20, 30);
    tape.call("cudaGraphLaunch", 40, 50);
    tape.call("cudaStreamSynchronize", 60, 70);
    auto trace = tape.finish();
    const auto says = [&](const std::string& words) {
        const auto caveats = caveats_of(trace);
        return std::any_of(caveats.begin(), caveats.end(), [&](const Message& message) {
            return Messages::english().format(message).find(words) != std::string::npos;
        });
    };
    QVERIFY(!says("no operation"));
    trace.meta[meta::windows] = "1 0 100 delay duration\n";
    QVERIFY(!says("no operation"));
    trace.meta[meta::windows] = "1 0 100 clock duration\n";
    QVERIFY(says("2 launches of CUDA graphs have no operation"));
    trace.meta[meta::windows] = "1 0 100 trigger program\n";
    QVERIFY(says("2 launches of CUDA graphs have no operation"));

    for (const int launches : {2, 3}) {
        Tape none;
        for (int i = 0; i < launches; ++i) {
            none.call("cudaGraphLaunch", 10 * i, 10 * i + 5);
        }
        none.kernel(none.call("cudaLaunchKernel", 100, 105), 13, 106, 110);
        trace = none.finish();
        QCOMPARE(says("3 launches of CUDA graphs have no operation"), launches == 3);
    }
}

void tst_Caveats::cutShort_data()
{
    QTest::addColumn<bool>("calls");
    QTest::addColumn<bool>("operations");
    QTest::addColumn<QString>("says");
    const QString end = "; what followed is unknown";
    QTest::newRow("both") << true << true << "API calls are recorded up to 10.0 µs, GPU operations up to 20.0 µs" + end;
    QTest::newRow("calls") << true << false << "API calls are recorded up to 10.0 µs, GPU operations not at all" + end;
    QTest::newRow("operations") << false << true
                                << "GPU operations are recorded up to 20.0 µs, API calls not at all" + end;
    QTest::newRow("nothing") << false << false << "neither API calls nor GPU operations are recorded" + end;
}

/// No end is given for what is not recorded at all.
void tst_Caveats::cutShort()
{
    QFETCH(const bool, calls);
    QFETCH(const bool, operations);
    QFETCH(const QString, says);
    Tape tape;
    tape.range("main", 0, 30'000);
    const auto call = calls ? tape.call("cudaLaunchKernel", 0, 10'000) : 0;
    if (operations) {
        tape.kernel(call, 13, 12'000, 20'000);
    }
    auto trace = tape.finish();
    trace.meta[meta::complete] = "no";
    QCOMPARE(QString::fromStdString(Messages::english().format(cut_short_message(trace))), "Cut short: " + says);
}

void tst_Caveats::withoutALastFlush_data()
{
    QTest::addColumn<int>("processes");
    QTest::addColumn<QString>("lines");
    QTest::addColumn<QString>("says");
    const QString may = "records after 10.0 µs may be missing";
    QTest::newRow("one") << 1 << "7 10000\n"
                         << "The program ended without a last flush: " + may;
    QTest::newRow("one of two") << 2 << "8 10000\n"
                                << "Process 8 ended without a last flush: its " + may;
    QTest::newRow("one of two, nothing")
        << 2 << "8 -\n"
        << "Process 8 ended without a last flush: none of its calls and operations was written";
    QTest::newRow("both, the earliest counts") << 2 << "7 30000\n8 10000\n"
                                               << "2 processes ended without a last flush: their " + may;
}

void tst_Caveats::withoutALastFlush()
{
    QFETCH(const int, processes);
    QFETCH(const QString, lines);
    QFETCH(const QString, says);
    Tape tape;
    tape.call("cudaLaunchKernel", 0, 10'000);
    auto trace = tape.finish();
    trace.processes.clear();
    for (int i = 0; i < processes; ++i) {
        trace.processes.push_back({static_cast<std::uint32_t>(7 + i), 0, 0});
    }
    QVERIFY(is_complete(trace));
    trace.meta[meta::unflushed] = lines.toStdString();
    QVERIFY(!is_complete(trace));
    QCOMPARE(QString::fromStdString(Messages::english().format(cut_short_message(trace))), says);
}

/// A kernel that faulted has no time and was not dropped; without the failure it would be.
void tst_Caveats::aFailedContext()
{
    for (const std::int32_t result : {0, 2, 710}) {
        Tape tape;
        KernelRecord kernel {};
        kernel.process = Tape::process;
        kernel.correlation = tape.call("cudaLaunchKernel", 0, 10'000);
        tape.builder().write(kernel);
        tape.call("cudaDeviceSynchronize", 20'000, 30'000, 1, ApiCallRecord::runtime, result);
        const auto trace = tape.finish();
        const bool failed = result == 710;
        QCOMPARE(trace.dropped, std::uint64_t {failed ? 0U : 1U});
        const auto caveats = caveats_of(trace);
        QCOMPARE(caveats.size(), 1U);
        QCOMPARE(caveats[0].id, std::string(failed ? "caveat.context_failed" : "caveat.dropped"));
        if (failed) {
            QCOMPARE(QString::fromStdString(Messages::english().format(caveats[0])),
                "The context failed: cudaDeviceSynchronize returned cudaErrorAssert (710) at 30.0 µs; GPU work after "
                "the "
                "failure was not run");
        }
    }
}

QTEST_APPLESS_MAIN(tst_Caveats)
#include "tst_caveats.moc"
