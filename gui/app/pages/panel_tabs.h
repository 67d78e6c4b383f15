// SPDX-License-Identifier: MIT
// The panels under the lanes. They observe the workspace; here they have their names and their tabs.
#pragma once

#include <QTabWidget>

namespace lanes::gui {

class DetailsPanel;
class EventsPanel;
class FindingsPanel;
class LessonPanel;
class StatisticsPanel;
class SummaryPanel;
class VariantsPanel;
class Workspace;

enum class PanelName { findings, summary, statistics, events, details, lesson, variants };

class PanelTabs : public QTabWidget {
    Q_OBJECT
public:
    /// `runAll` stands in the heading of the variants.
    PanelTabs(Workspace* workspace, QWidget* runAll, QWidget* parent = nullptr);

    EventsPanel* events() const { return m_events; }
    DetailsPanel* details() const { return m_details; }
    LessonPanel* lesson() const { return m_lesson; }
    VariantsPanel* variants() const { return m_variants; }

    QWidget* panel(PanelName name) const;
    /// Brings it to the front, shown or not.
    void choose(PanelName name);
    /// Whether there are tabs for what is about lessons alone; choosing one of them shows it all the same.
    void setLessonsShown(bool shown);
    /// To the summary, where nothing was found: an empty page is no beginning.
    void leaveEmptyFindings();
    /// As high as the variants want to be, with the tabs.
    int heightOfVariants() const;

private:
    FindingsPanel* m_findings;
    SummaryPanel* m_summary;
    StatisticsPanel* m_statistics;
    EventsPanel* m_events;
    DetailsPanel* m_details;
    LessonPanel* m_lesson;
    VariantsPanel* m_variants;
};

}  // namespace lanes::gui
