// SPDX-License-Identifier: MIT
#include "gui/app/controllers/appearance.h"

#include "gui/app/runs/job_queue.h"
#include "gui/app/window_style.h"
#include "gui/timeline/comparison_view.h"

#include <QSettings>

namespace lanes::gui {

Appearance::Appearance(ComparisonView* timeline, const JobQueue* jobs)
    : QObject(timeline)
    , m_timeline(timeline)
    , m_jobs(jobs)
{
}

void Appearance::addCommands(CommandTable& table)
{
    const auto idle
        = [jobs = m_jobs] { return !jobs->busy(); };  // a window in another language could not take over what runs
    table.add({"view.frame-times", tr("Frame ti&mes"), tr("Shows how long repaints take and what is drawn"), Menu::view,
        "F12", [this] { return !m_timeline->recordings().empty(); }, [this] { toggleFrameTimes(); },
        [this] { return m_timeline->view(0)->frameTimesShown(); }});
    table.add({"theme.system", tr("As the &desktop"), tr("Dark or light, as the desktop is"), Menu::theme, "", {},
        [this] { setTheme(QStringLiteral("system")); }, [this] { return m_theme == QLatin1String("system"); }});
    table.add({"theme.dark", tr("Dar&k"), tr("Light on dark"), Menu::theme, "", {},
        [this] { setTheme(QStringLiteral("dark")); }, [this] { return m_theme == QLatin1String("dark"); }});
    table.add({"theme.light", tr("&Light"), tr("Dark on light"), Menu::theme, "", {},
        [this] { setTheme(QStringLiteral("light")); }, [this] { return m_theme == QLatin1String("light"); }});
    table.add({"language.en", tr("&English"), tr("The window in English"), Menu::language, "", idle,
        [this] { setLanguage(QStringLiteral("en")); }, [this] { return m_language == QLatin1String("en"); }});
    table.add({"language.zh", tr("&Chinese (中文)"), tr("The window in Chinese"), Menu::language, "", idle,
        [this] { setLanguage(QStringLiteral("zh_CN")); }, [this] { return m_language == QLatin1String("zh_CN"); }});
}

void Appearance::setTheme(const QString& name)
{
    m_theme = name == QLatin1String("dark") || name == QLatin1String("light") ? name : QStringLiteral("system");
    const ThemeChoice choice = m_theme == QLatin1String("dark") ? ThemeChoice::dark
        : m_theme == QLatin1String("light")                     ? ThemeChoice::light
                                                                : ThemeChoice::system;
    applyStyle(choice);
    m_timeline->setTheme(Theme::named(themeName(choice)));
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
    m_language = settings.value(QStringLiteral("language")).toString();
    setTheme(settings.value(QStringLiteral("theme"), QStringLiteral("system")).toString());
}

void Appearance::remember(QSettings& settings) const
{
    settings.setValue(QStringLiteral("theme"), m_theme);
}

}  // namespace lanes::gui
