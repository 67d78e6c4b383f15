// SPDX-License-Identifier: MIT
#include "engine/analysis/findings/rules.h"

#include <algorithm>
#include <utility>

namespace lanes {

namespace {

std::vector<FindingRule> make_rules()
{
    using enum replay::ChangeKind;
    using Alternatives = std::vector<std::vector<replay::ChangeKind>>;
    const Alternatives waits {{event_waits}, {non_blocking}, {pin, non_blocking}, {at_once}};
    const Alternatives copies {{non_blocking}, {pin, non_blocking}, {pin}, {at_once}};
    const auto wait = [](std::string_view rule, Alternatives changes) {
        FindingRule made {rule, std::move(changes)};
        made.is_wait = true;
        return made;
    };
    return {
        {"stale-read", {}, "wrong"},
        {"copy-through-host", {{peer}}, {}, true},
        {"pageable-async-copy", {{pin, non_blocking}, {pin}}},
        {"allocation-in-loop", {{pool}}},
        {"loading-in-run", {{at_once}}, {}, false, true},
        {"default-stream", {{leave_legacy}}, {}, true},
        wait("gpus-take-turns", {{drop_syncs}, {event_waits}}),
        wait("sync-after-small-copy", {{drop_values}, {drop_syncs}}),
        wait("wait-before-work", waits),
        wait("device-wide-wait", {{event_waits}, {at_once}}),
        wait("sync-in-loop", waits),
        wait("query-spin", {{event_waits}}),
        wait("queue-full", {{at_once}}),
        {"copies-too-small", {{gather}}},
        {"copies-not-hidden", {{own_stream}}, {}, true},
        {"one-direction", {{own_stream}}, {}, true},
        {"copies-after-kernels", {}, "order"},
        {"communication-after-kernels", {{overlap_all_reduce}, {buckets}}, {}, true},
        {"communication-late", {}, "other_work"},
        {"data-loader", {{workers}, {at_once}}},
        {"idle-between-iterations", {{at_once}}},
        {"launch-bound", {{graph}}, {}, false, false, true},
        {"starved", {{workers}, {prefetch}}, {}, false, false, true},
        {"cpu-late", {{graph}, {workers}, {prefetch}}, {}, false, false, true},
        {"first-operators", {}, "warm_up", false, true},
        {"graph-capture", {}, "other_work"},
        {"recorder-overhead", {{at_once}}},
        {"blocked-copy", copies},
        {"blocked-staging", copies},
        wait("blocked-stream_sync", waits),
        wait("blocked-event_sync", {{event_waits}, {at_once}}),
        wait("blocked-device_sync", {{event_waits}, {at_once}}),
        wait("blocked-poll", {{event_waits}}),
        {"blocked", {{at_once}}},
    };
}

}  // namespace

std::span<const FindingRule> finding_rules()
{
    static const auto rules = make_rules();
    return rules;
}

const FindingRule& rule_of(std::string_view rule)
{
    static const FindingRule none {};
    const auto rules = finding_rules();
    const auto of = [&](std::string_view name) {
        return std::find_if(rules.begin(), rules.end(), [&](const FindingRule& each) { return each.rule == name; });
    };
    auto found = of(rule);
    if (found == rules.end() && rule.starts_with("blocked-")) {
        found = of("blocked");
    }
    return found == rules.end() ? none : *found;
}

}  // namespace lanes
