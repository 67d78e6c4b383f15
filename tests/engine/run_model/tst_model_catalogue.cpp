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

}  // namespace

class tst_ModelCatalogue : public QObject {
    Q_OBJECT

private slots:
    void everyVariantRuns_data();
    void everyVariantRuns();
    void showsWhatItClaims();
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
}

QTEST_GUILESS_MAIN(tst_ModelCatalogue)
#include "tst_model_catalogue.moc"
