// SPDX-License-Identifier: MIT
#include "probes/inject/environment.h"

#include <algorithm>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

std::string value_of(const std::vector<EnvironmentVariable>& variables, const std::string& name)
{
    for (const auto& variable : variables) {
        if (variable.name == name) {
            return variable.value;
        }
    }
    return "(not set)";
}

void touch(const QString& path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
}

}  // namespace

class tst_Environment : public QObject {
    Q_OBJECT

private slots:
    void namesProbeSpoolAndCupti();
    void namesOnlyWhatThereIs();
    void findsTheProbe();
    void findsTheHookOfPython();
    void putsTheHookBeforeThePathOfPython();
    void tellsTheHookWhatToDo();
};

void tst_Environment::namesProbeSpoolAndCupti()
{
    const QTemporaryDir folder;
    const auto probe = folder.filePath("liblanes-probe.so");
    touch(folder.filePath("liblanes-nvtx.so"));
    const auto variables = probe_environment({.spool = "/tmp/x.spool",
        .probe = probe.toStdString(),
        .cupti = "/opt/libcupti.so.13",
        .names_own_threads = true});
    QCOMPARE(value_of(variables, "CUDA_INJECTION64_PATH"), probe.toStdString());
    QCOMPARE(value_of(variables, "LANES_SPOOL"), std::string("/tmp/x.spool"));
    QCOMPARE(value_of(variables, "LANES_CUPTI"), std::string("/opt/libcupti.so.13"));
    QCOMPARE(value_of(variables, "LANES_PROBE_THREADS"), std::string("0"));
    QCOMPARE(value_of(variables, "NVTX_INJECTION64_PATH"), folder.filePath("liblanes-nvtx.so").toStdString());
}

void tst_Environment::namesOnlyWhatThereIs()
{
    const QTemporaryDir folder;
    const auto variables = probe_environment(
        {.spool = "/tmp/x.spool", .probe = folder.filePath("liblanes-probe.so").toStdString(), .cupti = ""});
    QCOMPARE(variables.size(), 2U);
    QCOMPARE(value_of(variables, "LD_LIBRARY_PATH"), std::string("(not set)"));
}

void tst_Environment::findsTheProbe()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("bin") && QDir(folder.path()).mkpath("lib/lanescope"));
    const auto bin = folder.filePath("bin");
    QCOMPARE(find_probe(bin.toStdString()), std::string());
    touch(folder.filePath("lib/lanescope/liblanes-probe.so"));
    QCOMPARE(find_probe(bin.toStdString()), bin.toStdString() + "/../lib/lanescope/liblanes-probe.so");
    touch(folder.filePath("lib/liblanes-probe.so"));
    QCOMPARE(find_probe(bin.toStdString()), bin.toStdString() + "/../lib/liblanes-probe.so");
    touch(folder.filePath("bin/liblanes-probe.so"));
    QCOMPARE(find_probe(bin.toStdString()), bin.toStdString() + "/liblanes-probe.so");
}

void tst_Environment::findsTheHookOfPython()
{
    const QTemporaryDir folder;
    const auto probe = folder.filePath("liblanes-probe.so").toStdString();
    QCOMPARE(find_python_hook(probe), std::string());
    QVERIFY(QDir(folder.path()).mkpath("python/hook"));
    QCOMPARE(find_python_hook(probe), std::string());
    touch(folder.filePath("python/hook/sitecustomize.py"));
    QCOMPARE(find_python_hook(probe), folder.filePath("python/hook").toStdString());
}

void tst_Environment::putsTheHookBeforeThePathOfPython()
{
    const ProbeSettings settings {
        .spool = "/tmp/x.spool", .probe = "/p/liblanes-probe.so", .cupti = "", .python = "/h"};
    qunsetenv("PYTHONPATH");
    QCOMPARE(value_of(probe_environment(settings), "PYTHONPATH"), std::string("/h"));
    qputenv("PYTHONPATH", "/a:/b");
    QCOMPARE(value_of(probe_environment(settings), "PYTHONPATH"), std::string("/h:/a:/b"));
    qunsetenv("PYTHONPATH");
}

void tst_Environment::tellsTheHookWhatToDo()
{
    ProbeSettings settings {.spool = "/tmp/x.spool", .probe = "/p/liblanes-probe.so", .cupti = "", .python = "/h"};
    QCOMPARE(value_of(probe_environment(settings), "LANES_PYTORCH"), std::string("(not set)"));
    QCOMPARE(value_of(probe_environment(settings), "LANES_STACKS"), std::string("(not set)"));
    settings.pytorch = true;
    settings.stacks = 500'000;
    QCOMPARE(value_of(probe_environment(settings), "LANES_PYTORCH"), std::string("1"));
    QCOMPARE(value_of(probe_environment(settings), "LANES_STACKS"), std::string("500000"));
}

QTEST_GUILESS_MAIN(tst_Environment)
#include "tst_environment.moc"
