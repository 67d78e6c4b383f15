// SPDX-License-Identifier: MIT
// Counters of Chrome traces and the memory of PyTorch's allocator.
#include "engine/store/recording_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

class tst_ChromeCounters : public QObject {
    Q_OBJECT

private slots:
    void counters_data();
    void counters();
};

void tst_ChromeCounters::counters_data()
{
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QString>("expected");  // "process/device name unit: time=value, …"
    QTest::newRow("one") << QByteArray(R"({"ph":"C","name":"queue","pid":7,"ts":2,"args":{"value":3}},
        {"ph":"C","name":"queue","pid":7,"ts":1,"args":{"value":2.5}})")
                         << "7 queue 0: 0=2.5, 1000=3";
    QTest::newRow("args before the phase, as text")
        << QByteArray(R"({"args":{"value":"-5e-1"},"name":"queue","pid":7,"ts":2,"ph":"C"})") << "7 queue 0: 0=-0.5";
    QTest::newRow("several values, an id, bytes")
        << QByteArray(R"({"ph":"C","name":"pool","id":"0x1","pid":7,"ts":5,"args":{"used bytes":8,"\u0061":1}})")
        << R"(7 pool[0x1]: \u0061 0: 0=1; 7 pool[0x1]: used bytes 1: 0=8)";
    QTest::newRow("PyTorch's memory") << QByteArray(R"({"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]",
        "pid":7,"tid":8,"ts":1.5,"args":{"Total Reserved":2097152,"Total Allocated":512,"Bytes":512,"Addr":9,"Device Id":1,"Device Type":1}},
        {"ph":"i","s":"t","name":"[memory]","pid":7,"tid":8,"ts":2.5,"args":{"Device Type":0,"Device Id":-1,"Bytes":-4,"Total Allocated":64,"Total Reserved":0}})")
                                      << "7 torch allocated 1: 1000=64; 7/1 torch allocated 1: 0=512; "
                                         "7/1 torch reserved 1: 0=2097152";
    QTest::newRow("other events between, with and without args") << QByteArray(
        R"({"ph":"C","name":"q","pid":7,"ts":1,"args":{"value":3}},{"ph":"M","name":"process_name","pid":7},
        {"ph":"C","name":"q","pid":7,"ts":2},{"args":{"a":8},"ph":"M","name":"process_labels","pid":7},
        {"ph":"C","name":"q","pid":7,"ts":3,"args":{"value":5}})")
                                                                 << "7 q 0: 0=3, 2000=5";
    QTest::newRow("no numbers, nothing finite")
        << QByteArray(R"({"ph":"C","name":"x","pid":7,"ts":1,"args":{"a":"inf","b":1e999,"c":[1]}})") << "";
}

void tst_ChromeCounters::counters()
{
    QFETCH(QByteArray, events);
    QFETCH(QString, expected);
    QTemporaryDir folder;
    QFile file(folder.filePath("trace.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[" + events + "]");
    file.close();
    const auto trace = open_recording(file.fileName().toStdString());
    QStringList found;
    for (const auto& counter : trace.counters) {
        auto line = QString::number(counter.process);
        line += counter.device == no_id ? QString() : QString("/%1").arg(counter.device);
        line += ' ' + QString::fromStdString(std::string(trace.text(counter.name))) + ' '
            + QString::number(counter.unit);
        QStringList samples;
        for (auto row = counter.samples.begin; row < counter.samples.end; ++row) {
            samples << QString("%1=%2").arg(trace.samples.time[row]).arg(trace.samples.value[row], 0, 'g', 17);
        }
        found << line + ": " + samples.join(", ");
    }
    QCOMPARE(found.join("; "), expected);
    QCOMPARE(trace.ranges.size(), std::size_t {0});
}

QTEST_GUILESS_MAIN(tst_ChromeCounters)
#include "tst_chrome_counters.moc"
