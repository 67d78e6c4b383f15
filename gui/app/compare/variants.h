// SPDX-License-Identifier: MIT
// All variants of a workload: run one after the other, compared beside one another, two of them shown.
#pragma once

#include <QObject>

#include <memory>

namespace lanes {
class Workload;
}

namespace lanes::gui {

class DeviceChoice;
class JobQueue;
class NoticeBar;
class ParameterForm;
class RunJobs;
class VariantRuns;
class VariantsPanel;
class Workspace;

class Variants : public QObject {
    Q_OBJECT
public:
    Variants(Workspace* workspace, JobQueue* jobs, RunJobs* maker, ParameterForm* form, DeviceChoice* device,
        NoticeBar* notice, VariantsPanel* panel);

    /// The workload whose variants the panel shows.
    void present(const std::shared_ptr<const Workload>& workload);
    void runAll();
    void continueFrom(const Variants& other);

signals:
    void begun();  ///< all of them are going to run
    void panelWanted();

private:
    void showMade();
    void show(int row, int side);

    Workspace* m_workspace;
    JobQueue* m_jobs;
    RunJobs* m_maker;
    ParameterForm* m_form;
    DeviceChoice* m_device;
    NoticeBar* m_notice;
    VariantRuns* m_runs;
};

}  // namespace lanes::gui
