// SPDX-License-Identifier: MIT
#include "engine/trace/trace_builder.h"
#include "tests/engine/trace/trace_soundness.h"

#include <algorithm>
#include <QTest>
#include <set>

using namespace lanes;

class tst_TraceDevices : public QObject {
    Q_OBJECT
private slots:
    void tellsDevicesApart_data();
    void tellsDevicesApart();
    void contextOfAnotherDevice();
};

void tst_TraceDevices::tellsDevicesApart_data()
{
    using Numbers = std::vector<std::uint32_t>;  // of processes 1 and 2, each of which uses its devices 0 and 1
    QTest::addColumn<QString>("described");  // "process number uuid", one a line
    QTest::addColumn<Numbers>("ids");
    QTest::newRow("not described") << "" << Numbers {0, 1, 2, 3};
    QTest::newRow("as one would think") << "1 0 a\n1 1 b\n2 0 a\n2 1 b" << Numbers {0, 1, 0, 1};
    QTest::newRow("in another order") << "1 0 a\n1 1 b\n2 0 b\n2 1 a" << Numbers {0, 1, 1, 0};
    QTest::newRow("all different") << "1 0 a\n1 1 b\n2 0 c\n2 1 d" << Numbers {0, 1, 2, 3};
    QTest::newRow("one is shared") << "1 0 a\n1 1 b\n2 0 c\n2 1 a" << Numbers {0, 1, 2, 0};
    QTest::newRow("one is not described") << "1 0 a\n1 1 b\n2 0 b" << Numbers {0, 1, 1, 2};
    QTest::newRow("described for all") << "0 0 a\n0 1 b" << Numbers {0, 1, 2, 3};
    QTest::newRow("an empty UUID") << "1 0 0000\n1 1 0000\n2 0 0000\n2 1 0000" << Numbers {0, 1, 2, 3};
    QTest::newRow("another that is idle") << "1 0 a\n1 1 b\n1 2 c\n2 0 a\n2 1 c" << Numbers {0, 1, 0, 2};
}

void tst_TraceDevices::tellsDevicesApart()
{
    QFETCH(QString, described);
    QFETCH(std::vector<std::uint32_t>, ids);
    TraceBuilder b;
    for (std::uint32_t process : {1U, 2U}) {
        for (std::uint32_t device : {0U, 1U}) {
            CopyRecord copy {};
            copy.start = 1000;
            copy.end = 2000;
            copy.process = process;
            copy.device = copy.source_device = device;
            copy.target_device = 1 - device;
            copy.context = device + 1;
            copy.stream = 7;
            b.write(copy);
            b.write(ContextRecord {process, device, device + 1, 7});
            b.write(EventRecord {1500, process, device, device + 1, 7, 0, 1, 1});
            b.write(MemoryRecord {
                1500, 16, 8, process, device, device + 1, 7, 0, MemoryRecord::allocate, MemoryKind::device, 0});
        }
    }
    for (const auto& line : described.split('\n', Qt::SkipEmptyParts)) {
        DeviceRecord record {};
        record.process = line.section(' ', 0, 0).toUInt();
        record.device = line.section(' ', 1, 1).toUInt();
        record.uuid = b.intern(line.section(' ', 2).toStdString());
        record.name = b.intern("GPU " + line.section(' ', 2).toStdString());
        b.write(record);
    }
    const auto trace = b.finish(Source::cupti);
    QCOMPARE(QString::fromStdString(unsoundness(trace)), QString());
    QCOMPARE(trace.streams.size(), std::size_t {4});
    const auto id_of = [&](std::uint32_t process, std::uint32_t number) { return ids[(process - 1) * 2 + number]; };
    for (const auto& stream : trace.streams) {
        QCOMPARE(stream.device, id_of(stream.process, stream.context - 1));
    }
    for (const auto& context : trace.contexts) {
        QCOMPARE(context.device, id_of(context.process, context.id - 1));
    }
    for (const auto& memory : trace.memory) {
        QCOMPARE(memory.device, trace.streams[memory.stream].device);
    }
    for (const auto& event : trace.events) {
        QVERIFY(event.stream != no_row);
    }
    for (Row row = 0; row < 4; ++row) {
        const auto& stream = trace.streams[trace.operations.stream[row]];
        const auto& copy = trace.copies[trace.operations.detail[row]];
        QCOMPARE(copy.source_device, stream.device);
        QCOMPARE(copy.target_device, id_of(stream.process, 2 - stream.context));
    }
    const std::set<std::uint32_t> used(ids.begin(), ids.end());
    QCOMPARE(trace.devices.size(), std::max<std::size_t>(used.size(), described.contains(" 2 ") ? 3 : 0));
    for (const auto& line : described.split('\n', Qt::SkipEmptyParts)) {
        const auto process = line.section(' ', 0, 0).toUInt();
        const auto number = line.section(' ', 1, 1).toUInt();
        const auto id = number > 1 ? number : process == 0 ? number : id_of(process, number);
        const auto device
            = std::find_if(trace.devices.begin(), trace.devices.end(), [id](const Device& d) { return d.id == id; });
        QVERIFY(device != trace.devices.end());
        QCOMPARE(QString::fromStdString(std::string(trace.text(device->name))), "GPU " + line.section(' ', 2));
    }
}

/// A context's row may name another device than its operations do: its stream is still one stream.
void tst_TraceDevices::contextOfAnotherDevice()
{
    TraceBuilder b;
    b.write(ContextRecord {1, 1, 3, 7});
    b.write(StreamRecord {1, 3, 13, 0, StreamRecord::non_blocking, 0});
    b.write(SyncRecord {500, 900, 1, 3, 13, 0, no_id, 0, SyncRecord::stream_sync, 0});
    CopyRecord copy {};
    copy.start = 1000;
    copy.end = 2000;
    copy.process = 1;
    copy.device = copy.source_device = copy.target_device = 0;
    copy.context = 3;
    copy.stream = 13;
    b.write(copy);
    const auto trace = b.finish(Source::nsys);
    QCOMPARE(trace.streams.size(), std::size_t {1});
    QCOMPARE(trace.streams[0].device, 0U);
    QCOMPARE(trace.streams[0].flag, StreamRecord::non_blocking);
    QCOMPARE(trace.syncs.at(0).stream, Row {0});
}

QTEST_GUILESS_MAIN(tst_TraceDevices)
#include "tst_trace_devices.moc"
