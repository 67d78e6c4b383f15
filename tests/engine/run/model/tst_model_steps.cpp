// SPDX-License-Identifier: MIT
// Every kind of step on the model device. (tests/engine/run/cuda_double runs the same on the CUDA runner.)
#include "engine/workload/workload.h"
#include "records.h"
#include "tests/engine/workload/every_step.h"

#include <QTest>

using namespace lanes;
using namespace lanes::tests;

class tst_ModelSteps : public QObject {
    Q_OBJECT

private slots:
    void everyStepDoesItsPart();
    void recordsAreThoseCounted();
    void faultEndsTheRun();

private:
    static Program program_of(const std::string& text) { return compile(parse_workload(text, "test.yaml"), ""); }
};

void tst_ModelSteps::everyStepDoesItsPart()
{
    const Program program = program_of(every_step);
    const ModelRun run(program);
    QVERIFY2(!run.outcome.error, run.outcome.error ? run.outcome.error->message.c_str() : "");
    for (const auto& read : run.all<ReadRecord>()) {
        QCOMPARE(read.wrong_bytes, 0U);
    }
    std::vector<std::string> work;
    for (const auto& span : run.all<HostSpanRecord>()) {
        if (span.type == HostSpanRecord::work) {
            work.push_back(run.text(span.name));
        }
    }
    QCOMPARE(work, work_of_every_step);
}

void tst_ModelSteps::recordsAreThoseCounted()
{
    const Program program = program_of(counted_steps);
    const ModelRun run(program);
    const auto counts = count(program);
    QVERIFY(counts);
    QCOMPARE(run.all<KernelRecord>().size(), counts->kernels);
    QCOMPARE(run.all<CopyRecord>().size(), counts->copies);
    QCOMPARE(run.all<MemsetRecord>().size(), counts->memsets);
    QCOMPARE(run.all<SyncRecord>().size(), counts->syncs + counts->waits);
    QCOMPARE(run.all<RangeRecord>().size(), 2 * counts->ranges);
}

void tst_ModelSteps::faultEndsTheRun()
{
    const ModelRun run(program_of(fault_step));
    QVERIFY(run.outcome.error);
    QVERIFY2(run.outcome.error->message.find("cudaErrorIllegalAddress") != std::string::npos,
        run.outcome.error->message.c_str());
}

QTEST_GUILESS_MAIN(tst_ModelSteps)
#include "tst_model_steps.moc"
