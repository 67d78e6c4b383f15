// SPDX-License-Identifier: MIT
#include "tests/gui/export/html_page/browser.h"

#include <QJsonDocument>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QUrl>

namespace lanes::gui::page {

QString browserProgram()
{
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
        if (const QString found = QStandardPaths::findExecutable(QLatin1String(name)); !found.isEmpty()) {
            return found;
        }
    }
    return {};
}

Driven drive(const QString& file, const QString& ranges)
{
    const QTemporaryDir profile;
    QUrl url = QUrl::fromLocalFile(file);
    url.setFragment(QStringLiteral("selftest=") + ranges);
    QProcess browser;
    browser.start(browserProgram(),
        {QStringLiteral("--headless"), QStringLiteral("--no-sandbox"), QStringLiteral("--disable-gpu"),
            QStringLiteral("--user-data-dir=") + profile.path(), QStringLiteral("--window-size=1280,900"),
            QStringLiteral("--enable-logging=stderr"), QStringLiteral("--virtual-time-budget=60000"),
            QStringLiteral("--dump-dom"), url.toString()});
    Driven driven;
    if (!browser.waitForFinished(120000)) {
        browser.kill();
        browser.waitForFinished();
    }
    driven.dom = QString::fromUtf8(browser.readAllStandardOutput());
    for (const QByteArray& line : browser.readAllStandardError().split('\n')) {
        if (line.contains("CONSOLE")) {
            driven.errors += QString::fromUtf8(line) + QLatin1Char('\n');
        }
    }
    const QString open = QStringLiteral("<pre id=\"selftest\">");
    if (const qsizetype at = driven.dom.indexOf(open); at >= 0) {
        const qsizetype from = at + open.size();
        QString text = driven.dom.mid(from, driven.dom.indexOf(QStringLiteral("</pre>"), from) - from);
        text.replace(QLatin1String("&lt;"), QLatin1String("<"))
            .replace(QLatin1String("&gt;"), QLatin1String(">"))
            .replace(QLatin1String("&nbsp;"), QStringLiteral("\u00A0"))
            .replace(QLatin1String("&amp;"), QLatin1String("&"));
        driven.result = QJsonDocument::fromJson(text.toUtf8()).object();
    }
    return driven;
}

}  // namespace lanes::gui::page
