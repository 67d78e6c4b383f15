// SPDX-License-Identifier: MIT
// What changed between the typical iterations of the two open recordings: found in the background when two programs are
// open that both repeat. Belongs to the workspace; for the window's thread.
#pragma once

#include "gui/paint/waterfall.h"
#include "gui/timeline/question.h"

#include <memory>
#include <QObject>

namespace lanes::gui {

class Workspace;

class IterationChanges : public QObject {
    Q_OBJECT
public:
    explicit IterationChanges(Workspace* workspace);

    /// Null: not found yet, or there are no two programs with iterations of one kind.
    const std::shared_ptr<const Waterfall>& found() const { return m_found; }

signals:
    void changed();

private:
    void findAgain();

    Workspace* m_workspace;
    std::shared_ptr<const Waterfall> m_found;
    Question<std::shared_ptr<const Waterfall>> m_finding;
};

}  // namespace lanes::gui
