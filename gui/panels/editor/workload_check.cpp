// SPDX-License-Identifier: MIT
#include "gui/panels/editor/workload_check.h"

#include <QFutureWatcher>
#include <QtConcurrentRun>

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
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
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
    ++m_newest;
    m_delay.start();
}

void WorkloadCheck::start()
{
    auto* watcher = new QFutureWatcher<QString>(this);
    connect(watcher, &QFutureWatcher<QString>::finished, this, [this, watcher, request = m_newest] {
        if (request == m_newest) {
            emit checked(watcher->result());
        }
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run(firstProblem, m_workload, m_runs));
}

}  // namespace lanes::gui
