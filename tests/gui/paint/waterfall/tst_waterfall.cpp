// SPDX-License-Identifier: MIT
// What changed from one iteration to another, as bars on the scale of the lanes.
#include "gui/paint/timeline_frame.h"
#include "gui/paint/waterfall.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr Ns us = 1000;
constexpr int width = 1400;

CauseOfChange step(const char* part, Ns a, Ns b, CauseOfChange::Note note)
{
    return {CauseOfChange::waterfall, note, {std::string("change.part.") + part, {}}, a, b, {}, {}};
}

/// From 900 to 300 us: 700 us less between calls, 100 us more on the GPU.
Waterfall sample()
{
    return {{{5000 * us, 5900 * us}, {100 * us, 400 * us}, true, 3, 7, 9, 8},
        {step("between", 800 * us, 100 * us, CauseOfChange::shorter),
            step("operation", 100 * us, 200 * us, CauseOfChange::longer)}};
}

double xOf(Ns time)
{
    return FrameGeometry::labelWidthFor(width) + static_cast<double>(time - 5000 * us) / us;
}

QImage painted(const Waterfall& waterfall, const char* theme)
{
    QImage image(width, waterfall.height(), QImage::Format_RGB32);
    QPainter painter(&image);
    LabelPainter labels;
    waterfall.paint(painter, Theme::named(QLatin1String(theme)), labels, width, xOf, false);
    return image;
}

}  // namespace

class tst_Waterfall : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void says();
    void countsAreSaidInTheLanguage_data();
    void countsAreSaidInTheLanguage();
    void aBarSaysAllOfItsFigures();
    void leadsFromEndToEnd_data();
    void leadsFromEndToEnd();
};

void tst_Waterfall::says()
{
    Waterfall waterfall = sample();
    QCOMPARE(waterfall.lines(),
        (QStringList {QStringLiteral("An iteration of B is 3.0 times as fast: 900 µs → 300 µs"),
            QStringLiteral("between calls, not recorded: −700 µs, shorter"),
            QStringLiteral("GPU operations: +100 µs, longer")}));
    // Of four iterations of B one takes long: typical ones say 3 times as fast, all of them 1.8 times.
    waterfall.parts.average_a = 900 * us;
    waterfall.parts.average_b = 500 * us;
    QCOMPARE(waterfall.title(),
        QStringLiteral("An iteration of B is 3.0 times as fast: 900 µs → 300 µs; on average 1.8 times as fast: "
                       "900 µs → 500 µs"));
    // One that was chosen is no example of all.
    auto slow = std::make_shared<ShownIteration>();
    slow->typical = false;
    waterfall.shown[0] = slow;
    QCOMPARE(waterfall.title(),
        QStringLiteral("The shown iteration of B is 3.0 times as fast: 900 µs → 300 µs; on average 1.8 times as fast: "
                       "900 µs → 500 µs"));
    waterfall.shown = {};
    waterfall.parts.average_b = 900 * us;
    QCOMPARE(waterfall.title(),
        QStringLiteral("An iteration of B is 3.0 times as fast: 900 µs → 300 µs; on average the same: "
                       "900 µs → 900 µs"));
    waterfall.parts.average_b = 301 * us;
    QCOMPARE(waterfall.title(), QStringLiteral("An iteration of B is 3.0 times as fast: 900 µs → 300 µs"));
    std::swap(waterfall.parts.a, waterfall.parts.b);
    waterfall.parts.average_a = waterfall.parts.average_b = 0;
    QCOMPARE(waterfall.title(), QStringLiteral("An iteration of B takes 3.0 times as long: 300 µs → 900 µs"));
    waterfall.parts.b = waterfall.parts.a;
    QCOMPARE(waterfall.title(), QStringLiteral("Both iterations take the same time: 300 µs"));
    // Some of the others take longer: the two alone would say that nothing changed.
    waterfall.parts.average_a = 300 * us;
    waterfall.parts.average_b = 348 * us;
    QCOMPARE(waterfall.title(),
        QStringLiteral("Both iterations take the same time: 300 µs; on average 1.2 times as long: 300 µs → 348 µs"));
}

void tst_Waterfall::countsAreSaidInTheLanguage_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("note");
    QTest::newRow("English") << "en"
                             << "shorter, 4 → 2";
    QTest::newRow("Chinese") << "zh_CN"
                             << "变短，4 → 2 个";
}

void tst_Waterfall::countsAreSaidInTheLanguage()
{
    QFETCH(QString, language);
    QFETCH(QString, note);
    Waterfall waterfall = sample();
    waterfall.steps.front().count_a = 4;
    waterfall.steps.front().count_b = 2;
    const QLocale before;
    QLocale::setDefault(QLocale(language));
    const QString said = waterfall.rows().front().note;
    QLocale::setDefault(before);
    QCOMPARE(said, note);
}

void tst_Waterfall::aBarSaysAllOfItsFigures()
{
    const Waterfall waterfall = sample();
    QStringList tips;
    for (int y = 0; y < waterfall.height(); ++y) {
        const QString tip = waterfall.tipAt(y).join(QLatin1Char('|'));
        if (tips.isEmpty() || tips.last() != tip) {
            tips << tip;
        }
    }
    QCOMPARE(tips,
        (QStringList {QString(), QStringLiteral("between calls, not recorded|A 800 µs, B 100 µs: −700 µs|shorter"),
            QStringLiteral("GPU operations|A 100 µs, B 200 µs: +100 µs|longer"), QString()}));
}

void tst_Waterfall::leadsFromEndToEnd_data()
{
    QTest::addColumn<QByteArray>("theme");
    for (const char* theme : {"light", "dark", "print"}) {
        QTest::newRow(theme) << QByteArray(theme);
    }
}

/// The first bar begins where A ends; the last one ends where B would.
void tst_Waterfall::leadsFromEndToEnd()
{
    QFETCH(QByteArray, theme);
    const Waterfall waterfall = sample();
    const QImage image = painted(waterfall, theme.constData());
    const QRgb ground = Theme::named(QLatin1String(theme)).background.rgb();
    const int rows = static_cast<int>(waterfall.steps.size());
    const int row = (painted({waterfall.parts, {}}, theme.constData()).height() - image.height()) / -rows;
    const int first = image.height() - rows * row - 6;
    const auto isBar = [&](int index, Ns time) {
        const int y = first + index * row + 1;  // above the words
        return image.pixel(static_cast<int>(xOf(time)), y) != ground;
    };
    QVERIFY(isBar(0, 5899 * us));
    QVERIFY(isBar(0, 5201 * us));
    QVERIFY(!isBar(0, 5905 * us));
    QVERIFY(!isBar(0, 5190 * us));
    QVERIFY(isBar(1, 5201 * us));
    QVERIFY(isBar(1, 5299 * us));
    QVERIFY(!isBar(1, 5190 * us));
    QVERIFY(!isBar(1, 5305 * us));
}

QTEST_MAIN(tst_Waterfall)
#include "tst_waterfall.moc"
