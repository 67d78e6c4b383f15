// SPDX-License-Identifier: MIT
#include "engine/analysis/caveats.h"
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
};

/// One of more than half of the recording is said: where it begins and ends, whatever spans all of it.
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

/// Of what is not recorded at all no end is told.
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

QTEST_APPLESS_MAIN(tst_Caveats)
#include "tst_caveats.moc"
