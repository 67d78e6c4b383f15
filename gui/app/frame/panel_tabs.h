// SPDX-License-Identifier: MIT
// The panels under the lanes. They observe the workspace; here they have their names and their tabs.
#pragma once

#include <QTabWidget>

namespace lanes::gui {

class CriticalPaths;
class DetailsPanel;
class EventsPanel;
class FindingsPanel;
class IterationsPanel;
class LessonPanel;
class PathPanel;
class StatisticsPanel;
class SummaryPanel;
class VariantsPanel;
class WhatIfPanel;
class WhatIfs;
class Workspace;

enum class PanelName { findings, summary, statistics, events, details, lesson, variants, path, iterations, what_if };

class PanelTabs : public QTabWidget {
    Q_OBJECT
public:
    /// What stands in the headings of panels.
    struct Headings {
        QWidget* runAll;  ///< of the variants
        QWidget* pathOnLanes;  ///< of the critical path
        QWidget* predicted;  ///< of what would be won
    };
    PanelTabs(Workspace* workspace, CriticalPaths* paths, WhatIfs* whatIfs, const Headings& headings,
        QWidget* parent = nullptr);

    EventsPanel* events() const { return m_events; }
    DetailsPanel* details() const { return m_details; }
    LessonPanel* lesson() const { return m_lesson; }
    VariantsPanel* variants() const { return m_variants; }
    FindingsPanel* findings() const { return m_findings; }
    WhatIfPanel* whatIf() const { return m_whatIf; }

    QWidget* panel(PanelName name) const;
    /// Brings it to the front, shown or not.
    void choose(PanelName name);
    /// Whether there are tabs for what is about lessons alone; choosing one of them shows it all the same.
    void setLessonsShown(bool shown);
    /// To the summary, where nothing was found: an empty page is no beginning.
    void leaveEmptyFindings();
    /// As high as the variants want to be, with the tabs.
    int heightOfVariants() const;
    /// With the tabs, so that the first finding can be read whole; 0 while it is not in front or there is none.
    int heightOfFirstFinding() const;

signals:
    void findingsChanged();

private:
    FindingsPanel* m_findings;
    SummaryPanel* m_summary;
    StatisticsPanel* m_statistics;
    EventsPanel* m_events;
    DetailsPanel* m_details;
    PathPanel* m_path;
    LessonPanel* m_lesson;
    VariantsPanel* m_variants;
    IterationsPanel* m_iterations;
    WhatIfPanel* m_whatIf;
};

}  // namespace lanes::gui
