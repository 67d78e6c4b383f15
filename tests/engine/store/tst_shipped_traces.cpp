// SPDX-License-Identifier: MIT
// The traces of PyTorch's profiler that come with Lanescope: 30 batches of a small net, with loss.item() after each and
// without (the case `item` of tests/gpu/pytorch_cases.py), on an H200. What is known of that program is there, and the
// report says of it what is true.
#include "engine/analysis/figures/summary.h"
#include "engine/analysis/recording.h"
#include "engine/store/recording_file.h"

#include <QTest>

using namespace lanes;

class tst_ShippedTraces : public QObject {
    Q_OBJECT

private slots:
    void sayWhatTheProgramDid_data();
    void sayWhatTheProgramDid();
};

void tst_ShippedTraces::sayWhatTheProgramDid_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("items");
    QTest::newRow("every batch") << "pytorch-item.every.json.gz" << 30;
    QTest::newRow("never") << "pytorch-item.never.json.gz" << 0;
}

void tst_ShippedTraces::sayWhatTheProgramDid()
{
    QFETCH(QString, file);
    QFETCH(int, items);
    const auto path = qEnvironmentVariable("LANES_SOURCE") + "/resources/traces/" + file;
    const auto recording = reported(open_recording(path.toStdString()));
    const auto count = [&](SummaryBy by, const char* name) {
        const Summary summary = summarise(recording, by);
        const auto row = std::find_if(
            summary.rows.begin(), summary.rows.end(), [&](const SummaryRow& r) { return r.name == name; });
        return row == summary.rows.end() ? 0 : static_cast<int>(row->count);
    };
    const int batches = 30;
    QCOMPARE(count(SummaryBy::range, "aten::item"), items);
    QCOMPARE(count(SummaryBy::copy, "D2H pinned"), items);
    QCOMPARE(count(SummaryBy::range, "aten::linear"), 3 * batches);  // layers of the net
    QCOMPARE(count(SummaryBy::range, "aten::cross_entropy_loss"), batches);
    QCOMPARE(count(SummaryBy::range, "Optimizer.step#SGD.step"), batches);
    QCOMPARE(count(SummaryBy::range, "autograd::engine::evaluate_function: AddmmBackward0"), 3 * batches);
    QCOMPARE(count(SummaryBy::copy, "H2D pageable"), 6);  // weights and biases of the net: .to(device)
    const Trace& trace = *recording.trace;
    QCOMPARE(std::count(trace.operations.kind.begin(), trace.operations.kind.end(), OperationKind::kernel), 780);
    for (Row row = 0; row < trace.operations.size(); ++row) {
        QVERIFY(trace.operations.call[row] != no_row);
    }
    // Its operators take the CPU longer than their kernels take the GPU, with .item() and without: that is what there
    // is to find, and nothing else.
    QCOMPARE(recording.report->verdict.kind, Verdict::Kind::starved);
    QCOMPARE(recording.report->findings.size(), 1U);
    QCOMPARE(recording.report->findings[0].rule, std::string("starved"));
    QCOMPARE(count(SummaryBy::api, "cudaStreamSynchronize"), items + 6);
    // Where it was recorded is nobody's business.
    for (StringId id = 0; id < trace.strings.size(); ++id) {
        QVERIFY2(!trace.text(id).starts_with('/'), std::string(trace.text(id)).c_str());
    }
    QVERIFY(!trace.meta.contains("host") && !trace.meta.contains("command"));
}

QTEST_GUILESS_MAIN(tst_ShippedTraces)
#include "tst_shipped_traces.moc"
