// SPDX-License-Identifier: MIT
#include "gui/timeline/predict_hand.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double least_times = 0.1, most_times = 10;  // of the recorded time
constexpr double times_step = 0.1;

}  // namespace

double wishedSpeed(double times)
{
    constexpr double hundredths = 100;
    return std::round(hundredths / std::clamp(times, least_times, most_times)) / hundredths;
}

double steppedTimes(double times, int by)
{
    return std::clamp(std::round(times / times_step + by) * times_step, least_times, most_times);
}

bool canPull(const Trace& trace, ItemRef item)
{
    if (item.kind != ItemKind::operation) {
        return false;
    }
    const OperationKind kind = trace.operations.kind[item.row];
    return kind == OperationKind::kernel || kind == OperationKind::h2d || kind == OperationKind::d2h;
}

std::vector<Row> streamsFor(const Trace& trace, ItemRef item)
{
    std::vector<Row> streams;
    if (!canPull(trace, item) || trace.operations.kind[item.row] == OperationKind::kernel) {
        return streams;
    }
    const Row own = trace.operations.stream[item.row];
    for (Row row = 0; row < trace.streams.size(); ++row) {
        const Stream& stream = trace.streams[row];
        if (row != own && stream.process == trace.streams[own].process && stream.context == trace.streams[own].context
            && stream.id > 0 && !trace.operations_of(row).empty()) {
            streams.push_back(row);
        }
    }
    return streams;
}

void PredictHand::ask(const Wish& wish, std::optional<QPointF> at)
{
    const bool isOther = wish != m_wish;
    if (m_wish && (m_wish->what != wish.what || m_wish->item != wish.item)) {
        m_ghost.run.reset();
        m_ghost.said.clear();
    }
    m_wish = wish;
    m_ghost.of = wish.item;
    m_ghost.target = wish.stream;
    m_ghost.at = at;
    if (isOther) {
        emit asked();
    }
    emit changed();
}

void PredictHand::setAccepting(std::vector<Row> streams)
{
    if (streams != m_ghost.accepting) {
        m_ghost.accepting = std::move(streams);
        emit changed();
    }
}

void PredictHand::show(std::shared_ptr<const GhostRun> run, std::optional<Interval> pulled, const QStringList& said)
{
    m_ghost.run = std::move(run);
    m_ghost.pulled = pulled;
    m_ghost.said = said;
    emit changed();
}

void PredictHand::takeBack()
{
    const bool wasAsked = m_wish.has_value();
    if (!isShown()) {
        return;
    }
    m_wish.reset();
    m_ghost = {};
    if (wasAsked) {
        emit takenBack();
    }
    emit changed();
}

void PredictHand::accept()
{
    if (const auto wish = m_wish) {
        takeBack();
        emit accepted(*wish);
    }
}

}  // namespace lanes::gui
