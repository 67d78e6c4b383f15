// SPDX-License-Identifier: MIT
#include "gui/timeline/markup/markup_history.h"

#include "gui/timeline/timeline.h"

#include <cstddef>
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

bool isWriting(const MarkupHistory::Markup& before, const MarkupHistory::Markup& now)
{
    const int annotations = textsGiven(before.annotations, now.annotations);
    const int marks = textsGiven(before.marks, now.marks);
    return annotations >= 0 && marks >= 0 && annotations + marks == 1;
}

std::size_t sizeOf(const MarkupHistory::Markup& markup)
{
    return markup.annotations.size() + markup.marks.size();
}

}  // namespace

MarkupHistory::MarkupHistory(Timeline& timeline)
    : m_timeline(timeline)
{
    connect(&timeline.marks(), &MarkHand::withdrawn, this, [this] { m_isWithdrawn = true; });
    connect(&timeline.annotations(), &AnnotationHand::withdrawn, this, [this] { m_isWithdrawn = true; });
    connect(&timeline.marks(), &MarkHand::changed, this, &MarkupHistory::note);
    connect(&timeline.annotations(), &AnnotationHand::changed, this, &MarkupHistory::note);
}

MarkupHistory::Markup MarkupHistory::current() const
{
    const RecordingPtr recording = m_timeline.recording();
    return recording ? Markup {*recording->annotations, recording->marks->all()} : Markup {};
}

void MarkupHistory::begin()
{
    m_now = current();
    m_done.clear();
    m_undone.clear();
}

void MarkupHistory::note()
{
    Markup now = current();
    const bool isWithdrawn = std::exchange(m_isWithdrawn, false);
    if (now == m_now) {
        return;
    }
    m_undone.clear();
    const bool placed = !m_done.empty() && sizeOf(m_now) == sizeOf(m_done.back().other) + 1;
    if (placed && isWithdrawn && now == m_done.back().other) {
        m_done.pop_back();
    } else if (!placed || !isWriting(m_now, now)) {
        m_done.push_back({m_now, nextNumber()});
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
    Step step = std::move(from.back());
    from.pop_back();
    to.push_back({std::exchange(m_now, std::move(step.other)), step.number});
    m_timeline.forgetChosen();
    *recording->annotations = m_now.annotations;
    recording->marks->set(m_now.marks);
    emit m_timeline.annotations().sketched();
    emit m_timeline.annotations().changed();
    emit m_timeline.marks().changed();
}

}  // namespace lanes::gui
