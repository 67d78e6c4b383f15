// SPDX-License-Identifier: MIT
// Measuring between two events: from the selected one, or from the next that is selected, to the one selected after it.
// What lies between the start of the earlier and the end of the later becomes the selected range. Whoever clears the
// selection ends it.
#pragma once

#include "engine/trace/event_ref.h"
#include "engine/trace/units.h"
#include "gui/app/commands/command_table.h"

#include <QObject>

#include <optional>
#include <utility>

namespace lanes::gui {

class ComparisonView;
class Workspace;

class Measure : public QObject {
    Q_OBJECT
public:
    Measure(Workspace* workspace, ComparisonView* timeline);

    void addCommands(CommandTable& table);
    bool isOn() const { return m_on; }
    /// Begins, or ends without a range.
    void setOn(bool on);

signals:
    /// What the user is to do now; "": nothing.
    void hintChanged(const QString& hint);

private:
    void selected();
    void take(int side, EventRef event);
    void end();

    Workspace* m_workspace;
    ComparisonView* m_timeline;
    bool m_on = false;
    std::optional<Interval> m_from;  // in the time of A
    std::pair<int, EventRef> m_first;  // with its side
};

}  // namespace lanes::gui
