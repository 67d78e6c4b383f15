// SPDX-License-Identifier: MIT
// Checks, while parameters are edited, whether the workload would run: compiles
// it on a worker thread a moment after the last change. Only the newest request is
// answered.
#pragma once

#include "gui/session/open_recording.h"
#include "gui/timeline/question.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace lanes::gui {

class WorkloadCheck : public QObject {
    Q_OBJECT
public:
    explicit WorkloadCheck(QObject* parent = nullptr);

    void check(std::shared_ptr<const Workload> workload, std::vector<VariantSettings> runs);

signals:
    /// `problem` is "" if all of them would run, else the first error's message.
    void checked(const QString& problem);

private:
    void start();

    QTimer m_delay;
    Question<QString> m_answer;
    std::shared_ptr<const Workload> m_workload;
    std::vector<VariantSettings> m_runs;
};

}  // namespace lanes::gui
