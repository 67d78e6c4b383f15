// SPDX-License-Identifier: MIT
#include "gui/timeline/hit_walk.h"

#include "engine/trace/event.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/overview_strip.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"

namespace lanes::gui {

HitWalk::HitWalk(ComparisonView& view)
    : QObject(&view)
    , m_view(view)
    , m_search(new LaneSearch(this))
    , m_bar(new SearchBar(m_search))
{
    connect(m_search, &LaneSearch::changed, this, [this] {
        for (const int side : {0, 1}) {
            m_view.view(side)->setHits(m_search->hits(static_cast<std::size_t>(side)));
        }
        m_view.overview()->setHits({m_search->hits(0), m_search->hits(1)});
        showCurrent();
    });
    connect(m_bar, &SearchBar::nextWanted, this, [this] { step(1); });
    connect(m_bar, &SearchBar::previousWanted, this, [this] { step(-1); });
    connect(m_bar, &SearchBar::closed, this, [this] { m_view.activeView()->setFocus(Qt::OtherFocusReason); });
    connect(&m_view.pair(), &TimelinePair::selectionChanged, this, &HitWalk::showCurrent);
}

void HitWalk::step(int direction)
{
    if (m_search->count() == 0) {
        if (m_search->query().isEmpty() && m_search->asked().isEmpty()) {
            m_bar->open();
        }
        return;
    }
    const bool forward = direction > 0;
    int index = m_view.activeIndex();
    const Timeline& active = m_view.side(index);
    EventRef found;
    if (const QueryHitsPtr hits = m_search->hits(static_cast<std::size_t>(index))) {
        const EventRef selected = active.selection() ? eventOf(*active.recording(), active.selection()) : EventRef {};
        if (hits->contains(selected)) {
            found = forward ? hits->next(selected) : hits->previous(selected);
        } else {
            const Ns from
                = selected ? span_of(*active.recording()->trace, selected).start : active.visibleRange().start;
            found = forward ? hits->from(from) : hits->before(selected ? from : active.visibleRange().end);
        }
    }
    const int sides = static_cast<int>(m_view.recordings().size());
    for (int tried = 0; !found && tried <= sides; ++tried) {
        index = (index + (forward ? 1 : sides - 1)) % sides;
        if (const QueryHitsPtr hits = m_search->hits(static_cast<std::size_t>(index))) {
            found = forward ? hits->first() : hits->last();
        }
    }
    if (found) {
        m_view.pair().follow(index, found);
        Timeline& side = m_view.side(index);
        side.pick(side.selection());  // as a click on it
        if (const ItemRef item = side.selection()) {
            constexpr double least_width = 3;  // logical pixels: what is narrower is not seen among its neighbours
            const Interval span = spanOf(*side.recording(), item);
            const TimelineFrame frame = side.frame();
            if (frame.xOf(span.end) - frame.xOf(span.start) < least_width) {
                side.zoomTo(span);
            }
        }
        showCurrent();
    }
}

/// "17 of 230": hits of A come before those of B.
void HitWalk::showCurrent()
{
    std::optional<std::size_t> current;
    std::size_t before = 0;
    for (std::size_t i = 0; i < 2 && !current; ++i) {
        const QueryHitsPtr hits = m_search->hits(i);
        if (!hits) {
            continue;
        }
        const Timeline& side = m_view.side(static_cast<int>(i));
        const ItemRef selected = side.selection();
        if (const EventRef event = selected ? eventOf(*side.recording(), selected) : EventRef {};
            hits->contains(event)) {
            current = before + hits->rank(event);
        }
        before += hits->size();
    }
    m_current = current;
    m_bar->setCurrent(current);
    emit changed();
}

void HitWalk::ask(AskedHits asked)
{
    m_bar->hide();
    m_search->ask(std::move(asked));
}

void HitWalk::endAsked()
{
    if (!m_search->asked().isEmpty()) {
        m_search->setQuery({});
    }
}

}  // namespace lanes::gui
