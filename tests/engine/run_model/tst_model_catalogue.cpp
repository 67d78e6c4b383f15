// SPDX-License-Identifier: MIT
// Every workload of the catalogue, in every variant, on the model device: it ends, it
// does what the workload says, and what it shows is so.
#include "engine/workload/catalogue.h"
#include "engine/workload/workload.h"
#include "records.h"

#include <QTest>

using namespace lanes;
using namespace lanes::tests;

namespace {

std::string path_of(const std::string& workload)
{
    return qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/workloads/" + workload + ".yaml";
}

/// Time until all is done but the reads, which are no part of what is shown.
Ns total(const std::string& workload, const std::string& variant)
{
    return ModelRun(compile(load_workload(path_of(workload)), variant)).end();
}

constexpr Ns milliseconds = 1'000'000;

bool about(Ns a, Ns b)
{
    return std::abs(a - b) < std::max(a, b) / 50;
}

}  // namespace

class tst_ModelCatalogue : public QObject {
    Q_OBJECT

private slots:
    void everyVariantRuns_data();
    void everyVariantRuns();
    void showsWhatItClaims();
    void runsAheadUntilTheQueueIsFull();
    void allReduceHidesBehindBackward();
    void staleReadsSayHowMuch();
};

void tst_ModelCatalogue::everyVariantRuns_data()
{
    QTest::addColumn<QString>("workload");
    QTest::addColumn<QString>("variant");
    for (const auto& name :
        catalogue_names(qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/workloads")) {
        for (const auto& variant : load_workload(path_of(name)).variants) {
            QTest::addRow("%s.%s", name.c_str(), variant.name.c_str())
                << QString::fromStdString(name) << QString::fromStdString(variant.name);
        }
    }
}

void tst_ModelCatalogue::everyVariantRuns()
{
    QFETCH(QString, workload);
    QFETCH(QString, variant);
    const auto program = compile(load_workload(path_of(workload.toStdString())), variant.toStdString());
    const ModelRun run(program);
    QVERIFY2(!run.outcome.error, run.outcome.error ? run.outcome.error->message.c_str() : "");
    if (const auto counts = count(program)) {
        const auto syncs = run.all<SyncRecord>();
        const auto waits = std::count_if(syncs.begin(), syncs.end(),
            [](const SyncRecord& sync) { return sync.type == SyncRecord::stream_wait_event; });
        QCOMPARE(run.all<KernelRecord>().size(), counts->kernels);
        QCOMPARE(run.all<CopyRecord>().size(), counts->copies);
        QCOMPARE(run.all<MemsetRecord>().size(), counts->memsets);
        QCOMPARE(static_cast<std::uint64_t>(waits), counts->waits);
        QCOMPARE(run.all<RangeRecord>().size(), 2 * counts->ranges);
    }
    for (const auto& read : run.all<ReadRecord>()) {
        QCOMPARE(read.wrong_bytes > 0, read.expect_stale == 1);
    }
}

void tst_ModelCatalogue::showsWhatItClaims()
{
    QVERIFY(total("copy-results-back", "blocking") > 2 * total("copy-results-back", "overlapped"));
    QVERIFY(total("default-stream", "legacy") > 5 * total("default-stream", "per-thread") / 2);
    QVERIFY(total("default-stream", "legacy") > 5 * total("default-stream", "non-blocking") / 2);
    QVERIFY(total("two-streams", "one-small") > 3 * total("two-streams", "two-small") / 2);
    QVERIFY(total("two-streams", "one-full") < 21 * total("two-streams", "two-full") / 20);
    QVERIFY(total("item-every-batch", "every") > total("item-every-batch", "every-10"));
    QVERIFY(total("item-every-batch", "every-10") > total("item-every-batch", "every-100"));
    QVERIFY(total("item-every-batch", "every-100") >= total("item-every-batch", "never"));
    QVERIFY(
        total("pageable-or-pinned", "pageable-non-blocking") > 2 * total("pageable-or-pinned", "pinned-non-blocking"));
    QVERIFY(total("pageable-or-pinned", "pinned-blocking") > total("pageable-or-pinned", "pinned-non-blocking"));

    // The longer of the two, not the sum; the seed's own code frees the CPU alone, a second stream hides copies.
    QVERIFY(total("cpu-work-while-copying", "blocking")
        > total("cpu-work-while-copying", "pinned-async") + 39 * milliseconds / 10);
    const Ns run_alone = total("copy-results-back", "run-alone");
    const Ns copy_alone = total("copy-results-back", "copy-alone");
    QVERIFY(about(total("copy-results-back", "run-then-copy-blocking"), run_alone + copy_alone));
    QVERIFY(total("copy-results-back", "run-then-copy-non-blocking") > run_alone + 9 * milliseconds);
    QVERIFY(total("copy-results-back", "overlapped") < run_alone + 2 * milliseconds);

    QVERIFY(5 * total("data-loader", "workers-4-pinned") < 2 * total("data-loader", "workers-0-pinned"));
    QVERIFY(about(total("data-loader", "workers-4-pageable"), total("data-loader", "workers-2-pageable")));
    QVERIFY(total("data-loader", "workers-2-pinned") > total("data-loader", "workers-4-pinned") * 5 / 4);
    QVERIFY(total("loop-on-gpu-value", "value-dependent") > 2 * total("loop-on-gpu-value", "fixed-count"));
    QVERIFY(
        total("events-across-streams", "event-wait") < total("events-across-streams", "stream-sync") - milliseconds);
    QVERIFY(2 * total("copies-both-ways", "three-streams") < total("copies-both-ways", "one-stream"));
    QVERIFY(total("copies-both-ways", "three-streams") < total("copies-both-ways", "two-streams"));
    QVERIFY(about(total("two-gpus", "both"), total("two-gpus", "gpu-0")));
    QVERIFY(about(total("two-gpus", "both-with-sync"), 2 * total("two-gpus", "both")));
    QVERIFY(total("two-gpus", "through-host") > 2 * total("two-gpus", "peer-copy"));
    QVERIFY(3 * total("cuda-graph", "graph") < 2 * total("cuda-graph", "launches"));
    QVERIFY(3 * total("allocate-in-the-loop", "malloc") > 5 * total("allocate-in-the-loop", "pool"));
}

void tst_ModelCatalogue::runsAheadUntilTheQueueIsFull()
{
    const auto issued = [](const char* variant) {
        const ModelRun run(compile(load_workload(path_of("run-ahead")), variant));
        return std::pair(run.calls("cudaLaunchKernel").back().end, run.end());
    };
    const auto light = issued("light");
    QVERIFY(light.first > light.second * 9 / 10);
    const auto heavy = issued("heavy");
    QVERIFY(heavy.first < heavy.second / 10);
    const ModelRun full(compile(load_workload(path_of("run-ahead")), "queue-full"));
    const auto launches = full.calls("cudaLaunchKernel");
    const auto blocked = std::find_if(launches.begin(), launches.end(),
        [](const ApiCallRecord& call) { return call.end - call.start > milliseconds / 20; });
    const auto kernels_done = (blocked->start - launches.front().start) / (milliseconds / 10);
    const auto pending = blocked - launches.begin() - kernels_done;
    QVERIFY2(std::abs(pending - 1021) <= 2, qPrintable(QString::number(pending)));  // as measured on an H100
}

void tst_ModelCatalogue::allReduceHidesBehindBackward()
{
    const Ns work = 4 * 2 * milliseconds + milliseconds / 2;  // backward, then the optimizer
    const Ns after = total("all-reduce", "after-backward") - work;
    const Ns in_buckets = total("all-reduce", "in-buckets") - work;
    QVERIFY(after > 3 * milliseconds);
    QVERIFY(in_buckets < after / 2);
    QVERIFY(total("all-reduce", "data-parallel") > total("all-reduce", "after-backward"));
}

void tst_ModelCatalogue::staleReadsSayHowMuch()
{
    const auto wrong = [](const char* workload, const char* variant) {
        const ModelRun run(compile(load_workload(path_of(workload)), variant));
        const auto reads = run.all<ReadRecord>();
        return static_cast<double>(reads.front().wrong_bytes) / static_cast<double>(reads.front().bytes);
    };
    const double early = wrong("read-too-early", "no-sync");
    QVERIFY2(early > 0.3 && early < 0.9, qPrintable(QString::number(early)));  // the copy is under way
    QCOMPARE(wrong("read-too-early", "event-sync"), 0.0);
    QCOMPARE(wrong("events-across-streams", "no-wait"), 1.0);
    QVERIFY(total("read-too-early", "event-sync") < total("read-too-early", "stream-sync"));
}

QTEST_GUILESS_MAIN(tst_ModelCatalogue)
#include "tst_model_catalogue.moc"
