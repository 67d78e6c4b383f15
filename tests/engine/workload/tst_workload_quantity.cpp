// SPDX-License-Identifier: MIT
#include "engine/workload/expression.h"
#include "engine/workload/quantity.h"

#include <QTest>
#include <random>

using namespace lanes;

class tst_WorkloadQuantity : public QObject {
    Q_OBJECT

private slots:
    void reads_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("dimension");
        QTest::addColumn<double>("number");
        const auto row = [](const char* text, Dimension dimension, double number) {
            QTest::newRow(text) << text << static_cast<int>(dimension) << number;
        };
        row("8", Dimension::number, 8);
        row("-1.5", Dimension::number, -1.5);
        row("1e6", Dimension::number, 1e6);
        row("3 B", Dimension::bytes, 3);
        row("4 KiB", Dimension::bytes, 4096);
        row("64 MiB", Dimension::bytes, 67108864);
        row("64MiB", Dimension::bytes, 67108864);
        row("1.5 GiB", Dimension::bytes, 1610612736);
        row("2 kB", Dimension::bytes, 2000);
        row("2 MB", Dimension::bytes, 2e6);
        row("2 GB", Dimension::bytes, 2e9);
        row("7 ns", Dimension::time, 7);
        row("7 us", Dimension::time, 7000);
        row("7 \u00B5s", Dimension::time, 7000);
        row("7 \u03BCs", Dimension::time, 7000);
        row("2 ms", Dimension::time, 2e6);
        row("0.5 s", Dimension::time, 5e8);
        row("true", Dimension::boolean, 1);
        row("false", Dimension::boolean, 0);
        row("pinned", Dimension::text, 0);
    }
    void reads()
    {
        QFETCH(QString, text);
        QFETCH(int, dimension);
        QFETCH(double, number);
        const Value value = parse_literal(text.toStdString());
        QCOMPARE(static_cast<int>(value.dimension), dimension);
        QCOMPARE(value.number, number);
    }
    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("offset");
        QTest::addColumn<QString>("message");
        QTest::newRow("wrong case") << "64 mib" << 3 << "unknown unit 'mib'; did you mean 'MiB'?";
        QTest::newRow("no unit") << "2 minutes" << 2 << "unknown unit 'minutes'";
        QTest::newRow("two units") << "2 ms ns" << 5 << "found 'ns' behind 2 ms";
        QTest::newRow("two numbers") << "1 2" << 2 << "found '2' behind 1";
        QTest::newRow("too large") << "1e999" << 0 << "this number is out of range";
    }
    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(int, offset);
        QFETCH(QString, message);
        try {
            parse_literal(text.toStdString());
            QFAIL("it was taken");
        } catch (const ExpressionError& error) {
            QCOMPARE(QString(error.what()), message);
            QCOMPARE(static_cast<int>(error.offset()), offset);
        }
    }
    void writes_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"3", "-2.5", "0", "1 B", "1023 B", "64 MiB", "1.5 GiB", "2 ms", "1.5 us", "17 s",
                 "999 ns", "true", "word"}) {
            QTest::newRow(text) << text;
        }
    }
    void writes()
    {
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(to_text(parse_literal(text.toStdString()))), text);
    }
    void whatIsWrittenReadsTheSame()
    {
        std::mt19937_64 random(2);
        for (int round = 0; round < 2000; ++round) {
            const bool time = random() % 2 == 0;
            const Value value {
                time ? Dimension::time : Dimension::bytes, static_cast<double>(random() >> (random() % 40 + 24)), {}};
            const Value again = parse_literal(to_text(value));
            QCOMPARE(again.dimension, value.dimension);
            QVERIFY2(std::abs(again.number - value.number) <= value.number * 1e-5, to_text(value).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadQuantity)
#include "tst_workload_quantity.moc"
