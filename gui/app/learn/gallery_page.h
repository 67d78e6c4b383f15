// SPDX-License-Identifier: MIT
// The first page, and the one to come back to: what Lanescope is for, the ways to
// begin, and a card for every workload.
#pragma once

#include "engine/workload/workload.h"

#include <QWidget>

#include <memory>
#include <vector>

class QMenu;
class QPushButton;

namespace lanes::gui {

class GalleryList;

class GalleryPage : public QWidget {
    Q_OBJECT
public:
    explicit GalleryPage(QWidget* parent = nullptr);

    void setWorkloads(
        const std::vector<std::shared_ptr<const Workload>>& workloads, const std::shared_ptr<const Workload>& chosen);
    GalleryList* list() const { return m_list; }
    /// What Run will do: "Run “Copy results back” on Model H100".
    void setRun(const QString& text, bool enabled);
    void setRecentFiles(const QStringList& files);

signals:
    void lessonWanted(std::shared_ptr<const Workload> workload);
    void runWanted();
    void openWanted();
    void fileWanted(const QString& path);

private:
    QPushButton* m_run;
    QPushButton* m_recent;
    QMenu* m_recentMenu;
    GalleryList* m_list;
};

}  // namespace lanes::gui
