// SPDX-License-Identifier: MIT
#include "gui/export/html/html_page.h"
#include "gui/paint/theme.h"

#include <QCryptographicHash>
#include <QFile>

// Outside of any namespace, as the macro demands.
static void takePages()
{
    Q_INIT_RESOURCE(html);
}

namespace lanes::gui {

bool isPage(const QString& path)
{
    return path.endsWith(QLatin1String(".html"), Qt::CaseInsensitive)
        || path.endsWith(QLatin1String(".htm"), Qt::CaseInsensitive);
}

QByteArray pageResource(const QString& name)
{
    takePages();
    QFile file(QStringLiteral(":/lanescope/html/") + name);
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("%s is not compiled in", qPrintable(name));
    }
    return file.readAll();
}

QByteArray filledTemplate(const QByteArray& text, const std::vector<std::pair<QByteArray, QByteArray>>& values)
{
    QByteArray filled;
    qsizetype at = 0;
    for (qsizetype open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", at)) {
        const qsizetype close = text.indexOf("}}", open);
        const QByteArray name = text.mid(open + 2, close - open - 2);
        filled += text.mid(at, open - at);
        for (const auto& [key, value] : values) {
            filled += key == name ? value : QByteArray();
        }
        at = close + 2;
    }
    return filled + text.mid(at);
}

QByteArray themeStyle()
{
    const auto variables = [](const QString& name) {
        const Theme& theme = Theme::named(name);
        QByteArray css;
        const std::pair<const char*, QColor> colors[] {{"background", theme.background}, {"panel", theme.panel},
            {"chip", theme.chip}, {"line", theme.line}, {"text", theme.text}, {"muted", theme.muted},
            {"accent", theme.accent}, {"blocking", theme.pillBlocking}, {"blocking-text", theme.pillBlockingText},
            {"caution", theme.pillCaution}, {"caution-text", theme.pillCautionText},
            {"overlapped", theme.pillOverlapped}, {"overlapped-text", theme.pillOverlappedText},
            {"neutral", theme.pillNeutral}, {"neutral-text", theme.pillNeutralText},
            {"lit",
                theme.isDark() ? blend(theme.background, theme.hit, 0.22) : blend(theme.background, theme.hit, 0.3)}};
        for (const auto& [key, color] : colors) {
            css += QByteArray("--") + key + ":" + color.name().toLatin1() + ";";
        }
        return css + "color-scheme:" + (theme.isDark() ? "dark" : "light");
    };
    const QByteArray light = variables(QStringLiteral("light"));
    const QByteArray dark = variables(QStringLiteral("dark"));
    return ":root{" + light + "}\n@media (prefers-color-scheme:dark){:root{" + dark + "}}\n:root[data-theme=light]{"
        + light + "}\n:root[data-theme=dark]{" + dark + "}\n@media print{:root,:root[data-theme=dark]{" + light
        + "}}\n";
}

QByteArray policyHash(const QByteArray& text)
{
    return "'sha256-" + QCryptographicHash::hash(text, QCryptographicHash::Sha256).toBase64() + "'";
}

}  // namespace lanes::gui
