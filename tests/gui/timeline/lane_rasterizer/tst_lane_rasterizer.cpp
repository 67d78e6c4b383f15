// SPDX-License-Identifier: MIT
// The rasteriser and the pyramid under it, against a brute-force count of every column.
#include "gui/timeline/lane_rasterizer.h"

#include <QTest>
#include <cmath>
#include <random>

using namespace lanes;
using namespace lanes::gui;

namespace {

/// A table of items that do not overlap, and the row made of it.
struct Table {
    std::vector<Ns> start, end;
    std::vector<ItemRole> role;

    LaneRow row() const { return {ItemKind::operation, RowItems(TimeColumn(start), TimeColumn(end), RoleColumn(role), start.size())}; }
    void add(Ns s, Ns e, ItemRole r)
    {
        start.push_back(s);
        end.push_back(e);
        role.push_back(r);
    }
};

enum class Shape { even, bursts, backToBack, skewed, sparse, instants };

Table randomTable(std::mt19937_64& random, Shape shape)
{
    Table table;
    const auto upTo = [&](double most) { return static_cast<Ns>(std::exp2(std::uniform_real_distribution<>(0, std::log2(most))(random))); };
    const auto count = static_cast<int>(upTo(shape == Shape::skewed ? 6000 : 3000));
    Ns t = static_cast<Ns>(random() % 5000);
    for (int i = 0; i < count; ++i) {
        Ns gap = upTo(2000);
        Ns length = upTo(3000);
        switch (shape) {
        case Shape::even: break;
        case Shape::bursts: gap = i % 50 == 0 ? upTo(1e7) : upTo(20); break;
        case Shape::backToBack: gap = random() % 8 == 0 ? upTo(100) : 0; break;
        case Shape::skewed: gap = i == count / 2 ? Ns{1} << 37 : upTo(4); length = upTo(6); break;
        case Shape::sparse: gap = upTo(1e8); length = random() % 4 == 0 ? upTo(1e8) : 1; break;
        case Shape::instants: length = random() % 3 == 0 ? 0 : upTo(300); gap = 1 + upTo(3000); break;
        }
        t += gap;
        table.add(t, t + length, static_cast<ItemRole>(1 + random() % 7));
        t += std::max<Ns>(length, 1);
    }
    return table;
}

TimeScale randomScale(std::mt19937_64& random, const Table& table, int columns)
{
    const auto span = static_cast<double>(table.end.back() + 1);
    const double least = std::log2(0.0625);
    const double most = std::max(least + 1, std::log2(span / columns * 3));
    const TimeScale scale(std::exp2(std::uniform_real_distribution<>(least, most)(random)));
    const std::size_t at = random() % table.start.size();
    return scale.startingAt(scale.columnOf(table.start[at]) - static_cast<std::int64_t>(random() % static_cast<unsigned>(columns)));
}

bool touches(const Table& table, std::size_t i, const TimeScale& scale, std::int64_t column)
{
    const std::int64_t t0 = column * scale.num();
    const std::int64_t t1 = t0 + scale.num();
    const std::int64_t start = scale.ticks(table.start[i]);
    const std::int64_t end = scale.ticks(table.end[i]);
    return start == end ? start >= t0 && start < t1 : start < t1 && end > t0;
}

std::vector<std::int64_t> countedBusy(const Table& table, const TimeScale& scale, int columns)
{
    std::vector<std::int64_t> busy(static_cast<std::size_t>(columns));
    for (std::size_t i = 0; i < table.start.size(); ++i) {
        const std::int64_t start = std::max(scale.ticks(table.start[i]), scale.first() * scale.num());
        const std::int64_t end = std::min(scale.ticks(table.end[i]), (scale.first() + columns) * scale.num());
        for (std::int64_t t = start; t < end;) {
            const std::int64_t column = TimeScale::floorDivide(t, scale.num());
            const std::int64_t until = std::min(end, (column + 1) * scale.num());
            busy[static_cast<std::size_t>(column - scale.first())] += until - t;
            t = until;
        }
    }
    return busy;
}

constexpr QRgb ground = 0xFF11151C;

RolePalette palette()
{
    RolePalette colors{};
    for (std::size_t i = 1; i < colors.size(); ++i) {
        colors[i] = 0xFF8080A0U + static_cast<QRgb>(i) * 0x010203U;
    }
    return colors;
}

}  // namespace

class tst_LaneRasterizer : public QObject {
    Q_OBJECT

private slots:
    void busyFractionIsExact_data() { shapes(); }
    void busyFractionIsExact();
    void nothingIsInvisibleAndNothingIsInvented_data() { shapes(); }
    void nothingIsInvisibleAndNothingIsInvented();
    void columnsKeepTheirColourWhilePanning_data() { shapes(); }
    void columnsKeepTheirColourWhilePanning();
    void aTenthBusyDoesNotLookFull();
    void wideItemsHaveSharpEdgesAndADarkRightOne();
    void wideItemsAreFoundOnceEach_data() { shapes(); }
    void wideItemsAreFoundOnceEach();
    void pyramidIsSmall();
    void emptyRow();

private:
    static void shapes()
    {
        QTest::addColumn<int>("shape");
        QTest::newRow("even") << static_cast<int>(Shape::even);
        QTest::newRow("bursts") << static_cast<int>(Shape::bursts);
        QTest::newRow("back to back") << static_cast<int>(Shape::backToBack);
        QTest::newRow("skewed") << static_cast<int>(Shape::skewed);
        QTest::newRow("sparse") << static_cast<int>(Shape::sparse);
        QTest::newRow("instants") << static_cast<int>(Shape::instants);
    }
    /// Calls check(table, row, scale, columns) for many random recordings, zooms and places.
    template <class Check>
    static void everywhere(unsigned seed, int tables, int views, Check check)
    {
        QFETCH(int, shape);
        std::mt19937_64 random(seed);
        for (int i = 0; i < tables; ++i) {
            const Table table = randomTable(random, static_cast<Shape>(shape));
            const LaneRow row = table.row();
            for (int view = 0; view < views; ++view) {
                const int columns = 1 + static_cast<int>(random() % 300);
                check(table, row, randomScale(random, table, columns), columns);
                if (QTest::currentTestFailed()) {
                    return;
                }
            }
        }
    }
};

void tst_LaneRasterizer::busyFractionIsExact()
{
    LaneRasterizer rasterizer;
    LaneColumns out;
    everywhere(11, 60, 40, [&](const Table& table, const LaneRow& row, const TimeScale& scale, int columns) {
        rasterizer.scan(row, scale, columns, out);
        const auto busy = countedBusy(table, scale, columns);
        for (std::size_t i = 0; i < busy.size(); ++i) {
            const auto most = scale.num() / 4096;
            QVERIFY2(std::llabs(out.busy[i] - busy[i]) <= most,
                qPrintable(QStringLiteral("column %1 of width %2/%3: %4 busy ticks, counted %5")
                               .arg(scale.first() + static_cast<std::int64_t>(i)).arg(scale.num()).arg(scale.den())
                               .arg(out.busy[i]).arg(busy[i])));
        }
    });
}

void tst_LaneRasterizer::nothingIsInvisibleAndNothingIsInvented()
{
    LaneRasterizer rasterizer;
    LaneColumns out;
    std::vector<QRgb> pixels;
    everywhere(12, 30, 30, [&](const Table& table, const LaneRow& row, const TimeScale& scale, int columns) {
        rasterizer.scan(row, scale, columns, out);
        pixels.assign(static_cast<std::size_t>(columns), ground);
        LaneRasterizer::paint(out, palette(), ground, pixels);
        std::vector<bool> touched(pixels.size());
        for (std::size_t i = 0; i < table.start.size(); ++i) {
            const std::int64_t from = std::max(scale.columnOf(table.start[i]), scale.first());
            const std::int64_t to = std::min(scale.columnOf(table.end[i]) + 1, scale.first() + columns);
            bool inside = false;
            bool shown = false;
            for (std::int64_t column = from; column < to; ++column) {
                if (touches(table, i, scale, column)) {
                    const auto x = static_cast<std::size_t>(column - scale.first());
                    inside = inside || (column > scale.first() && column + 1 < scale.first() + columns);
                    shown = shown || pixels[x] != ground;
                    touched[x] = true;
                }
            }
            QVERIFY2(!inside || shown, qPrintable(QStringLiteral("item %1, %2 to %3 ns, is invisible in columns of %4/%5 from %6 to %7")
                .arg(i).arg(table.start[i]).arg(table.end[i]).arg(scale.num()).arg(scale.den()).arg(from).arg(to)));
        }
        for (std::size_t x = 0; x < pixels.size(); ++x) {
            QVERIFY2(touched[x] || pixels[x] == ground, qPrintable(QStringLiteral("column %1 shows what is not there").arg(x)));
        }
    });
}

void tst_LaneRasterizer::columnsKeepTheirColourWhilePanning()
{
    LaneRasterizer rasterizer;
    LaneColumns out;
    std::mt19937_64 random(13);
    everywhere(13, 20, 20, [&](const Table&, const LaneRow& row, const TimeScale& scale, int columns) {
        const auto pixelsAt = [&](const TimeScale& at) {
            std::vector<QRgb> pixels(static_cast<std::size_t>(columns), ground);
            rasterizer.scan(row, at, columns, out);
            LaneRasterizer::paint(out, palette(), ground, pixels);
            return pixels;
        };
        const auto before = pixelsAt(scale);
        const int by = static_cast<int>(random() % static_cast<unsigned>(columns));
        const auto after = pixelsAt(scale.panned(by));
        for (int x = by; x < columns; ++x) {
            QCOMPARE(after[static_cast<std::size_t>(x - by)], before[static_cast<std::size_t>(x)]);
        }
    });
}

void tst_LaneRasterizer::aTenthBusyDoesNotLookFull()
{
    Table table;
    for (Ns t = 0; t < 1'000'000; t += 100) {
        table.add(t, t + 10, ItemRole::kernel);
    }
    const LaneRow row = table.row();
    LaneRasterizer rasterizer;
    LaneColumns out;
    rasterizer.scan(row, TimeScale(1000), 1000, out);
    std::vector<QRgb> pixels(1000, 0xFF000000);
    RolePalette white{};
    white.fill(0xFFFFFFFF);
    LaneRasterizer::paint(out, white, ground, pixels);
    for (std::size_t i = 0; i < 1000; ++i) {
        QCOMPARE(out.fraction(i), 0.1);
        QVERIFY(qRed(pixels[i]) > 40 && qRed(pixels[i]) < 70);
    }
}

void tst_LaneRasterizer::wideItemsHaveSharpEdgesAndADarkRightOne()
{
    Table table;
    table.add(1000, 2000, ItemRole::kernel);
    table.add(2000, 3000, ItemRole::d2h);
    const LaneRow row = table.row();
    LaneRasterizer rasterizer;
    LaneColumns out;
    rasterizer.scan(row, TimeScale(100), 40, out);
    std::vector<QRgb> pixels(40, ground);
    LaneRasterizer::paint(out, palette(), ground, pixels);
    QCOMPARE(out.wide.size(), 2);
    QCOMPARE(out.wide[0].x0, 10);
    QCOMPARE(out.wide[0].x1, 20);
    const auto kernel = palette()[static_cast<std::size_t>(ItemRole::kernel)];
    const auto copy = palette()[static_cast<std::size_t>(ItemRole::d2h)];
    QCOMPARE(pixels[9], ground);
    for (std::size_t x = 10; x < 19; ++x) {
        QCOMPARE(pixels[x], kernel);
    }
    QVERIFY(pixels[19] != kernel && pixels[19] != copy && pixels[19] != ground);
    QCOMPARE(pixels[20], copy);
    QCOMPARE(pixels[30], ground);
}

void tst_LaneRasterizer::wideItemsAreFoundOnceEach()
{
    LaneRasterizer rasterizer;
    LaneColumns out;
    everywhere(14, 40, 30, [&](const Table& table, const LaneRow& row, const TimeScale& scale, int columns) {
        rasterizer.scan(row, scale, columns, out);
        std::vector<std::size_t> expected;
        for (std::size_t i = 0; i < table.start.size(); ++i) {
            const auto snapped = [&](Ns t) { return TimeScale::floorDivide(2 * scale.ticks(t) + scale.num(), 2 * scale.num()); };
            const bool inView = scale.ticks(table.end[i]) > scale.first() * scale.num()
                && scale.ticks(table.start[i]) < (scale.first() + columns) * scale.num();
            if (inView && snapped(table.end[i]) - snapped(table.start[i]) >= LaneRasterizer::wide_columns) {
                expected.push_back(i);
            }
        }
        std::vector<std::size_t> found;
        for (const WideItem& item : out.wide) {
            found.push_back(item.item);
        }
        QCOMPARE(found, expected);
    });
}

void tst_LaneRasterizer::pyramidIsSmall()
{
    Table table;
    std::mt19937_64 random(15);
    Ns t = 0;
    for (int i = 0; i < 200'000; ++i) {
        t += static_cast<Ns>(random() % 5000);
        table.add(t, t + static_cast<Ns>(random() % 9000), ItemRole::kernel);
        t = table.end.back() + 1;
    }
    const LaneRow row = table.row();
    QVERIFY2(row.pyramid.bytes() < 200'000 * 3, qPrintable(QString::number(row.pyramid.bytes())));
}

void tst_LaneRasterizer::emptyRow()
{
    const Table table;
    const LaneRow row = table.row();
    LaneRasterizer rasterizer;
    LaneColumns out;
    rasterizer.scan(row, TimeScale(10), 100, out);
    QCOMPARE(out.busy, std::vector<std::int64_t>(100, 0));
    QVERIFY(out.wide.empty());
}

QTEST_GUILESS_MAIN(tst_LaneRasterizer)
#include "tst_lane_rasterizer.moc"
