// SPDX-License-Identifier: MIT
// The texts of workloads: opened from anywhere, changed in the editor, saved as a user's own, watched for changes by
// other programs. What is changed and not saved is kept until it is saved or taken back.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/app/open/file_watch.h"
#include "gui/panels/workload_list.h"

#include <QMap>
#include <QObject>
#include <QString>

class QSettings;
class QWidget;

namespace lanes::gui {

class NoticeBar;
class WorkloadEditor;

class WorkloadTexts : public QObject {
    Q_OBJECT
public:
    /// Dialogs are the window's.
    WorkloadTexts(WorkloadList* workloads, WorkloadEditor* editor, NoticeBar* notice, QWidget* window);

    void addCommands(CommandTable& table);

    /// Those that came with Lanescope.
    void loadCatalogue();
    /// Opens a workload's file as the chosen one; one that is wrong is opened as text, with the error at its line.
    void open(const QString& path);
    /// What is wrong with the editor's text of this file, with its place: what would run is not what is read there,
    /// also where the editor is closed. "": nothing.
    QString problemOf(const std::string& file) const;
    /// Takes what was typed last: the workload of the list is it, or problemOf() says why not.
    void settle();
    /// Takes over what another window's editor shows and what is not saved in it.
    void continueFrom(const WorkloadTexts& other);
    /// Whether the window may close now. Where texts are changed and not saved it asks, and says closeWanted() later.
    bool mayClose();

    void restore(const QSettings& settings);
    void remember(QSettings& settings) const;

signals:
    void changed();  ///< what can be done
    void listChanged();  ///< there is one more in the list
    void edited();  ///< the text of the chosen workload changed
    void lanesWanted();
    void closeWanted();

private:
    void takeDrafts(const QMap<QString, QString>& drafts);
    void present();
    void watch();
    void toggleEditor();
    void take(const std::shared_ptr<const Workload>& workload);
    void save();
    void saveAs();
    bool write(const QString& file, const QString& text);
    void revert();
    void forget();
    void saveAll();
    void restoreListed(const QString& file);
    void changedOnDisk(const QString& file);
    void reload(const QString& file);

    WorkloadList* m_workloads;
    WorkloadEditor* m_editor;
    NoticeBar* m_notice;
    QWidget* m_window;
    FileWatch m_watch;
};

}  // namespace lanes::gui
