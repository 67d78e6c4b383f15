// SPDX-License-Identifier: MIT
// `lanescope render --lessons DIR`: a course site, one page a lesson with all its recordings, and an index. It needs no
// server: the pages open from the disk.
#pragma once

#include <QStringList>

namespace lanes::gui {

/// Writes it beside DIR and renames it: whole or not at all. DIR is new, empty, or a site of ours, which is replaced;
/// anything else in it is refused. The pages open in `language`. Returns 0; 1 where it could not be made, 2 where DIR
/// or a workload of `own` is refused, with one line on stderr. A lesson without recordings is shown as the model device
/// runs it, and said. `own` are workloads (.yaml) of somebody's own: they follow those of the course, in their order,
/// with the recordings that are beside them as `lanes run` writes them (NAME.VARIANT.sqlite).
/// Cost: some seconds; about 5 MB.
int writeLessonsSite(const QString& folder, const QString& language, const QStringList& own = {});

}  // namespace lanes::gui
