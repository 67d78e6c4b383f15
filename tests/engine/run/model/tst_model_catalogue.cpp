// SPDX-License-Identifier: MIT
// Every workload of the catalogue, in every variant, on the model device: it ends, and does what
// the workload says. (tests/engine/lessons tests what it shows.)
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

}  // namespace

class tst_ModelCatalogue : public QObject {
    Q_OBJECT

private slots:
    void everyVariantRuns_data();
    void everyVariantRuns();
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
    const auto error = run.outcome.error ? run.outcome.error->message : "";
    QVERIFY2(program.expected_error.empty() ? error.empty() : error.find(program.expected_error) != std::string::npos,
        error.c_str());
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

QTEST_GUILESS_MAIN(tst_ModelCatalogue)
#include "tst_model_catalogue.moc"
