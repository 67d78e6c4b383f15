// SPDX-License-Identifier: MIT
// The list of workloads: a user's own, which were opened from files, above those of
// the catalogue, each with a mark in the colour of what it is about; one that is
// changed and not saved has a dot after its name.
#pragma once

#include "engine/workload/workload.h"

#include <QListWidget>

#include <memory>
#include <optional>
#include <vector>

namespace lanes::gui {

class WorkloadList : public QListWidget {
    Q_OBJECT
public:
    explicit WorkloadList(QWidget* parent = nullptr);

    enum class Origin : std::uint8_t { catalogue, own };
    /// Adds at the end of its part; one of the same file takes the place of the earlier one.
    void addWorkload(std::shared_ptr<const Workload> workload, Origin origin = Origin::catalogue);
    /// Takes one off the list; its file stays.
    void removeWorkload(const QString& file);
    /// Of those that are a user's own, in their order.
    QStringList ownFiles() const;
    bool isOwn(const QString& file) const;
    void setModified(const QString& file, bool modified);
    /// By name or by path; false if there is none.
    bool select(const QString& nameOrFile);
    std::shared_ptr<const Workload> selected() const;
    /// All, those of the catalogue first.
    std::vector<std::shared_ptr<const Workload>> workloads() const;
    /// The workload of the list that a recording was made with, or of the same name: its texts are the newest and its
    /// file is there. Itself where there is none.
    std::shared_ptr<const Workload> newest(const std::shared_ptr<const Workload>& recorded) const;
    /// Chooses the first of the catalogue; nothing where that is empty.
    void selectFirst();

    QSize sizeHint() const override;

signals:
    void workloadSelected(std::shared_ptr<const Workload> workload);

private:
    struct Entry {
        std::shared_ptr<const Workload> workload;  // null: a heading
        Origin origin = Origin::catalogue;
        bool modified = false;
    };
    std::optional<int> rowOf(const std::string& nameOrFile) const;
    void addHeading(int row, const QString& text);
    void describe(int row);

    std::vector<Entry> m_entries;  // by row
    int m_own = 0;  // rows of a user's own workloads, after their heading
};

}  // namespace lanes::gui
