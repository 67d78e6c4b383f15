// SPDX-License-Identifier: MIT
// Arguments of `lanes run`: --device and -o.
#include "engine/run/device_choice.h"
#include "engine/run/output_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

GpuSurvey survey_of(std::size_t gpus)
{
    GpuSurvey survey;
    survey.problem = gpus == 0 ? "none is plugged in" : "";
    survey.gpus.resize(gpus);
    return survey;
}

}  // namespace

class tst_RunArguments : public QObject {
    Q_OBJECT

private slots:
    void choosesADevice_data();
    void choosesADevice();
    void asksNoDriverForTheModel();
    void takesGpusOnlyWhereThereAreEnough();
    void namesFilesAfterVariants();
    void oneFileTakesOneVariant();
    void noFolderIsMadeForAnotherEnding();
};

void tst_RunArguments::choosesADevice_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QString>("chosen");
    QTest::newRow("auto, none") << "auto" << 0 << "model h100";
    QTest::newRow("auto, one") << "auto" << 1 << "cuda 0";
    QTest::newRow("model") << "model" << 1 << "model h100";
    QTest::newRow("another model") << "model:h200" << 0 << "model h200";
    QTest::newRow("cuda") << "cuda" << 1 << "cuda 0";
    QTest::newRow("second") << "cuda:1" << 2 << "cuda 1";
    QTest::newRow("no second") << "cuda:1" << 1 << "no GPU";
    QTest::newRow("no first") << "cuda" << 0 << "no GPU";
    QTest::newRow("wrong word") << "gpu" << 1 << "wrong device";
    QTest::newRow("no number") << "cuda:x" << 1 << "wrong device";
    QTest::newRow("half a number") << "cuda:1x" << 2 << "wrong device";
    QTest::newRow("negative") << "cuda:-1" << 2 << "wrong device";
    QTest::newRow("no model") << "model:" << 2 << "wrong device";
}

void tst_RunArguments::choosesADevice()
{
    QFETCH(QString, device);
    QFETCH(int, gpus);
    QFETCH(QString, chosen);
    QString got;
    try {
        const auto choice
            = choose_device(device.toStdString(), [&] { return survey_of(static_cast<std::size_t>(gpus)); });
        got = choice.cuda ? QString("cuda %1").arg(choice.gpu) : "model " + QString::fromStdString(choice.model);
    } catch (const DeviceArgumentError&) {
        got = "wrong device";
    } catch (const NoGpuError&) {
        got = "no GPU";
    }
    QCOMPARE(got, chosen);
}

void tst_RunArguments::asksNoDriverForTheModel()
{
    bool asked = false;
    const auto survey = [&] {
        asked = true;
        return survey_of(1);
    };
    choose_device("model", survey);
    QVERIFY(!asked);
    choose_device("auto", survey);
    QVERIFY(asked);
}

void tst_RunArguments::takesGpusOnlyWhereThereAreEnough()
{
    const auto survey = [] { return survey_of(1); };
    const auto automatic = choose_device("auto", survey, 2);
    QVERIFY(!automatic.cuda);
    QCOMPARE(automatic.notice,
        std::string("too few GPUs here (the workload needs 2, this machine has 1): running on the model device h100, "
                    "which is a simulation"));
    QVERIFY(choose_device(
        "auto", [] { return survey_of(2); }, 2)
                .cuda);
    QVERIFY(choose_device("cuda", survey, 2).cuda);  // the run says at which line it needs the other
}

void tst_RunArguments::namesFilesAfterVariants()
{
    const QTemporaryDir folder;
    const auto base = folder.path().toStdString();
    QCOMPARE(output_files("", "w", {"a", "b"}), (std::vector<std::string> {"w.a.sqlite", "w.b.sqlite"}));
    QCOMPARE(output_files(base + "/new/deep", "w", {"a"}), std::vector<std::string> {base + "/new/deep/w.a.sqlite"});
    QCOMPARE(output_files(base, "w", {""}), std::vector<std::string> {base + "/w.sqlite"});
    QCOMPARE(spool_of("x/y.sqlite"), std::string("x/y.spool"));
}

void tst_RunArguments::oneFileTakesOneVariant()
{
    const QTemporaryDir folder;
    const auto file = folder.path().toStdString() + "/one.sqlite";
    QCOMPARE(output_files(file, "w", {"a"}), std::vector<std::string> {file});
    QVERIFY_THROWS_EXCEPTION(OutputArgumentError, output_files(file, "w", {"a", "b"}));
}

void tst_RunArguments::noFolderIsMadeForAnotherEnding()
{
    const QTemporaryDir folder;
    for (const auto* name : {"run.json", "run.json.gz", "run.csv"}) {
        const auto path = folder.path().toStdString() + '/' + name;
        QVERIFY_THROWS_EXCEPTION(OutputArgumentError, output_files(path, "w", {"a"}));
        QVERIFY(!QFile::exists(QString::fromStdString(path)));
        QVERIFY(QDir(folder.path()).mkdir(name));  // a folder that is there is one
        QCOMPARE(output_files(path, "w", {"a"}), std::vector<std::string> {path + "/w.a.sqlite"});
    }
}

QTEST_GUILESS_MAIN(tst_RunArguments)
#include "tst_run_arguments.moc"
