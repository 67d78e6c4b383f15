// SPDX-License-Identifier: MIT
// Sessions: what is open, with range, filter, marks, annotations and the arrangement of lanes, saved as a small file
// and opened again. Recordings that no file holds are saved beside it.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/app/open/session_file.h"
#include "gui/session/open_recording.h"

#include <QObject>

#include <utility>

namespace lanes::gui {

class ComparisonView;
class Files;
class JobQueue;
class NoticeBar;
class Workspace;

class Sessions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workspace* workspace;
        JobQueue* jobs;
        NoticeBar* notice;
        ComparisonView* timeline;
        Files* files;
    };
    Sessions(const Parts& parts, QObject* parent);

    void addCommands(CommandTable& table);
    /// In the place of what is open. Where something cannot be read one line says what, and what is open stays.
    void open(const QString& path);
    /// Whole or not at all; the notice says which.
    void save(const QString& path);

signals:
    /// There was nothing open before.
    void firstOpened();

private:
    void chooseAndSave();
    QString fileOf(const OpenRecording& recording) const;
    void keepBeside(int side, const QString& path);
    Session present() const;
    void openNext(const QString& path, const std::shared_ptr<Session>& session,
        const std::shared_ptr<std::vector<OpenRecordingPtr>>& opened);
    void show(const QString& path, const Session& session, const std::vector<OpenRecordingPtr>& opened);
    void arrange(const Session& session);

    Parts m_parts;
    std::vector<std::pair<std::weak_ptr<const Trace>, QString>> m_kept;  // saved beside a session
};

}  // namespace lanes::gui
