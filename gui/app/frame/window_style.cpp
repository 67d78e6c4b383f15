// SPDX-License-Identifier: MIT
#include "gui/app/frame/window_style.h"

#include "gui/paint/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPalette>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleFactory>

// Outside of any namespace, as the macro demands.
static void takeResources()
{
    Q_INIT_RESOURCE(app);
}

namespace lanes::gui {

namespace {

constexpr double font_pixels = 13;

bool desktopIsDark()
{
    // The palette that the platform came with: applyStyle() changes the application's, so it is read once.
    static const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    return dark;
}

/// What is read best on the accent.
QColor onAccent(const Theme& theme)
{
    return theme.isDark() ? theme.ink : QColor(Qt::white);
}

QPalette windowPaletteOf(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.panel);
    palette.setColor(QPalette::Base, theme.panel);
    palette.setColor(QPalette::AlternateBase, theme.chip);
    palette.setColor(QPalette::Button, theme.chip);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, onAccent(theme));
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::ToolTipBase, theme.chip);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Light, blend(theme.chip, theme.text, 0.15));
    palette.setColor(QPalette::Mid, theme.line);
    palette.setColor(QPalette::Dark, theme.line);
    palette.setColor(QPalette::Shadow, theme.shade);
    for (const QPalette::ColorRole role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, blend(theme.panel, theme.muted, 0.7));
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.chip);
    return palette;
}

/// The theme that is applied, and its size; "": none.
QString& appliedTheme()
{
    static QString name;
    return name;
}

/// Letters and what is as high as they are, that many times as large.
QString resized(const QString& sheet, double times)
{
    static const QRegularExpression length(QStringLiteral("\\b(font-size|min-height|max-height): ([0-9]+)px"));
    QString larger;
    qsizetype from = 0;
    for (auto all = length.globalMatch(sheet); all.hasNext();) {
        const auto match = all.next();
        const int pixels = qRound(match.captured(2).toInt() * times);
        larger += sheet.mid(from, match.capturedStart() - from)
            + QStringLiteral("%1: %2px").arg(match.captured(1)).arg(pixels);
        from = match.capturedEnd();
    }
    return larger + sheet.mid(from);
}

/// The style sheet with the theme's colours in place of @names.
QString sheetOf(const Theme& theme, double textSize)
{
    QFile file(QStringLiteral(":/lanescope/app/window_style.qss"));
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("the style sheet is not compiled in");
    }
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QColor> colors[] = {{"@background", theme.background}, {"@panel", theme.panel},
        {"@chip-hover", blend(theme.chip, theme.text, 0.10)}, {"@chip-down", blend(theme.chip, theme.text, 0.20)},
        {"@chip", theme.chip}, {"@line", theme.line}, {"@text", theme.text}, {"@on-accent", onAccent(theme)},
        {"@muted", theme.muted}, {"@faint", blend(theme.panel, theme.muted, 0.55)},
        {"@handle", blend(theme.panel, theme.muted, 0.45)}, {"@ink", theme.ink},
        {"@accent-hover", blend(theme.accent, theme.isDark() ? Qt::white : Qt::black, 0.12)}, {"@accent", theme.accent},
        {"@warn-text", theme.pillCautionText}, {"@warn", theme.pillCaution}};
    for (const auto& [name, color] : colors) {
        sheet.replace(QLatin1String(name), color.name());
    }
    sheet.replace(QLatin1String("@font"), QApplication::font().family());
    sheet.replace(QLatin1String("@mono"), QFontDatabase::systemFont(QFontDatabase::FixedFont).family());
    sheet.replace(QLatin1String("@theme"), theme.isDark() ? QStringLiteral("dark") : QStringLiteral("light"));
    return resized(sheet, textSize);
}

}  // namespace

QString themeName(ThemeChoice choice)
{
    const bool dark = choice == ThemeChoice::dark || (choice == ThemeChoice::system && desktopIsDark());
    return dark ? QStringLiteral("dark") : QStringLiteral("light");
}

void applyStyle(ThemeChoice choice, double textSize)
{
    takeResources();
    const Theme& theme = Theme::named(themeName(choice));  // before the palette changes: it asks the desktop's
    const QString applied = theme.name + QLatin1Char(' ') + QString::number(textSize);
    if (appliedTheme() == applied) {
        return;  // to polish every widget anew takes long
    }
    appliedTheme() = applied;
    if (QApplication::style()->name() != QLatin1String("fusion")) {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }
    QApplication::setFont(bundledFont(font_pixels * textSize));
    QApplication::setPalette(windowPaletteOf(theme));
    qApp->setStyleSheet(sheetOf(theme, textSize));
}

void removeStyle()
{
    if (!appliedTheme().isEmpty()) {
        appliedTheme().clear();
        qApp->setStyleSheet({});
    }
}

}  // namespace lanes::gui
