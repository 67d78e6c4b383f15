// SPDX-License-Identifier: MIT
#include "gui/app/record/record_run.h"

#include "engine/run/child_process.h"
#include "engine/run/live_spool.h"
#include "engine/run/output_files.h"
#include "engine/trace/thread_priority.h"
#include "gui/paint/words/printable_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPromise>
#include <QtConcurrentRun>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace lanes::gui {

namespace {

constexpr qint64 least_pause_ms = 250;  // the recorder hands over its records as often
constexpr int grace_ms = 2000;  // of a window that goes away, before it kills
constexpr qsizetype longest_said = 1 << 16;
constexpr qsizetype most_said = 50;
constexpr std::size_t most_shown = 150'000;  // records, unless there are more in the last two seconds

QString nameOfThread(const Trace& trace, Row row)
{
    if (row >= trace.threads.size()) {
        return {};
    }
    const Thread& thread = trace.threads[row];
    if (thread.name == 0) {
        return QCoreApplication::translate("lanes::gui::RecordRun", "thread %1").arg(thread.id);
    }
    return nameText(trace.text(thread.name));
}

OpenRecordingPtr pictureOf(Trace trace, bool whole)
{
    const Ns end = trace.duration;
    Ns first = end;
    for (const auto* starts : {&trace.calls.start, &trace.operations.start}) {
        const auto earliest = std::min_element(starts->begin(), starts->end());
        first = earliest == starts->end() ? first : std::min(first, *earliest);
    }
    auto shown = std::make_shared<OpenRecording>(*analysed(std::move(trace), QString()));
    auto report = std::make_shared<Report>(*shown->report);
    report->steady.reset();  // that of the whole decides what is looked at
    shown->report = std::move(report);
    shown->note = (whole ? RecordRun::tr("being recorded")
                         : RecordRun::tr("being recorded; the last %1 s are shown")
                               .arg(static_cast<double>(end - first) / 1e9, 0, 'f', 1))
                      .toStdString();
    return shown;
}

/// First the figures, then the picture, which takes longer.
void lookAt(LiveSpool& spool, bool wantsPicture, QPromise<RecordLook>& promise)
{
    lower_priority_of_this_thread();
    RecordLook look;
    try {
        look.isNew = spool.read();
        if (!look.isNew) {
            promise.addResult(look);
            return;
        }
        Trace trace = spool.make();
        const Interval second = last_second(trace);
        look.figures = live_figures(trace, find_blocking(trace), second);
        look.thread = nameOfThread(trace, look.figures.thread);
        promise.addResult(look);
        if (wantsPicture && second.end > second.start) {
            look.recording = pictureOf(std::move(trace), spool.is_whole());
            promise.addResult(look);
        }
        return;
    } catch (const std::bad_alloc&) {
        look.error = RecordRun::tr("There is not enough memory to show it while it runs.");
    } catch (const std::exception& error) {
        look.error = QString::fromUtf8(error.what());
    }
    promise.addResult(look);
}

}  // namespace

RecordRun::RecordRun(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);  // of low priority, and that stays with it
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &RecordRun::look);
    connect(&m_watcher, &QFutureWatcher<RecordLook>::resultReadyAt, this, [this](int index) {
        if (isRunning() && m_lookedAt == m_spool) {
            const RecordLook look = m_watcher.resultAt(index);
            m_failed = !look.error.isEmpty();
            emit looked(look);
        }
    });
    connect(&m_watcher, &QFutureWatcher<RecordLook>::finished, this, &RecordRun::lookEnded);
}

RecordRun::~RecordRun()
{
    m_watcher.disconnect();
    m_pool.waitForDone();
    if (m_process) {
        send(SIGINT, true);
        QProcess* orphan = m_process.release();
        orphan->disconnect();
        orphan->setParent(QCoreApplication::instance());
        QObject::connect(orphan, &QProcess::finished, orphan, &QObject::deleteLater);
        const auto end = [orphan, id = static_cast<pid_t>(orphan->processId())] {
            if (orphan->state() != QProcess::NotRunning && id > 0) {
                ::kill(-id, SIGKILL);
            }
        };
        QTimer::singleShot(grace_ms, orphan, end);
        QObject::connect(QCoreApplication::instance(), &QCoreApplication::aboutToQuit, orphan, end);
    }
}

void RecordRun::start(const QString& program, const RecordSettings& settings, const QString& output)
{
    m_output = output;
    m_rest.clear();
    m_decoder.resetState();
    m_said.clear();
    m_stops = 0;
    m_failed = false;
    m_spool = std::make_shared<LiveSpool>(
        spool_of(output.toStdString()), LiveSpool::Limits {.records = most_shown, .most = 4 * most_shown});
    m_process = std::make_unique<QProcess>();
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setWorkingDirectory(settings.folder);
    // A group of its own: what is sent to it reaches the program, as Ctrl+C on a terminal does, and not the window.
    auto environment = environmentOf(settings);
    environment.insert(QLatin1String(group_signals_variable), QStringLiteral("1"));
    m_process->setProcessEnvironment(environment);
    m_process->setChildProcessModifier([] { ::setpgid(0, 0); });
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &RecordRun::readOutput);
    connect(m_process.get(), &QProcess::finished, this, &RecordRun::processEnded);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            RecordEnd failed;
            failed.startFailed = true;
            failed.said = QStringList {m_process->errorString()};
            end(failed);
        }
    });
    m_clock.start();
    m_next.start(static_cast<int>(least_pause_ms));
    m_process->start(program, recordArguments(settings, output));
}

void RecordRun::send(int signal, bool toAll)
{
    const auto id = static_cast<pid_t>(m_process ? m_process->processId() : 0);
    if (id <= 0) {
        return;
    }
    const bool isSent = toAll && ::kill(-id, signal) == 0;
    if (!isSent && (!toAll || errno == ESRCH)) {  // it is alone before it has made its group
        ::kill(id, signal);
    }
}

void RecordRun::stop()
{
    ++m_stops;
    if (m_stops == 1) {
        send(SIGINT, true);
    } else if (m_stops == 2) {
        send(SIGTERM, false);  // lanes passes it on, and writes the recording then
    } else {
        send(SIGKILL, true);  // the spool stays and is opened
    }
}

void RecordRun::look()
{
    if (m_watcher.isRunning()) {  // at what ran before this
        m_next.start(static_cast<int>(least_pause_ms));
        return;
    }
    m_lookedAt = m_spool;
    m_lookClock.start();
    m_watcher.setFuture(QtConcurrent::run(static_cast<QThreadPool*>(&m_pool),
        [spool = m_spool, wanted = m_pictures](QPromise<RecordLook>& promise) { lookAt(*spool, wanted, promise); }));
}

void RecordRun::lookEnded()
{
    if (isRunning() && m_lookedAt == m_spool && !m_failed) {
        m_next.start(static_cast<int>(std::max(least_pause_ms, m_lookClock.elapsed())));
    }
}

void RecordRun::readOutput()
{
    const QByteArray bytes = m_process->readAllStandardOutput();
    m_rest += bytes;
    for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n')) {
        if (m_rest.startsWith("lanes: ")) {
            m_said += QString::fromUtf8(m_rest.mid(7, end - 7)).trimmed();
            m_said = m_said.mid(std::max<qsizetype>(0, m_said.size() - most_said));
        }
        m_rest.remove(0, end + 1);
    }
    m_rest = m_rest.right(longest_said);
    emit said(m_decoder.decode(bytes));
}

void RecordRun::processEnded(int status, QProcess::ExitStatus how)
{
    readOutput();
    RecordEnd ended;
    ended.status = status;
    ended.crashed = how == QProcess::CrashExit;
    ended.said = m_said;
    if (QFileInfo::exists(m_output)) {
        ended.file = m_output;
    } else if (const auto spool = QString::fromStdString(spool_of(m_output.toStdString()));
               QFileInfo(spool).size() > 0) {
        ended.file = spool;
    }
    end(ended);
}

void RecordRun::end(const RecordEnd& end)
{
    m_lasted = m_clock.elapsed();
    m_next.stop();
    m_process.release()->deleteLater();  // this may be one of its signals
    emit ended(end);
}

}  // namespace lanes::gui
