// SPDX-License-Identifier: MIT
#include "probes/cupti/other_profiler.h"

#include <QTest>

using namespace lanes;

class tst_OtherProfiler : public QObject {
    Q_OBJECT

private slots:
    void knowsItByItsLibrary_data();
    void knowsItByItsLibrary();
    void knowsItByItsCommand_data();
    void knowsItByItsCommand();
    void thisProcessHasNone() { QCOMPARE(profiler_in_this_process(), std::string()); }
};

void tst_OtherProfiler::knowsItByItsLibrary_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("tool");
    QTest::newRow("nsys") << "/opt/nvidia/nsight-systems/2025.3/target-linux-x64/libToolsInjection64.so"
                          << "Nsight Systems";
    QTest::newRow("ncu")
        << "/opt/nvidia/nsight-compute/2025.3/target/linux-desktop-glibc_2_11_3-x64/libcuda-injection.so"
        << "Nsight Compute";
    QTest::newRow("sanitizer") << "/usr/local/cuda/compute-sanitizer/libsanitizer-collection.so"
                               << "Compute Sanitizer";
    QTest::newRow("cupti alone") << "/usr/local/cuda/lib64/libcupti.so.13"
                                 << "";
}

void tst_OtherProfiler::knowsItByItsLibrary()
{
    QFETCH(QString, file);
    QFETCH(QString, tool);
    const auto maps = "55d0c0a00000-55d0c0a21000 r--p 00000000 08:01 131 /usr/bin/python3.11\n"
                      "7f1f30000000-7f1f30021000 r-xp 00000000 08:01 132 "
        + file.toStdString() + "\n7ffd0000-7ffe0000 rw-p 00000000 00:00 0 [stack]\n";
    QCOMPARE(QString::fromStdString(profiler_in(maps)), tool);
}

void tst_OtherProfiler::knowsItByItsCommand_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("tool");
    QTest::newRow("nsys") << "nsys"
                          << "Nsight Systems";
    QTest::newRow("with its folder") << "/opt/nvidia/nsight-compute/ncu"
                                     << "Nsight Compute";
    QTest::newRow("a program") << "nsys_like"
                               << "";
    QTest::newRow("python") << "/usr/bin/python3"
                            << "";
    QTest::newRow("nothing") << ""
                             << "";
}

void tst_OtherProfiler::knowsItByItsCommand()
{
    QFETCH(QString, command);
    QFETCH(QString, tool);
    QCOMPARE(QString::fromStdString(profiler_of(command.toStdString())), tool);
}

QTEST_GUILESS_MAIN(tst_OtherProfiler)
#include "tst_other_profiler.moc"
