// SPDX-License-Identifier: MIT
// The panels under the lanes. They observe the workspace; all that the window knows of one is a row here, from which
// its tab, its height and its command come.
#pragma once

#include <QTabWidget>

#include <vector>

namespace lanes::gui {

class CriticalPaths;
class IterationChanges;
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

enum class PanelName { findings, summary, statistics, events, lesson, variants, path, iterations, what_if };

/// What a panel must have room for while it is in front, where the window has it.
enum class PanelHeight {
    firstRow,  ///< the first finding, whole
    everything,  ///< all variants
    someLines,  ///< of a text
    fewRows,  ///< of a table
    someRows,  ///< of a table, under what the panel says of itself
    someChoices,  ///< the same of a table that one chooses from, also where that hides lanes
};

struct PanelRow {
    PanelName name;
    QWidget* widget;
    QString title;
    PanelHeight height;
    bool isOfLessons;
    /// Of the Go menu: brings the panel to the front. Null: a controller has a command that does.
    const char* command;
    QString text, tip;
    const char* keys;
};

class PanelTabs : public QTabWidget {
    Q_OBJECT
public:
    /// What the headings of panels contain.
    struct Headings {
        QWidget* runAll;  ///< of the variants
        QWidget* pathOnLanes;  ///< of the critical path
        QWidget* predicted;  ///< of what would be won
    };
    PanelTabs(Workspace* workspace, CriticalPaths* paths, WhatIfs* whatIfs, IterationChanges* shown,
        const Headings& headings, QWidget* parent = nullptr);

    EventsPanel* events() const { return m_events; }
    LessonPanel* lesson() const { return m_lesson; }
    VariantsPanel* variants() const { return m_variants; }
    FindingsPanel* findings() const { return m_findings; }
    WhatIfPanel* whatIf() const { return m_whatIf; }

    /// In the order of their tabs.
    const std::vector<PanelRow>& rows() const { return m_rows; }
    /// Of the one in front.
    const PanelRow& current() const { return m_rows[static_cast<std::size_t>(currentIndex())]; }
    QWidget* panel(PanelName name) const;
    /// Brings it to the front, shown or not.
    void choose(PanelName name);
    /// Whether there are tabs for what is about lessons alone; choosing one of them shows it all the same.
    void setLessonsShown(bool shown);
    /// To the summary, where nothing was found: an empty page is no beginning.
    void leaveEmptyFindings();
    /// As high as the variants want to be, with the tabs.
    int heightOfVariants() const;
    /// With the tabs, so that as many findings can be read whole; 0 while they are not in front or there are none.
    int heightOfFindings(int most) const;

signals:
    void findingsChanged();

private:
    FindingsPanel* m_findings;
    EventsPanel* m_events;
    LessonPanel* m_lesson;
    VariantsPanel* m_variants;
    WhatIfPanel* m_whatIf;
    std::vector<PanelRow> m_rows;
};

}  // namespace lanes::gui
