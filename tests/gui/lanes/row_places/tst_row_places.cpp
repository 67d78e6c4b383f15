// SPDX-License-Identifier: MIT
#include "gui/lanes/row_items.h"

#include <algorithm>
#include <QTest>
#include <random>

using namespace lanes;
using namespace lanes::gui;

class tst_RowPlaces : public QObject {
    Q_OBJECT

private slots:
    void areThoseOfTheList_data();
    void areThoseOfTheList();
    void walkingFindsTheSame();
};

void tst_RowPlaces::areThoseOfTheList_data()
{
    QTest::addColumn<int>("oneIn");
    QTest::addColumn<double>("most");  // bytes an item
    QTest::newRow("all") << 1 << 0.0;
    QTest::newRow("most of them") << 0 << 0.26;  // three of four
    QTest::newRow("every second") << 2 << 0.36;
    QTest::newRow("some") << 9 << 1.3;
    QTest::newRow("few") << 200 << 4.1;
    QTest::newRow("in any order") << -1 << 4.1;
}

void tst_RowPlaces::areThoseOfTheList()
{
    QFETCH(int, oneIn);
    QFETCH(double, most);
    std::mt19937_64 random(9);
    std::vector<Row> list;
    for (Row row = 1000; row < 61'000; ++row) {
        const std::uint64_t dice = random();
        if (oneIn == 0 ? dice % 4 != 0 : oneIn < 0 || dice % static_cast<std::uint64_t>(oneIn) == 0) {
            list.push_back(row);
        }
    }
    if (oneIn < 0) {
        std::shuffle(list.begin(), list.end(), random);
    }
    const RowPlaces places {std::vector(list)};
    QCOMPARE(places.size(), list.size());
    QCOMPARE(places.isStretch(), oneIn == 1);
    for (std::size_t i = 0; i < list.size(); ++i) {
        QCOMPARE(places[i], list[i]);
        QVERIFY(i + 1 == list.size() || places.next(i, list[i]) == list[i + 1]);
    }
    const double bytes = static_cast<double>(places.bytes()) / static_cast<double>(list.size());
    QVERIFY2(bytes <= most, qPrintable(QString::number(bytes)));
    QCOMPARE(RowPlaces(std::vector<Row> {}).size(), 0);
    QCOMPARE(RowPlaces({5}).operator[](0), 5);
}

void tst_RowPlaces::walkingFindsTheSame()
{
    std::mt19937_64 random(10);
    std::vector<Ns> start, end;
    std::vector<Row> list;
    for (Row row = 0; row < 5000; ++row) {
        start.push_back(10 * row);
        end.push_back(10 * row + 1 + static_cast<Ns>(random() % 9));
        if (random() % 3 != 0) {
            list.push_back(row);
        }
    }
    const RowItems items(TimeColumn(start), TimeColumn(end), ItemRole::kernel, std::vector(list));
    items.visit([&](const auto& walked) {
        QCOMPARE(walked.size(), list.size());
        std::size_t at = 0;
        for (int i = 0; i < 20'000; ++i) {  // on, over, back
            QVERIFY(walked.start(at) == start[list[at]] && walked.end(at) == end[list[at]]);
            at = random() % 8 == 0 ? random() % list.size() : (at + 1) % list.size();
        }
    });
}

QTEST_GUILESS_MAIN(tst_RowPlaces)
#include "tst_row_places.moc"
