// SPDX-License-Identifier: MIT
#include "gui/timeline/alignment.h"

#include "engine/trace/event.h"
#include "engine/trace/median.h"
#include "engine/trace/sampled_range.h"
#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct AlignmentTexts {
    Q_DECLARE_TR_FUNCTIONS(Alignment)
};

/// Calls `visit(name, start)` for every row of a kind.
template <class Visit> void visitKind(const Trace& trace, int kind, Visit visit)
{
    if (kind == 0) {
        for (const Range& range : trace.ranges) {
            if (!is_sampled(trace, range)) {
                visit(range.name, range.start);
            }
        }
        return;
    }
    const auto each = [&](const auto& table) {
        for (std::size_t row = 0; row < table.size(); ++row) {
            visit(table.name[row], table.start[row]);
        }
    };
    if (kind == 1) {
        each(trace.operations);
    } else {
        each(trace.calls);
    }
}

constexpr int kinds = 3;

QString placeText(Ns anchor, QChar letter)
{
    return anchor == 0 ? AlignmentTexts::tr("the start of %1").arg(letter)
                       : AlignmentTexts::tr("%1 of %2").arg(formatTime(anchor)).arg(letter);
}

}  // namespace

TimeScale Alignment::across(const TimeScale& scale, int from) const
{
    const std::int64_t columns = TimeScale::floorDivide(scale.ticks(offsetOf(1)) + scale.num() / 2, scale.num());
    return scale.panned(from == 0 ? columns : -columns);
}

Interval Alignment::spanOf(const std::array<Ns, 2>& ends) const
{
    return {std::min<Ns>(0, -offsetOf(1)), std::max(ends[0], ends[1] - offsetOf(1))};
}

QString Alignment::text() const
{
    if (!name.isEmpty()) {
        return AlignmentTexts::tr("aligned at %1").arg(name);
    }
    if (atStarts()) {
        return AlignmentTexts::tr("aligned at their starts");
    }
    return AlignmentTexts::tr("aligned at %1 and %2").arg(placeText(anchor[0], u'A'), placeText(anchor[1], u'B'));
}

Occurrences occurrencesOf(const ShownRecording& recording, std::string_view name, std::size_t n)
{
    const Trace& trace = *recording.trace;
    Occurrences found;
    std::vector<Ns> starts;
    for (const UserMark& mark : recording.marks->all()) {
        if (!name.empty() && mark.text == name) {
            starts.push_back(mark.time);
        }
    }
    StringId wanted = 0;
    while (wanted < trace.strings.size() && trace.text(wanted) != name) {
        ++wanted;
    }
    for (int kind = 0; kind < kinds && starts.empty() && wanted < trace.strings.size(); ++kind) {
        visitKind(trace, kind, [&](StringId id, Ns start) {
            if (id == wanted) {
                starts.push_back(start);
            }
        });
    }
    found.count = starts.size();
    if (n >= 1 && n <= starts.size()) {  // operations lie stream by stream
        found.start = nth_of(starts, n - 1);
    }
    return found;
}

std::vector<std::string> namesIn(const ShownRecording& recording)
{
    const Trace& trace = *recording.trace;
    std::vector<StringId> ids;
    for (int kind = 0; kind < kinds; ++kind) {
        visitKind(trace, kind, [&](StringId id, Ns) {
            if (ids.empty() || ids.back() != id) {
                ids.push_back(id);
            }
        });
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }
    std::vector<std::string> names;
    for (const UserMark& mark : recording.marks->all()) {
        if (!mark.text.empty()) {
            names.push_back(mark.text);
        }
    }
    for (const StringId id : ids) {
        if (id != 0) {
            names.emplace_back(trace.text(id));
        }
    }
    return names;
}

QString nameOf(const Recording& recording, ItemRef item)
{
    const Trace& trace = *recording.trace;
    const EventRef event = eventOf(recording, item);
    const bool ofTheHost = event.table == EventTable::host_spans || event.table == EventTable::reads;
    const StringId name = ofTheHost ? 0 : name_of(trace, event);
    return name == 0 ? QString() : QString::fromStdString(std::string(trace.text(name)));
}

}  // namespace lanes::gui
