// SPDX-License-Identifier: MIT
// The marks of the open recordings: their menu, and that they are remembered.
#include "gui/app/main_window.h"
#include "gui/app/mark_memory.h"
#include "gui/paint/time_format.h"
#include "gui/timeline/comparison_view.h"

#include <QAction>
#include <QMenu>

namespace lanes::gui {

void MainWindow::marksChanged(int side)
{
    if (const OpenRecordingPtr recording = m_session.at(side); recording && !recording->path.isEmpty()) {
        rememberMarks(recording->path, recording->marks->all());
    }
    refresh();
}

/// "A · 2.31 ms · warm-up ends": a click goes there.
void MainWindow::fillMarksMenu()
{
    m_marksMenu->clear();
    for (int side = 0; side < m_session.count(); ++side) {
        const auto& marks = m_session.at(side)->marks->all();
        for (std::size_t i = 0; i < marks.size(); ++i) {
            QStringList words;
            if (m_session.count() > 1) {
                words += side == 0 ? QStringLiteral("A") : QStringLiteral("B");
            }
            words += formatTime(marks[i].time);
            if (!marks[i].text.empty()) {
                words += QString::fromStdString(marks[i].text).simplified().replace(QLatin1Char('&'), QStringLiteral("&&"));
            }
            QAction* entry = m_marksMenu->addAction(words.join(QStringLiteral(" · ")));
            connect(entry, &QAction::triggered, this, [this, side, i] { m_timeline->view(side)->goToMark(i); });
        }
    }
    if (m_marksMenu->isEmpty()) {
        m_marksMenu->addAction(tr("There are none yet"))->setEnabled(false);
    }
}

}  // namespace lanes::gui
