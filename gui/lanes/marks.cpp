// SPDX-License-Identifier: MIT
#include "gui/lanes/marks.h"

#include <algorithm>

namespace lanes::gui {

void Marks::set(std::vector<UserMark> marks)
{
    m_marks = std::move(marks);
    std::stable_sort(
        m_marks.begin(), m_marks.end(), [](const UserMark& a, const UserMark& b) { return a.time < b.time; });
    m_marks.erase(std::unique(m_marks.begin(), m_marks.end(),
                      [](const UserMark& a, const UserMark& b) { return a.time == b.time; }),
        m_marks.end());
}

std::size_t Marks::add(Ns time)
{
    time = std::max<Ns>(time, 0);
    const auto place = std::lower_bound(
        m_marks.begin(), m_marks.end(), time, [](const UserMark& mark, Ns t) { return mark.time < t; });
    const auto index = static_cast<std::size_t>(place - m_marks.begin());
    if (place == m_marks.end() || place->time != time) {
        m_marks.insert(place, {time, {}});
    }
    return index;
}

std::optional<std::size_t> Marks::at(Ns time) const
{
    const auto next = after(time - 1);
    return next && m_marks[*next].time == time ? next : std::nullopt;
}

std::optional<std::size_t> Marks::after(Ns time) const
{
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        if (m_marks[i].time > time) {
            return i;
        }
    }
    return {};
}

std::optional<std::size_t> Marks::before(Ns time) const
{
    for (std::size_t i = m_marks.size(); i > 0; --i) {
        if (m_marks[i - 1].time < time) {
            return i - 1;
        }
    }
    return {};
}

}  // namespace lanes::gui
