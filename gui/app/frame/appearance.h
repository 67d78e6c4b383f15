// SPDX-License-Identifier: MIT
// How the window looks: its theme, the size of its text, its language, which lanes come first, and whether it shows how
// long repaints take.
#pragma once

#include "gui/app/commands/command_table.h"

#include <QObject>

#include <functional>

class QSettings;

namespace lanes::gui {

class ComparisonView;

class Appearance : public QObject {
    Q_OBJECT
public:
    /// `busy`: something is under way that a window in another language could not take over.
    Appearance(ComparisonView* timeline, std::function<bool()> busy);

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
    void setTextSize(int percent);
    void toggleFrameTimes();

    ComparisonView* m_timeline;
    std::function<bool()> m_busy;
    int m_textSize = 100;  ///< in percent of the usual
    QString m_theme;  ///< "system", "dark" or "light"
    QString m_language;  ///< "en" or "zh_CN"
};

}  // namespace lanes::gui
