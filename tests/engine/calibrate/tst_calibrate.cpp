// SPDX-License-Identifier: MIT
// `lanes calibrate` as a user meets it, without a GPU: on the model device, and from recordings made before.
#include "engine/run/model/model_constants.h"
#include "engine/run/model/model_device_file.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

struct Ended {
    int status;
    QByteArray out, err;
};

}  // namespace

class tst_Calibrate : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void makesADeviceThatRuns();
    void fitsAgainWithoutADevice();
    void saysItInJson();
    void namesWhatIsDefault();
    void wrongArguments_data();
    void wrongArguments();

private:
    Ended lanes(const QStringList& arguments) const;
    QString at(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

Ended tst_Calibrate::lanes(const QStringList& arguments) const
{
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(qEnvironmentVariable("LANES_BUILD") + "/bin/lanes", arguments);
    if (!process.waitForFinished(120'000)) {
        return {-1, {}, "did not end"};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

void tst_Calibrate::initTestCase()
{
    const auto ended
        = lanes({"calibrate", "--device", "model:h100", "--rounds", "1", "--recordings", "kept", "-o", "own.yaml"});
    QCOMPARE(ended.err, QByteArray());
    QCOMPARE(ended.status, 0);
    QVERIFY(ended.out.contains("own.yaml"));
    QVERIFY(QDir(at("kept")).entryList({"*.sqlite"}, QDir::Files).size() >= 8);
    QCOMPARE(QDir(at("kept")).entryList({"*.spool"}, QDir::Files), QStringList());
}

void tst_Calibrate::makesADeviceThatRuns()
{
    const auto ended
        = lanes({"run", "two-streams", "--variant", "one-small", "--device", "model:./own.yaml", "--json"});
    QCOMPARE(ended.err, QByteArray());
    QCOMPARE(ended.status, 0);
    const auto of_h100 = lanes({"run", "two-streams", "--variant", "one-small", "--device", "model:h100", "--json"});
    const auto wall = [](const QByteArray& out) {
        return QJsonDocument::fromJson(out).object()["wall_ns"].toArray().first().toDouble();
    };
    QVERIFY(std::abs(wall(ended.out) / wall(of_h100.out) - 1) < 0.001);
}

void tst_Calibrate::fitsAgainWithoutADevice()
{
    const auto ended = lanes({"calibrate", "--from", "kept", "-o", "again.yaml"});
    QCOMPARE(ended.status, 0);
    QFile own(at("own.yaml"));
    QFile again(at("again.yaml"));
    QVERIFY(own.open(QIODevice::ReadOnly) && again.open(QIODevice::ReadOnly));
    QCOMPARE(again.readAll(), own.readAll());
    QCOMPARE(QDir(m_folder.path()).entryList({"*.yaml*"}, QDir::Files), QStringList({"again.yaml", "own.yaml"}));
}

void tst_Calibrate::saysItInJson()
{
    const auto ended = lanes({"calibrate", "--from", "kept", "-o", "json.yaml", "--json"});
    QCOMPARE(ended.status, 0);
    const auto constants = QJsonDocument::fromJson(ended.out).object()["constants"].toArray();
    QCOMPARE(std::size_t(constants.size()), model_constants().size());
    for (const auto& constant : constants) {
        if (constant.toObject()["name"].toString() == "launch_queue") {
            const auto h100 = qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/devices/h100.yaml";
            QCOMPARE(constant.toObject()["value"].toInt(), int(load_model_device(h100).launch_queue));
            QCOMPARE(constant.toObject()["fitted"].toBool(), true);
        }
    }
    QFile::remove(at("json.yaml"));

    const auto lines
        = lanes({"calibrate", "--device", "model", "--rounds", "1", "-o", "json.yaml", "--progress", "json"});
    QCOMPARE(lines.status, 0);
    const auto last = QJsonDocument::fromJson(lines.out.trimmed().split('\n').last()).object();
    QCOMPARE(last["event"].toString(), QString("done"));
    QCOMPARE(last["file"].toString(), QString("json.yaml"));
    QFile::remove(at("json.yaml"));
}

// As on a machine with one GPU: the figures for two come from the defaults, and say so.
void tst_Calibrate::namesWhatIsDefault()
{
    QVERIFY(QDir(m_folder.path()).mkdir("one"));
    for (const auto& file : QDir(at("kept")).entryList({"*.sqlite"}, QDir::Files)) {
        if (!file.startsWith("two-gpus") && !file.startsWith("through-host")) {
            QVERIFY(QFile::copy(at("kept/" + file), at("one/" + file)));
        }
    }
    QCOMPARE(lanes({"calibrate", "--from", "one", "-o", "one.yaml"}).status, 0);
    const auto file = load_model_device_file(at("one.yaml").toStdString());
    QVERIFY(file.sources.at("all_reduce_bandwidth").starts_with("default: "));
    QVERIFY(file.sources.at("p2p_bandwidth").starts_with("default: "));
    QVERIFY(file.sources.at("h2d_bandwidth").starts_with("fitted: "));
    QCOMPARE(file.measured.at("gpu"), std::string("model:h100"));
    // Defaults of defaults are not marked twice.
    QCOMPARE(lanes({"calibrate", "--from", "one", "--defaults", "./one.yaml", "-o", "two.yaml"}).status, 0);
    QCOMPARE(load_model_device_file(at("two.yaml").toStdString()).sources.at("p2p_bandwidth"),
        file.sources.at("p2p_bandwidth"));
    QFile::remove(at("one.yaml"));
    QFile::remove(at("two.yaml"));
}

void tst_Calibrate::wrongArguments_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("no output") << QStringList {"--device", "model"} << 2 << QByteArray("-o");
    QTest::newRow("no device file") << QStringList {"--device", "model", "-o", "x.sqlite"} << 2 << QByteArray(".yaml");
    QTest::newRow("unknown model") << QStringList {"--device", "model:h10", "-o", "x.yaml"} << 2
                                   << QByteArray("lanes: --device model:h10: unknown model device 'h10'");
    QTest::newRow("no file of a model") << QStringList {"--device", "model:./h10.yaml", "-o", "x.yaml"} << 2
                                        << QByteArray("lanes: --device model:./h10.yaml: ./h10.yaml: no such file");
    QTest::newRow("unknown defaults")
        << QStringList {"--device", "model", "--defaults", "h10", "-o", "x.yaml"} << 2
        << QByteArray("lanes: --defaults h10: unknown model device 'h10', expected h100 or h200; did you mean 'h100'?");
    QTest::newRow("unknown device") << QStringList {"--device", "gpu", "-o", "x.yaml"} << 2
                                    << QByteArray("--device gpu");
    QTest::newRow("no folder") << QStringList {"--from", "nowhere", "-o", "x.yaml"} << 2 << QByteArray("nowhere");
    QTest::newRow("no recordings") << QStringList {"--from", ".", "-o", "x.yaml"} << 2 << QByteArray("no recording");
    QTest::newRow("no folder to write to")
        << QStringList {"--from", "kept", "-o", "nowhere/x.yaml"} << 1 << QByteArray("nowhere/x.yaml");
}

void tst_Calibrate::wrongArguments()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QByteArray, message);
    const auto ended = lanes(QStringList {"calibrate"} + arguments);
    QCOMPARE(ended.status, status);
    QVERIFY2(ended.err.contains(message), ended.err.constData());
    QCOMPARE(ended.err.trimmed().count('\n'), 0);
    QVERIFY(!QFile::exists(at("x.yaml")));
}

QTEST_GUILESS_MAIN(tst_Calibrate)
#include "tst_calibrate.moc"
