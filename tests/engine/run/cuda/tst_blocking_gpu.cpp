// SPDX-License-Identifier: MIT
// How long `lanes report` says a thread was blocked, against what the program itself measured without a recorder: each
// edge of the definition on a real GPU. docs/definitions.md says what counts.
#include "tests/engine/run/cuda/blocking_cases.h"
#include "tests/engine/run/cuda/lanes_program.h"

#include <cmath>
#include <QCoreApplication>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

/// The output of a case: "call NS", "queries N".
qint64 number_in(const QByteArray& output, const QByteArray& word)
{
    for (const auto& line : output.split('\n')) {
        if (line.startsWith(word + ' ')) {
            return line.mid(word.size() + 1).toLongLong();
        }
    }
    return -1;
}

QString own_program()
{
    return QCoreApplication::applicationFilePath();
}

}  // namespace

class tst_BlockingGpu : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void isBlockedAsLongAsTheCallTook_data();
    void isBlockedAsLongAsTheCallTook();

private:
    Ended run(const QString& program, const QStringList& words, bool launches_block);
    QTemporaryDir m_folder;
};

void tst_BlockingGpu::initTestCase()
{
    // In a process of its own: this one must stay free of CUDA.
    if (QProcess::execute(own_program(), {"--is-there-a-gpu"}) != 0 || !this_machine().can_record) {
        QSKIP("no GPU that can be recorded here");
    }
}

Ended tst_BlockingGpu::run(const QString& program, const QStringList& words, bool launches_block)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    if (launches_block) {
        environment.insert("CUDA_LAUNCH_BLOCKING", "1");
    }
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, words);
    if (!process.waitForFinished(120'000)) {
        return {-1, {}, "did not end"};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

/// `cause` "": nothing is blocked. Several with '|' between: any of them.
void tst_BlockingGpu::isBlockedAsLongAsTheCallTook_data()
{
    QTest::addColumn<QString>("cause");
    QTest::addColumn<bool>("may_be_unknown");
    const auto row = [](const char* name, const char* cause, bool may_be_unknown = false) {
        QTest::newRow(name) << cause << may_be_unknown;
    };
    row("sync-blocking-after-legacy", "");
    row("sync-non-blocking-after-legacy", "");
    row("query-after-legacy", "");
    row("event-blocking-after-legacy", "event_sync");
    row("event-non-blocking-after-legacy", "");
    row("graph-of-two-branches", "stream_sync");
    row("memset-pinned", "copy|other");
    row("memset-device", "");
    row("host-function", "stream_sync", true);  // when the function ran is not recorded
    row("blocking-launch", "launch");
    row("small-pageable-copy", "");
    row("managed-prefetch", "", true);  // the migration is in no record
    row("spin-of-event-queries", "poll");
    row("spin-of-stream-queries", "poll");
    row("free-beside-a-kernel", "memory");
    row("pin", "");
    row("unmap-beside-a-kernel", "");
}

void tst_BlockingGpu::isBlockedAsLongAsTheCallTook()
{
    QFETCH(QString, cause);
    QFETCH(bool, may_be_unknown);
    const QString name = QTest::currentDataTag();
    const bool launches_block = name == "blocking-launch";
    const QStringList words {"--program", name};
    const auto alone = run(own_program(), words, launches_block);
    QVERIFY2(alone.status == 0, alone.err);
    const auto took = number_in(alone.out, "call");

    const auto file = m_folder.filePath(name + ".sqlite");
    const auto recorded
        = run(program(), QStringList {"record", "-o", file, "--", own_program()} + words, launches_block);
    QVERIFY2(recorded.status == 0, recorded.err);
    if (const auto keep = qEnvironmentVariable("LANES_KEEP"); !keep.isEmpty()) {  // to be looked at later
        QDir().mkpath(keep);
        QFile::copy(file, keep + "/" + name + ".sqlite");
    }

    const auto report = report_of(file);
    QCOMPARE(report["counts"].toObject()["dropped"].toInt(), 0);
    QJsonObject range;
    for (const auto& each : report["ranges"].toArray()) {
        range = each.toObject()["name"] == "case" ? each.toObject() : range;
    }
    QVERIFY(!range.isEmpty());
    const auto thread = report["cpu"].toArray()[0].toObject();
    const auto by = thread["blocked_by"].toObject();
    qint64 of_cause = 0;
    for (const auto& one : cause.split('|', Qt::SkipEmptyParts)) {
        of_cause += by[one].toInteger();
    }
    const auto evidence
        = QString("the call took %1 us alone (%2 queries), %3 us while recorded (%4 queries); blocked in the range: %5 "
                  "us, API calls %6; by cause in ns: %7")
              .arg(static_cast<double>(took) * 1e-3)
              .arg(number_in(alone.out, "queries"))
              .arg(static_cast<double>(number_in(recorded.out, "call")) * 1e-3)
              .arg(number_in(recorded.out, "queries"))
              .arg(range["blocked_ns"].isNull() ? "unknown" : QString::number(range["blocked_ns"].toDouble() * 1e-3))
              .arg(report["counts"].toObject()["api_calls"].toInt())
              .arg(QString::fromUtf8(QJsonDocument(by).toJson(QJsonDocument::Compact)));
    qInfo("%s", qPrintable(evidence));

    if (range["blocked_ns"].isNull()) {
        QVERIFY2(may_be_unknown, qPrintable(evidence));
        return;
    }
    const auto blocked = range["blocked_ns"].toInteger();
    if (cause.isEmpty()) {
        // The calls themselves take 70 to 130 us, for staging or unmapping; one that waited for the kernel would take 9
        // ms.
        QVERIFY2(blocked <= 500'000, qPrintable(evidence));
        return;
    }
    QVERIFY2(std::abs(blocked - took) <= took / 10 + 200'000, qPrintable(evidence));
    QVERIFY2(of_cause >= blocked * 9 / 10, qPrintable(evidence));
    if (name.startsWith("spin-of-")) {  // joined: the set-up, a few launches, one call for all queries
        QVERIFY2(number_in(recorded.out, "queries") > 100, qPrintable(evidence));
        QVERIFY2(report["counts"].toObject()["api_calls"].toInt() < 100, qPrintable(evidence));
    }
}

int main(int count, char** words)
{
    const std::string word = count > 1 ? words[1] : "";
    if (word == "--is-there-a-gpu") {
        return blocking_cases::is_there_a_gpu() ? 0 : 1;
    }
    if (word == "--program" && count > 2) {
        return blocking_cases::run(words[2]);
    }
    QCoreApplication application(count, words);
    tst_BlockingGpu test;
    return QTest::qExec(&test, count, words);
}

#include "tst_blocking_gpu.moc"
