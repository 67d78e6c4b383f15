// SPDX-License-Identifier: MIT
// The rasteriser and the index under it, against a brute-force count of every column in
// more than 10,000 random (recording, zoom, position) cases.
#include "gui/lanes/lane_rasterizer.h"

#include <cmath>
#include <numeric>
#include <optional>
#include <QTest>
#include <random>

using namespace lanes;
using namespace lanes::gui;

namespace {

/// A table of items that do not overlap, and the rows made of it.
struct Table {
    std::vector<Ns> start, end;
    std::vector<ItemRole> role;

    LaneRow row() const
    {
        return {ItemKind::operation, RowItems(TimeColumn(start), TimeColumn(end), RoleColumn(role), 0, start.size())};
    }
    void add(Ns s, Ns e, ItemRole r)
    {
        start.push_back(s);
        end.push_back(e);
        role.push_back(r);
    }
};

/// The same items, but in a table of structures in any order, by a list of places.
class Scattered {
public:
    Scattered(const Table& table, std::mt19937_64& random)
        : m_spans(table.start.size())
        , m_roles(table.start.size())
        , m_places(table.start.size())
    {
        std::iota(m_places.begin(), m_places.end(), 0U);
        std::shuffle(m_places.begin(), m_places.end(), random);
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            m_spans[m_places[i]] = {1, table.start[i], table.end[i]};
            m_roles[m_places[i]] = table.role[i];
        }
    }
    LaneRow row() const
    {
        return {ItemKind::operation,
            RowItems(
                TimeColumn(m_spans, &Span::start), TimeColumn(m_spans, &Span::end), RoleColumn(m_roles), m_places)};
    }

private:
    struct Span {
        Ns other, start, end;
    };
    std::vector<Span> m_spans;
    std::vector<ItemRole> m_roles;
    std::vector<Row> m_places;
};

enum class Shape { even, bursts, backToBack, skewed, sparse, instants, touching, late, oneRole };

Table randomTable(std::mt19937_64& random, Shape shape, int items = 0)
{
    Table table;
    const auto upTo = [&](double most) {
        return static_cast<Ns>(std::exp2(std::uniform_real_distribution<>(0, std::log2(most))(random)));
    };
    const auto count = items > 0 ? items : static_cast<int>(upTo(shape == Shape::skewed ? 6000 : 3000));
    Ns t = static_cast<Ns>(random() % 5000);
    if (shape == Shape::late) {
        t += (Ns {1} << 50) - 3'000'000;
    }
    for (int i = 0; i < count; ++i) {
        Ns gap = upTo(2000);
        Ns length = upTo(3000);
        switch (shape) {
        case Shape::even:
        case Shape::late:
        case Shape::oneRole:
            break;
        case Shape::bursts:
            gap = i % 50 == 0 ? upTo(1e7) : upTo(20);
            break;
        case Shape::backToBack:
            gap = random() % 8 == 0 ? upTo(100) : 0;
            break;
        case Shape::skewed:
            gap = i == count / 2 ? Ns {1} << 37 : upTo(4);
            length = upTo(6);
            break;
        case Shape::sparse:
            gap = upTo(1e8);
            length = random() % 4 == 0 ? upTo(1e8) : 1;
            break;
        case Shape::instants:
            length = random() % 3 == 0 ? 0 : upTo(300);
            gap = random() % 2 == 0 ? 0 : upTo(3000);
            break;
        case Shape::touching:
            gap = 0;
            length = random() % 5 == 0 ? 0 : upTo(40);
            break;
        }
        t += gap;
        table.add(t, t + length, shape == Shape::oneRole ? ItemRole::kernel : static_cast<ItemRole>(1 + random() % 7));
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
    return scale.startingAt(
        scale.columnOf(table.start[at]) - static_cast<std::int64_t>(random() % static_cast<unsigned>(columns)));
}

/// The result that a scan must give, from a look at every item of the view.
struct Counted {
    std::vector<std::int64_t> busy;
    std::vector<std::array<std::int64_t, 8>> times;  ///< by role
    std::vector<std::uint32_t> roles;  ///< bits: of the items that touch a column
    std::vector<std::size_t> wide;  ///< items
    std::vector<std::size_t> shown;  ///< items that touch a column of the view
};

Counted counted(const Table& table, const TimeScale& scale, int columns)
{
    const auto width = static_cast<std::size_t>(columns);
    Counted found {std::vector<std::int64_t>(width), std::vector<std::array<std::int64_t, 8>>(width),
        std::vector<std::uint32_t>(width), {}, {}};
    const std::int64_t left = scale.first() * scale.num();
    const std::int64_t right = left + columns * scale.num();
    for (std::size_t i = 0; i < table.start.size(); ++i) {
        const std::int64_t start = scale.ticks(table.start[i]);
        const std::int64_t end = scale.ticks(table.end[i]);
        const bool instant = start == end;
        if (start >= right || end < left || (end == left && !instant)) {
            continue;
        }
        found.shown.push_back(i);
        if (end - start >= LaneRasterizer::wide_columns * scale.num()) {
            found.wide.push_back(i);
        }
        for (std::int64_t t = std::max(start, left); t < std::min(end, right) || (instant && t == start);) {
            const std::int64_t column = TimeScale::floorDivide(t, scale.num());
            const std::int64_t until = std::min(end, (column + 1) * scale.num());
            const auto x = static_cast<std::size_t>(column - scale.first());
            found.busy[x] += until - t;
            found.times[x][static_cast<std::size_t>(table.role[i])] += until - t;
            found.roles[x] |= 1U << static_cast<unsigned>(table.role[i]);
            t = instant ? until + 1 : until;
        }
    }
    return found;
}

constexpr Rgb ground = 0xFF11151C;

RolePalette palette()
{
    RolePalette colors {};
    for (std::size_t i = 1; i < colors.size(); ++i) {
        colors[i].fill(0xFF8080A0U + static_cast<Rgb>(i) * 0x010203U);
    }
    return colors;
}

}  // namespace

/// QVERIFY2 whose message is made only where it is wanted: it is checked millions of times.
#define CHECK(condition, message)                                                                                      \
    if (!(condition)) {                                                                                                \
        QFAIL((message).constData());                                                                                  \
    }

class tst_LaneRasterizer : public QObject {
    Q_OBJECT

private slots:
    void everyColumnIsRight_data() { shapes(); }
    void everyColumnIsRight();
    void columnsOfManyAreRight_data() { shapes(); }
    void columnsOfManyAreRight();
    void busyTimeOfARange_data() { shapes(); }
    void busyTimeOfARange();
    void nearestItem_data() { shapes(); }
    void nearestItem();
    void theRoleOfMostOfTheTimeIsShown();
    void stoppedIndexIsEmpty();
    void whatIsSeenGrowsWithHowBusyItIs();
    void wideItemsHaveSharpEdgesAndADarkRightOne();
    void equalItemsLookAlikeWhereverTheyLie();
    void indexIsSmall();
    void emptyRow();
    void cleanupTestCase();

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
        QTest::newRow("touching") << static_cast<int>(Shape::touching);
        QTest::newRow("late") << static_cast<int>(Shape::late);
        QTest::newRow("one role") << static_cast<int>(Shape::oneRole);
    }
    static constexpr int shape_count = 9, tables = 40, views = 30;
    static_assert(shape_count * tables * views >= 10'000);
    void checkView(std::mt19937_64& random, const Table& table, const LaneRow& row, const LaneRow& byPlaces,
        const TimeScale& scale, int columns);
    /// Exact to 1/160 of a column.
    static bool isNear(std::int64_t busy, std::int64_t expected, const TimeScale& scale)
    {
        return std::llabs(busy - expected) * 160 <= scale.num();
    }
    int m_cases = 0;
    std::int64_t m_columns = 0, m_exact = 0;
};

void tst_LaneRasterizer::everyColumnIsRight()
{
    QFETCH(int, shape);
    std::mt19937_64 random(11);
    for (int t = 0; t < tables; ++t) {
        const Table table = randomTable(random, static_cast<Shape>(shape));
        const Scattered scattered(table, random);
        const LaneRow row = table.row();
        const LaneRow byPlaces = scattered.row();
        for (int view = 0; view < views; ++view) {
            const int columns = 1 + static_cast<int>(random() % 200);
            checkView(random, table, row, byPlaces, randomScale(random, table, columns), columns);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
    }
}

/// Columns with some ten to some thousand items each; most columns are read from busy bits.
void tst_LaneRasterizer::columnsOfManyAreRight()
{
    QFETCH(int, shape);
    std::mt19937_64 random(16);
    for (int t = 0; t < 4; ++t) {
        const Table table = randomTable(random, static_cast<Shape>(shape), 6000 + static_cast<int>(random() % 6000));
        const Scattered scattered(table, random);
        const LaneRow row = table.row();
        const LaneRow byPlaces = scattered.row();
        for (int view = 0; view < 60; ++view) {
            const int columns = 2 + static_cast<int>(random() % 40);
            const double all = std::log2(static_cast<double>(table.end.back() - table.start.front()));
            const TimeScale scale(
                std::exp2(std::uniform_real_distribution<>(std::max(all - 10, 0.0), all - 2)(random)));
            const std::size_t at = random() % table.start.size();
            checkView(random, table, row, byPlaces,
                scale.startingAt(scale.columnOf(table.start[at])
                    - static_cast<std::int64_t>(random() % static_cast<unsigned>(columns))),
                columns);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
    }
}

void tst_LaneRasterizer::checkView(std::mt19937_64& random, const Table& table, const LaneRow& row,
    const LaneRow& byPlaces, const TimeScale& scale, int columns)
{
    LaneRasterizer rasterizer;
    LaneColumns out, again;
    std::vector<Rgb> pixels, panned;
    ++m_cases;
    const auto where = [&](std::size_t x) -> QByteArray {
        return QStringLiteral("case %1: column %2 of %3/%4 ns")
            .arg(m_cases)
            .arg(scale.first() + static_cast<std::int64_t>(x))
            .arg(scale.num())
            .arg(scale.den())
            .toUtf8();
    };
    const Counted expected = counted(table, scale, columns);
    rasterizer.scan(row, scale, columns, out);
    pixels.assign(static_cast<std::size_t>(columns), ground);
    LaneRasterizer::paint(out, palette(), ground, pixels);

    for (std::size_t x = 0; x < pixels.size(); ++x) {
        m_exact += out.busy[x] == expected.busy[x] ? 1 : 0;
        ++m_columns;
        CHECK(isNear(out.busy[x], expected.busy[x], scale),
            where(x) + " is busy for " + QByteArray::number(expected.busy[x]) + " ticks, not "
                + QByteArray::number(out.busy[x]));
        CHECK(out.narrow[x] >= 0 && out.narrow[x] <= out.busy[x], where(x));
        CHECK(out.role[x] == 0 || (expected.roles[x] >> out.role[x] & 1U) != 0,
            where(x) + " has a role that is not there");
        const auto most = std::max_element(expected.times[x].begin(), expected.times[x].end());
        CHECK(out.role[x] == 0 || out.narrow[x] == 0 || out.narrow[x] != out.busy[x]
                || *most < expected.busy[x] * 9 / 10 || most - expected.times[x].begin() == out.role[x],
            where(x) + " has not the role of nearly all that is there");
    }
    std::vector<std::size_t> wide;
    for (const WideItem& item : out.wide) {
        wide.push_back(item.item);
    }
    QCOMPARE(wide, expected.wide);

    // Nothing is invisible and nothing is invented. A wide item's edges are on whole columns, so at the ends
    // of the view its last sliver may fall just outside.
    for (std::size_t x = 0; x < pixels.size(); ++x) {
        CHECK(expected.roles[x] != 0 || pixels[x] == ground, where(x) + " shows what is not there");
        CHECK(out.narrow[x] == 0 || out.role[x] != 0, where(x) + " hides what is there");
    }
    for (const std::size_t i : expected.shown) {
        const std::int64_t from = std::max(scale.columnOf(table.start[i]), scale.first());
        const std::int64_t last = table.end[i] == table.start[i]
            ? scale.columnOf(table.start[i])
            : TimeScale::floorDivide(scale.ticks(table.end[i]) - 1, scale.num());
        const std::int64_t to = std::min(last + 1, scale.first() + columns);
        bool shown = false;
        for (std::int64_t column = from; column < to && !shown; ++column) {
            shown = pixels[static_cast<std::size_t>(column - scale.first())] != ground;
        }
        const bool atAnEnd = from == scale.first() || to == scale.first() + columns;
        CHECK(shown || atAnEnd,
            where(static_cast<std::size_t>(from - scale.first())) + " hides item "
                + QByteArray::number(static_cast<qulonglong>(i)));
    }

    // A column keeps its colour while panning, and does not depend on how the items are stored.
    const int by = static_cast<int>(random() % static_cast<unsigned>(columns));
    rasterizer.scan(byPlaces, scale.panned(by), columns, again);
    panned.assign(pixels.size(), ground);
    LaneRasterizer::paint(again, palette(), ground, panned);
    for (auto x = static_cast<std::size_t>(by); x < pixels.size(); ++x) {
        CHECK(panned[x - static_cast<std::size_t>(by)] == pixels[x], where(x) + " changes its colour");
    }

    // If items are not distinguished, every column blends all that is in it.
    rasterizer.scan(row, scale, columns, again, false);
    for (std::size_t x = 0; x < pixels.size(); ++x) {
        CHECK(isNear(again.busy[x], expected.busy[x], scale) && again.narrow[x] == again.busy[x], where(x));
        CHECK((again.role[x] != 0) == (expected.roles[x] != 0), where(x));
    }
    QVERIFY(again.wide.empty());
}

void tst_LaneRasterizer::busyTimeOfARange()
{
    QFETCH(int, shape);
    std::mt19937_64 random(12);
    for (int round = 0; round < 40; ++round) {
        const Table table = randomTable(random, static_cast<Shape>(shape));
        const Scattered scattered(table, random);
        const LaneRow row = round % 2 == 0 ? table.row() : scattered.row();
        for (int i = 0; i < 40; ++i) {
            const auto anyTime = [&] {
                const std::size_t at = random() % table.start.size();
                return (random() % 2 == 0 ? table.start[at] : table.end[at]) + static_cast<Ns>(random() % 5) - 2;
            };
            const Ns a = anyTime();
            const Ns b = anyTime();
            Ns busy = 0;
            std::size_t over = 0;
            for (std::size_t k = 0; k < table.start.size(); ++k) {
                busy += std::max<Ns>(0, std::min(table.end[k], b) - std::max(table.start[k], a));
                over += std::max(table.end[k], table.start[k] + 1) <= a ? 1 : 0;
            }
            QCOMPARE(row.busyIn(a, b), busy);
            QCOMPARE(row.index.over(row.items, a), over);
        }
    }
}

void tst_LaneRasterizer::nearestItem()
{
    QFETCH(int, shape);
    std::mt19937_64 random(13);
    for (int round = 0; round < 30; ++round) {
        const Table table = randomTable(random, static_cast<Shape>(shape));
        const LaneRow row = table.row();
        for (int i = 0; i < 40; ++i) {
            const Ns time = table.start[random() % table.start.size()] + static_cast<Ns>(random() % 4000) - 1000;
            const Ns from = time - static_cast<Ns>(random() % 300);
            const Ns to = time + static_cast<Ns>(random() % 300);
            const auto distance = [&](std::size_t k) {
                return std::max<Ns>({table.start[k] - time, time - table.end[k], 0});
            };
            std::optional<Ns> least;
            for (std::size_t k = 0; k < table.start.size(); ++k) {
                if (table.start[k] <= to && table.end[k] >= from) {
                    least = least ? std::min(*least, distance(k)) : distance(k);
                }
            }
            const std::size_t found = row.nearest(from, time, to);
            QCOMPARE(found < table.start.size(), least.has_value());
            if (least) {
                QVERIFY(table.start[found] <= to && table.end[found] >= from);
                QCOMPARE(distance(found), *least);
            }
        }
    }
}

/// If one role has nearly all of a column's busy time, its colour shows, however many items others have.
void tst_LaneRasterizer::theRoleOfMostOfTheTimeIsShown()
{
    Table table;
    std::mt19937_64 random(14);
    Ns t = 0;
    for (int i = 0; i < 100'000; ++i) {
        const bool large = i % 40 == 17;
        const Ns length = large ? 9000 + static_cast<Ns>(random() % 2000) : 10;
        table.add(t, t + length, large ? ItemRole::d2h : ItemRole::kernel);
        t += length + 5;
    }
    const LaneRow row = table.row();
    LaneRasterizer rasterizer;
    LaneColumns out;
    for (const double zoom : {20e3, 100e3, 300e3, 1e6, 3e6, 10e6}) {
        const TimeScale scale(zoom);
        const int columns = static_cast<int>(scale.columnOf(t));
        rasterizer.scan(row, scale, columns, out);
        for (std::size_t x = 0; x < static_cast<std::size_t>(columns); ++x) {
            QCOMPARE(out.role[x], static_cast<std::uint8_t>(ItemRole::d2h));
        }
    }
}

void tst_LaneRasterizer::stoppedIndexIsEmpty()
{
    Table table;
    for (Ns i = 0; i < 1000; ++i) {
        table.add(10 * i, 10 * i + 5, ItemRole::kernel);
    }
    std::stop_source stop;
    stop.request_stop();
    const LaneRow row(ItemKind::operation,
        RowItems(TimeColumn(table.start), TimeColumn(table.end), RoleColumn(table.role), 0, table.start.size()),
        stop.get_token());
    QCOMPARE(row.index.bytes(), 0U);
}

/// A lane that is 24 % busy was nearly the background.
void tst_LaneRasterizer::whatIsSeenGrowsWithHowBusyItIs()
{
    for (const auto& [busy, seen] :
        {std::pair(1, 0.357), std::pair(10, 0.415), std::pair(24, 0.506), std::pair(60, 0.74), std::pair(90, 0.935)}) {
        Table table;
        for (Ns t = 0; t < 1'000'000; t += 100) {
            table.add(t, t + busy, ItemRole::kernel);
        }
        const LaneRow row = table.row();
        LaneRasterizer rasterizer;
        LaneColumns out;
        rasterizer.scan(row, TimeScale(1000), 1000, out);
        std::vector<Rgb> pixels(1000, 0xFF000000);
        RolePalette white {};
        for (auto& shades : white) {
            shades.fill(0xFFFFFFFF);
        }
        LaneRasterizer::paint(out, white, ground, pixels);
        for (std::size_t i = 0; i < 1000; ++i) {
            QVERIFY(std::fabs(out.fraction(i) - busy / 100.0) <= 1.0 / 160);
            QVERIFY(std::fabs((pixels[i] >> 16 & 255U) / 255.0 - seen) < 0.005);
        }
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
    std::vector<Rgb> pixels(40, ground);
    LaneRasterizer::paint(out, palette(), ground, pixels);
    QCOMPARE(out.wide.size(), 2);
    QCOMPARE(out.wide[0].x0, 10);
    QCOMPARE(out.wide[0].x1, 20);
    const auto kernel = palette()[static_cast<std::size_t>(ItemRole::kernel)][plain_shade];
    const auto copy = palette()[static_cast<std::size_t>(ItemRole::d2h)][plain_shade];
    QCOMPARE(pixels[9], ground);
    for (std::size_t x = 10; x < 19; ++x) {
        QCOMPARE(pixels[x], kernel);
    }
    QVERIFY(pixels[19] != kernel && pixels[19] != copy && pixels[19] != ground);
    QCOMPARE(pixels[20], copy);
    QCOMPARE(pixels[30], ground);
}

/// Pieces of 2.8 columns with gaps of 0.2 were drawn alone or blended depending on their place, in wide false bands.
void tst_LaneRasterizer::equalItemsLookAlikeWhereverTheyLie()
{
    for (const Ns length : {250, 280, 290, 300, 330}) {
        Table table;
        for (Ns t = 0; t < 40'000; t += length + 17) {
            table.add(t, t + length, ItemRole::hostWork);
        }
        const LaneRow row = table.row();
        LaneRasterizer rasterizer;
        LaneColumns out;
        rasterizer.scan(row, TimeScale(100), 400, out);
        QCOMPARE(out.wide.size(), length < 300 ? 0U : row.items.size());
        for (const WideItem& item : out.wide) {
            QVERIFY(item.x1 - item.x0 == length / 100 || item.x1 - item.x0 == length / 100 + 1);
        }
    }
}

void tst_LaneRasterizer::indexIsSmall()
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
    QVERIFY2(10 * row.bytes() < 200'000 * 22, qPrintable(QString::number(row.bytes())));
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

void tst_LaneRasterizer::cleanupTestCase()
{
    qInfo("%d random cases of recording, zoom and position; %.1f %% of their columns exact to the tick", m_cases,
        100 * static_cast<double>(m_exact) / static_cast<double>(m_columns));
}

QTEST_GUILESS_MAIN(tst_LaneRasterizer)
#include "tst_lane_rasterizer.moc"
