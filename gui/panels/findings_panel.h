// SPDX-License-Identifier: MIT
// What cost time, and before that what was wrong: the findings in the scope, the costliest first; in grey those of the
// scope before, until those of the present one are found. Choosing
// one shows the costliest piece of its evidence and marks all of it; buttons lead from one piece to the next. Where a
// change does what it advises, and the recording is not known to be refused, a button leads to what that would bring.
#pragma once

#include "gui/lanes/shown_recording.h"
#include "gui/session/open_recording.h"

#include <QListWidget>

#include <string>
#include <vector>

class QPushButton;

namespace lanes::gui {

class HitSteps;
class WhatIfs;
class Workspace;

class FindingsPanel : public QListWidget {
    Q_OBJECT
public:
    explicit FindingsPanel(QWidget* parent = nullptr);
    /// Follows what is open and what is selected, and says there what the user chooses.
    void observe(Workspace* workspace, const WhatIfs* whatIfs);

    /// The open recordings, A first, and the report of the scope of each; null: it is not known yet.
    void setRecordings(
        const std::vector<OpenRecordingPtr>& recordings, const std::vector<std::shared_ptr<const Report>>& reports);
    /// How many things it lists.
    int findings() const { return static_cast<int>(m_entries.size()); }

    struct Entry {
        int side;
        Ns cost;
        int rank;  ///< what is wrong, what repeats, what is done once: in this order, each the dearest first
        QString pill;  ///< the cost, or what it is instead: "64 MiB stale"
        QString title, advice;
        EventRef evidence;  ///< the costliest piece
        std::vector<EventRef> all = {};  ///< the costliest pieces, at most 100
        std::uint64_t count = 0;  ///< of all its pieces
        std::string key = {};  // Finding::key
        bool hasChange = false;
        /// Wrong bytes, or what a change would gain: shown as lost. Else it is time that no known change gains.
        bool isLost = true;
    };
    const std::vector<Entry>& entries() const { return m_entries; }

signals:
    void listed();  ///< other findings are
    void evidenceWanted(int side, EventRef event);
    /// What the change would bring that the finding advises.
    void whatIfWanted(int side, const std::string& finding);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void present(int row);
    void placeSteps();
    void addLinks(const std::vector<OpenRecordingPtr>& recordings);

    std::vector<Entry> m_entries;
    QString m_scopeText;
    bool m_open = false;
    bool m_known = true;  // false: of a recording only the beginning is there, without verdict and findings
    bool m_looked = false;  // a recording that does not say what waited is not searched
    Workspace* m_workspace = nullptr;
    const WhatIfs* m_whatIfs = nullptr;  // large recordings are asked about only when somebody wants to know
    HitSteps* m_steps;  // under the pill of the chosen finding
    std::vector<QPushButton*> m_links;  // after the titles; null where a replay knows no such change
};

}  // namespace lanes::gui
