// SPDX-License-Identifier: MIT
#include "engine/run/find_nccl.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

void make_file(const QString& path)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

QStringList places()
{
    QStringList found;
    for (const auto& candidate : nccl_candidates()) {
        found << QString::fromStdString(candidate.place + ": " + candidate.file);
    }
    return found;
}

}  // namespace

class tst_FindNccl : public QObject {
    Q_OBJECT

private slots:
    void init() { qunsetenv("LANES_NCCL"); }
    void whatIsNamedIsTheOnlyPlace();
    void packagesOfPythonComeBehindTheLoadersPath_data();
    void packagesOfPythonComeBehindTheLoadersPath();
    void whatIsNoNcclIsRefused();
};

void tst_FindNccl::whatIsNamedIsTheOnlyPlace()
{
    qputenv("LANES_NCCL", "/somewhere/libnccl.so.2");
    QCOMPARE(places(), QStringList {"$LANES_NCCL: /somewhere/libnccl.so.2"});
    const auto found = find_nccl();
    QVERIFY(found.handle == nullptr);
    QVERIFY2(found.note.find("/somewhere/libnccl.so.2") != std::string::npos, found.note.c_str());
}

void tst_FindNccl::packagesOfPythonComeBehindTheLoadersPath_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("packages");
    QTest::newRow("an installation") << "bin/python3"
                                     << "lib/python3.12/site-packages";
    QTest::newRow("64 bits apart") << "bin/python3"
                                   << "lib64/python3.9/site-packages";
    QTest::newRow("Debian") << "bin/python3"
                            << "lib/python3.11/dist-packages";
    QTest::newRow("pyenv") << "shims/python3"
                           << "versions/3.11.7/lib/python3.11/site-packages";
}

void tst_FindNccl::packagesOfPythonComeBehindTheLoadersPath()
{
    QFETCH(QString, program);
    QFETCH(QString, packages);
    const QTemporaryDir folder;
    const auto library = folder.filePath(packages + "/nvidia/nccl/lib/libnccl.so.2");
    make_file(folder.filePath(program));
    make_file(library);
    const auto path = qgetenv("PATH");
    qputenv("PATH", "/nowhere:" + QFileInfo(folder.filePath(program)).path().toUtf8() + ":" + path);
    const auto found = places();
    qputenv("PATH", path);
    QVERIFY(found.size() >= 2);
    QCOMPARE(found[0], QString("the library search path: libnccl.so.2"));
    QCOMPARE(found[1], "Python's packages: " + library);
}

void tst_FindNccl::whatIsNoNcclIsRefused()
{
    const QTemporaryDir folder;
    const auto file = folder.filePath("libnccl.so.2");
    make_file(file);
    qputenv("LANES_NCCL", file.toUtf8());
    QVERIFY(find_nccl().handle == nullptr);
    qputenv("LANES_NCCL", "libm.so.6");
    const auto other = find_nccl();
    QVERIFY(other.handle == nullptr);
    QCOMPARE(other.note, std::string("libm.so.6 does not report a version: not NCCL"));
}

QTEST_GUILESS_MAIN(tst_FindNccl)
#include "tst_find_nccl.moc"
