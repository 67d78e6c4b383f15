// SPDX-License-Identifier: MIT
// Recording a program from the window: its lanes grow while it runs and the view follows them, until the user looks at
// something; at the end the recording itself is in their place. It lies in a temporary folder until it is kept.
//
// Held lanes stand still: what is looked at stays what it is; the figures in the strip go on.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/app/record/record_run.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>

class QSettings;

namespace lanes::gui {

class ComparisonView;
class JobQueue;
class MonitorStrip;
class NoticeBar;
class Workspace;

class LiveRecording : public QObject {
    Q_OBJECT
public:
    /// The parts that it works with; all of them live longer.
    struct Parts {
        Workspace* workspace;
        JobQueue* jobs;
        NoticeBar* notice;
        ComparisonView* timeline;
        MonitorStrip* strip;
        QWidget* window;
    };
    LiveRecording(const Parts& parts, QObject* parent);

    void addCommands(CommandTable& table);

    /// Whether this machine has a GPU for the program; it is taken to have one until that is known.
    void setHasGpu(bool has) { m_hasGpu = has; }
    void start(const RecordSettings& settings);
    bool isRunning() const { return m_run->isRunning(); }
    bool follows() const { return m_follows; }
    /// Asks what becomes of a program that runs, or of a recording that was not kept. False: the window stays.
    bool mayClose();
    /// Nobody can be asked: what was recorded and not kept stays where it is, which is said on standard error. A
    /// program that runs is interrupted.
    void leave();
    /// Takes over what another window recorded, once its recordings are shown here; a program that runs stays there.
    void continueFrom(const LiveRecording& other);

    void restore(const QSettings& settings);
    void remember(QSettings& settings) const;

signals:
    void changed();
    void lanesWanted();
    void kept(const QString& file);
    void closeWanted();  ///< after mayClose() asked

private:
    void showDialog();
    void restart();
    void stop();
    void chooseKept();
    void keep(const QString& path);
    void discard();
    void setFollows(bool follows);

    void take(const RecordLook& look);
    void show(const OpenRecordingPtr& recording);
    void followEnd();
    void viewMoved();
    void looksAtSomething();
    void takeEnd(const RecordEnd& end);
    void takeWhole(const OpenRecordingPtr& whole);
    void sayState();
    bool isShown() const;

    Parts m_parts;
    RecordRun* m_run;
    RecordSettings m_settings;
    std::shared_ptr<QTemporaryDir> m_folder = std::make_shared<QTemporaryDir>();
    int m_number = 0;
    QString m_file;  ///< that was recorded and is not kept; "": none
    QString m_outcome;  ///< how it ended; a problem where there is no file
    OpenRecordingPtr m_shown;  ///< what was put into the workspace last
    bool m_hasStarted = false;  ///< there is something to start again
    bool m_follows = true;
    bool m_restarts = false;  ///< once it has ended
    bool m_hasGpu = true;
    bool m_failed = false;
    bool m_mayLose = false;  ///< the user said so
    Ns m_span = 0;  ///< that is in view while it is followed
    QElapsedTimer m_sinceNew;
    bool m_lastWasNew = false;  ///< the last look found something: one that takes its time is no silence
    QTimer m_tick;
};

}  // namespace lanes::gui
