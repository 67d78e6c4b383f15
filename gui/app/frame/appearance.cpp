// SPDX-License-Identifier: MIT
#include "gui/app/frame/appearance.h"

#include "gui/app/frame/language.h"
#include "gui/app/frame/settings_page.h"
#include "gui/app/frame/window_style.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"

#include <QSettings>

#include <algorithm>
#include <utility>

namespace lanes::gui {

Appearance::Appearance(ComparisonView* timeline, std::function<bool()> busy)
    : QObject(timeline)
    , m_timeline(timeline)
    , m_busy(std::move(busy))
{
}

void Appearance::addCommands(CommandTable& table)
{
    const auto idle = [busy = m_busy] { return !busy(); };
    table.add({"view.frame-times", tr("Frame ti&mes"), tr("Shows how long repaints take and what is drawn"), Menu::view,
        "F12", [this] { return !m_timeline->recordings().empty(); }, [this] { toggleFrameTimes(); },
        [this] { return m_timeline->view(0)->frameTimesShown(); }});
    table.add({"theme.system", tr("Like the des&ktop"), tr("Dark or light, like the desktop"), Menu::theme, "", {},
        [this] { setTheme(QStringLiteral("system")); }, [this] { return m_theme == QLatin1String("system"); }});
    table.add({"theme.dark", tr("&Dark"), tr("Light on dark"), Menu::theme, "", {},
        [this] { setTheme(QStringLiteral("dark")); }, [this] { return m_theme == QLatin1String("dark"); }});
    table.add({"theme.light", tr("&Light"), tr("Dark on light"), Menu::theme, "", {},
        [this] { setTheme(QStringLiteral("light")); }, [this] { return m_theme == QLatin1String("light"); }});
    struct Size {
        const char* id;
        QString text, tip;
        int percent;
    };
    bool line = true;
    for (const Size& size : {Size {"text.usual", tr("&Usual text"), tr("Text and lanes of the usual size"), 100},
             Size {"text.large", tr("La&rge text"), tr("Text and lanes 25 % larger"), 125},
             Size {"text.largest", tr("&Very large text"), tr("Text and lanes 50 % larger"), 150}}) {
        table.add({size.id, size.text, size.tip, Menu::theme, "", {},
            [this, percent = size.percent] { setTextSize(percent); },
            [this, percent = size.percent] { return m_textSize == percent; }, std::exchange(line, false)});
    }
    table.add({"language.en", tr("&English"), tr("Use English in the window"), Menu::language, "", idle,
        [this] { setLanguage(QStringLiteral("en")); }, [this] { return m_language == QLatin1String("en"); }});
    table.add({"language.zh", tr("&Chinese (中文)"), tr("Use Chinese in the window"), Menu::language, "", idle,
        [this] { setLanguage(QStringLiteral("zh_CN")); }, [this] { return m_language == QLatin1String("zh_CN"); }});
    table.add({"edit.settings", tr("Settin&gs…"), tr("Theme, text size, language, and what is shown"), Menu::edit,
        "Ctrl+,", {},
        [this, &table] {
            auto* page = new SettingsPage(table, m_timeline->window());
            page->setAttribute(Qt::WA_DeleteOnClose);
            page->open();
        },
        {}, true});
}

void Appearance::setTheme(const QString& name)
{
    m_theme = name == QLatin1String("dark") || name == QLatin1String("light") ? name : QStringLiteral("system");
    const ThemeChoice choice = m_theme == QLatin1String("dark") ? ThemeChoice::dark
        : m_theme == QLatin1String("light")                     ? ThemeChoice::light
                                                                : ThemeChoice::system;
    applyStyle(choice, m_textSize / 100.0);
    m_timeline->setTheme(Theme::named(themeName(choice)));
}

void Appearance::setTextSize(int percent)
{
    m_textSize = std::clamp(percent, 100, 150);
    setTheme(m_theme);
    m_timeline->setTextSize(m_textSize / 100.0);
}

void Appearance::setLanguage(const QString& name)
{
    QSettings().setValue(QStringLiteral("language"), name);
    emit languageChanged(name);
}

void Appearance::toggleFrameTimes()
{
    const bool shown = !m_timeline->view(0)->frameTimesShown();
    for (const int side : {0, 1}) {
        m_timeline->view(side)->setFrameTimesShown(shown);
    }
}

void Appearance::restore(const QSettings& settings)
{
    m_language = chosenLanguage({});  // where none was chosen that of the desktop
    m_theme = settings.value(QStringLiteral("theme"), QStringLiteral("system")).toString();
    setTextSize(settings.value(QStringLiteral("text-size"), 100).toInt());
    LaneChoice choice = m_timeline->side(0).state().choice;
    const QString first = settings.value(QStringLiteral("first-lanes")).toString();
    choice.order = first == QLatin1String("gpus") ? LaneOrder::gpusFirst
        : first == QLatin1String("cpu")           ? LaneOrder::cpuFirst
                                                  : LaneOrder::usual;
    m_timeline->pair().choose(choice);
}

void Appearance::remember(QSettings& settings) const
{
    settings.setValue(QStringLiteral("theme"), m_theme);
    settings.setValue(QStringLiteral("text-size"), m_textSize);
    const LaneOrder order = m_timeline->side(0).state().choice.order;
    settings.setValue(QStringLiteral("first-lanes"),
        order == LaneOrder::gpusFirst      ? QStringLiteral("gpus")
            : order == LaneOrder::cpuFirst ? QStringLiteral("cpu")
                                           : QStringLiteral("usual"));
}

}  // namespace lanes::gui
