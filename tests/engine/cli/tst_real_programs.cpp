// SPDX-License-Identifier: MIT
// Recordings of other people's programs, beside the source (shared/data/programs): every command that reads ends, and
// counts what SQL counts in the file. Skipped if the folder is absent.
#include "tests/engine/cli/lanes_with.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <sqlite3.h>

using namespace lanes;

namespace {

constexpr int longest_ms = 280'000;

QString recordings()
{
    return qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/programs";
}

/// The one number that the query yields; -1 if it fails.
double counted(const QString& file, const char* sql)
{
    sqlite3* database = nullptr;
    sqlite3_stmt* query = nullptr;
    double found = -1;
    if (sqlite3_open_v2(file.toUtf8().constData(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK
        && sqlite3_prepare_v2(database, sql, -1, &query, nullptr) == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW) {
        found = sqlite3_column_double(query, 0);
    }
    sqlite3_finalize(query);
    sqlite3_close(database);
    return found;
}

/// The outermost calls of each thread. Nested calls begin no earlier and end no later than theirs.
constexpr auto outermost_calls = R"(
SELECT count(*) FROM (
    SELECT "end" AS ends, max("end") OVER (PARTITION BY globalTid ORDER BY start, "end" DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM CUPTI_ACTIVITY_KIND_RUNTIME)
WHERE before IS NULL OR ends > before)";

QJsonObject json_of(const QStringList& arguments)
{
    const auto outcome = lanes_with(arguments + QStringList {"--json=full"}, {}, longest_ms);
    return outcome.status == 0 && outcome.err.isEmpty() ? QJsonDocument::fromJson(outcome.out).object() : QJsonObject();
}

}  // namespace

class tst_RealPrograms : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void counts_data();
    void counts();
    void everyCommandEnds_data();
    void everyCommandEnds();
};

void tst_RealPrograms::initTestCase()
{
    if (!QDir(recordings()).exists()) {
        QSKIP("the folder of recorded programs is not here");
    }
    QVERIFY2(QFile::exists(qEnvironmentVariable("LANES_BUILD") + "/bin/lanes"), "build the target lanes first");
}

void tst_RealPrograms::counts_data()
{
    QTest::addColumn<QString>("file");
    for (const QString& file : QDir(recordings()).entryList({"*.sqlite"}, QDir::Files)) {
        QTest::newRow(qPrintable(file)) << recordings() + '/' + file;
    }
}

void tst_RealPrograms::counts()
{
    QFETCH(QString, file);
    const QJsonObject report = json_of({"report", file});
    QVERIFY(!report.isEmpty());
    const QJsonObject found = report["counts"].toObject();
    QCOMPARE(found["kernels"].toDouble(), counted(file, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"));
    QCOMPARE(found["copies"].toDouble(), counted(file, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY"));
    QCOMPARE(found["memsets"].toDouble(), counted(file, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMSET"));
    QCOMPARE(found["api_calls"].toDouble(), counted(file, outermost_calls));
    QCOMPARE(found["ranges"].toDouble(), counted(file, "SELECT count(*) FROM NVTX_EVENTS WHERE \"end\" IS NOT NULL"));
    double operations = 0;
    for (const QJsonValue gpu : report["gpu"].toArray()) {
        for (const QJsonValue stream : gpu.toObject()["streams"].toArray()) {
            operations += stream.toObject()["operations"].toDouble();
        }
    }
    QCOMPARE(operations, found["kernels"].toDouble() + found["copies"].toDouble() + found["memsets"].toDouble());

    // The tables by name hold the same calls.
    const QJsonObject summary = json_of({"summary", file});
    QVERIFY(!summary.isEmpty());
    for (const QJsonValue each : summary["tables"].toArray()) {
        const QJsonObject table = each.toObject();
        double rows = 0;
        for (const QJsonValue row : table["rows"].toArray()) {
            rows += row.toObject()["count"].toDouble();
        }
        const QString by = table["by"].toString();
        if (by == "kernel") {
            QCOMPARE(rows, found["kernels"].toDouble());
        } else if (by == "api") {
            QCOMPARE(rows, found["api_calls"].toDouble());
        }
    }
}

void tst_RealPrograms::everyCommandEnds_data()
{
    QTest::addColumn<QStringList>("arguments");
    for (const QString& file : QDir(recordings()).entryList({"*.sqlite"}, QDir::Files)) {
        const QString path = recordings() + '/' + file;
        for (const QStringList& command : {QStringList {"report", path, "--iterations"}, {"why", path},
                 {"why", path, "--overlap"}, {"whatif", path}}) {
            QTest::newRow(qPrintable(command.first() + ' ' + command.mid(2).join(' ') + ' ' + file)) << command;
        }
    }
}

void tst_RealPrograms::everyCommandEnds()
{
    QFETCH(QStringList, arguments);
    const auto outcome = lanes_with(arguments, {}, longest_ms);
    QVERIFY2(outcome.status == 0, outcome.status < 0 ? "it does not end" : outcome.err.constData());
    QCOMPARE(outcome.err, QByteArray());
    QVERIFY(!outcome.out.isEmpty());
}

QTEST_GUILESS_MAIN(tst_RealPrograms)
#include "tst_real_programs.moc"
