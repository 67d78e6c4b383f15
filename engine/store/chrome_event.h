// SPDX-License-Identifier: MIT
// One event of a trace in Chrome's JSON format, with the fields that PyTorch's profiler adds; private to engine/store.
// Source: the Trace Event Format; libkineto's output_json.cpp.
#pragma once

#include "probes/units.h"

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace lanes {

/// A process or thread, whose id is a number for most writers and a text for some.
struct ChromeId {
    std::optional<std::int64_t> number;  ///< also of a text that is a number
    std::string_view text;
};

/// Texts are valid until the next event is parsed.
struct ChromeEvent {
    char phase = 0;  ///< 'X', 'B', …; 0: none given
    std::string_view name, category, id;
    ChromeId process, thread;
    std::optional<Ns> start;  ///< as the file has it, before baseTimeNanoseconds
    Ns duration = 0;

    // args
    std::optional<std::int64_t> device, context, stream, correlation, external_id;
    std::int64_t bytes = 0, size = 0, registers = 0, shared_memory = 0, graph_node = 0;
    std::int64_t waited_record = -1, waited_event = -1, waited_stream = -1;
    std::array<std::uint32_t, 3> grid {}, block {};
    std::string_view given_name;  ///< "name" of a metadata event
};

/// µs with decimals, as a number or in quotes, to ns, exactly: a double would be off by up to 128 ns in a time since
/// 1970. Rounded where there are more than three decimals; nothing for what is no number or beyond 2^61 ns.
std::optional<Ns> ns_of_microseconds(std::string_view text);

/// Parses events one after the other.
class ChromeEventParser {
public:
    ChromeEventParser();
    ~ChromeEventParser();
    /// `object` is the text of one event, with at least json_padding readable bytes behind it. Nothing where it is no
    /// JSON object.
    std::optional<ChromeEvent> parse(std::string_view object);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace lanes
