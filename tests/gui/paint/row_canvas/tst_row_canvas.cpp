// SPDX-License-Identifier: MIT
// Zoomed out, a stretch that is blocked for a part of its time is hatched to that part of its height, on an image and
// in a vector file; what happened alone is seen.
#include "gui/paint/row_canvas.h"

#include <cmath>
#include <QTest>

using namespace lanes::gui;

namespace {

constexpr int width = 200, height = 40;

/// Every column with this share of a narrow item of the role.
LaneColumns columnsOf(double share, ItemRole role, int from = 0, int to = width)
{
    LaneColumns columns;
    columns.width = 1000;
    columns.busy.assign(width, 0);
    columns.narrow.assign(width, 0);
    columns.role.assign(width, 0);
    for (int x = from; x < to; ++x) {
        const auto i = static_cast<std::size_t>(x);
        columns.busy[i] = columns.narrow[i] = static_cast<std::int64_t>(share * 1000);
        columns.role[i] = static_cast<std::uint8_t>(role);
    }
    return columns;
}

QImage drawn(const LaneColumns& columns, const Theme& theme, bool hatched, bool vector)
{
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(theme.background.rgb());
    std::vector<QRgb> pixels(width, theme.background.rgb());
    const Theme::Hatch* hatch = hatched ? theme.hatch(ItemRole::held) : nullptr;
    const RowDrawing row {columns, pixels, 0, 0, height, 0, height, 0, hatch, true};
    RowScratch scratch;
    if (vector) {
        QPainter painter(&image);
        VectorRowCanvas(theme, painter, 1).draw(row, scratch);
    } else {
        ImageRowCanvas(theme, image, 1).draw(row, scratch);
    }
    return image;
}

}  // namespace

class tst_RowCanvas : public QObject {
    Q_OBJECT

private slots:
    void blockedTimeKeepsItsShare_data();
    void blockedTimeKeepsItsShare();
    void oneShortKernelIsSeen();
    void oneShortBlockedStretchIsSeen_data();
    void oneShortBlockedStretchIsSeen();
    void aLoneWaitIsAsStrongAsItsShare();
    void shortBarsKeepTheirWidthInVectorFiles();
    void whatHasNoRoomForAStripeIsSolid_data();
    void whatHasNoRoomForAStripeIsSolid();
    void manyShortStretchesBesideOneAnotherAreSolid();
    void whatRepeatsFasterThanTheColumnsHasNoBands_data();
    void whatRepeatsFasterThanTheColumnsHasNoBands();
};

void tst_RowCanvas::blockedTimeKeepsItsShare_data()
{
    QTest::addColumn<double>("share");
    QTest::addColumn<bool>("vector");
    QTest::addColumn<int>("lines");  // of 40, that are hatched
    for (const bool vector : {false, true}) {
        const auto row = [&](const char* name, double share, int lines) {
            QTest::addRow("%s, %s", name, vector ? "vector" : "image") << share << vector << lines;
        };
        row("1 %", 0.01, 2);
        row("10 %", 0.1, 4);
        row("28 %", 0.28, 11);
        row("half", 0.5, 20);
        row("all", 1, 40);
    }
}

void tst_RowCanvas::blockedTimeKeepsItsShare()
{
    QFETCH(double, share);
    QFETCH(bool, vector);
    QFETCH(int, lines);
    const Theme& theme = Theme::named({});
    const QImage image = drawn(columnsOf(share, ItemRole::held), theme, true, vector);
    int inked = 0;
    for (int y = 0; y < height; ++y) {
        int ink = 0;
        for (int x = 0; x < width; ++x) {
            ink += image.pixel(x, y) != theme.background.rgb();
        }
        QVERIFY2(ink == 0 || ink == width, qPrintable(QStringLiteral("line %1: %2").arg(y).arg(ink)));
        inked += ink > 0;
        QCOMPARE(ink > 0, y >= height - lines);
    }
    QCOMPARE(inked, lines);
    if (lines > 10) {  // it is hatched: stripes and ground between
        int changes = 0;
        for (int x = 1; x < width; ++x) {
            changes += image.pixel(x, height - 6) != image.pixel(x - 1, height - 6);
        }
        QVERIFY(changes > width / 10);
    }
}

void tst_RowCanvas::oneShortKernelIsSeen()
{
    for (const char* name : {"light", "dark"}) {
        const Theme& theme = Theme::named(QLatin1String(name));
        const auto distance = [&](QRgb a) {
            const QRgb b = theme.background.rgb();
            return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
        };
        const int whole = distance(theme.item(ItemRole::kernel).rgb());
        for (const int columns : {1, 2}) {
            const QImage alone = drawn(columnsOf(0.001, ItemRole::kernel, 100, 100 + columns), theme, false, false);
            QVERIFY(distance(alone.pixel(100, 20)) > whole / 2);
            // Of the palest colour it is no line of the grid.
            const QImage pale = drawn(columnsOf(0.001, ItemRole::elementwise, 100, 100 + columns), theme, false, false);
            QVERIFY(distance(pale.pixel(100, 20)) > 2 * distance(theme.grid.rgb()));
        }
        const QImage dense = drawn(columnsOf(0.1, ItemRole::kernel), theme, false, false);
        QVERIFY(distance(dense.pixel(100, 20)) < whole / 2);  // a tenth does not look full
    }
}

void tst_RowCanvas::oneShortBlockedStretchIsSeen_data()
{
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("lines");  // of 40, that have ink
    QTest::newRow("one") << 1 << 24;
    QTest::newRow("two") << 2 << 24;
    QTest::newRow("of a group, their share") << 12 << 4;
}

void tst_RowCanvas::oneShortBlockedStretchIsSeen()
{
    QFETCH(int, columns);
    QFETCH(int, lines);
    const Theme& theme = Theme::named({});
    for (const bool vector : {false, true}) {
        const QImage image = drawn(columnsOf(0.1, ItemRole::held, 100, 100 + columns), theme, true, vector);
        int inked = 0;
        for (int y = 0; y < height; ++y) {
            inked += image.pixel(100, y) != theme.background.rgb();
        }
        QCOMPARE(inked, lines);
    }
}

/// 199 waits of a few us each looked like a thread that does little else.
void tst_RowCanvas::aLoneWaitIsAsStrongAsItsShare()
{
    for (const char* name : {"light", "dark"}) {
        const Theme& theme = Theme::named(QLatin1String(name));
        const auto strength = [&](double share, bool vector) {
            const QColor pixel = drawn(columnsOf(share, ItemRole::held, 100, 101), theme, true, vector).pixel(100, 30);
            const QColor edge = theme.hatch(ItemRole::held)->edge;
            return static_cast<double>(pixel.red() - theme.background.red()) / (edge.red() - theme.background.red())
                + static_cast<double>(pixel.green() - theme.background.green())
                / (edge.green() - theme.background.green());
        };
        for (const bool vector : {false, true}) {
            QVERIFY(strength(0.002, vector) > 2 * 0.2 && strength(0.002, vector) < 2 * 0.3);
            QVERIFY(strength(0.3, vector) > 2 * 0.4 && strength(0.3, vector) < 2 * 0.6);
            QVERIFY(strength(0.6, vector) > 2 * 0.95);
        }
    }
}

/// A gap of 0.8 points after narrower bars left nothing of a lane of kernels of three quarters of a point.
void tst_RowCanvas::shortBarsKeepTheirWidthInVectorFiles()
{
    constexpr double ratio = 4;
    const Theme& theme = Theme::named({});
    for (const int columns : {3, 4, 8, 40}) {
        LaneColumns bars = columnsOf(0, ItemRole::none);
        bars.wide.push_back({0, 100, 100 + columns, ItemRole::kernel});
        QImage image(width, height, QImage::Format_RGB32);
        image.fill(theme.background.rgb());
        std::vector<QRgb> pixels(width, theme.background.rgb());
        RowScratch scratch;
        QPainter painter(&image);
        painter.scale(ratio, ratio);
        painter.setRenderHint(QPainter::Antialiasing);
        VectorRowCanvas(theme, painter, ratio).draw({bars, pixels, 0, 0, height, 0, height, 0, nullptr, true}, scratch);
        painter.end();
        double ink = 0;
        const QRgb kernel = theme.item(ItemRole::kernel).rgb();
        const QRgb ground = theme.background.rgb();
        for (int x = 0; x < width; ++x) {
            ink += (qRed(image.pixel(x, 20)) - qRed(ground)) / double(qRed(kernel) - qRed(ground));
        }
        QVERIFY2(ink > 0.74 * columns && ink <= columns, qPrintable(QStringLiteral("%1: %2").arg(columns).arg(ink)));
    }
}

void tst_RowCanvas::whatHasNoRoomForAStripeIsSolid_data()
{
    QTest::addColumn<bool>("vector");
    QTest::addColumn<bool>("wide");  // drawn on its own
    for (const bool vector : {false, true}) {
        for (const bool wide : {false, true}) {
            QTest::addRow("%s, %s", vector ? "vector" : "image", wide ? "on its own" : "narrow") << vector << wide;
        }
    }
}

/// Short blocked stretches were a dust of hatch, different for each, or solid in pictures and hatched in the window.
void tst_RowCanvas::whatHasNoRoomForAStripeIsSolid()
{
    QFETCH(bool, vector);
    QFETCH(bool, wide);
    const Theme& theme = Theme::named({});
    for (int from = 50; from < 60; ++from) {  // anywhere in the hatch's period
        for (const int length : {4, 5, 12}) {
            LaneColumns columns
                = wide ? columnsOf(0, ItemRole::none) : columnsOf(1, ItemRole::held, from, from + length);
            if (wide) {
                columns.wide.push_back({0, from, from + length, ItemRole::held});
            }
            const QImage image = drawn(columns, theme, true, vector);
            int other = 0;  // neither the ground nor the one colour
            for (int y = 4; y < height - 4; ++y) {
                for (int x = from + 1; x < from + length - 2; ++x) {
                    other += image.pixel(x, y) != theme.item(ItemRole::held).rgb();
                }
            }
            QCOMPARE(other > 0, length == 12);
        }
    }
}

/// Two columns blocked and two nearly not: cut to these heights the hatch was a dust.
void tst_RowCanvas::manyShortStretchesBesideOneAnotherAreSolid()
{
    LaneColumns columns = columnsOf(1, ItemRole::held);
    for (std::size_t x = 0; x < width; ++x) {
        columns.busy[x] = columns.narrow[x] = x % 4 < 2 ? 1000 : 200;
    }
    const Theme& theme = Theme::named({});
    for (const bool vector : {false, true}) {
        const QImage image = drawn(columns, theme, true, vector);
        for (int x = 0; x < width; ++x) {
            QCOMPARE(image.pixel(x, height - 4), theme.item(ItemRole::held).rgb());
            QCOMPARE(
                image.pixel(x, height - 12), x % 4 < 2 ? theme.item(ItemRole::held).rgb() : theme.background.rgb());
        }
    }
}

void tst_RowCanvas::whatRepeatsFasterThanTheColumnsHasNoBands_data()
{
    QTest::addColumn<double>("period");  // of blocked stretches, in columns
    QTest::addColumn<double>("share");  // of it that is blocked
    for (const double share : {0.3, 0.5, 0.66}) {
        for (const double period : {0.68, 0.99, 1.01, 1.3, 1.49, 1.51, 1.7, 1.99, 2.01, 2.1, 2.49}) {
            QTest::addRow("every %g columns, %g blocked", period, share) << period << share;
        }
    }
}

/// A repeating run was hatched where its stretches fell between columns, and solid where they fell onto them.
void tst_RowCanvas::whatRepeatsFasterThanTheColumnsHasNoBands()
{
    QFETCH(double, period);
    QFETCH(double, share);
    constexpr std::size_t count = 2000;
    const auto blockedUntil = [&](double x) {
        const double whole = std::floor(x / period);
        return whole * period * share + std::min(x - whole * period, period * share);
    };
    LaneColumns columns;
    columns.width = 1'000'000;
    for (std::size_t x = 0; x < count; ++x) {
        const double at = static_cast<double>(x);
        columns.narrow.push_back(std::llround((blockedUntil(at + 1) - blockedUntil(at)) * 1e6));
        columns.role.push_back(static_cast<std::uint8_t>(ItemRole::held));
    }
    columns.busy = columns.narrow;
    NarrowHatch hatch;
    findHatch(columns, height, 6, 2, hatch);
    QCOMPARE(std::count(hatch.solid.begin(), hatch.solid.end(), 1), 0);
    if (std::fabs(period - 2) < 0.05) {  // alternating stretches are as high as their share
        const auto [low, high] = std::minmax_element(hatch.heights.begin() + 1, hatch.heights.end() - 1);
        QVERIFY2(*high - *low <= 2, qPrintable(QStringLiteral("%1 to %2").arg(*low).arg(*high)));
    }
}

QTEST_MAIN(tst_RowCanvas)
#include "tst_row_canvas.moc"
