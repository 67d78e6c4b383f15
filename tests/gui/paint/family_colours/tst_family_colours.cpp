// SPDX-License-Identifier: MIT
// The fills that lie side by side on the lanes of GPUs, in every theme: how far apart they look, by CIEDE2000, and that
// what is written on them can be read.
#include "gui/lanes/family_role.h"
#include "gui/lanes/lane_rasterizer.h"
#include "gui/paint/family_shades.h"
#include "gui/paint/role_mark.h"
#include "gui/paint/srgb.h"
#include "gui/paint/theme.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace lanes;
using namespace lanes::gui;

namespace {

struct Lab {
    double lightness, a, b;
};

/// Of light on a screen: D65.
Lab labOf(const QColor& color)
{
    const double r = lightOf(color.redF()), g = lightOf(color.greenF()), b = lightOf(color.blueF());
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// After Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula", 2005.
double ciede2000(const Lab& one, const Lab& two)
{
    constexpr double degrees = std::numbers::pi / 180;
    const auto seventh = [](double c) { return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7))); };
    const auto hue = [](double b, double a) {
        const double angle = a == 0 && b == 0 ? 0 : std::atan2(b, a) / degrees;
        return angle < 0 ? angle + 360 : angle;
    };
    const double g = 0.5 * (1 - seventh((std::hypot(one.a, one.b) + std::hypot(two.a, two.b)) / 2));
    const double a1 = one.a * (1 + g), a2 = two.a * (1 + g);
    const double c1 = std::hypot(a1, one.b), c2 = std::hypot(a2, two.b);
    const double h1 = hue(one.b, a1), h2 = hue(two.b, a2);
    double dh = c1 * c2 == 0 ? 0 : h2 - h1;
    dh += dh > 180 ? -360 : dh < -180 ? 360 : 0;
    const double dLightness = two.lightness - one.lightness;
    const double dChroma = c2 - c1;
    const double dHue = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2 * degrees);
    const double lightness = (one.lightness + two.lightness) / 2, chroma = (c1 + c2) / 2;
    double h = h1 + h2;
    if (c1 * c2 != 0) {
        h = std::abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
    }
    const double t = 1 - 0.17 * std::cos((h - 30) * degrees) + 0.24 * std::cos(2 * h * degrees)
        + 0.32 * std::cos((3 * h + 6) * degrees) - 0.20 * std::cos((4 * h - 63) * degrees);
    const double away = (lightness - 50) * (lightness - 50);
    const double ofLightness = dLightness / (1 + 0.015 * away / std::sqrt(20 + away));
    const double ofChroma = dChroma / (1 + 0.045 * chroma);
    const double ofHue = dHue / (1 + 0.015 * chroma * t);
    const double turn = 30 * std::exp(-std::pow((h - 275) / 25, 2));
    const double both = -std::sin(2 * turn * degrees) * 2 * seventh(chroma);
    return std::sqrt(ofLightness * ofLightness + ofChroma * ofChroma + ofHue * ofHue + both * ofChroma * ofHue);
}

double contrast(const QColor& one, const QColor& two)
{
    const double a = luminanceOf(one), b = luminanceOf(two);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

constexpr std::array<ItemRole, 15> side_by_side {ItemRole::communication, ItemRole::attention, ItemRole::matmul,
    ItemRole::convolution, ItemRole::norm, ItemRole::optimizer, ItemRole::index, ItemRole::elementwise, ItemRole::other,
    ItemRole::h2d, ItemRole::d2h, ItemRole::d2d, ItemRole::p2p, ItemRole::h2h, ItemRole::memset};

}  // namespace

class tst_FamilyColours : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void theFormulaIsRight();
    void familiesAreApart_data() { themes(); }
    void familiesAreApart();
    void familiesAreReadable_data() { themes(); }
    void familiesAreReadable();
    void shortCallsAreSeen();
    void shadesAreOfOneFamily();
    void greysOfPrintAreApartOrMarked();

private:
    static void themes()
    {
        QTest::addColumn<QString>("theme");
        for (const QString& name : Theme::names()) {
            QTest::newRow(qPrintable(name)) << name;
        }
    }
};

/// Pairs of the paper's table.
void tst_FamilyColours::theFormulaIsRight()
{
    const auto near = [](double found, double wanted) { return std::abs(found - wanted) < 1e-4; };
    QVERIFY(near(ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425));
    QVERIFY(near(ciede2000({50, 2.49, -0.001}, {50, -2.49, 0.0011}), 7.2195));
    QVERIFY(near(ciede2000({50, 2.5, 0}, {58, 24, 15}), 19.4535));
    QVERIFY(near(ciede2000({2.0776, 0.0795, -1.135}, {0.9033, -0.0636, -0.5514}), 0.9082));
}

void tst_FamilyColours::familiesAreApart()
{
    QFETCH(QString, theme);
    const Theme& colors = Theme::named(theme);
    for (std::size_t i = 0; i < side_by_side.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            for (const QColor& one : colors.items[static_cast<std::size_t>(side_by_side[i])]) {
                for (const QColor& two : colors.items[static_cast<std::size_t>(side_by_side[k])]) {
                    const double apart = ciede2000(labOf(one), labOf(two));
                    QVERIFY2(apart >= 10,
                        qPrintable(QStringLiteral("%1 and %2: %3").arg(one.name(), two.name()).arg(apart)));
                }
            }
        }
    }
}

/// WCAG asks for 4.5 of small texts and 3 of large ones; a bar shows against what is under it.
void tst_FamilyColours::familiesAreReadable()
{
    QFETCH(QString, theme);
    const Theme& colors = Theme::named(theme);
    for (const ItemRole role : side_by_side) {
        for (const QColor& fill : colors.items[static_cast<std::size_t>(role)]) {
            const double text = contrast(colors.textOn(fill), fill);
            QVERIFY2(text >= 4.5, qPrintable(QStringLiteral("%1: %2").arg(fill.name()).arg(text)));
            const double bar = ciede2000(labOf(fill), labOf(colors.background));
            QVERIFY2(bar >= 10, qPrintable(QStringLiteral("%1: %2").arg(fill.name()).arg(bar)));
        }
    }
}

/// Calls are few microseconds long: a column of pixels that has one shows a share of its colour.
void tst_FamilyColours::shortCallsAreSeen()
{
    for (const char* name : {"light", "dark"}) {
        const Theme& colors = Theme::named(QLatin1String(name));
        const QColor lone = QColor::fromRgb(mixed(colors.background.rgb(), colors.item(ItemRole::call).rgb(), 128));
        QVERIFY2(contrast(lone, colors.background) >= (colors.isDark() ? 2.5 : 1.5),
            qPrintable(QStringLiteral("%1: %2").arg(name).arg(contrast(lone, colors.background))));
    }
}

void tst_FamilyColours::shadesAreOfOneFamily()
{
    // FNV-1a gives 0x811C9DC5 and, its own example, 0xE40C292C; MurmurHash3's finalizer makes these of them.
    QCOMPARE(shadeOf(""), std::size_t {0xAB3E7C0BU % shade_count});
    QCOMPARE(shadeOf("a"), std::size_t {0x1A80B1B3U % shade_count});
    for (const bool dark : {false, true}) {
        const auto shades = familyShades({0x63ABF3, 0.025}, dark);
        QCOMPARE(shades[plain_shade] == QColor(0x63, 0xAB, 0xF3), !dark);
        QVERIFY(labOf(shades[0]).lightness < labOf(shades[4]).lightness);
        for (std::size_t i = 0; i < shade_count; ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                const double apart = ciede2000(labOf(shades[i]), labOf(shades[k]));
                QVERIFY2(apart > 0.5 && apart < 10, qPrintable(QString::number(apart)));
            }
        }
        const auto plain = familyShades({0x63ABF3, 0}, dark);
        QVERIFY(std::all_of(plain.begin(), plain.end(), [&](const QColor& shade) { return shade == plain[0]; }));
    }
    // What is no family has one colour.
    const auto& copies = Theme::named(QStringLiteral("light")).items[static_cast<std::size_t>(ItemRole::d2h)];
    QVERIFY(std::all_of(copies.begin(), copies.end(), [&](const QColor& shade) { return shade == copies[0]; }));
}

/// On paper without colours.
void tst_FamilyColours::greysOfPrintAreApartOrMarked()
{
    const Theme& print = Theme::named(QStringLiteral("print"));
    for (const ItemRole one : side_by_side) {
        for (const ItemRole two : side_by_side) {
            const double apart = std::abs(labOf(print.item(one)).lightness - labOf(print.item(two)).lightness);
            QVERIFY2(one == two || apart >= 5 || hasRoleMark(one) || hasRoleMark(two),
                qPrintable(print.item(one).name() + QLatin1Char(' ') + print.item(two).name()));
        }
    }
}

QTEST_MAIN(tst_FamilyColours)
#include "tst_family_colours.moc"
