// SPDX-License-Identifier: MIT
#include "gui/timeline/recording.h"

#include "engine/store/meta.h"

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
    const Trace& trace = *recording.trace;
    const auto span = [](const auto& row) { return TimeSpan{row.start, row.end}; };
    switch (item.kind) {
    case ItemKind::operation:
        return {trace.operations.start[item.row], trace.operations.end[item.row]};
    case ItemKind::call:
        return {trace.calls.start[item.row], trace.calls.end[item.row]};
    case ItemKind::blocked:
        return span(recording.blocking->calls[item.row]);
    case ItemKind::range:
        return span(trace.ranges[item.row]);
    case ItemKind::hostSpan:
        return span(trace.host_spans[item.row]);
    case ItemKind::read:
        return span(trace.reads[item.row]);
    case ItemKind::overlap:
    case ItemKind::none:
        break;
    }
    return {};
}

Row callOf(const Recording& recording, ItemRef item)
{
    switch (item.kind) {
    case ItemKind::operation:
        return recording.trace->operations.call[item.row];
    case ItemKind::blocked:
        return recording.blocking->calls[item.row].call;
    case ItemKind::call:
        return item.row;
    default:
        return no_row;
    }
}

}  // namespace lanes::gui
