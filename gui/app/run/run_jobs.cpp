// SPDX-License-Identifier: MIT
#include "gui/app/run/run_jobs.h"

#include "gui/app/edit/workload_file.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/run/lanes_job.h"
#include "gui/app/run/model_job.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct RunJobsTexts {
    Q_DECLARE_TR_FUNCTIONS(RunJobs)
};

}  // namespace

std::unique_ptr<Job> RunJobs::make(RunRequest request)
{
    const QString workload = QString::fromStdString(request.workload->name);
    const QString variant = QString::fromStdString(request.run.variant);
    const QString name = variant.isEmpty() ? workload : variant;
    switch (request.device.kind) {
    case RunDevice::Kind::model:
        return makeModelJob(RunJobsTexts::tr("%1 on the model").arg(name), request);
    case RunDevice::Kind::gpu:
        request.output
            = m_folder.filePath(QStringLiteral("%1-%2.sqlite")
                                    .arg(++m_number)
                                    .arg(variant.isEmpty() ? workload : workload + QLatin1Char('.') + variant));
        request.file = fileToRun(*request.workload);
        return std::make_unique<LanesJob>(
            RunJobsTexts::tr("%1 on the GPU").arg(name), lanesProgram(), lanesArguments(request));
    case RunDevice::Kind::recorded:
        break;
    }
    return std::unique_ptr<Job>(makeOpenJob(recordedFile(request.device.argument, workload, variant)));
}

/// A run in another process needs a file: that of a text that is not saved is written beside what runs wrote.
QString RunJobs::fileToRun(const Workload& workload)
{
    QString file = QString::fromStdString(workload.file);
    const QString source = QString::fromStdString(workload.source);
    if (workloadText(file) == source) {
        return file;
    }
    QString copy = m_folder.filePath(
        QStringLiteral("text-%1/%2.yaml").arg(++m_number).arg(QString::fromStdString(workload.name)));
    if (const QString problem = writeWorkload(copy, source); !problem.isEmpty()) {
        m_failed(problem);
        return file;
    }
    return copy;
}

}  // namespace lanes::gui
