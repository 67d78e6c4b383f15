// SPDX-License-Identifier: MIT
// The recordings that users see first: every workload of the catalogue on the model
// device, and the shipped ones. Saved and opened again they say the same.
#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/workload.h"
#include "tests/engine/trace/trace_difference.h"
#include "tests/engine/trace/trace_soundness.h"

#include <algorithm>
#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

std::string resource(const std::string& path)
{
    return qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/" + path;
}

}  // namespace

class tst_KnownRecordings : public QObject {
    Q_OBJECT

private slots:
    void modelRuns_data();
    void modelRuns();
    void shippedRecordings_data();
    void shippedRecordings();

private:
    void staysTheSame(const Trace& trace);
    QTemporaryDir m_folder;
};

void tst_KnownRecordings::staysTheSame(const Trace& trace)
{
    QCOMPARE(QString::fromStdString(unsoundness(trace)), QString());
    const auto file = m_folder.filePath("again.sqlite").toStdString();
    save_recording(trace, file);
    QCOMPARE(QString::fromStdString(difference(trace, open_recording(file))), QString());
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const auto call = trace.operations.call[row];
        QVERIFY(call != no_row);
        QVERIFY(trace.calls.start[call] <= trace.operations.start[row]);
        QVERIFY(trace.calls.outer[call] == no_row);
    }
    QCOMPARE(trace.meta.at(meta::clock_violations), std::string("0"));
    if (trace.errors.empty()) {  // a kernel that faulted has no record
        QCOMPARE(trace.dropped, std::uint64_t {0});
    }
}

void tst_KnownRecordings::modelRuns_data()
{
    QTest::addColumn<QString>("workload");
    QTest::addColumn<QString>("variant");
    for (const auto& name : catalogue_names(resource("workloads"))) {
        for (const auto& variant : load_workload(resource("workloads/" + name + ".yaml")).variants) {
            QTest::addRow("%s.%s", name.c_str(), variant.name.c_str())
                << QString::fromStdString(name) << QString::fromStdString(variant.name);
        }
    }
}

void tst_KnownRecordings::modelRuns()
{
    QFETCH(QString, workload);
    QFETCH(QString, variant);
    const auto text = load_workload(resource("workloads/" + workload.toStdString() + ".yaml"));
    const auto program = compile(text, variant.toStdString());
    TraceBuilder builder;
    const auto device = load_model_device(resource("devices/h100.yaml"));
    const auto outcome = run_model(program, device, builder);
    write_model_meta(program, "h100", builder);
    write_model_outcome(outcome, builder);
    const auto trace = builder.finish(Source::model);
    QVERIFY(!trace.operations.start.empty());
    staysTheSame(trace);
}

void tst_KnownRecordings::shippedRecordings_data()
{
    QTest::addColumn<QString>("file");
    QDirIterator files(
        QString::fromStdString(resource("recordings")), {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories);
    bool none = true;
    while (files.hasNext()) {
        const auto file = files.next();
        QTest::newRow(qPrintable(files.fileName())) << file;
        none = false;
    }
    if (none) {
        QTest::newRow("none") << QString();
    }
}

void tst_KnownRecordings::shippedRecordings()
{
    QFETCH(QString, file);
    if (file.isEmpty()) {
        QSKIP("no recordings are shipped");
    }
    const auto trace = open_recording(file.toStdString());
    QVERIFY(!trace.operations.start.empty());
    QVERIFY(!trace.meta.contains(meta::notice));
    staysTheSame(trace);
}

QTEST_GUILESS_MAIN(tst_KnownRecordings)
#include "tst_known_recordings.moc"
