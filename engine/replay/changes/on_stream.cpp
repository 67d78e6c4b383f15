// SPDX-License-Identifier: MIT
#include "engine/replay/changes/changes.h"
#include "engine/replay/changes/edit.h"
#include "engine/replay/changes/returning.h"

namespace lanes::replay::changes {

namespace {

/// The recorded stream of that number in the context of `home`; none: there is none.
std::uint32_t numbered(const Edit& edit, std::uint32_t home, double number)
{
    const auto& streams = edit.script.streams;
    for (std::uint32_t stream = 0; stream < streams.size(); ++stream) {
        if (streams[stream].row != no_row && streams[stream].context == streams[home].context
            && static_cast<double>(edit.trace.streams[streams[stream].row].id) == number) {
            return stream;
        }
    }
    return none;
}

/// Where the uploads (or downloads) of `home` go that are done in the order of `target`; none: an earlier change has
/// them go elsewhere.
std::uint32_t part_of_stream(Edit& edit, std::uint32_t home, std::uint32_t target, bool up)
{
    auto& streams = edit.script.streams;
    if (const auto known = up ? streams[home].uploads : streams[home].downloads; known != none) {
        return streams[known].within == target ? known : none;
    }
    const auto made = edit.new_stream(home);
    streams[made].within = target;
    streams[made].legacy = streams[target].legacy;
    streams[made].blocking = streams[target].blocking;
    (up ? streams[home].uploads : streams[home].downloads) = made;
    return made;
}

}  // namespace

/// As own_stream, but on a stream that is there: a copy also waits for what that stream was given before it, and what
/// the stream is given later waits for the copy.
void on_stream(Edit& edit)
{
    move_copies(edit, [&](const Operation& copy) {
        const auto target = numbered(edit, copy.stream, edit.change.amount);
        return target == none || target == copy.stream
            ? none
            : part_of_stream(edit, copy.stream, target, copy.kind == OperationKind::h2d);
    });
}

}  // namespace lanes::replay::changes
