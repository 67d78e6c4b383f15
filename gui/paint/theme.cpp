// SPDX-License-Identifier: MIT
#include "gui/paint/theme.h"

#include "gui/lanes/family_role.h"
#include "gui/paint/family_shades.h"
#include "gui/paint/font_family.h"
#include "gui/paint/srgb.h"

#include <cmath>
#include <QFile>
#include <QFontDatabase>
#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

// Outside of any namespace, as the macro demands: resources of a static library are linked only when called for.
static void takeResources()
{
    Q_INIT_RESOURCE(paint);
}

namespace lanes::gui {

namespace {

constexpr double flare = 0.05;  // of a screen, relative to white: WCAG 2 adds it to what it compares

Theme load(const QString& name)
{
    takeResources();
    QFile file(QStringLiteral(":/lanescope/themes/%1.json").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("the theme %s is not compiled in", qPrintable(name));
    }
    const QJsonObject colors = QJsonDocument::fromJson(file.readAll()).object();
    const auto color = [&](const char* key) {
        const QColor found(colors.value(QLatin1String(key)).toString());
        if (!found.isValid()) {
            qFatal("theme %s has no colour %s", qPrintable(name), key);
        }
        return found;
    };
    Theme theme;
    theme.name = name;
    theme.background = color("background");
    theme.panel = color("panel");
    theme.chip = color("chip");
    theme.line = color("line");
    theme.grid = color("grid");
    theme.text = color("text");
    theme.muted = color("muted");
    theme.ink = color("ink");
    theme.accent = color("accent");
    theme.shade = color("shade");
    theme.hit = color("hit");
    for (std::size_t i = 0; i < theme.heat.size(); ++i) {
        theme.heat[i] = color(("heat" + std::to_string(i)).c_str());
    }
    theme.pillBlocking = color("pillBlocking");
    theme.pillBlockingText = color("pillBlockingText");
    theme.pillOverlapped = color("pillOverlapped");
    theme.pillOverlappedText = color("pillOverlappedText");
    theme.pillNeutral = color("pillNeutral");
    theme.pillNeutralText = color("pillNeutralText");
    theme.pillCaution = color("pillCaution");
    theme.pillCautionText = color("pillCautionText");
    theme.overlapIdle = color("overlapIdle");
    theme.counter = color("counter");
    static constexpr std::array keys {"background", "kernel", "h2d", "d2h", "d2d", "p2p", "h2h", "memset", "call",
        "range", "hostWork", "hostWait", "read", "staleRead", "held", "overlap1", "overlap2", "overlap3", "", "cpuFree",
        "cpuWorking", "freeWait", "unknownWait", "", "", "", "", "", "", "", "", "sideBySide", "computeAlone",
        "exposedTime", "exposed", "torchOperator"};
    static_assert(keys.size() == itemRoleCount);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto family = familyOf(static_cast<ItemRole>(i));
        if (family) {
            theme.items[i] = familyShades(colour_of(*family), theme.isDark());
        } else {
            theme.items[i].fill(color(keys[i]));
        }
    }
    theme.deeperOperators = {color("torchOperator2"), color("torchOperator3")};
    theme.hatches = {{{theme.item(ItemRole::held), color("heldGround"), theme.item(ItemRole::held), 4.3, false},
        {color("freeWaitLine"), color("freeWaitGround"), theme.item(ItemRole::freeWait), 2.1, true},
        {theme.background, theme.background, theme.item(ItemRole::unknownWait), 0, false}}};
    theme.stagedUp = {color("stagedH2d"), color("stagedH2dGround")};
    theme.stagedDown = {color("stagedD2h"), color("stagedD2hGround")};
    return theme;
}

}  // namespace

const Theme& Theme::named(const QString& name)
{
    static const std::array<Theme, 3> themes {
        load(QStringLiteral("dark")), load(QStringLiteral("light")), load(QStringLiteral("print"))};
    for (const Theme& theme : themes) {
        if (theme.name == name) {
            return theme;
        }
    }
    return themes[0];
}

QStringList Theme::names()
{
    return {QStringLiteral("dark"), QStringLiteral("light"), QStringLiteral("print")};
}

const QColor& Theme::textOn(const QColor& ground) const
{
    static const QColor white(Qt::white);  // the dark theme's texts are too dim on a bar of middling lightness
    const QColor& pale = isDark() ? white : background;
    thread_local struct {
        QRgb pale = 0, ink = 0;
        double light = 0;
    } middle;  // asked for each text of each repaint
    if (middle.pale != pale.rgb() || middle.ink != ink.rgb()) {
        middle = {pale.rgb(), ink.rgb(), std::sqrt((luminanceOf(pale) + flare) * (luminanceOf(ink) + flare))};
    }
    return luminanceOf(ground) + flare >= middle.light ? ink : pale;
}

const Theme::Hatch* Theme::hatch(ItemRole role) const
{
    switch (role) {
    case ItemRole::held:
        return &hatches[0];
    case ItemRole::freeWait:
        return &hatches[1];
    case ItemRole::unknownWait:
        return &hatches[2];
    default:
        return nullptr;
    }
}

QColor blend(const QColor& bottom, const QColor& top, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(bottom.red(), top.red()), mix(bottom.green(), top.green()), mix(bottom.blue(), top.blue())};
}

QFont bundledFont(double pixels, TextStyle style)
{
    static const QString family = [] {
        takeResources();
        QString found;
        for (const char* file : {"Medium", "SemiBold", "Regular"}) {
            QFile font(QStringLiteral(":/lanescope/font/Inter-%1.otf").arg(QLatin1String(file)));
            if (!font.open(QIODevice::ReadOnly)) {
                qFatal("the font is not compiled in");
            }
            const int id
                = QFontDatabase::addApplicationFontFromData(withFontFamily(font.readAll(), "Inter", bundled_family));
            found = QFontDatabase::applicationFontFamilies(id).value(0);
        }
        return found;
    }();
    QFont font(family);
    font.setPixelSize(static_cast<int>(pixels));
    font.setWeight(style == TextStyle::semiBold ? QFont::DemiBold
            : style == TextStyle::medium        ? QFont::Medium
                                                : QFont::Normal);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(static_cast<QFont::StyleStrategy>(QFont::PreferAntialias | QFont::NoSubpixelAntialias));
    return font;
}

}  // namespace lanes::gui
