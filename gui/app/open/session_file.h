// SPDX-License-Identifier: MIT
// What is open and how it is looked at, as a small YAML file beside the recordings (NAME.lanescope):
//
//     lanescope_session: 1
//     recordings:
//       - file: "a.sqlite"            # from the session's folder
//         bytes: 52428800             # when it was saved
//         marks:
//           - {at: 12345.678 us, says: "here"}
//         collapsed: ["thread 0 4711 0 4712"]
//         all-depths: ["thread 0 4711 0 4713"]    # stacks that are not folded
//       - file: "b.sqlite"
//     view: {from: 1000.000 us, to: 2500.000 us}     # of A's time; without it everything is shown
//     range: {from: 1200.000 us, to: 1300.000 us}    # selected, of A's time
//     filter: "kind:copy"
//     group: engine
//     aligned: {a: 0.000 us, b: 100.000 us, at: "matmul #3"}
//     reference: B
//     scope: visible                # or repeating, selection, all; without it as it opens
//     annotations: …                  # as in annotation_file.h
//
// A lane is called by its kind and the four numbers of its LaneKey; that of a part of a stream also by which part.
#pragma once

#include "gui/lanes/annotation.h"
#include "gui/lanes/lane_arrangement.h"
#include "gui/lanes/lane_choice.h"
#include "gui/lanes/scope.h"
#include "gui/timeline/alignment.h"

#include <QString>

#include <optional>
#include <vector>

namespace lanes::gui {

struct Session {
    struct Side {
        QString file;  ///< absolute
        std::int64_t bytes = 0;  ///< that the file had when the session was saved; 0: not said
        std::vector<UserMark> marks = {};
        LaneArrangement arrangement = {};
        int scroll = 0;
    };
    std::vector<Side> sides;  ///< one or two, A first
    std::optional<Interval> view = {};  ///< of A's time, as all below; nothing: everything
    std::optional<Interval> range = {};
    std::string filter = {};
    LaneGrouping grouping = LaneGrouping::stream;
    LaneOrder order = LaneOrder::usual;
    LaneColours colours = LaneColours::usual;
    Alignment alignment = {};
    int reference = 0;
    std::optional<Scope::Of> scope = {};  ///< that was chosen
    std::vector<Annotation> annotations = {};  ///< of both
};

/// Whether the file is one, by its name.
bool isSessionFile(const QString& path);

/// The text of its file in `folder`. readSession() reads the same.
std::string sessionText(const Session& session, const QString& folder);

/// Throws WorkloadError with file, line and column, also where a recording is not there. Input is untrusted: at most
/// 1 MiB of YAML as in yaml_tree.h, two recordings, 10,000 marks or lanes in a list, texts of 4,096 bytes.
Session readSession(const QString& path);

}  // namespace lanes::gui
