// SPDX-License-Identifier: MIT
#include "gui/paint/words/time_format.h"

#include <QLocale>
#include <QTest>

using namespace lanes::gui;

class tst_TimeFormat : public QObject {
    Q_OBJECT

private slots:
    void ticks_data();
    void ticks();
    void belowZeroThereIsAMinusSign();
    void steps();
    void ratios();
    void percents();
};

void tst_TimeFormat::ticks_data()
{
    QTest::addColumn<qint64>("time");
    QTest::addColumn<qint64>("step");
    QTest::addColumn<qint64>("reference");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << qint64(0) << qint64(5'000'000) << qint64(50'000'000) << "0 ms";
    QTest::newRow("ms") << qint64(15'000'000) << qint64(5'000'000) << qint64(50'000'000) << "15 ms";
    QTest::newRow("parts of a ms") << qint64(15'020'000) << qint64(20'000) << qint64(50'000'000) << "15.02 ms";
    QTest::newRow("half ms") << qint64(500'000) << qint64(500'000) << qint64(2'000'000) << "0.5 ms";
    QTest::newRow("ns in seconds") << qint64(2'000'000'005) << qint64(5) << qint64(2'000'000'100) << "2.000000005 s";
    QTest::newRow("rounded") << qint64(1'076'380'158) << qint64(10) << qint64(1'076'380'158) << "1.07638016 s";
    QTest::newRow("rounded up to a whole")
        << qint64(1'999'999'996) << qint64(10) << qint64(1'999'999'996) << "2.00000000 s";
    QTest::newRow("before the start") << qint64(-200'000) << qint64(100'000) << qint64(2'000'000)
                                      << QStringLiteral("\u22120.2 ms");
}

void tst_TimeFormat::ticks()
{
    QFETCH(qint64, time);
    QFETCH(qint64, step);
    QFETCH(qint64, reference);
    QFETCH(QString, text);
    QCOMPARE(formatTick(time, step, reference), text);
}

void tst_TimeFormat::belowZeroThereIsAMinusSign()
{
    QCOMPARE(formatTime(-3'200'000), QStringLiteral("\u22123.20 ms"));
    QCOMPARE(formatTime(3'200'000), QStringLiteral("3.20 ms"));
    QCOMPARE(formatValue(-5, lanes::CounterRecord::Unit::percent).at(0), minus_sign);
    QCOMPARE(withMinusSign(QStringLiteral("1-2")), QStringLiteral("1-2"));
}

void tst_TimeFormat::steps()
{
    QCOMPARE(niceStep(0.3), 1);
    QCOMPARE(niceStep(3), 5);
    QCOMPARE(niceStep(5), 5);
    QCOMPARE(niceStep(5.1), 10);
    QCOMPARE(niceStep(1.2e6), 2'000'000);
}

/// Near 1 a digit more: 1.0 times as fast would be no news.
void tst_TimeFormat::ratios()
{
    QCOMPARE(ratioText(1.0234), QStringLiteral("1.02"));
    QCOMPARE(ratioText(1.0999), QStringLiteral("1.1"));
    QCOMPARE(ratioText(5.46), QStringLiteral("5.5"));
    QCOMPARE(ratioText(12.3), QStringLiteral("12"));
}

void tst_TimeFormat::percents()
{
    const QLocale before;
    QLocale::setDefault(QLocale(QStringLiteral("en")));
    QCOMPARE(withPercent(QStringLiteral("0.5")), QStringLiteral("0.5 %"));
    QLocale::setDefault(QLocale(QStringLiteral("zh_CN")));
    QCOMPARE(withPercent(QStringLiteral("0.5")), QStringLiteral("0.5%"));
    QLocale::setDefault(before);
}

QTEST_GUILESS_MAIN(tst_TimeFormat)
#include "tst_time_format.moc"
