// SPDX-License-Identifier: MIT
// How the window looks: its theme, its language, and whether it shows how long repaints take.
#pragma once

#include "gui/app/commands/command_table.h"

#include <QObject>

class QSettings;

namespace lanes::gui {

class ComparisonView;
class JobQueue;

class Appearance : public QObject {
    Q_OBJECT
public:
    Appearance(ComparisonView* timeline, const JobQueue* jobs);

    void addCommands(CommandTable& table);
    void setLanguage(const QString& name);
    /// Applies the theme as well, to the whole application.
    void restore(const QSettings& settings);
    void remember(QSettings& settings) const;

signals:
    /// The texts of this window are old.
    void languageChanged(const QString& language);

private:
    void setTheme(const QString& name);
    void toggleFrameTimes();

    ComparisonView* m_timeline;
    const JobQueue* m_jobs;
    QString m_theme;  ///< "system", "dark" or "light"
    QString m_language;  ///< "en", "zh_CN" or, where none was chosen, ""
};

}  // namespace lanes::gui
