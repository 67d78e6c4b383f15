// SPDX-License-Identifier: MIT
#include "gui/timeline/markup/markup_history.h"

#include "gui/timeline/timeline.h"

#include <cstddef>
#include <string>
#include <utility>

namespace lanes::gui {

namespace {

constexpr std::size_t most_steps = 200;

/// Of all histories: recordings that are side by side have one order.
std::uint64_t nextNumber()
{
    static std::uint64_t last = 0;
    return ++last;
}

/// How many of them got a text that they had not; -1 where something else differs.
template <class Item> int textsGiven(const std::vector<Item>& before, const std::vector<Item>& now)
{
    int given = 0;
    for (std::size_t i = 0; before.size() == now.size() && i < now.size(); ++i) {
        if (before[i] == now[i]) {
            continue;
        }
        Item written = before[i];
        written.text = now[i].text;
        if (!before[i].text.empty() || !(written == now[i])) {
            return -1;
        }
        ++given;
    }
    return before.size() == now.size() ? given : -1;
}

std::string wordsOf(const std::shared_ptr<const Query>& filter)
{
    return filter ? filter->text() : std::string();
}

/// One filter in the place of another, and nothing else.
bool isFiltering(const MarkupHistory::Markup& before, const MarkupHistory::Markup& now)
{
    MarkupHistory::Markup filtered = before;
    filtered.filter = now.filter;
    return before.filter && now.filter && filtered == now;
}

bool isWriting(const MarkupHistory::Markup& before, const MarkupHistory::Markup& now)
{
    if (!(before.lanes == now.lanes) || wordsOf(before.filter) != wordsOf(now.filter)) {
        return false;
    }
    const int annotations = textsGiven(before.annotations, now.annotations);
    const int marks = textsGiven(before.marks, now.marks);
    return annotations >= 0 && marks >= 0 && annotations + marks == 1;
}

std::size_t sizeOf(const MarkupHistory::Markup& markup)
{
    return markup.annotations.size() + markup.marks.size();
}

}  // namespace

bool operator==(const MarkupHistory::Markup& a, const MarkupHistory::Markup& b)
{
    return a.annotations == b.annotations && a.marks == b.marks && a.lanes == b.lanes
        && wordsOf(a.filter) == wordsOf(b.filter);
}

MarkupHistory::MarkupHistory(Timeline& timeline)
    : m_timeline(timeline)
{
    connect(&timeline.marks(), &MarkHand::withdrawn, this, [this] { m_isWithdrawn = true; });
    connect(&timeline.annotations(), &AnnotationHand::withdrawn, this, [this] { m_isWithdrawn = true; });
    connect(&timeline.marks(), &MarkHand::changed, this, &MarkupHistory::noteMarkup);
    connect(&timeline.annotations(), &AnnotationHand::changed, this, &MarkupHistory::noteMarkup);
}

MarkupHistory::Markup MarkupHistory::current() const
{
    const RecordingPtr recording = m_timeline.recording();
    const TimelineState& state = m_timeline.state();
    return recording ? Markup {*recording->annotations, recording->marks->all(), state.arrangement, state.choice.filter}
                     : Markup {};
}

void MarkupHistory::begin()
{
    m_now = current();
    m_done.clear();
    m_undone.clear();
}

void MarkupHistory::settle()
{
    if (!m_isGoing) {
        m_now.lanes = m_timeline.state().arrangement;
        m_now.filter = m_timeline.state().choice.filter;
    }
}

void MarkupHistory::noteMarkup()
{
    settle();
    note();
}

void MarkupHistory::note()
{
    Markup now = current();
    const bool isWithdrawn = std::exchange(m_isWithdrawn, false);
    if (m_isGoing || now == m_now) {
        return;
    }
    m_undone.clear();
    const bool placed = !m_done.empty() && sizeOf(m_now) == sizeOf(m_done.back().other) + 1;
    if (placed && isWithdrawn && now == m_done.back().other) {
        m_done.pop_back();
    } else if (const bool isFiltered = !m_done.empty() && isFiltering(m_now, now) && !m_done.back().other.filter;
               !isFiltered && (!placed || !isWriting(m_now, now))) {
        m_done.push_back({m_now, nextNumber(), m_now.annotations != now.annotations || m_now.marks != now.marks,
            !(m_now.lanes == now.lanes), wordsOf(m_now.filter) != wordsOf(now.filter)});
        if (m_done.size() > most_steps) {
            m_done.erase(m_done.begin());
        }
    }
    m_now = std::move(now);
}

void MarkupHistory::go(std::vector<Step>& from, std::vector<Step>& to)
{
    const RecordingPtr recording = m_timeline.recording();
    if (from.empty() || !recording) {
        return;
    }
    const Step step = std::move(from.back());
    from.pop_back();
    to.push_back({current(), step.number, step.isOfMarkup, step.isOfLanes, step.isOfFilter});
    m_isGoing = true;
    if (step.isOfMarkup) {
        m_timeline.forgetChosen();
        *recording->annotations = step.other.annotations;
        recording->marks->set(step.other.marks);
        emit m_timeline.annotations().sketched();
        emit m_timeline.annotations().changed();
        emit m_timeline.marks().changed();
    }
    if (step.isOfLanes) {
        m_timeline.arrange(step.other.lanes);
    }
    if (step.isOfFilter) {
        LaneChoice choice = m_timeline.state().choice;
        choice.filter = step.other.filter;
        m_timeline.choose(choice);
    }
    m_isGoing = false;
    m_now = current();
}

}  // namespace lanes::gui
