// SPDX-License-Identifier: MIT
#include "gui/timeline/shown_lanes.h"

#include "gui/timeline/freed_elsewhere.h"

#include <utility>

namespace lanes::gui {

std::shared_ptr<LaneModel> ShownLanes::open(RecordingPtr recording, const LaneChoice& choice)
{
    stopIndexing();
    auto made
        = recording ? std::make_shared<LaneModel>(std::move(recording), LaneModel::Rows::laterIfMany, choice) : nullptr;
    auto before = std::exchange(m_model, std::move(made));
    m_layout = {};  // it speaks of rows of the lanes before
    if (m_model && !m_model->isReady()) {
        startIndexing();
    }
    return before;
}

void ShownLanes::free(std::shared_ptr<LaneModel> lanes)
{
    if (lanes && !lanes->isSmall()) {
        freeLater(std::move(lanes));
    }
}

void ShownLanes::layOut(const TimelineState& state, int height)
{
    m_layout = m_model ? LaneLayout(m_model->lanes(), state.arranged(m_model->lanes()), height) : LaneLayout();
}

void ShownLanes::lookAt(Interval visible)
{
    if (m_model) {
        m_layout.lookAt(m_model->lanes(), visible);
    }
}

void ShownLanes::startIndexing()
{
    const quint64 indexing = ++m_indexings;
    // Not at once: whoever hears it may paint, before the caller has laid out the new lanes.
    QMetaObject::invokeMethod(
        this,
        [this, indexing] {
            if (indexing == m_indexings && m_workers) {
                emit indexed(0);
            }
        },
        Qt::QueuedConnection);
    m_workers = std::make_unique<LaneWorkers>(
        m_model->builder(),
        [this, indexing](std::vector<LaneRows> rows, double fraction) {
            const auto made = std::make_shared<std::vector<LaneRows>>(std::move(rows));
            QMetaObject::invokeMethod(
                this,
                [this, indexing, made, fraction] {
                    if (indexing == m_indexings && m_workers) {
                        take(std::move(*made), fraction);
                    }
                },
                Qt::QueuedConnection);
        },
        [this, indexing](const std::exception_ptr&) {
            QMetaObject::invokeMethod(
                this,
                [this, indexing] {
                    if (indexing == m_indexings && m_workers) {
                        stopIndexing();
                        emit indexingFailed();
                    }
                },
                Qt::QueuedConnection);
        });
}

void ShownLanes::take(std::vector<LaneRows> rows, double fraction)
{
    const bool any = !rows.empty();
    m_model->put(std::move(rows));
    const bool ready = m_model->isReady();
    if (ready) {
        m_workers.reset();
    }
    if (any || ready) {
        emit grown();
    }
    emit indexed(ready ? 1 : fraction);
}

void ShownLanes::stopIndexing()
{
    if (m_workers) {
        m_workers.reset();
        emit indexed(1);
    }
}

}  // namespace lanes::gui
