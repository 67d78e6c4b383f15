// SPDX-License-Identifier: MIT
#include "gui/session/advised_changes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lanes::gui {

std::vector<std::vector<replay::ChangeKind>> advisedChanges(std::string_view rule)
{
    using enum replay::ChangeKind;
    using Sets = std::vector<std::vector<replay::ChangeKind>>;
    const Sets copies {{pin, non_blocking}, {non_blocking}, {pin}};
    const Sets waits {{non_blocking}, {pin, non_blocking}, {event_waits}, {drop_syncs}};
    const std::array<std::pair<std::string_view, Sets>, 22> all {{
        {"pageable-async-copy", {{pin}}},
        {"allocation-in-loop", {{pool}}},
        {"default-stream", {{leave_legacy}}},
        {"gpus-take-turns", {{drop_syncs}, {event_waits}}},
        {"sync-after-small-copy", {{drop_values}}},
        {"wait-before-work", waits},
        {"device-wide-wait", {{event_waits}, {drop_syncs}}},
        {"sync-in-loop", waits},
        {"copies-not-hidden",
            {{own_stream}, {pin, own_stream}, {non_blocking, own_stream}, {pin, non_blocking, own_stream}}},
        {"one-direction", {{own_stream}, {pin, own_stream}, {non_blocking, own_stream}, {more_streams}}},
        {"communication-after-kernels", {{overlap_all_reduce}, {buckets}}},
        {"launch-bound", {{graph}}},
        {"copies-too-small", {{gather}}},
        {"query-spin", {{event_waits}}},
        {"starved", {{workers}, {prefetch}, {graph}}},
        {"data-loader", {{workers}, {prefetch}}},
        {"idle-between-iterations", {{workers}, {prefetch}}},
        {"blocked-copy", copies},
        {"blocked-staging", copies},
        {"blocked-stream_sync", waits},
        {"blocked-event_sync", {{event_waits}, {drop_syncs}}},
        {"blocked-device_sync", {{event_waits}, {drop_syncs}}},
    }};
    const auto* const found
        = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == rule; });
    return found == all.end() ? Sets {} : found->second;
}

}  // namespace lanes::gui
