// SPDX-License-Identifier: MIT
#include "gui/app/frame/timeline_keys.h"

#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline_view.h"

#include <QAbstractItemView>
#include <QKeyEvent>

namespace lanes::gui {

TimelineKeys::TimelineKeys(QWidget* window, std::initializer_list<const QWidget*> panels, ComparisonView* timeline)
    : QObject(window)
    , m_timeline(timeline)
{
    window->installEventFilter(this);
    for (const QWidget* panel : panels) {
        for (QAbstractItemView* list : panel->findChildren<QAbstractItemView*>()) {
            list->installEventFilter(this);
        }
    }
}

bool TimelineKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && m_timeline->isVisible()) {
        const auto* key = static_cast<const QKeyEvent*>(event);
        // Arrows, Backspace and Esc are the tables' own.
        if (const auto action = isSign(*key) ? actionOf(*key) : std::nullopt) {
            if (!m_timeline->activeView()->awaitsPlace()) {
                m_timeline->perform(*action);
            }
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace lanes::gui
