// SPDX-License-Identifier: MIT
// ComparisonView's search: one query over both recordings.
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

void ComparisonView::connectSearch()
{
    connect(m_search, &LaneSearch::changed, this, [this] {
        for (std::size_t i = 0; i < m_views.size(); ++i) {
            m_views[i]->setHits(m_search->hits(i));
        }
        m_overview->setHits({m_search->hits(0), m_search->hits(1)});
        showCurrentHit();
    });
    connect(m_searchBar, &SearchBar::nextWanted, this, [this] { goToHit(1); });
    connect(m_searchBar, &SearchBar::previousWanted, this, [this] { goToHit(-1); });
    connect(m_searchBar, &SearchBar::closed, this, [this] { m_active->setFocus(Qt::OtherFocusReason); });
}

void ComparisonView::openSearch()
{
    m_searchBar->open();
}

void ComparisonView::activate(int index)
{
    if (m_active != view(index)) {
        const bool focused = m_active->hasFocus();
        m_active = view(index);
        setFocusProxy(m_active);
        if (focused) {
            m_active->setFocus(Qt::OtherFocusReason);
        }
        emit activeChanged(index);
    }
}

void ComparisonView::goToHit(int direction)
{
    if (m_search->count() == 0) {
        if (m_search->query().isEmpty()) {
            openSearch();
        }
        return;
    }
    const bool forward = direction > 0;
    int index = activeIndex();
    const Timeline& active = side(index);
    EventRef found;
    if (const QueryHitsPtr hits = m_search->hits(static_cast<std::size_t>(index))) {
        const EventRef selected = active.selection() ? eventOf(*active.recording(), active.selection()) : EventRef {};
        if (hits->contains(selected)) {
            found = forward ? hits->next(selected) : hits->previous(selected);
        } else {
            const Ns from = selected ? span_of(*active.recording()->trace, selected).start : active.visibleRange().start;
            found = forward ? hits->from(from) : hits->before(selected ? from : active.visibleRange().end);
        }
    }
    const int sides = static_cast<int>(recordings().size());
    for (int tried = 0; !found && tried <= sides; ++tried) {
        index = (index + (forward ? 1 : sides - 1)) % sides;
        if (const QueryHitsPtr hits = m_search->hits(static_cast<std::size_t>(index))) {
            found = forward ? hits->first() : hits->last();
        }
    }
    if (found) {
        follow(index, found);
        showCurrentHit();
    }
}

/// "17 of 230": hits of A come before those of B.
void ComparisonView::showCurrentHit()
{
    std::optional<std::size_t> current;
    std::size_t before = 0;
    for (std::size_t i = 0; i < m_views.size() && !current; ++i) {
        const QueryHitsPtr hits = m_search->hits(i);
        if (!hits) {
            continue;
        }
        const ItemRef selected = m_sides[i]->selection();
        if (const EventRef event = selected ? eventOf(*m_sides[i]->recording(), selected) : EventRef {}; hits->contains(event)) {
            current = before + hits->rank(event);
        }
        before += hits->size();
    }
    m_searchBar->setCurrent(current);
}

}  // namespace lanes::gui
