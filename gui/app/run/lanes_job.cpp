// SPDX-License-Identifier: MIT
#include "gui/app/run/lanes_job.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>

#include <csignal>

namespace lanes::gui {

namespace {

constexpr qint64 longest_line = 1 << 20;  // what is longer is no progress
constexpr int patience_ms = 2000;  // after an interrupt
constexpr double job_share = 0.9;  // the rest of the bar is the opening of the file

/// Leaves the process to end by itself: interrupted, then killed.
void abandon(std::unique_ptr<QProcess> process)
{
    if (!process || process->state() == QProcess::NotRunning) {
        return;
    }
    QProcess* orphan = process.release();
    orphan->disconnect();
    orphan->setParent(QCoreApplication::instance());  // ends with the program at the latest
    QObject::connect(orphan, &QProcess::finished, orphan, &QObject::deleteLater);
    QObject::connect(orphan, &QProcess::errorOccurred, orphan, &QObject::deleteLater);
    if (const qint64 id = orphan->processId(); id > 0) {
        ::kill(static_cast<pid_t>(id), SIGINT);
    }
    QTimer::singleShot(patience_ms, orphan, &QProcess::kill);
}

}  // namespace

QStringList lanesArguments(const RunRequest& request)
{
    const QString file
        = QFileInfo(request.file.isEmpty() ? QString::fromStdString(request.workload->file) : request.file)
              .absoluteFilePath();
    QStringList arguments {QStringLiteral("run"), file};
    if (!request.run.variant.empty()) {
        arguments << QStringLiteral("--variant") << QString::fromStdString(request.run.variant);
    }
    for (const auto& [key, value] : request.run.settings) {
        arguments << QStringLiteral("--set") << QString::fromStdString(key + "=" + value);
    }
    const QString device
        = request.device.kind == RunDevice::Kind::gpu ? QStringLiteral("cuda:") : QStringLiteral("model:");
    arguments << QStringLiteral("--device") << device + request.device.argument;
    arguments << QStringLiteral("--progress") << QStringLiteral("json") << QStringLiteral("-o") << request.output;
    return arguments;
}

LanesJob::LanesJob(const QString& title, const QString& program, const QStringList& arguments, QObject* parent)
    : Job(title, parent)
    , m_program(program)
    , m_arguments(arguments)
{
}

LanesJob::~LanesJob()
{
    abandon(std::move(m_process));
}

void LanesJob::start()
{
    m_process = std::make_unique<QProcess>();
    m_process->setStandardInputFile(QProcess::nullDevice());
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &LanesJob::readLines);
    connect(m_process.get(), &QProcess::finished, this, &LanesJob::processEnded);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            end({nullptr, tr("%1 could not be started: %2").arg(m_program, m_process->errorString()), false});
        }
    });
    m_process->start(m_program, m_arguments);
}

void LanesJob::cancel()
{
    abandon(std::move(m_process));
    m_opening.reset();
    end({nullptr, {}, true});
}

void LanesJob::readLines()
{
    while (m_process->canReadLine()) {
        readLine(m_process->readLine(longest_line));
    }
    if (m_process->bytesAvailable() > longest_line) {
        m_process->readAllStandardOutput();
    }
}

void LanesJob::readLine(const QByteArray& line)
{
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const QString event = object.value(QLatin1String("event")).toString();
    if (event == QLatin1String("progress")) {
        emit progressed(std::clamp(object.value(QLatin1String("fraction")).toDouble(), 0.0, 1.0) * job_share);
    } else if (event == QLatin1String("done") || event == QLatin1String("error")) {
        if (const QString file = object.value(QLatin1String("file")).toString(); !file.isEmpty()) {
            m_file = file;
        }
        if (event == QLatin1String("error")) {
            m_error = object.value(QLatin1String("message")).toString();
            if (m_error.isEmpty()) {
                m_error = tr("The run failed.");
            }
        }
    }
}

void LanesJob::processEnded(int code, QProcess::ExitStatus status)
{
    readLines();
    if (m_error.isEmpty() && status == QProcess::CrashExit) {
        m_error = tr("The run was killed or crashed. %1").arg(lastWords());
    } else if (m_error.isEmpty() && code != 0) {
        m_error = tr("lanes ended with status %1. %2").arg(code).arg(lastWords());
    } else if (m_error.isEmpty() && m_file.isEmpty()) {
        m_error = tr("lanes ended without a recording. %1").arg(lastWords());
    }
    m_error = m_error.simplified();
    if (!m_file.isEmpty() && QFileInfo::exists(m_file)) {
        open(m_file);
    } else {
        if (m_error.isEmpty()) {
            m_error = tr("The recording %1 is not there.").arg(m_file);
        }
        end({nullptr, m_error, false});
    }
}

void LanesJob::open(const QString& file)
{
    m_opening.reset(makeOpenJob(file));
    connect(m_opening.get(), &Job::progressed, this,
        [this](double fraction) { emit progressed(job_share + fraction * (1 - job_share)); });
    connect(m_opening.get(), &Job::finished, this, [this](const JobResult& opened) {
        JobResult result = opened;
        if (!m_error.isEmpty()) {
            result.error = m_error;
        }
        end(result);
    });
    m_opening->start();
}

void LanesJob::end(const JobResult& result)
{
    if (!m_ended) {
        m_ended = true;
        emit finished(result);
    }
}

QString LanesJob::lastWords()
{
    const QList<QByteArray> lines = m_process->readAllStandardError().trimmed().split('\n');
    return QString::fromUtf8(lines.last().left(500)).simplified();
}

}  // namespace lanes::gui
