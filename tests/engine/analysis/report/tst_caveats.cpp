// SPDX-License-Identifier: MIT
#include "engine/analysis/caveats.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

class tst_Caveats : public QObject {
    Q_OBJECT

private slots:
    void stretchesInWhichNothingIsRecorded();
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

QTEST_APPLESS_MAIN(tst_Caveats)
#include "tst_caveats.moc"
