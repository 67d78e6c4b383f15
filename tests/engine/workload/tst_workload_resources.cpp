// SPDX-License-Identifier: MIT
#include "engine/workload/resources.h"

#include <QTemporaryDir>
#include <QTest>
#include <stdexcept>

using namespace lanes;
namespace fs = std::filesystem;

class tst_WorkloadResources : public QObject {
    Q_OBJECT

private slots:
    void besideAndAboveTheProgram()
    {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        fs::create_directories(root / "repo/build/bin");
        fs::create_directories(root / "repo/resources/workloads");
        fs::create_directories(root / "usr/bin");
        fs::create_directories(root / "usr/share/lanescope/workloads");
        fs::create_directories(root / "other/resources");  // another program's: it has no workloads
        QCOMPARE(find_resources(root / "repo/build/bin"), root / "repo/resources");
        QCOMPARE(find_resources(root / "repo"), root / "repo/resources");
        QCOMPARE(find_resources(root / "usr/bin"), root / "usr/share/lanescope");
        QVERIFY(find_resources(root / "other").empty());
    }
    void theEnvironmentComesFirst()
    {
        QTemporaryDir folder;
        qputenv("LANES_RESOURCES", folder.path().toUtf8());
        QCOMPARE(resources(), fs::path(folder.path().toStdString()));
        QCOMPARE(resource("a/b.yaml"), fs::path(folder.path().toStdString()) / "a/b.yaml");
        qputenv("LANES_RESOURCES", (folder.path() + "/not").toUtf8());
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, resources());
        qunsetenv("LANES_RESOURCES");
        // The build folder links to the source's.
        QVERIFY(fs::exists(resource("workloads/order.txt")));
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadResources)
#include "tst_workload_resources.moc"
