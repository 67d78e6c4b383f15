// SPDX-License-Identifier: MIT
#include "engine/replay/crowd.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanes::replay {

Turns::Turns(const Crowd& crowd, double length, bool is_beside)
    : m_left(crowd.blocks)
    , m_kept(std::max(1U, crowd.kept))
    , m_lent(crowd.lent)
    , m_turn(length / std::ceil(static_cast<double>(crowd.blocks) / static_cast<double>(m_kept + m_lent)))
    , m_beside(is_beside)
    , m_yields(crowd.yields)
{
}

void Turns::advance(double time)
{
    while (m_left > 0) {
        const bool is_lent = !m_beside && m_lent > 0 && m_lent_free < m_kept_free;
        auto& free = is_lent ? m_lent_free : m_kept_free;
        if (free > time) {
            break;
        }
        m_left -= std::min(m_left, is_lent ? m_lent : m_kept);
        m_last = free;
        free += m_turn;
        m_end = std::max(m_end, free);
    }
}

Turns Turns::rest() const
{
    auto rest = *this;
    rest.advance(std::numeric_limits<double>::max());
    return rest;
}

void Turns::take(double time)
{
    advance(time);
    m_beside = true;
}

double Turns::next_turn(double time) const
{
    auto then = *this;
    then.advance(time);
    const bool is_lent = !then.m_beside && then.m_lent > 0;
    return std::max(time, is_lent ? std::min(then.m_kept_free, then.m_lent_free) : then.m_kept_free);
}

void Turns::give_back(double time)
{
    if (m_beside) {
        advance(time);
        m_beside = false;
        m_lent_free = std::max(m_lent_free, time);
    }
}

double Turns::leaves_room() const
{
    const auto all = rest();
    return std::max(all.m_last, std::min(all.m_kept_free, all.m_lent_free));
}

}  // namespace lanes::replay
