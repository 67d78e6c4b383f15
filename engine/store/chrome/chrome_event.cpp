// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_event.h"
#include "engine/ascii.h"
#include "engine/store/json_text.h"
#include "engine/trace/units.h"
#include "engine/trace/utf8.h"
#include "probes/record.h"
#include "probes/utf8_letter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <simdjson.h>
#include <string>
#include <utility>

namespace lanes {

namespace {

using simdjson::ondemand::object;
using simdjson::ondemand::value;

using Texts = std::deque<std::string>;

/// Four hexadecimal digits; -1: they are none.
int code_unit(std::string_view text)
{
    int unit = 0;
    const auto* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, unit, 16);
    return text.size() == 4 && error == std::errc {} && stop == end && text.front() != '-' ? unit : -1;
}

/// The text of a string with escapes. Those that JSON does not know (\x, \U, \', half of a pair) stay as they are.
std::string leniently_unescaped(std::string_view text)
{
    static constexpr std::string_view letters = "\"\\/bfnrt";
    static constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char next = text[at] == '\\' && at + 1 < text.size() ? text[at + 1] : '\0';
        const auto letter = next == '\0' ? std::string_view::npos : letters.find(next);
        const int unit = next == 'u' ? code_unit(text.substr(at + 2, 4)) : -1;
        if (letter != std::string_view::npos) {
            out += meant[letter];
            ++at;
        } else if (unit >= 0 && (unit < 0xD800 || unit > 0xDFFF)) {
            append_utf8(out, static_cast<char32_t>(unit));
            at += 5;
        } else {
            out += text[at];
        }
    }
    return out;
}

/// A number's digits or a string's content, without what surrounds it; "" for anything else. It stands in the text
/// itself unless it has escapes.
std::string_view plain(value v, Texts& texts)
{
    auto text = v.raw_json_token();
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') {
        text.remove_suffix(1);
    }
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
        const bool number = !text.empty() && (text.front() == '-' || ascii::is_digit(text.front()));
        return number ? text : std::string_view {};
    }
    text = text.substr(1, text.size() - 2);
    if (text.find('\\') == std::string_view::npos) {
        return text;
    }
    std::string_view unescaped;
    if (v.get_string().get(unescaped) == simdjson::SUCCESS) {
        return texts.emplace_back(unescaped);
    }
    return texts.emplace_back(leniently_unescaped(text));
}

/// Of a text that is all a number; "10.0.0.7" is none.
std::optional<std::int64_t> whole(std::string_view text)
{
    std::int64_t number = 0;
    const auto* end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, number); error == std::errc {}) {
        const std::string_view rest(stop, static_cast<std::size_t>(end - stop));
        if (rest.empty()
            || (rest.front() == '.' && rest.find_first_not_of(ascii::digits, 1) == std::string_view::npos)) {
            return number;
        }
    }
    std::uint64_t large = 0;  // ids of 64 bits
    const auto [stop, error] = std::from_chars(text.data(), end, large);
    return error == std::errc {} && stop == end && !text.empty()
        ? std::optional<std::int64_t>(static_cast<std::int64_t>(large))
        : std::nullopt;
}

/// Also one that is no number, as the handle "0x55d0c8a0".
ChromeId id_of(std::string_view text)
{
    return {whole(text), text};
}

void read_triple(value v, std::array<std::uint32_t, 3>& triple, Texts& texts)
{
    simdjson::ondemand::array numbers;
    if (v.get_array().get(numbers) != simdjson::SUCCESS) {
        return;
    }
    std::size_t i = 0;
    for (auto item : numbers) {
        if (item.error() != simdjson::SUCCESS || i == triple.size()) {
            return;
        }
        triple[i++] = static_cast<std::uint32_t>(whole(plain(item.value_unsafe(), texts)).value_or(0));
    }
}

/// Whether a key is `name`; its text begins after the opening quote. The bytes after a key are readable: it lies in a
/// text with padding.
inline bool is(const char* key, std::string_view name)
{
    return std::memcmp(key, name.data(), name.size()) == 0 && key[name.size()] == '"';
}

/// "kind_src:pinned kind_dst:device size:16384 dest:0 async:1", as XLA's profiler describes copies and memsets.
void read_details(std::string_view text, ChromeEvent& event)
{
    constexpr std::string_view word = "size:";
    if (const auto at = text.find(word); at != std::string_view::npos) {
        const auto from = text.substr(at + word.size());
        event.bytes = whole(from.substr(0, from.find(' '))).value_or(0);
    }
}

// How an argument's text comes into the field of its event.

template <auto field> void take_number(std::string_view text, ChromeEvent& event)
{
    event.*field = whole(text);
}

template <auto field, std::int64_t otherwise = 0> void take_count(std::string_view text, ChromeEvent& event)
{
    event.*field = whole(text).value_or(otherwise);
}

/// "Agent-4" or "GPU-0", as rocprofv3 calls a device, or 4.
template <auto field> void take_agent(std::string_view text, ChromeEvent& event)
{
    const auto before = text.find_last_not_of(ascii::digits);
    if (const auto number = whole(text.substr(before == std::string_view::npos ? 0 : before + 1))) {
        event.*field = *number;
    }
}

template <auto field> void take_id(std::string_view text, ChromeEvent& event)
{
    event.*field = id_of(text);
}

template <auto field> void take_text(std::string_view text, ChromeEvent& event)
{
    event.*field = text;
}

using Triple = std::array<std::uint32_t, 3>;

struct ArgumentRow {
    std::string_view key;
    void (*take)(std::string_view, ChromeEvent&) = nullptr;
    Triple ChromeEvent::*triple = nullptr;  ///< of a list of three numbers
    std::string_view told = {};  ///< the name in ChromeBatch::told
};

constexpr ArgumentRow told_as(std::string_view key, std::string_view name)
{
    return {key, nullptr, nullptr, name};
}

/// All arguments that are read; by the first letters of their keys, so that most others cost one look.
constexpr std::array arguments_read {
    told_as("Collective name", collective_value::function),
    told_as("Dst Rank", told_name::destination),
    ArgumentRow {"External id", take_number<&ChromeEvent::external_id>},
    ArgumentRow {"Fwd thread id", take_count<&ChromeEvent::forward_thread>},
    told_as("Group size", collective_value::ranks),
    told_as("Input Dims", told_name::shapes),
    told_as("Input type", told_name::types),
    told_as("Input dims", told_name::shapes),  // of PyTorch 1.8
    told_as("In msg nelems", told_name::elements_in),
    told_as("Out msg nelems", told_name::elements_out),
    told_as("Process Group Name", collective_value::communicator),
    told_as("Process Group Ranks", collective_value::members),
    told_as("Rank", collective_value::rank),
    ArgumentRow {"Sequence number", take_count<&ChromeEvent::sequence, -1>},
    told_as("Seq", collective_value::sequence),
    told_as("Src Rank", told_name::source),
    ArgumentRow {"agent", take_agent<&ChromeEvent::device>},  // of rocprofv3, as src_agent, corr_id and others below
    ArgumentRow {"answer", take_number<&ChromeEvent::answer>},
    ArgumentRow {"block", nullptr, &ChromeEvent::block},
    ArgumentRow {"bytes", take_count<&ChromeEvent::bytes>},
    ArgumentRow {"correlation", take_id<&ChromeEvent::correlation>},
    ArgumentRow {"context", take_number<&ChromeEvent::context>},
    ArgumentRow {"call", take_number<&ChromeEvent::call>},
    ArgumentRow {"channel", take_count<&ChromeEvent::channel, -1>},
    ArgumentRow {"copy_bytes", take_count<&ChromeEvent::bytes>},
    ArgumentRow {"corr_id", take_id<&ChromeEvent::correlation>},
    ArgumentRow {"device", take_number<&ChromeEvent::device>},
    ArgumentRow {"domain", take_text<&ChromeEvent::domain>},
    told_as("dtype", collective_value::type),
    ArgumentRow {"dst_agent", take_agent<&ChromeEvent::to_device>},
    ArgumentRow {"external id", take_number<&ChromeEvent::external_id>},
    ArgumentRow {"fromDevice", take_count<&ChromeEvent::from_device, -1>},
    ArgumentRow {"grid", nullptr, &ChromeEvent::grid},
    ArgumentRow {"graph node id", take_count<&ChromeEvent::graph_node>},
    ArgumentRow {"labels", take_text<&ChromeEvent::given_name>},
    ArgumentRow {"memcpy_details", read_details},
    ArgumentRow {"memset_details", read_details},
    ArgumentRow {"name", take_text<&ChromeEvent::given_name>},
    ArgumentRow {"queue", take_id<&ChromeEvent::stream>},  // of Intel, where others have a stream
    ArgumentRow {"queries", take_count<&ChromeEvent::queries>},
    ArgumentRow {"registers per thread", take_count<&ChromeEvent::registers>},
    ArgumentRow {"result", take_count<&ChromeEvent::result>},
    ArgumentRow {"stream", take_id<&ChromeEvent::stream>},
    ArgumentRow {"shared memory", take_count<&ChromeEvent::shared_memory>},
    ArgumentRow {"size", take_count<&ChromeEvent::size>},  // of ROCm's calls
    ArgumentRow {"src_agent", take_agent<&ChromeEvent::from_device>},
    ArgumentRow {"stream_id", take_id<&ChromeEvent::stream>},
    ArgumentRow {"toDevice", take_count<&ChromeEvent::to_device, -1>},
    ArgumentRow {"thread", take_number<&ChromeEvent::true_thread>},
    ArgumentRow {"tid", take_number<&ChromeEvent::calling_thread>},
    ArgumentRow {"wait_on_cuda_event_record_corr_id", take_count<&ChromeEvent::waited_record, -1>},
    ArgumentRow {"wait_on_cuda_event_id", take_count<&ChromeEvent::waited_event, -1>},
    ArgumentRow {"wait_on_stream", take_count<&ChromeEvent::waited_stream, -1>},
};

constexpr bool comes_before_in_table(const ArgumentRow& a, const ArgumentRow& b)
{
    return a.key.front() < b.key.front();
}
static_assert(std::is_sorted(arguments_read.begin(), arguments_read.end(), comes_before_in_table));

/// By a key's first byte: the first of arguments_read that begins with it, else the end.
constexpr auto first_argument = [] {
    std::array<std::uint8_t, 256> first {};
    first.fill(arguments_read.size());
    for (std::size_t i = arguments_read.size(); i-- > 0;) {
        first[static_cast<unsigned char>(arguments_read[i].key.front())] = static_cast<std::uint8_t>(i);
    }
    return first;
}();

constexpr std::size_t most_told = 64;  // of one event

void tell(ChromeBatch& batch, ChromeEvent& event, const ChromeBatch::Told& told)
{
    if (event.told == 0) {
        event.first_told = static_cast<std::uint32_t>(batch.told.size());
    }
    if (event.told < most_told) {
        batch.told.push_back(told);
        ++event.told;
    }
}

/// Numbers, texts and lists; others say nothing to us.
void read_told(std::string_view name, value v, ChromeEvent& event, ChromeBatch& batch)
{
    using simdjson::ondemand::json_type;
    json_type type {};
    if (v.type().get(type) != simdjson::SUCCESS) {
        return;
    }
    if (type == json_type::array) {
        std::string_view json;
        simdjson::ondemand::array items;
        if (v.get_array().get(items) == simdjson::SUCCESS && items.raw_json().get(json) == simdjson::SUCCESS) {
            tell(batch, event, {name, json, ChromeBatch::Told::list});
        }
    } else if (type == json_type::string || type == json_type::number) {
        const auto kind = type == json_type::string ? ChromeBatch::Told::text_ : ChromeBatch::Told::number;
        tell(batch, event, {name, plain(v, batch.mended), kind});
    }
}

/// The values of a range, as our files have them: {"bytes": 4096, "op": "Sum"}
void read_values(value v, ChromeEvent& event, ChromeBatch& batch)
{
    object members;
    if (v.get_object().get(members) != simdjson::SUCCESS) {
        return;
    }
    for (auto member : members) {
        std::string_view key;
        value inner;
        if (member.unescaped_key().get(key) != simdjson::SUCCESS || member.value().get(inner) != simdjson::SUCCESS) {
            return;
        }
        read_told(batch.mended.emplace_back(key), inner, event, batch);
    }
}

void read_argument(const char* key, value v, ChromeEvent& event, ChromeBatch& batch)
{
    auto& texts = batch.mended;
    if (is(key, "values")) {
        read_values(v, event, batch);
        return;
    }
    for (std::size_t i = first_argument[static_cast<unsigned char>(*key)];
         i < arguments_read.size() && arguments_read[i].key.front() == *key; ++i) {
        const auto& row = arguments_read[i];
        if (!is(key, row.key)) {
            continue;
        }
        if (row.triple != nullptr) {
            read_triple(v, event.*row.triple, texts);
        } else if (row.take != nullptr) {
            row.take(plain(v, texts), event);
        } else {
            read_told(row.told, v, event, batch);
        }
        return;
    }
}

constexpr std::string_view memory_name = "[memory]";

/// Whether what was read of an event so far may be that of one whose args are a list of numbers.
bool may_count(const ChromeEvent& event)
{
    const bool instant = event.phase == 'i' && (event.name.empty() || event.name == memory_name);
    return event.phase == '\0' || event.phase == 'C' || instant;
}

void read_value(simdjson::ondemand::raw_json_string raw, value v, ChromeBatch& batch)
{
    const auto text = plain(v, batch.mended);
    double number = 0;
    const auto* end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, number);
        error == std::errc {} && stop == end && !text.empty() && std::isfinite(number)) {
        const char* const key = raw.raw();
        std::size_t length = 0;
        while (key[length] != '"') {  // simdjson found one
            length += key[length] == '\\' ? 2 : 1;
        }
        batch.values.push_back({{key, length}, number});
    }
}

/// False: the JSON is damaged.
bool read_arguments(value v, ChromeEvent& event, ChromeBatch& batch)
{
    object arguments;
    if (v.get_object().get(arguments) != simdjson::SUCCESS) {
        return true;  // "args": "text" says nothing to us
    }
    const bool counts = may_count(event);
    for (auto field : arguments) {
        simdjson::ondemand::raw_json_string key;
        value argument;
        if (field.key().get(key) != simdjson::SUCCESS || field.value().get(argument) != simdjson::SUCCESS) {
            return false;
        }
        if (counts) {
            read_value(key, argument, batch);
        }
        read_argument(key.raw(), argument, event, batch);
    }
    return true;
}

/// {"local": "0x1"} or {"global": "0x1"}
void read_scoped_id(value v, ChromeEvent& event, Texts& texts)
{
    object scopes;
    if (v.get_object().get(scopes) != simdjson::SUCCESS) {
        return;
    }
    for (auto field : scopes) {
        simdjson::ondemand::raw_json_string scope;
        value id;
        if (field.key().get(scope) != simdjson::SUCCESS || field.value().get(id) != simdjson::SUCCESS) {
            return;
        }
        event.id = plain(id, texts);
        event.local_id = is(scope.raw(), "local");
    }
}

bool read_fields(object fields, ChromeEvent& event, ChromeBatch& batch)
{
    auto& texts = batch.mended;
    event.first_value = static_cast<std::uint32_t>(batch.values.size());  // whether it has values or not
    for (auto field : fields) {
        simdjson::ondemand::raw_json_string raw;
        value v;
        if (field.key().get(raw) != simdjson::SUCCESS || field.value().get(v) != simdjson::SUCCESS) {
            return false;
        }
        const char* key = raw.raw();
        if (is(key, "ph")) {
            if (event.phase != '\0') {
                return false;  // of two events that were mixed
            }
            const auto text = plain(v, texts);
            event.phase = text.empty() ? '\0' : text.front();
        } else if (is(key, "name")) {
            event.name = plain(v, texts);
        } else if (is(key, "cat")) {
            event.category = plain(v, texts);
        } else if (is(key, "pid") || is(key, "tid")) {
            auto& id = *key == 'p' ? event.process : event.thread;
            id = id_of(plain(v, texts));
        } else if (is(key, "ts")) {
            event.start = ns_of_microseconds(plain(v, texts));
        } else if (is(key, "dur")) {
            const auto duration = ns_of_microseconds(plain(v, texts));
            event.lasts = duration && *duration >= 0;
            event.duration = event.lasts ? *duration : -1;
        } else if (is(key, "id")) {
            event.id = plain(v, texts);
        } else if (is(key, "id2")) {
            read_scoped_id(v, event, texts);
        } else if (is(key, "scope")) {
            event.scope = plain(v, texts);
        } else if (is(key, "args") && !read_arguments(v, event, batch)) {
            return false;
        }
    }
    if (event.phase == 'C' || event.name == memory_name) {
        event.values = static_cast<std::uint32_t>(batch.values.size()) - event.first_value;
    } else if (batch.values.size() > event.first_value) {
        batch.values.resize(event.first_value);
    }
    return true;
}

/// "1.5e3"; nothing without an exponent. Off by what a double is.
std::optional<Ns> ns_of_scientific(std::string_view text)
{
    if (text.find_first_of("eE") == std::string_view::npos) {
        return {};
    }
    const double value = std::strtod(std::string(text).c_str(), nullptr) * 1000;
    return std::abs(value) < static_cast<double>(record_time_limit) ? std::optional<Ns>(std::llround(value))
                                                                    : std::nullopt;
}

const ArgumentRow* argument_row(std::string_view key)
{
    if (key.empty()) {
        return nullptr;
    }
    for (std::size_t i = first_argument[static_cast<unsigned char>(key.front())];
         i < arguments_read.size() && arguments_read[i].key.front() == key.front(); ++i) {
        if (arguments_read[i].key == key) {
            return &arguments_read[i];
        }
    }
    return nullptr;
}

}  // namespace

ChromeArgument chrome_argument(std::string_view key)
{
    const auto* const row = argument_row(key);
    return row == nullptr        ? ChromeArgument::none
        : row->triple != nullptr ? ChromeArgument::triple
                                 : ChromeArgument::text;
}

void take_argument(ChromeBatch& batch, ChromeEvent& event, std::string_view key, std::string_view text)
{
    const auto* const row = argument_row(key);
    if (row != nullptr && row->take != nullptr) {
        row->take(text, event);
    } else if (row != nullptr && !row->told.empty()) {
        const bool is_number = whole(text).has_value();
        tell(batch, event,
            {row->told, text,
                is_number                   ? ChromeBatch::Told::number
                    : text.starts_with('[') ? ChromeBatch::Told::list
                                            : ChromeBatch::Told::text_});
    }
}

void take_argument(ChromeEvent& event, std::string_view key, const std::array<std::uint32_t, 3>& triple)
{
    if (const auto* const row = argument_row(key); row != nullptr && row->triple != nullptr) {
        event.*row->triple = triple;
    }
}

std::optional<Ns> ns_of_microseconds(std::string_view text)
{
    const bool negative = text.starts_with('-');
    Ns time = 0;
    int decimals = -1;  // after the point; -1: before it
    bool any = false;
    bool ended = false;  // more decimals count no more
    for (std::size_t at = negative || text.starts_with('+') ? 1 : 0; at < text.size(); ++at) {
        const int digit = text[at] - '0';
        if (text[at] == '.' && decimals < 0) {
            decimals = 0;
        } else if (digit < 0 || digit > 9) {
            return ns_of_scientific(text);
        } else if (decimals == 3) {
            time += !ended && digit >= 5 ? 1 : 0;
            ended = true;
        } else {
            any = true;
            decimals += decimals >= 0 ? 1 : 0;
            if (time >= record_time_limit / 10) {
                return ns_of_scientific(text);
            }
            time = time * 10 + digit;
        }
    }
    for (int missing = std::max(decimals, 0); missing < 3; ++missing) {
        if (time >= record_time_limit / 10) {
            return {};
        }
        time *= 10;
    }
    return any ? std::optional<Ns>(negative ? -time : time) : std::nullopt;
}

void ChromeBatch::clear()
{
    events.clear();
    damaged = others = 0;
    said.clear();
    mended.clear();
    values.clear();
    told.clear();
}

struct ChromeEventParser::State {
    simdjson::ondemand::parser parser;

    bool parse(std::string_view text, ChromeBatch& batch)
    {
        simdjson::ondemand::document document;
        object fields;
        auto& event = batch.events.emplace_back();
        const simdjson::padded_string_view padded(text.data(), text.size(), text.size() + json_padding);
        if (parser.iterate(padded).get(document) != simdjson::SUCCESS
            || document.get_object().get(fields) != simdjson::SUCCESS || !read_fields(fields, event, batch)) {
            batch.events.pop_back();
            return false;
        }
        return true;
    }

    /// What real writers get wrong: bytes that are not UTF-8, control characters in names, a comma before the end.
    static std::string mend(std::string_view text)
    {
        auto mended = valid_utf8(text);
        bool quoted = false;
        std::size_t comma = std::string::npos;
        for (std::size_t i = 0; i < mended.size(); ++i) {
            char& c = mended[i];
            if (quoted) {
                if (c == '\\') {
                    ++i;
                } else if (static_cast<unsigned char>(c) < 0x20) {
                    c = ' ';
                } else if (c == '"') {
                    quoted = false;
                }
                continue;
            }
            if (c == ',') {
                comma = i;
                continue;
            }
            if ((c == '}' || c == ']') && comma != std::string::npos) {
                mended[comma] = ' ';
            }
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                comma = std::string::npos;
            }
            quoted = c == '"';
        }
        mended.append(json_padding, '\0');
        return mended;
    }
};

ChromeEventParser::ChromeEventParser()
    : m_state(std::make_unique<State>())
{
}

ChromeEventParser::~ChromeEventParser() = default;

std::size_t ChromeEventParser::parse_many(ChromeBatch& batch, std::size_t at, std::size_t size)
{
    char* const text = batch.text.data();
    const auto gap = last_gap({text, size}, at);
    if (gap == std::string_view::npos) {
        return at;
    }
    // What lies between becomes an array of its own. Where the gap is none, being inside of something, its quotes or
    // brackets do not match, and where the array ends before it something is left: in all such cases the events before
    // that are sound, and the one at which it shows is returned.
    const char before = std::exchange(text[at - 1], '[');
    const char behind = std::exchange(text[gap], ']');
    std::size_t stop = at;
    const char* last = nullptr;
    const simdjson::padded_string_view padded(text + at - 1, gap - at + 2, gap - at + 2 + json_padding);
    simdjson::ondemand::document document;
    simdjson::ondemand::array all;
    bool sound = m_state->parser.iterate(padded).get(document) == simdjson::SUCCESS
        && document.get_array().get(all) == simdjson::SUCCESS;
    if (sound) {
        for (auto item : all) {
            sound = item.error() == simdjson::SUCCESS;
            if (!sound) {
                break;
            }
            value v = item.value_unsafe();
            const char* const begin = v.raw_json_token().data();
            object fields;
            sound = v.get_object().get(fields) == simdjson::SUCCESS;
            if (sound) {
                auto& event = batch.events.emplace_back();
                sound = read_fields(fields, event, batch) && event.phase != '\0';
                if (!sound) {
                    batch.events.pop_back();
                }
            }
            if (!sound) {
                stop = static_cast<std::size_t>(begin - text);
                last = nullptr;
                break;
            }
            last = begin;
        }
        sound = sound && document.current_location().error() == simdjson::OUT_OF_BOUNDS;
    }
    text[at - 1] = before;
    text[gap] = behind;
    if (sound) {
        return gap + 1;
    }
    if (last == nullptr) {
        return stop;
    }
    const auto begin = static_cast<std::size_t>(last - text);
    const auto end = end_of_value({text, size}, begin);
    if (end == std::string_view::npos) {  // its brackets do not match one another
        batch.events.pop_back();
    }
    return end == std::string_view::npos ? begin : end;
}

bool ChromeEventParser::parse_one(ChromeBatch& batch, std::size_t begin, std::size_t end)
{
    const std::string_view text(batch.text.data() + begin, end - begin);
    if (m_state->parse(text, batch)) {
        return true;
    }
    const auto& mended = batch.mended.emplace_back(State::mend(text));
    return m_state->parse(std::string_view(mended).substr(0, mended.size() - json_padding), batch);
}

}  // namespace lanes
