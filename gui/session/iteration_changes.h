// SPDX-License-Identifier: MIT
// The iterations that the lanes of a window show. Of one recording, all for the strip over the lanes. Of two programs
// that both repeat one iteration of each, the typical ones until others are chosen, and what changed between them; of a
// prediction only when the user wants them, so that the part that it was made for stays the scope.
// All is found in the background. Belongs to the workspace; for the window's thread.
#pragma once

#include "gui/paint/iteration_bars.h"
#include "gui/paint/waterfall.h"
#include "gui/timeline/question.h"

#include <array>
#include <memory>
#include <QObject>

namespace lanes::gui {

class FoundIterations;
class Workspace;

/// Iteration `at[0]` of A and `at[1]` of B, from 0, and what changed on the critical path; null where they are not of
/// one kind. Both need their graph and ranges. Cost: that of changes_between().
std::shared_ptr<const Waterfall> waterfallOf(const ShownRecording& a, const Iterations& ofA, const ShownRecording& b,
    const Iterations& ofB, std::array<std::size_t, 2> at);

class IterationChanges : public QObject {
    Q_OBJECT
public:
    explicit IterationChanges(Workspace* workspace);

    /// All of both recordings.
    FoundIterations* iterations() const { return m_iterations; }

    /// Null: not found yet, or there are no two programs with iterations of one kind.
    const std::shared_ptr<const Waterfall>& found() const { return m_found; }
    /// Whether showTypical() has something to compare.
    bool canCompare() const;
    /// What the strip over the lanes shows; empty of lessons and where nothing repeats.
    IterationBars bars() const;
    /// Shows an iteration (from 0) of that side: of two that are compared beside the one of the other side, else as the
    /// selected range.
    void show(int side, std::size_t index);
    /// Compares the typical ones, again or for the first time.
    void showTypical();

signals:
    void changed();  ///< other ones are found or compared
    void barsChanged();

private:
    void startAnew();
    void compareUnasked();
    void compare(std::array<std::size_t, 2> chosen);

    Workspace* m_workspace;
    FoundIterations* m_iterations;
    std::shared_ptr<const Waterfall> m_found;
    Question<std::shared_ptr<const Waterfall>> m_finding;
};

}  // namespace lanes::gui
