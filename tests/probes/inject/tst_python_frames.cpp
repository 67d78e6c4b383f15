// SPDX-License-Identifier: MIT
// The line of an instruction, by tables that CPython 3.9 to 3.13 made of one function, and what the reader makes of
// memory that is no interpreter's.
#include "probes/inject/python_frames.h"

#include <array>
#include <QTest>

using namespace lanes;

class tst_PythonFrames : public QObject {
    Q_OBJECT

private slots:
    void lines_data();
    void lines();
    void cutTables();
    void knowsFiveVersions();
    void noInterpreter();
};

// def f(a,        # line 2
//       b):
//     x = (a +    # 4
//          b)
//     for i in range(3):
//         x += i
//     return x
void tst_PythonFrames::lines_data()
{
    QTest::addColumn<int>("minor");
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QString>("lines");  // what co_lines() or dis says, an instruction each
    QTest::newRow("3.9") << 9 << QByteArray("0002020102ff04020c010a01") << "4,5,4,4,6,6,6,6,6,6,7,7,7,7,7,8,8,";
    QTest::newRow("3.10") << 10 << QByteArray("0202020104ff0c020a010401") << "4,5,4,4,6,6,6,6,6,6,7,7,7,7,7,8,8,";
    QTest::newRow("3.11") << 11
                          << QByteArray("8000e0090ad8090af103010a0b8041e50d12903189588c58f00001050ff00001050f8801d8"
                                        "08098851890688018801d80b0c8048")
                          << "2,4,5,4,4,4,6,6,6,6,6,6,6,6,6,6,6,6,6,6,6,6,6,7,7,7,7,7,7,8,8,";
    QTest::newRow("3.12") << 12
                          << QByteArray("8000e0090ad8090af103010a0b8041e40d1290318b58f20001050f8801d808098851890689"
                                        "01f00301050fe00b0c8048")
                          << "2,4,5,4,4,4,6,6,6,6,6,6,6,6,6,6,6,6,6,6,7,7,7,7,7,7,6,8,8,";
    QTest::newRow("3.13") << 13
                          << QByteArray("8000e0090ad8090af103010a0b8041e40d1290318e588801d8080989068a01f103000e16e0"
                                        "0b0c8048")
                          << "2,4,5,4,4,4,6,6,6,6,6,6,6,6,6,6,6,6,6,6,7,7,7,7,7,7,6,6,8,8,";
}

void tst_PythonFrames::lines()
{
    QFETCH(const int, minor);
    QFETCH(const QByteArray, table);
    const auto bytes = QByteArray::fromHex(table).toStdString();
    QString found;
    QFETCH(const QString, lines);
    for (int offset = 0; found.count(u',') < lines.count(u','); offset += 2) {
        found += QString::number(python_line(minor, bytes, 2, offset)) + ",";
    }
    QCOMPARE(found, lines);
}

void tst_PythonFrames::cutTables()
{
    const auto whole = QByteArray::fromHex("8000e0090ad8090af103010a0b8041e50d1290").toStdString();
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        for (const int minor : {9, 10, 11, 13}) {
            for (int offset = 0; offset < 80; offset += 2) {
                QVERIFY(std::abs(python_line(minor, std::string_view(whole).substr(0, size), 2, offset)) < 2000);
            }
        }
    }
}

void tst_PythonFrames::knowsFiveVersions()
{
    for (const std::uint32_t version : {0x030912F0U, 0x030A0DF0U, 0x030B07F0U, 0x030C01F0U, 0x030D00F0U}) {
        QVERIFY(python_layout(version) != nullptr);
    }
    for (const std::uint32_t version : {0U, 0x020712F0U, 0x030812F0U, 0x030E00F0U, 0x04000000U}) {
        QCOMPARE(python_layout(version), nullptr);
    }
}

/// Addresses that are gone and memory that holds no frames are errors, never faults.
void tst_PythonFrames::noInterpreter()
{
    for (const std::uint32_t version : {0x030912F0U, 0x030A0DF0U, 0x030B07F0U, 0x030C01F0U, 0x030D00F0U}) {
        PythonFrames frames(*python_layout(version), 1, "");
        QVERIFY(!frames.place(8));
        QVERIFY(frames.error() != 0);
        QCOMPARE(frames.all(8), std::string());
        std::array<std::uintptr_t, 64> memory {};
        memory.fill(reinterpret_cast<std::uintptr_t>(memory.data()));  // every pointer leads to it
        QVERIFY(!frames.place(memory[0]));
        QCOMPARE(frames.all(memory[0]), std::string());
    }
}

QTEST_GUILESS_MAIN(tst_PythonFrames)
#include "tst_python_frames.moc"
