// SPDX-License-Identifier: MIT
// Annotations in the window: the commands that place and remove them, and the file that `lanescope render` takes. Those
// of a recording that came from a file are remembered with it.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/lanes/annotation.h"
#include "gui/timeline/markup/markup_history.h"

#include <cstdint>
#include <optional>
#include <QObject>
#include <QString>

namespace lanes::gui {

class ComparisonView;
class NoticeBar;
class Workspace;

class Annotate : public QObject {
    Q_OBJECT
public:
    Annotate(Workspace* workspace, ComparisonView* timeline, NoticeBar* notice);

    void addCommands(CommandTable& table);
    /// Of both recordings, in one file; "" or what went wrong.
    QString save(const QString& path) const;
    /// In place of those that are shown; "" or what went wrong.
    QString load(const QString& path);

signals:
    /// What the user is to do now; "": nothing.
    void hintChanged(const QString& hint);

private:
    void begin(Annotation::Kind kind);
    static QString hintFor(Annotation::Kind kind);
    int sideOf(std::uint64_t (MarkupHistory::*number)() const, bool first = false) const;
    bool any() const;
    void chooseAndSave();
    void chooseAndLoad();

    Workspace* m_workspace;
    ComparisonView* m_timeline;
    NoticeBar* m_notice;
};

}  // namespace lanes::gui
