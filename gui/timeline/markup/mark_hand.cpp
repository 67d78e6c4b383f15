// SPDX-License-Identifier: MIT
#include "gui/timeline/markup/mark_hand.h"

#include "gui/paint/frame_hits.h"
#include "gui/timeline/timeline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes::gui {

namespace {

constexpr double same_mark = 3;  // logical pixels: a mark that near is the one that is meant

}  // namespace

MarkHand::MarkHand(Timeline& timeline, std::optional<Ns>& current)
    : m_timeline(timeline)
    , m_current(current)
{
}

Marks* MarkHand::marks() const
{
    return m_timeline.model() != nullptr ? m_timeline.model()->recording().marks.get() : nullptr;
}

void MarkHand::choose(Ns time)
{
    m_timeline.annotations().forget();
    m_current = time;
    m_isChosen = true;
    emit chose();
}

std::optional<std::size_t> MarkHand::chosen() const
{
    const Marks* all = m_isChosen && m_current ? marks() : nullptr;
    return all != nullptr ? all->at(*m_current) : std::nullopt;
}

void MarkHand::forget()
{
    if (std::exchange(m_isChosen, false)) {
        emit chose();
    }
}

void MarkHand::set()
{
    Marks* all = marks();
    if (all == nullptr) {
        return;
    }
    const TimelineFrame frame = m_timeline.frame();
    const auto mouse = m_timeline.mouse;
    const int left = frame.geometry.labelWidth;
    const int right = frame.geometry.size.width();
    const bool over = mouse && mouse->x() >= left && mouse->x() < right;
    Ns time = frame.timeAt(over ? mouse->x() : (left + right) / 2.0);
    const ItemRef selected = m_timeline.selection();
    if (selected && (!over || itemAt(frame, *mouse) == selected)) {
        time = spanOf(frame.model.recording(), selected).start;
    }
    time = std::clamp<Ns>(time, 0, frame.model.trace().duration);
    for (const UserMark& mark : all->all()) {
        if (std::fabs(frame.xOf(mark.time) - frame.xOf(time)) <= same_mark) {
            time = mark.time;
        }
    }
    const bool fresh = !all->at(time);
    const std::size_t index = all->add(time);
    choose(time);
    emit changed();
    edit(index, fresh);
}

void MarkHand::edit(std::size_t mark, bool fresh)
{
    if (const Marks* all = marks(); all != nullptr && mark < all->all().size()) {
        choose(all->all()[mark].time);
        m_timeline.bringIntoSight({*m_current, *m_current});
        emit textWanted(mark, fresh);
    }
}

void MarkHand::answer(Marks& marks, Ns time, bool fresh, const std::optional<QString>& text)
{
    if (const auto at = marks.at(time)) {
        if (text) {
            marks.rename(*at, text->toStdString());
        } else if (fresh) {
            marks.remove(*at);
            emit withdrawn();
        }
    }
    emit changed();
}

void MarkHand::remove()
{
    if (const auto at = chosen()) {
        Marks* all = marks();
        all->remove(*at);
        const auto next = all->after(*m_current);
        const auto left = next ? next : all->before(*m_current);
        m_current = left ? std::optional(all->all()[*left].time) : std::nullopt;
        emit changed();
    }
}

void MarkHand::step(int by)
{
    const Marks* all = marks();
    if (all == nullptr) {
        return;
    }
    const Interval visible = m_timeline.visibleRange();
    const bool here = m_current && all->at(*m_current) && *m_current >= visible.start && *m_current <= visible.end;
    const Ns from = here ? *m_current : by > 0 ? visible.start - 1 : visible.end + 1;
    if (const auto next = by > 0 ? all->after(from) : all->before(from)) {
        goTo(*next);
    }
}

void MarkHand::goTo(std::size_t mark)
{
    if (const Marks* all = marks(); all != nullptr && mark < all->all().size()) {
        choose(all->all()[mark].time);
        m_timeline.bringIntoSight({*m_current, *m_current});
        emit reached(*m_current);
    }
}

}  // namespace lanes::gui
