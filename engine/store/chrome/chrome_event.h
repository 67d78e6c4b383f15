// SPDX-License-Identifier: MIT
// One event of a trace in Chrome's JSON format, with the fields that PyTorch's profiler adds; private to engine/store.
// Source: the Trace Event Format; libkineto's output_json.cpp.
#pragma once

#include "probes/record.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Id of a process, a thread, a stream or a correlation: a number from most writers and a text from some.
struct ChromeId {
    std::optional<std::int64_t> number;  ///< also if the text is a number
    std::string_view text;
};

struct ChromeEvent {
    char phase = 0;  ///< 'X', 'B', …; 0: none given
    std::string_view name, category, id;
    ChromeId process, thread;
    std::optional<Ns> start;  ///< as the file has it, before baseTimeNanoseconds
    Ns duration = 0;  ///< -1: the file has an impossible one
    bool lasts = false;  ///< the file has a duration
    bool local_id = false;  ///< `id` is valid only in its process
    std::string_view scope;  ///< `id` is valid only among events of the same

    // args
    std::optional<std::int64_t> device, context, external_id;
    ChromeId stream, correlation;
    std::int64_t bytes = 0, size = 0, registers = 0, shared_memory = 0, graph_node = 0;
    std::int64_t waited_record = -1, waited_event = -1, waited_stream = -1;
    std::int64_t from_device = -1, to_device = -1, channel = -1;
    std::int64_t sequence = -1, forward_thread = 0;  ///< of autograd
    std::array<std::uint32_t, 3> grid {}, block {};
    std::optional<std::int64_t> calling_thread;  ///< of rocprofv3, whose rows need not be threads
    std::string_view given_name;  ///< "name" or "labels" of a metadata event
    std::optional<CounterRecord::Unit> unit;  ///< of a counter, where its format has a place for it
    std::uint32_t first_value = 0, values = 0;  ///< of a counter or PyTorch's "[memory]": in ChromeBatch::values
    std::uint32_t first_told = 0, told = 0;  ///< what becomes the values of a range: in ChromeBatch::told
    // Added by Lanescope in its files; see export_text.h.
    std::optional<std::string_view> domain;  ///< of an NVTX range
    std::optional<std::int64_t> true_thread;  ///< if tid is a further row of that thread
    std::optional<std::int64_t> call;  ///< of an overhead: the correlation of its call
    std::int64_t result = 0;  ///< of a call
    std::int64_t queries = 0;  ///< how many this one call represents
    std::optional<std::int64_t> answer;  ///< 1 if the last query found all done, else 0
};

/// µs with decimals, as a number or in quotes, to ns, exactly: a double would be off by up to 128 ns in a time since
/// 1970. Rounded after three decimals; nothing if it is no number or beyond 2^61 ns.
std::optional<Ns> ns_of_microseconds(std::string_view text);

/// A stretch of text and the events that were read from it. Texts of the events are valid as long as the batch lives.
struct ChromeBatch {
    std::vector<ChromeEvent> events;
    std::size_t damaged = 0;  ///< events that could not be parsed
    std::size_t others = 0;  ///< objects that are no events: they have no "ph"
    struct Said {
        std::string key, json;
    };
    std::vector<Said> said;  ///< what the file says about itself
    std::vector<char> text;
    std::deque<std::string> mended;  ///< decoded texts that `text` has in another form
    struct Value {
        std::string_view key;
        double number;
    };
    std::vector<Value> values;  ///< the numbers in the args of counters and "[memory]"
    struct Told {
        std::string_view name;  ///< as the values of ranges are called, or told_name
        std::string_view text;  ///< of a number or text without quotes; of a list as JSON has it
        enum Kind : std::uint8_t { number, text_, list } kind;
    };
    std::vector<Told> told;

    void clear();
};

/// What PyTorch tells in args under names of its own, until it is known what it means.
namespace told_name {
inline constexpr std::string_view elements_in = "In msg nelems", elements_out = "Out msg nelems";
inline constexpr std::string_view source = "Src Rank", destination = "Dst Rank";
inline constexpr std::string_view shapes = "Input Dims", types = "Input type";  ///< of an operator
}  // namespace told_name

/// For events that come from another format: how an argument of that key is read, if it is.
enum class ChromeArgument : std::uint8_t { none, text, triple };
ChromeArgument chrome_argument(std::string_view key);
/// Sets the field of an argument. `text`: as JSON has it, without quotes; it must live as long as the event, which is
/// the last one of its batch that has told something.
void take_argument(ChromeBatch& batch, ChromeEvent& event, std::string_view key, std::string_view text);
void take_argument(ChromeEvent& event, std::string_view key, const std::array<std::uint32_t, 3>& triple);

/// Reads events into batches.
class ChromeEventParser {
public:
    ChromeEventParser();
    ~ChromeEventParser();
    /// Reads the sound events of an array in batch.text from `at` to `size`, up to the first without a phase; `at` is
    /// after the array's bracket or a comma. Returns the place where it stopped: after a comma or an event, or at the
    /// beginning of one. There are `json_padding` readable bytes after `size`, and one before `at`. Cost: that of
    /// simdjson, one pass to find the structure and one over that.
    std::size_t parse_many(ChromeBatch& batch, std::size_t at, std::size_t size);
    /// Reads the one event at [begin, end), which may have the damages that real writers make; false: it is no JSON
    /// object.
    bool parse_one(ChromeBatch& batch, std::size_t begin, std::size_t end);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace lanes
