// SPDX-License-Identifier: MIT
// Makes the job of a run: on the model in this process, on a GPU by `lanes`, or the opening of what came with
// Lanescope. What `lanes` writes lies in a temporary folder that lives as long as this.
#pragma once

#include "gui/app/frame/job.h"
#include "gui/app/run/run_request.h"

#include <QTemporaryDir>

#include <functional>
#include <memory>

namespace lanes::gui {

class RunJobs {
public:
    /// `failed` is called with the reason why the text of a workload that is not saved could not be handed over to
    /// `lanes`.
    explicit RunJobs(std::function<void(const QString&)> failed)
        : m_failed(std::move(failed))
    {
    }

    std::unique_ptr<Job> make(RunRequest request);

private:
    QString fileToRun(const Workload& workload);

    std::function<void(const QString&)> m_failed;
    QTemporaryDir m_folder;
    int m_number = 0;
};

}  // namespace lanes::gui
