// SPDX-License-Identifier: MIT
// The traces of PyTorch's profiler that come with Lanescope: 30 batches of a small net, with loss.item() after each and
// without (the case `item` of tests/gpu/pytorch_cases.py), on an H200. What is known about that program is there, and
// the report about it is true. Our own recordings of all cases with --pytorch, on an H100: each kernel under its
// operator.
#include "engine/analysis/recording.h"
#include "engine/analysis/summary/summary.h"
#include "engine/store/recording_file.h"

#include <QTest>

using namespace lanes;

class tst_ShippedTraces : public QObject {
    Q_OBJECT

private slots:
    void sayWhatTheProgramDid_data();
    void sayWhatTheProgramDid();
    void kernelsLieUnderOperators_data();
    void kernelsLieUnderOperators();
};

void tst_ShippedTraces::sayWhatTheProgramDid_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("items");
    QTest::newRow("every batch") << "pytorch-item.every.sqlite" << 30;
    QTest::newRow("never") << "pytorch-item.never.sqlite" << 0;
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
    // Python and operators take the CPU longer than the kernels take the GPU, with .item() and without: that and
    // nothing else is to be found.
    QCOMPARE(recording.report->verdict.kind, Verdict::Kind::cpu_late);
    // Without .item() the first uploads, of pageable weights, are the next thing.
    QCOMPARE(recording.report->findings.size(), items == 0 ? 2U : 1U);
    QVERIFY(items != 0 || recording.report->findings[1].rule == "pageable-async-copy");
    QCOMPARE(recording.report->findings[0].rule, std::string("cpu-late"));
    QCOMPARE(count(SummaryBy::api, "cudaStreamSynchronize"), items + 6);
    // Its paths are private.
    for (StringId id = 0; id < trace.strings.size(); ++id) {
        QVERIFY2(!trace.text(id).starts_with('/'), std::string(trace.text(id)).c_str());
    }
    QVERIFY(!trace.meta.contains("host") && !trace.meta.contains("command"));
}

/// What torch.profiler counted in each region of the same program, and how many kernels it had under no operator.
void tst_ShippedTraces::kernelsLieUnderOperators_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("kernels");
    QTest::addColumn<int>("linears");
    QTest::addColumn<int>("underNone");
    QTest::newRow("results_back_blocking") << "results_back" << 8 << 0 << 0;
    QTest::newRow("results_back_non_blocking") << "results_back" << 8 << 0 << 0;
    QTest::newRow("loader_pinned") << "loader" << 500 << 60 << 0;  // three layers, twenty batches
    QTest::newRow("loader_pageable") << "loader" << 500 << 60 << 0;
    QTest::newRow("item_never") << "item" << 780 << 90 << 0;
    QTest::newRow("item_every_10") << "item" << 780 << 90 << 0;
    QTest::newRow("item_every_batch") << "item" << 780 << 90 << 0;
    QTest::newRow("data_dependent_loop") << "item" << 92 << 0 << 0;
    QTest::newRow("streams") << "streams" << 8 << 0 << 0;
    QTest::newRow("graph") << "graph" << 30 << 0 << 30;  // launched as one graph, by no operator
    QTest::newRow("compiled") << "compiled" << 270 << 0 << 0;
}

void tst_ShippedTraces::kernelsLieUnderOperators()
{
    QFETCH(QString, file);
    QFETCH(int, kernels);
    QFETCH(int, linears);
    QFETCH(int, underNone);
    const auto path = qEnvironmentVariable("LANES_SOURCE") + "/resources/traces/recorded." + file + ".sqlite";
    const Trace trace = open_recording(path.toStdString());
    QCOMPARE(trace.source, Source::cupti);
    QCOMPARE(trace.dropped, 0U);
    const auto name = std::string("region ") + QTest::currentDataTag();
    const auto region = std::find_if(
        trace.ranges.begin(), trace.ranges.end(), [&](const Range& r) { return trace.text(r.name) == name; });
    QVERIFY(region != trace.ranges.end());
    std::vector<const Range*> within;
    for (const Range& r : trace.ranges) {
        if (trace.text(r.domain) == operator_domain && r.start >= region->start && r.start < region->end) {
            within.push_back(&r);
        }
    }
    QCOMPARE(std::count_if(
                 within.begin(), within.end(), [&](const Range* r) { return trace.text(r->name) == "aten::linear"; }),
        linears);
    int found = 0, lone = 0;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (trace.operations.kind[row] != OperationKind::kernel || trace.operations.start[row] < region->start
            || trace.operations.start[row] >= region->end) {
            continue;
        }
        ++found;
        const Row call = trace.operations.call[row];
        QVERIFY(call != no_row);
        lone += std::none_of(within.begin(), within.end(),
                    [&](const Range* r) {
                        return r->thread == trace.calls.thread[call] && r->start <= trace.calls.start[call]
                            && r->end >= trace.calls.end[call];
                    })
            ? 1
            : 0;
    }
    QCOMPARE(found, kernels);
    QCOMPARE(lone, underNone);
}

QTEST_GUILESS_MAIN(tst_ShippedTraces)
#include "tst_shipped_traces.moc"
