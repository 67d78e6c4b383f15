// SPDX-License-Identifier: MIT
// The list of workloads: those of the catalogue and those opened from files, each
// with a mark in the colour of what it is about.
#pragma once

#include "engine/workload/workload.h"

#include <QListWidget>

#include <memory>
#include <vector>

namespace lanes::gui {

class WorkloadList : public QListWidget {
    Q_OBJECT
public:
    explicit WorkloadList(QWidget* parent = nullptr);

    /// Adds at the end; one that has the same file replaces its earlier self.
    void addWorkload(std::shared_ptr<const Workload> workload);
    /// By name or by path; false if there is none.
    bool select(const QString& nameOrFile);
    std::shared_ptr<const Workload> selected() const;
    const std::vector<std::shared_ptr<const Workload>>& workloads() const { return m_workloads; }

    QSize sizeHint() const override;

signals:
    void workloadSelected(std::shared_ptr<const Workload> workload);

private:
    std::vector<std::shared_ptr<const Workload>> m_workloads;  // by row
};

/// The title in the window's language, else the name.
QString titleOf(const Workload& workload);

}  // namespace lanes::gui
