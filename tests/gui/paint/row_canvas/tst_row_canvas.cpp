// SPDX-License-Identifier: MIT
// Zoomed out, a stretch that is blocked for a part of its time is hatched to that part of its height, on an image and
// in a vector file; what happened alone is seen.
#include "gui/paint/row_canvas.h"

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
    const RowDrawing row {columns, pixels, 0, 0, height, 0, height, 0, hatched, true};
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
    const QImage image = drawn(columnsOf(share, ItemRole::blocked), theme, true, vector);
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
        QVERIFY(changes > width / 9);
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
        }
        const QImage dense = drawn(columnsOf(0.1, ItemRole::kernel), theme, false, false);
        QVERIFY(distance(dense.pixel(100, 20)) < whole / 3);  // a tenth does not look full
    }
}

QTEST_MAIN(tst_RowCanvas)
#include "tst_row_canvas.moc"
