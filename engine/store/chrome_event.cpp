// SPDX-License-Identifier: MIT
#include "engine/store/chrome_event.h"
#include "engine/store/json_text.h"
#include "engine/trace/utf8.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <simdjson.h>
#include <string>

namespace lanes {

namespace {

using simdjson::ondemand::json_type;
using simdjson::ondemand::object;
using simdjson::ondemand::value;

constexpr Ns time_limit = Ns {1} << 61U;

/// A number's digits or a string's content, without what surrounds it; "" for anything else.
std::string_view plain(value v)
{
    json_type type {};
    if (v.type().get(type) != simdjson::SUCCESS) {
        return {};
    }
    std::string_view text;
    if (type == json_type::string) {
        return v.get_string().get(text) == simdjson::SUCCESS ? text : std::string_view {};
    }
    if (type != json_type::number) {
        return {};
    }
    text = v.raw_json_token();
    const auto end = text.find_last_not_of(" \t\r\n");
    return end == std::string_view::npos ? std::string_view {} : text.substr(0, end + 1);
}

std::optional<std::int64_t> whole(std::string_view text)
{
    std::int64_t number = 0;
    const auto* end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, number);
        error == std::errc {} && stop != text.data() && (stop == end || *stop == '.')) {
        return number;
    }
    std::uint64_t large = 0;  // ids of 64 bits
    const auto [stop, error] = std::from_chars(text.data(), end, large);
    return error == std::errc {} && stop == end && !text.empty()
        ? std::optional<std::int64_t>(static_cast<std::int64_t>(large))
        : std::nullopt;
}

void read_triple(value v, std::array<std::uint32_t, 3>& triple)
{
    simdjson::ondemand::array numbers;
    if (v.get_array().get(numbers) != simdjson::SUCCESS) {
        return;
    }
    std::size_t i = 0;
    for (auto item : numbers) {
        value number;
        if (std::move(item).get(number) != simdjson::SUCCESS || i == triple.size()) {
            return;
        }
        triple[i++] = static_cast<std::uint32_t>(whole(plain(number)).value_or(0));
    }
}

void read_argument(std::string_view key, value v, ChromeEvent& event)
{
    const auto number = [&](std::optional<std::int64_t>& to) { to = whole(plain(v)); };
    const auto count = [&](std::int64_t& to, std::int64_t otherwise = 0) { to = whole(plain(v)).value_or(otherwise); };
    if (key == "correlation") {
        number(event.correlation);
    } else if (key == "device") {
        number(event.device);
    } else if (key == "context") {
        number(event.context);
    } else if (key == "stream") {
        number(event.stream);
    } else if (key == "External id" || key == "external id") {
        number(event.external_id);
    } else if (key == "bytes") {
        count(event.bytes);
    } else if (key == "size") {  // of ROCm's calls
        count(event.size);
    } else if (key == "grid") {
        read_triple(v, event.grid);
    } else if (key == "block") {
        read_triple(v, event.block);
    } else if (key == "registers per thread") {
        count(event.registers);
    } else if (key == "shared memory") {
        count(event.shared_memory);
    } else if (key == "graph node id") {
        count(event.graph_node);
    } else if (key == "wait_on_cuda_event_record_corr_id") {
        count(event.waited_record, -1);
    } else if (key == "wait_on_cuda_event_id") {
        count(event.waited_event, -1);
    } else if (key == "wait_on_stream") {
        count(event.waited_stream, -1);
    } else if (key == "name") {
        event.given_name = plain(v);
    }
}

/// False: the JSON is damaged.
bool read_arguments(value v, ChromeEvent& event)
{
    object arguments;
    if (v.get_object().get(arguments) != simdjson::SUCCESS) {
        return true;  // "args": "text" says nothing to us
    }
    for (auto field : arguments) {
        std::string_view key;
        value argument;
        if (field.unescaped_key().get(key) != simdjson::SUCCESS || field.value().get(argument) != simdjson::SUCCESS) {
            return false;
        }
        read_argument(key, argument, event);
    }
    return true;
}

bool read_fields(object fields, ChromeEvent& event)
{
    for (auto field : fields) {
        std::string_view key;
        value v;
        if (field.unescaped_key().get(key) != simdjson::SUCCESS || field.value().get(v) != simdjson::SUCCESS) {
            return false;
        }
        if (key == "ph") {
            const auto text = plain(v);
            event.phase = text.empty() ? '\0' : text.front();
        } else if (key == "name") {
            event.name = plain(v);
        } else if (key == "cat") {
            event.category = plain(v);
        } else if (key == "pid" || key == "tid") {
            auto& id = key == "pid" ? event.process : event.thread;
            id.text = plain(v);
            id.number = whole(id.text);
        } else if (key == "ts") {
            event.start = ns_of_microseconds(plain(v));
        } else if (key == "dur") {
            event.duration = std::max<Ns>(ns_of_microseconds(plain(v)).value_or(0), 0);
        } else if (key == "id") {
            event.id = plain(v);
        } else if (key == "args" && !read_arguments(v, event)) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::optional<Ns> ns_of_microseconds(std::string_view text)
{
    if (text.empty()) {
        return {};
    }
    if (text.find_first_of("eE") != std::string_view::npos) {
        const double value = std::strtod(std::string(text).c_str(), nullptr) * 1000;
        return std::abs(value) < static_cast<double>(time_limit) ? std::optional<Ns>(std::llround(value))
                                                                 : std::nullopt;
    }
    const bool negative = text.front() == '-';
    std::size_t at = negative || text.front() == '+' ? 1 : 0;
    Ns time = 0;
    int decimals = -1;  // behind the point; -1: before it
    bool any = false;
    for (; at < text.size(); ++at) {
        if (text[at] == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        const int digit = text[at] - '0';
        if (digit < 0 || digit > 9) {
            return {};
        }
        any = true;
        if (decimals == 3) {
            time += digit >= 5 ? 1 : 0;
            break;
        }
        decimals += decimals >= 0 ? 1 : 0;
        if (time >= time_limit / 10) {
            return {};
        }
        time = time * 10 + digit;
    }
    for (int missing = std::max(decimals, 0); missing < 3; ++missing) {
        if (time >= time_limit / 10) {
            return {};
        }
        time *= 10;
    }
    return any ? std::optional<Ns>(negative ? -time : time) : std::nullopt;
}

struct ChromeEventParser::State {
    simdjson::ondemand::parser parser;
    std::string mended;

    std::optional<ChromeEvent> parse(std::string_view text)
    {
        simdjson::ondemand::document document;
        object fields;
        ChromeEvent event;
        const simdjson::padded_string_view padded(text.data(), text.size(), text.size() + json_padding);
        if (parser.iterate(padded).get(document) != simdjson::SUCCESS
            || document.get_object().get(fields) != simdjson::SUCCESS || !read_fields(fields, event)) {
            return {};
        }
        return event;
    }

    /// What real writers get wrong: bytes that are not UTF-8, control characters in names, a comma before the end.
    void mend(std::string_view text)
    {
        mended = valid_utf8(text);
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
    }
};

ChromeEventParser::ChromeEventParser()
    : m_state(std::make_unique<State>())
{
}

ChromeEventParser::~ChromeEventParser() = default;

std::optional<ChromeEvent> ChromeEventParser::parse(std::string_view object)
{
    auto event = m_state->parse(object);
    if (!event) {
        m_state->mend(object);
        event = m_state->parse(std::string_view(m_state->mended).substr(0, m_state->mended.size() - json_padding));
    }
    return event;
}

}  // namespace lanes
