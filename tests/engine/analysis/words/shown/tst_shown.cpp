// SPDX-License-Identifier: MIT
#include "engine/analysis/words/shown.h"

#include <QTest>

#include <clocale>

using namespace lanes;

class tst_Shown : public QObject {
    Q_OBJECT

private slots:
    void figures_data();
    void figures();
    void inAnyLocale();
};

void tst_Shown::figures_data()
{
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* expected, const std::string& shown) {
        QTest::newRow(expected) << QString::fromStdString(shown);
    };
    row("0 ms", shown_time(0));
    row("1 ns", shown_time(1));
    row("999 ns", shown_time(999));
    row("1.00 µs", shown_time(1000));
    row("2.13 µs", shown_time(2126));
    row("12.3 µs", shown_time(12'340));
    row("999 µs", shown_time(999'400));
    row("1.00 ms", shown_time(999'500));
    row("9.99 ms", shown_time(9'994'999));
    row("10.0 ms", shown_time(9'995'001));
    row("48.8 ms", shown_time(48'800'000));
    row("100 ms", shown_time(99'960'000));
    row("1.00 s", shown_time(999'900'000));
    row("1234 s", shown_time(1'234'000'000'000));
    row("9223372037 s", shown_time(INT64_MAX));
    row("-9223372037 s", shown_time(INT64_MIN));
    row("-2.50 ms", shown_time(-2'500'000));
    row("11.20405 s", shown_moment(11'204'051'000, 11'900'000'000, 10'000));
    row("3.12 ms", shown_moment(3'123'456, 3'200'000, 10'000));
    row("0.0 ms", shown_moment(0, 3'200'000, 100'000));
    row("11 s", shown_moment(11'204'051'000, 11'900'000'000, 1'000'000'000));
    row("0.000001 ms", shown_moment(1, 3'200'000, 1));
    const auto ends = [&](const char* expected, Interval span, Ns parts) {
        const auto [start, end] = shown_ends(span, parts);
        row(expected, start + " to " + end);
    };
    ends("8.34134 s to 8.35404 s", {8'341'340'000, 8'354'040'000}, 1000);
    ends("8.3413 s to 8.3540 s", {8'341'340'000, 8'354'040'000}, 100);
    ends("0.93 ms to 1.20 ms", {932'000, 1'204'000}, 10);  // both in the unit of the later one
    ends("7 ns to 7 ns", {7, 7}, 100);
    row("0 ms (exact)", exact_time(0) + " (exact)");
    row("7 ns", exact_time(7));
    row("12.34 µs", exact_time(12'340));
    row("200 µs", exact_time(200'000));
    row("53.307812 ms", exact_time(53'307'812));
    row("0.9995 ms", exact_time(999'500));
    row("40.000001 ms", exact_time(40'000'001));
    row("-2.5 ms", exact_time(-2'500'000));
    row("9223372036.854775807 s", exact_time(INT64_MAX));
    row("-9223372036.854775808 s", exact_time(INT64_MIN));
    row("12 B", shown_bytes(12));
    row("1023 B", shown_bytes(1023));
    row("1 KiB", shown_bytes(1024));
    row("1.3 KiB", shown_bytes(1330));
    row("1.5 KiB", shown_bytes(1536));
    row("100 KiB", shown_bytes(102'359));
    row("64 MiB", shown_bytes(64 << 20));
    row("3 GiB", shown_bytes(std::uint64_t {3} << 30));
    row("16777216 TiB", shown_bytes(UINT64_MAX));
    row("0 %", shown_share(0));
    row("< 1 %", shown_share(0.0004));
    row("1 %", shown_share(0.005));
    row("87 %", shown_share(0.871));
    row("> 99 %", shown_share(0.9999));
    row("100 %", shown_share(1));
    row("250 %", shown_share(2.5));
    row("+1.2 %", shown_change(1.24));
    row("-9.9 %", shown_change(-9.94));
    row("+10 %", shown_change(9.96));
    row("-45 %", shown_change(-45.4));
    row("0.0 %", shown_change(-0.04));
    row("-0.04 %", shown_change(-0.04, 2));
    row("0.00 %", shown_change(0.004, 2));
    row("+4.9 %", shown_change_beside(4.9, 5));
    row("+4.98 %", shown_change_beside(4.98, 5));
    row("+5.0 %", shown_change_beside(5, 5));
    row("+5.04 %", shown_change_beside(5.04, 5));
    row("+5.1 %", shown_change_beside(5.06, 5));
    row("-1.004 %", shown_change_beside(-1.004, -1));
    row("-10.0 %", shown_change_beside(-10.000000000001, -10));
    row("30 %", shown_share_beside(30, 30));
    row("30.4 %", shown_share_beside(30.4, 30));
    row("31 %", shown_share_beside(30.6, 30));
    row("12.5 %", shown_share_beside(12.5, 12.5));
    row("< 1 % (beside)", shown_share_beside(0.3, 1) + " (beside)");
    row("0.7 %", shown_share_beside(0.7, 1));
    row("56.9 GB/s", shown_rate(56.88e9));
    row("0.12 GB/s", shown_rate(123e6));
    row("2.45 MB/s", shown_rate(2.454e6));
    row("2.45 kB/s", shown_rate(2.454e3));
    row("3 B/s", shown_rate(3));
    row("0", shown_ratio(0));
    row("2.56", shown_ratio(2.561));
    row("2", shown_ratio(2));
    row("10", shown_ratio(9.9999));
    row("12.3", shown_ratio(12.34));
    row("340", shown_ratio(339.9));
}

void tst_Shown::figures()
{
    QFETCH(QString, shown);
    QCOMPARE(shown, QString::fromUtf8(QTest::currentDataTag()));
}

/// A window takes the locale of its user; figures do not.
void tst_Shown::inAnyLocale()
{
    const char* locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C"};
    for (const char* locale : locales) {
        if (std::setlocale(LC_ALL, locale) != nullptr) {
            QCOMPARE(shown_time(48'800'000), std::string("48.8 ms"));
            QCOMPARE(shown_ratio(2.5), std::string("2.5"));
            QCOMPARE(shown_change_beside(5.04, 5), std::string("+5.04 %"));
        }
    }
}

QTEST_APPLESS_MAIN(tst_Shown)
#include "tst_shown.moc"
