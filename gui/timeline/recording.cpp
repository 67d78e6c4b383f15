// SPDX-License-Identifier: MIT
#include "gui/timeline/recording.h"

#include "engine/trace/meta_keys.h"

namespace lanes::gui {

std::shared_ptr<const Recording> Recording::of(Trace trace, const QString& title, const Progress& progress)
{
    auto recording = std::make_shared<Recording>();
    const auto kept = std::make_shared<const Trace>(std::move(trace));
    recording->trace = kept;
    recording->blocking = std::make_shared<const Blocking>(find_blocking(*kept, part_of(progress, 0, 0.4)));
    const auto ranges = std::make_shared<const RangeIndex>(*kept, *recording->blocking, part_of(progress, 0.4, 0.7));
    recording->ranges = ranges;
    recording->report = std::make_shared<const Report>(
        make_report(*kept, *recording->blocking, ranges->bounds(), {}, part_of(progress, 0.7, 1)));
    recording->links = std::make_shared<const ItemLinks>(*kept, *recording->blocking);
    recording->marks = std::make_shared<Marks>(kept->marks);
    recording->title = titleOf(*kept, title);
    return recording;
}

QString Recording::titleOf(const Trace& trace, const QString& fallback)
{
    for (const char* key : {meta::variant, meta::command}) {
        if (const auto found = trace.meta.find(key); found != trace.meta.end() && !found->second.empty()) {
            return QString::fromStdString(found->second);
        }
    }
    return fallback;
}

TimeSpan spanOf(const Recording& recording, ItemRef item)
{
    if (item.kind == ItemKind::blocked) {
        const BlockedCall& stretch = recording.blocking->calls[item.row];
        return {stretch.start, stretch.end};
    }
    return span_of(*recording.trace, eventOf(recording, item));
}

EventRef eventOf(const Recording& recording, ItemRef item)
{
    if (item.kind == ItemKind::blocked) {
        return {EventTable::calls, recording.blocking->calls[item.row].call};
    }
    return item.isEvent() ? EventRef {static_cast<EventTable>(item.kind), item.row} : EventRef {};
}

Row callOf(const Recording& recording, ItemRef item)
{
    return call_of(*recording.trace, eventOf(recording, item));
}

}  // namespace lanes::gui
