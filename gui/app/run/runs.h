// SPDX-License-Identifier: MIT
// Running what the form says where the choice of the device says: on the model, on a GPU, or by opening what came with
// Lanescope. One run at a time; what it made is shown when it ends.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/app/frame/job_queue.h"
#include "gui/app/run/run_jobs.h"

#include <QObject>

class QSettings;

namespace lanes::gui {

class DeviceChoice;
class LiveKnobs;
class NoticeBar;
class ParameterForm;
class Variants;
class WorkloadList;
class WorkloadTexts;
class Workspace;

class Runs : public QObject {
    Q_OBJECT
public:
    /// The parts that it works with; all of them live longer.
    struct Parts {
        Workspace* workspace;
        JobQueue* jobs;
        NoticeBar* notice;
        WorkloadList* workloads;
        ParameterForm* form;
        DeviceChoice* device;
        WorkloadTexts* texts;
        LiveKnobs* live;
    };
    Runs(const Parts& parts, QObject* parent);

    RunJobs* maker() { return &m_maker; }
    void addCommands(CommandTable& table, Variants* variants);

    /// What the form asks for could run.
    bool isRunnable() const;
    /// Takes what was typed last. Whether the workload's text can run; where not a notice says why: an older text than
    /// the one that is read there never runs.
    bool mayRun(const Workload& workload);
    bool isBusy() const { return m_parts.jobs->busy(); }
    /// Runs all of them and shows what they make; where `whenAll` is set it is called instead, once all are made.
    void start(const std::vector<RunRequest>& requests,
        const std::function<void(std::vector<OpenRecordingPtr>)>& whenAll = {});
    /// Ends what runs or opens, and drops what waits for it.
    void cancel();
    /// The workload and the form become those of what is open, where all of it is of one workload of the list.
    void takeOver();

    void restore(QSettings& settings);
    void remember(QSettings& settings) const;

signals:
    void begun();
    void shown();
    void cancelled();

private:
    void run();
    void runAgain();
    int sideToRepeat() const;

    Parts m_parts;
    RunJobs m_maker;
};

}  // namespace lanes::gui
