// SPDX-License-Identifier: MIT
#include "gui/panels/editor/workload_check.h"

namespace lanes::gui {

namespace {

constexpr int delay_ms = 150;  // no compile for each key of a number

QString firstProblem(const std::shared_ptr<const Workload>& workload, const std::vector<VariantSettings>& runs)
{
    try {
        for (const VariantSettings& run : runs) {
            compile(*workload, run.variant, run.settings);
        }
    } catch (const WorkloadError& error) {
        return QString::fromStdString(error.message());
    }
    return {};
}

}  // namespace

WorkloadCheck::WorkloadCheck(QObject* parent)
    : QObject(parent)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(delay_ms);
    connect(&m_delay, &QTimer::timeout, this, &WorkloadCheck::start);
}

void WorkloadCheck::check(std::shared_ptr<const Workload> workload, std::vector<VariantSettings> runs)
{
    m_workload = std::move(workload);
    m_runs = std::move(runs);
    m_answer.cancel();
    m_delay.start();
}

void WorkloadCheck::start()
{
    const auto say = [this](const QString& problem) { emit checked(problem); };
    m_answer.ask([workload = m_workload, runs = m_runs](
                     const std::stop_token& /*it is short*/) { return firstProblem(workload, runs); },
        say, say);
}

}  // namespace lanes::gui
