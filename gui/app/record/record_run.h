// SPDX-License-Identifier: MIT
// A program that is being recorded: `lanes record` in a process of its own, what it says, and the lanes and figures of
// what it has recorded so far, read from its spool on a worker thread.
//
// The next look comes when the last one has ended and as much time has passed again, at most four times a second: the
// program keeps its processors. Whatever happens to the program or to `lanes`, this ends once, with ended().
#pragma once

#include "engine/analysis/live_figures.h"
#include "gui/app/record/record_settings.h"
#include "gui/session/open_recording.h"
#include "gui/timeline/worker_pool.h"

#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QProcess>
#include <QStringDecoder>
#include <QTimer>

#include <memory>

namespace lanes {
class LiveSpool;
}

namespace lanes::gui {

/// What was seen at one look: without the recording at first, then with it.
struct RecordLook {
    OpenRecordingPtr recording;  ///< null: nothing new, or nobody wants it
    LiveFigures figures;
    QString thread;  ///< that the blocked time is of
    bool isNew = false;  ///< something was recorded since the last look
    QString error;  ///< why the spool cannot be read; "" if it can
};

/// How it ended.
struct RecordEnd {
    QString file;  ///< the recording, or where `lanes` was killed its spool; "": there is none
    int status = -1;  ///< of `lanes record`: the program's
    bool crashed = false;  ///< `lanes` itself was killed
    bool startFailed = false;  ///< there is no `lanes`
    QStringList said;  ///< by `lanes`, not by the program: its lines without "lanes: "
};

class RecordRun : public QObject {
    Q_OBJECT
public:
    explicit RecordRun(QObject* parent = nullptr);
    /// A program that still runs is stopped; nobody waits for it.
    ~RecordRun() override;

    /// `program` is `lanes`; `output` the .sqlite that it writes.
    void start(const QString& program, const RecordSettings& settings, const QString& output);
    /// Asks the program to end: an interrupt as of Ctrl+C, the second time a request to end, then kills it.
    void stop();
    bool isRunning() const { return m_process != nullptr; }
    int stopsAsked() const { return m_stops; }
    /// Since the start, ms; of one that has ended, until then.
    qint64 elapsed() const { return isRunning() ? m_clock.elapsed() : m_lasted; }

    /// Whether looks bring recordings or figures alone.
    void setPictures(bool wanted) { m_pictures = wanted; }

signals:
    void looked(const lanes::gui::RecordLook& look);
    /// Of the program and of `lanes`, as it comes.
    void said(const QString& text);
    void ended(const lanes::gui::RecordEnd& end);

private:
    void look();
    void lookEnded();
    void readOutput();
    void processEnded(int status, QProcess::ExitStatus how);
    void end(const RecordEnd& end);
    void send(int signal, bool toAll);

    std::unique_ptr<QProcess> m_process;
    QString m_output;
    QByteArray m_rest;  // of the output, not yet a line
    QStringList m_said;
    QStringDecoder m_decoder {QStringDecoder::Utf8};
    std::shared_ptr<LiveSpool> m_spool, m_lookedAt;  // of one look at a time
    WorkerPool m_pool;
    QFutureWatcher<RecordLook> m_watcher;
    QTimer m_next;
    QElapsedTimer m_clock, m_lookClock;
    qint64 m_lasted = 0;
    int m_stops = 0;
    bool m_pictures = true;
    bool m_failed = false;  // the spool cannot be read
};

}  // namespace lanes::gui
