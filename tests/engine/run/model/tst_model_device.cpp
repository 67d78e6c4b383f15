// SPDX-License-Identifier: MIT
// The device file: its contents, and one line for each possible error in it.
#include "engine/run/model/model_constants.h"
#include "engine/run/model/model_device_file.h"
#include "records.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <system_error>

using namespace lanes;
using namespace lanes::tests;

class tst_ModelDevice : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyDeviceLoads();
    void readsUnits();
    void refuses_data();
    void refuses();
    void refusesWhatIsNoUtf8();
    void missingFile();
    void textReadsBack();

private:
    QString m_text;
};

void tst_ModelDevice::initTestCase()
{
    ModelDeviceFile file;
    file.device = h100();
    file.device.name = "Model of a GPU";
    file.device.multiprocessors = 132;
    file.device.launch_queue = 1021;
    file.device.staged_at_once = 128.0 * 1024;
    file.device.read_bandwidth = 9e9;
    for (const auto& constant : model_constants()) {
        file.sources[std::string(constant.name)] = "data sheet";
    }
    m_text = QString::fromStdString(to_text(file));
}

void tst_ModelDevice::everyDeviceLoads()
{
    const QDir folder(qEnvironmentVariable("LANES_SOURCE") + "/resources/devices");
    const auto files = folder.entryInfoList({"*.yaml"}, QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const auto& file : files) {
        const auto device = load_model_device(file.filePath().toStdString());
        QVERIFY(device.name.find("Model") != std::string::npos);
    }
}

void tst_ModelDevice::readsUnits()
{
    auto text = m_text;
    text.replace("launch_queue: {value: 1021", "launch_queue: {value: 17");
    text.replace("staged_at_once: {value: 128 KiB", "staged_at_once: {value: 2 MiB");
    QVERIFY(text != m_text);
    const auto device = parse_model_device_file(text.toStdString(), "x.yaml").device;
    QCOMPARE(device.launch_queue, 17U);
    QCOMPARE(device.staged_at_once, 2097152.0);
    QCOMPARE(device.multiprocessors, 132U);
    QVERIFY(device.h2d_bandwidth > 50e9 && device.h2d_bandwidth < 60e9);
    QVERIFY(device.wake_up > 1000 && device.wake_up < 10000);
}

void tst_ModelDevice::refusesWhatIsNoUtf8()
{
    auto text = m_text.toStdString();
    const auto name = text.find("name: \"") + 7;
    text[name] = '\xFF';
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(name), '\n') + 1;
    try {
        parse_model_device_file(text, "x.yaml");
        QFAIL("it was taken");
    } catch (const ModelDeviceError& error) {
        QCOMPARE(QString(error.what()), QString("x.yaml:%1:8: found the byte 0xff, expected text in UTF-8").arg(line));
    }
}

void tst_ModelDevice::refuses_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("message");
    QTest::newRow("no constant") << "  multiprocessors:"
                                 << "  multi:"
                                 << "unknown key \"multi\"";
    QTest::newRow("wrong unit") << "{value: 128 KiB"
                                << "{value: 128 us"
                                << "\"128 us\": expected a size";
    QTest::newRow("no unit") << "{value: 128 KiB"
                             << "{value: 128"
                             << "\"128\": expected a size";
    QTest::newRow("no number") << "{value: 128 KiB"
                               << "{value: many KiB"
                               << "expected a size";
    QTest::newRow("negative") << "{value: 128 KiB"
                              << "{value: -1 KiB"
                              << "expected a size";
    QTest::newRow("infinite") << "{value: 128 KiB"
                              << "{value: inf KiB"
                              << "expected a size";
    QTest::newRow("fraction") << "{value: 132,"
                              << "{value: 1.5,"
                              << "whole number";
    QTest::newRow("zero") << "{value: 132,"
                          << "{value: 0,"
                          << "whole number";
    QTest::newRow("zero rate") << "{value: 9 GB/s"
                               << "{value: 0 GB/s"
                               << "above 0";
    QTest::newRow("no source") << "{value: 132, source: \"data sheet\"}"
                               << "{value: 132}"
                               << "\"source\" is missing";
    QTest::newRow("no map") << "{value: 132, source: \"data sheet\"}"
                            << "132"
                            << "to be a map";
    QTest::newRow("twice") << "  copy_engines:"
                           << "  multiprocessors: {value: 1, source: a}\n  copy_engines:"
                           << "twice";
    QTest::newRow("no name") << "name: "
                             << "# Model"
                             << "\"name\" is missing";
    QTest::newRow("no YAML") << "constants:"
                             << "constants: ["
                             << "";
}

void tst_ModelDevice::refuses()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, message);
    auto text = m_text;
    QVERIFY(text.contains(from));
    text.replace(text.indexOf(from), from.size(), to);
    try {
        parse_model_device_file(text.toStdString(), "x.yaml");
        QFAIL("it was taken");
    } catch (const ModelDeviceError& error) {
        const QString what = error.what();
        QVERIFY2(what.contains(message), qPrintable(what));
        QVERIFY2(QRegularExpression("^x\\.yaml:[1-9][0-9]*:[1-9][0-9]*: .").match(what).hasMatch(), qPrintable(what));
        QVERIFY(!what.contains('\n'));
    }
}

void tst_ModelDevice::missingFile()
{
    QVERIFY_THROWS_EXCEPTION(std::system_error, load_model_device("/there/is/no/such.yaml"));
}

void tst_ModelDevice::textReadsBack()
{
    auto file = parse_model_device_file(m_text.toStdString(), "x.yaml");
    file.measured = {{"gpu", "NVIDIA \"X\""}, {"cuda", "13.0"}};
    file.comment = {"one line", "another"};
    file.sources["step"] = "fitted: a \"quoted\" word; and a colon: here";
    const auto again = parse_model_device_file(to_text(file), "x.yaml");
    QCOMPARE(again.measured, file.measured);
    QCOMPARE(again.sources, file.sources);
    for (const auto& constant : model_constants()) {
        const double wanted = value_of(file.device, constant);
        QVERIFY(std::abs(value_of(again.device, constant) - wanted) <= wanted * 5e-4);
    }
}

QTEST_GUILESS_MAIN(tst_ModelDevice)
#include "tst_model_device.moc"
