// SPDX-License-Identifier: MIT
// A recording as the timeline shows it: the trace, what was measured from it, and
// what stands in its title row. Nothing in it changes, so views and threads share it.
// What was measured points into the trace, so that whoever keeps one keeps the recording.
#pragma once

#include "engine/analysis/blocking.h"
#include "engine/analysis/range_index.h"
#include "engine/analysis/report.h"
#include "engine/trace/trace.h"
#include "gui/lanes/lane_row.h"
#include "gui/timeline/item_links.h"
#include "gui/timeline/marks.h"

#include <QString>
#include <memory>

namespace lanes::gui {

struct Recording {
    std::shared_ptr<const Trace> trace;        ///< never null
    std::shared_ptr<const Blocking> blocking;  ///< never null
    std::shared_ptr<const Report> report;      ///< of the whole recording; null: figures are not known yet
    std::shared_ptr<const RangeIndex> ranges;  ///< figures of any range at once; null: not known yet
    std::shared_ptr<const ItemLinks> links = std::make_shared<ItemLinks>();  ///< never null
    std::shared_ptr<Marks> marks = std::make_shared<Marks>();  ///< never null; of the window's thread alone
    QString title;                             ///< "blocking": the variant, or the file's name
    QString note;                              ///< said beside the title in muted text, may be empty

    /// Blocking, report, ranges and links are computed. Cost: of find_blocking, make_report, RangeIndex and ItemLinks.
    static std::shared_ptr<const Recording> of(Trace trace, const QString& title = {}, const Progress& progress = {});
    /// The variant of the workload, else the command, else `fallback`.
    static QString titleOf(const Trace& trace, const QString& fallback);

    bool isModel() const { return trace->source == Source::model || trace->source == Source::predicted; }
};
using RecordingPtr = std::shared_ptr<const Recording>;

using TimeSpan = Interval;
TimeSpan spanOf(const Recording& recording, ItemRef item);

/// The event that an item is or is a part of: of a blocked stretch its API call; none of the overlap ribbon.
EventRef eventOf(const Recording& recording, ItemRef item);

/// The API call that issued an operation or that a blocked stretch is part of; no_row if there is none.
Row callOf(const Recording& recording, ItemRef item);

}  // namespace lanes::gui
