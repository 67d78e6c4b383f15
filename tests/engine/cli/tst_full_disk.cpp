// SPDX-License-Identifier: MIT
// Every command that prints, if nothing more can be written: exit status 1 and one line, never half an answer and 0.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>

class tst_FullDisk : public QObject {
    Q_OBJECT

private slots:
    void output_data();
    void output();

private:
    QString path(const char* name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
    const QString m_recording
        = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/two-streams.two-small.sqlite";
};

void tst_FullDisk::output_data()
{
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* name, const QStringList& words) { QTest::newRow(name) << words; };
    row("help", {"--help"});
    row("version", {"--version"});
    for (const QString command :
        {"calibrate", "compare", "convert", "doctor", "list", "record", "report", "run", "show"}) {
        row(qPrintable(command + " --help"), {command, "--help"});
    }
    for (const QString form : {"", "--json"}) {
        const auto both = [&](QStringList words) {
            words += form.isEmpty() ? QStringList() : QStringList {form};
            row(qPrintable(words.first() + form), words);
        };
        both({"list"});
        both({"show", "copy-results-back"});
        both({"report", m_recording});
        both({"why", m_recording});
        both({"compare", m_recording, m_recording});
        both({"doctor"});
        both({"run", "item-every-batch", "--device", "model", "--variant", "never", "-o", path("out")});
    }
    row("run --progress json",
        {"run", "item-every-batch", "--device", "model", "--variant", "never", "--progress", "json", "-o",
            path("out")});
}

void tst_FullDisk::output()
{
    QFETCH(QStringList, words);
    // A device that is always full, and a file that may not grow, which also sends a signal.
    for (const QString& to : {QString("/dev/full"), path("cut.txt")}) {
        QProcess process;
        auto variables = QProcessEnvironment::systemEnvironment();
        variables.insert("LANES_RESOURCES", qEnvironmentVariable("LANES_SOURCE") + "/resources");
        process.setProcessEnvironment(variables);
        process.setStandardOutputFile(to);
        if (to != "/dev/full") {
            QFile full(to);
            QVERIFY(full.open(QIODevice::WriteOnly));
            full.write(QByteArray(1 << 20, 'x'));
            process.setStandardOutputFile(to, QIODevice::Append);
            process.setChildProcessModifier([] {
                const rlimit limit {1 << 20, 1 << 20};
                setrlimit(RLIMIT_FSIZE, &limit);
            });
        }
        process.start(qEnvironmentVariable("LANES_BUILD") + "/bin/lanes", words);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        const auto errors = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 1, errors.constData());
        QVERIFY2(errors.count('\n') == 1 && errors.contains("cannot write to standard output"), errors.constData());
    }
}

QTEST_GUILESS_MAIN(tst_FullDisk)
#include "tst_full_disk.moc"
