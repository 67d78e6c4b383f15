// SPDX-License-Identifier: MIT
// A run on a GPU: `lanes run` in a process of its own, its progress read as JSON
// lines, the recording that it wrote opened. The window never calls CUDA: whatever
// happens to the run, a fault, a hang, a kill, garbage on its output, ends as one
// line of text here.
#pragma once

#include "gui/app/frame/job.h"
#include "gui/app/run/run_request.h"

#include <QProcess>

#include <memory>

namespace lanes::gui {

/// What `lanes run` is called with for a request.
QStringList lanesArguments(const RunRequest& request);

class LanesJob final : public Job {
    Q_OBJECT
public:
    LanesJob(const QString& title, const QString& program, const QStringList& arguments, QObject* parent = nullptr);
    ~LanesJob() override;

    void start() override;
    /// Interrupts the run, as Ctrl-C would, and kills it if it has not ended after two seconds.
    void cancel() override;

private:
    void readLines();
    void readLine(const QByteArray& line);
    void processEnded(int code, QProcess::ExitStatus status);
    void open(const QString& file);
    void end(const JobResult& result);
    QString lastWords();

    QString m_program;
    QStringList m_arguments;
    std::unique_ptr<QProcess> m_process;
    std::unique_ptr<Job> m_opening;
    QString m_file, m_error;
    bool m_ended = false;
};

}  // namespace lanes::gui
