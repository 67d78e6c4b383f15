// SPDX-License-Identifier: MIT
// What cost time, and before that what was wrong: the findings of the open recordings, and under them where their
// threads were held, the costliest first. Choosing one shows its evidence.
#pragma once

#include "gui/panels/open_recording.h"
#include "gui/timeline/recording.h"

#include <QListWidget>

#include <vector>

namespace lanes::gui {

class FindingsPanel : public QListWidget {
    Q_OBJECT
public:
    explicit FindingsPanel(QWidget* parent = nullptr);

    /// The open recordings, A first.
    void setRecordings(const std::vector<OpenRecordingPtr>& recordings);
    /// How many things it lists.
    int findings() const { return static_cast<int>(m_entries.size()); }

    struct Entry {
        int side;
        Ns cost;
        QString pill;  ///< the cost, or what it is instead: "64 MiB stale"
        QString title, advice;
        ItemRef evidence;  ///< the costliest piece
    };
    const std::vector<Entry>& entries() const { return m_entries; }

signals:
    void evidenceWanted(int side, ItemRef event);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    std::vector<Entry> m_entries;
    bool m_open = false;
};

}  // namespace lanes::gui
