// SPDX-License-Identifier: MIT
// Another recording of the same thing in the place of the one that was shown: its file was written anew, or a knob of
// its run was turned. What the user looks at stays.
#include "gui/paint/range_figures.h"
#include "gui/paint/utf8_text.h"
#include "gui/timeline/alignment.h"
#include "gui/timeline/freed_elsewhere.h"
#include "gui/timeline/timeline_view.h"

namespace lanes::gui {

namespace {

constexpr double most_room = 2.2;  // of what is shown to what there is, before it is brought nearer
constexpr double room_to_grow = 1.3;

/// What is in the place of an item in another recording of the same: itself where it is called the same.
ItemRef sameIn(const Recording& other, const Recording& recording, ItemRef item)
{
    const std::size_t rows = item.kind == ItemKind::blocked ? other.blocking->calls.size() : size_of(*other.trace, eventOf(recording, item).table);
    return item.row < rows && nameOf(recording, item) == nameOf(other, item) ? item : ItemRef {};
}

}  // namespace

void TimelineView::renewRecording(RecordingPtr recording)
{
    const RecordingPtr old = this->recording();
    if (!old || !recording) {
        setRecording(std::move(recording));
        return;
    }
    stopIndexing();
    m_hits.setHits({});
    m_drop.reset();
    auto last = std::exchange(m_model, std::make_shared<LaneModel>(std::move(recording), LaneModel::Rows::laterIfMany, m_choice));
    if (!last->isSmall()) {
        freeLater(std::move(last));
    }
    const ShownRecording& shown = m_model->recording();
    m_overlay.hovered = {};
    m_overlay.tip.clear();
    m_overlay.snaps = {};
    m_overlay.selected = sameIn(shown, *old, m_overlay.selected);
    m_overlay.links = m_overlay.selected ? linksOf(shown, m_overlay.selected, most_links) : std::vector<Link>();
    m_overlay.rangeLines = m_overlay.range ? linesOf(figuresOf(shown, *m_overlay.range)) : QStringList();
    m_renewed = true;
    setAccessibleDescription(text(shown.title));
    updateVerdict();
    rearranged();
    if (!m_model->isReady()) {
        startIndexing();
    }
}

/// After a renewal: whether what is shown can stay, so that what grows is seen to grow.
bool TimelineView::hasRoom() const
{
    const TimeSpan visible = visibleRange();
    const auto all = static_cast<double>(m_extent.end - m_extent.start);
    return visible.start <= m_extent.start && visible.end >= m_extent.end
        && static_cast<double>(visible.end - visible.start) <= all * most_room;
}

void TimelineView::settle()
{
    if (m_fitted && m_model) {
        fit(false);
    }
}

/// Shows everything again, the first time the extent of what was renewed outgrows the view or is lost in it.
void TimelineView::fitRenewed()
{
    if (!hasRoom()) {
        const auto length = static_cast<double>(m_extent.end - m_extent.start);
        const TimeScale scale = TimeScale::fitting(static_cast<Ns>(length * room_to_grow) + 1, columns());
        showScale(scale.startingAt(scale.columnOf(m_extent.start)), false);
        m_fitted = true;
    }
}

}  // namespace lanes::gui
