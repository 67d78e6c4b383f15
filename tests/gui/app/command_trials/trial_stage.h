// SPDX-License-Identifier: MIT
// The real window, offscreen, on which a command is tried: opened recordings, what it
// showed before the input, and the inputs themselves, by real key and mouse events.
#pragma once

#include "gui/app/frame/main_window.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_view.h"

#include <QPoint>
#include <QTemporaryDir>

#include <initializer_list>
#include <memory>

class QAction;
class QDialog;
class QMenu;
class QTabWidget;

namespace lanes::gui {

class TrialStage {
public:
    TrialStage();

    MainWindow& window() { return *m_window; }
    ComparisonView& timeline() { return m_window->timeline(); }
    TimelineView& view(int side = 0) { return *timeline().view(side); }
    Timeline& side(int index = 0) { return timeline().side(index); }
    QTabWidget& panels();
    /// The visible dialog of that name; null where there is none.
    QDialog* dialog(const char* name);
    QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static bool focusIn(const QWidget* widget);

    // The states in which trials begin. Recordings are those of resources/recordings/h200, without the ending.
    void open(std::initializer_list<const char*> recordings);
    void openOne() { open({"copy-results-back.blocking"}); }
    void openTwo() { open({"copy-results-back.blocking", "copy-results-back.overlapped"}); }
    /// One recording with an item of its first stream selected, by a click.
    void selectOperation();
    /// One recording with a call selected that issued an operation, by a click.
    void selectCall();
    /// One recording with the middle third of the view selected, by a drag.
    void selectRange();
    /// A run that takes long enough to be cancelled.
    void startLongRun();
    /// Writes the path into the file dialog that is open and accepts it.
    void answerFileDialog(const QString& path);

    /// What was shown before the input.
    struct Before {
        TimeScale scale;
        ItemRef selection;
        std::optional<Interval> range;
        int scroll = 0;
        int panel = 0;
        OpenRecordingPtr a, b;
    };
    Before before;
    void remember();

    // The input events.
    void press(const Command& command, const QKeySequence& key, bool inTimeline);
    void clickInMenu(const Command& command);
    /// An entry of an open menu; the mouse goes there first.
    static void clickEntry(QMenu* menu, QAction* entry);

private:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace lanes::gui
