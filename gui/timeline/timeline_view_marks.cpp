// SPDX-License-Identifier: MIT
// TimelineView's marks: set, named, walked through and removed.
#include "gui/paint/mark_painter.h"
#include "gui/timeline/mark_field.h"
#include "gui/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double same_mark = 3;  // logical pixels: a mark that near is the one that is meant

}  // namespace

/// At the mouse; at the start of the selected item where the mouse rests on it or is elsewhere.
void TimelineView::setMark()
{
    if (!m_model) {
        return;
    }
    const bool mouse = m_mouse.x() >= labelWidth() && m_mouse.x() < area().width();
    Ns time = mouse ? timeAt(m_mouse.x()) : timeAt((labelWidth() + area().width()) / 2.0);
    if (m_overlay.selected && (!mouse || m_overlay.hovered == m_overlay.selected)) {
        time = spanOf(m_model->recording(), m_overlay.selected).start;
    }
    time = std::clamp<Ns>(time, 0, m_model->trace().duration);
    for (const UserMark& mark : m_model->recording().marks->all()) {
        if (std::fabs(m_scale.xOf(mark.time) - m_scale.xOf(time)) <= same_mark * ratio()) {
            time = mark.time;
        }
    }
    const bool fresh = !m_model->recording().marks->at(time);
    m_mark = time;
    const std::size_t index = m_model->recording().marks->add(time);
    marksEdited();
    editMark(index, fresh);
}

void TimelineView::editMark(std::size_t index, bool fresh)
{
    const auto marks = m_model->recording().marks;
    if (index >= marks->all().size()) {
        return;
    }
    const Ns time = marks->all()[index].time;
    m_mark = time;
    if (m_scale.xOf(time) < 0 || m_scale.xOf(time) > columns()) {
        bringIntoSight({time, time});
    }
    auto* field = new MarkField(QString::fromStdString(marks->all()[index].text), this);
    const auto onScreen = [this](double pixels) { return static_cast<int>(pixels * m_magnification); };
    const int left = onScreen(labelWidth());
    const int width = std::min(onScreen(220), this->width() - left);
    field->setGeometry(std::clamp(onScreen(frame().xOf(time)), left, std::max(this->width() - width, left)),
        onScreen(FrameGeometry::title_height - 2), width, onScreen(FrameGeometry::ruler_height + 4));
    connect(field, &MarkField::ended, this, [this, marks, time, fresh, field](bool kept, const QString& text) {
        const bool focused = field->hasFocus();
        if (const auto at = marks->at(time)) {
            if (kept) {
                marks->rename(*at, text.toStdString());
            } else if (fresh) {
                marks->remove(*at);
            }
        }
        marksEdited();
        if (focused) {
            setFocus(Qt::OtherFocusReason);
        }
    });
    field->show();
    field->setFocus(Qt::OtherFocusReason);
}

void TimelineView::removeMark()
{
    if (!m_model || !m_mark) {
        return;
    }
    const auto marks = m_model->recording().marks;
    if (const auto at = marks->at(*m_mark)) {
        marks->remove(*at);
        const auto next = marks->after(*m_mark);
        const auto left = next ? next : marks->before(*m_mark);
        m_mark = left ? std::optional(marks->all()[*left].time) : std::nullopt;
        marksEdited();
    }
}

void TimelineView::stepMark(int by)
{
    if (!m_model) {
        return;
    }
    const auto marks = m_model->recording().marks;
    const TimeSpan visible = visibleRange();
    const bool here = m_mark && marks->at(*m_mark) && *m_mark >= visible.start && *m_mark <= visible.end;
    const Ns from = here ? *m_mark : by > 0 ? visible.start - 1 : visible.end + 1;
    if (const auto next = by > 0 ? marks->after(from) : marks->before(from)) {
        goToMark(*next);
    }
}

void TimelineView::goToMark(std::size_t index)
{
    if (m_model && index < m_model->recording().marks->all().size()) {
        m_mark = m_model->recording().marks->all()[index].time;
        bringIntoSight({*m_mark, *m_mark});
        setCursorTime(*m_mark);
        emit cursorMoved(*m_mark);
        emit markReached();
        update();
    }
}

std::optional<std::size_t> TimelineView::markAt(QPointF at)
{
    if (m_model) {
        for (const MarkFlag& flag : flagsOf(frame(), m_painter.labels())) {
            if (flag.box.adjusted(-2, 0, 2, 2).contains(at)) {
                return flag.mark;
            }
        }
    }
    return {};
}

void TimelineView::marksEdited()
{
    spoil();
    emit marksChanged();
}

}  // namespace lanes::gui
