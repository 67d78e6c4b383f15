// SPDX-License-Identifier: MIT
#include "gui/app/frame/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

#include <memory>
#include <vector>

// Outside of any namespace, as the macro demands.
static void takeTexts()
{
    Q_INIT_RESOURCE(texts);
}

namespace lanes::gui {

QString chosenLanguage(const QString& wanted)
{
    QString language = wanted.isEmpty() ? QSettings().value(QStringLiteral("language")).toString() : wanted;
    if (language.isEmpty()) {
        language = QLocale().name();
    }
    return language.startsWith(QLatin1String("zh")) ? QStringLiteral("zh_CN") : QStringLiteral("en");
}

void speak(const QString& language)
{
    takeTexts();
    static std::vector<std::unique_ptr<QTranslator>> spoken;
    for (const auto& translator : spoken) {
        QCoreApplication::removeTranslator(translator.get());
    }
    spoken.clear();
    QLocale::setDefault(QLocale(language));
    const auto add = [&](const QString& name, const QString& folder) {
        auto translator = std::make_unique<QTranslator>();
        if (translator->load(name, folder)) {
            QCoreApplication::installTranslator(translator.get());
            spoken.push_back(std::move(translator));
        }
    };
    add(QStringLiteral("qtbase_") + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    add(QStringLiteral("lanescope_") + language, QStringLiteral(":/lanescope/texts"));
}

}  // namespace lanes::gui
