// SPDX-License-Identifier: MIT
// The lanes of a large recording come one after another, made by other threads.
#include "gui/timeline/timeline_view.h"

namespace lanes::gui {

void TimelineView::startIndexing()
{
    const quint64 indexing = ++m_indexings;
    m_workers = std::make_unique<LaneWorkers>(m_model->builder(), [this, indexing](std::vector<LaneRows> rows, double fraction) {
        const auto made = std::make_shared<std::vector<LaneRows>>(std::move(rows));
        QMetaObject::invokeMethod(this, [this, indexing, made, fraction] {
            if (indexing == m_indexings && m_workers) {
                takeRows(std::move(*made), fraction);
            }
        }, Qt::QueuedConnection);
    });
    emit indexed(0);
}

void TimelineView::takeRows(std::vector<LaneRows> rows, double fraction)
{
    const bool any = !rows.empty();
    m_model->put(std::move(rows));
    const bool ready = m_model->isReady();
    if (ready) {
        m_workers.reset();
        updateGeometry();
    }
    if (any) {
        relayout();
    }
    emit indexed(ready ? 1 : fraction);
}

void TimelineView::stopIndexing()
{
    if (m_workers) {
        m_workers.reset();
        emit indexed(1);
    }
}

}  // namespace lanes::gui
