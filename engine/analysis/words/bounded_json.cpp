// SPDX-License-Identifier: MIT
#include "engine/analysis/words/bounded_json.h"

#include "engine/analysis/words/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace lanes {

namespace {

constexpr std::string_view cut_key = "cut";

struct JsonValue {
    enum class Is { scalar, text, object, array };
    Is is = Is::scalar;
    std::string_view written;  ///< of a scalar or a text, as it is in the document
    std::vector<std::string_view> keys;  ///< of an object, with their quotes
    std::vector<JsonValue> elements;  ///< of an array, or of an object by its keys

    const JsonValue* find(std::string_view key) const
    {
        const auto found = std::find_if(keys.begin(), keys.end(),
            [&](std::string_view quoted) { return quoted.substr(1, quoted.size() - 2) == key; });
        return found == keys.end() ? nullptr : &elements[static_cast<std::size_t>(found - keys.begin())];
    }
    std::int64_t number(std::string_view key) const
    {
        std::int64_t value = 0;
        if (const auto* member = find(key)) {
            std::from_chars(member->written.data(), member->written.data() + member->written.size(), value);
        }
        return value;
    }
};

/// Reads what JsonWriter wrote; nothing else is given to it.
class Reader {
public:
    explicit Reader(std::string_view text)
        : m_text(text)
    {
    }
    JsonValue value()
    {
        space();
        if (take('{')) {
            return object();
        }
        if (take('[')) {
            return array();
        }
        JsonValue value;
        value.is = m_text[m_at] == '"' ? JsonValue::Is::text : JsonValue::Is::scalar;
        value.written = value.is == JsonValue::Is::text ? quoted() : word();
        return value;
    }

private:
    JsonValue object()
    {
        JsonValue value;
        value.is = JsonValue::Is::object;
        for (space(); !take('}'); space()) {
            take(',');
            space();
            value.keys.push_back(quoted());
            take(':');
            value.elements.push_back(this->value());
        }
        return value;
    }
    JsonValue array()
    {
        JsonValue value;
        value.is = JsonValue::Is::array;
        for (space(); !take(']'); space()) {
            take(',');
            value.elements.push_back(this->value());
        }
        return value;
    }
    std::string_view quoted()
    {
        const auto begin = m_at++;
        for (; m_text.at(m_at) != '"'; ++m_at) {
            m_at += m_text[m_at] == '\\' ? 1 : 0;
        }
        ++m_at;
        return m_text.substr(begin, m_at - begin);
    }
    std::string_view word()
    {
        const auto begin = m_at;
        m_at = std::min(m_text.find_first_of(",]} ", m_at), m_text.size());
        return m_text.substr(begin, m_at - begin);
    }
    void space() { m_at = std::min(m_text.find_first_not_of(' ', m_at), m_text.size()); }
    bool take(char c)
    {
        const bool is_next = m_text.at(m_at) == c;
        m_at += is_next ? 1 : 0;
        return is_next;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// What says how much time an element is about, for arrays that are not ranked by it: a key, or from one to another.
struct Rank {
    std::string_view array, from, to;
};
constexpr std::array ranked {Rank {"chain", "start_ns", "end_ns"}, Rank {"lines", "start_ns", "end_ns"},
    Rank {"cpu", "", "held_cost_ns"}, Rank {"gpu", "", "idle_ns"}, Rank {"streams", "", "busy_ns"},
    Rank {"idle", "", "idle_ns"}, Rank {"ranges", "", "wall_ns"}, Rank {"groups", "", "waited_ns"},
    Rank {"reads", "", "wrong_bytes"}};

/// Which elements of an array of this name are kept, in their order.
std::vector<std::size_t> kept_of(std::string_view name, const std::vector<JsonValue>& elements, std::size_t most)
{
    std::vector<std::size_t> kept(elements.size());
    std::iota(kept.begin(), kept.end(), std::size_t {0});
    if (kept.size() <= most) {
        return kept;
    }
    const auto* const by
        = std::find_if(ranked.begin(), ranked.end(), [&](const Rank& each) { return each.array == name; });
    if (by != ranked.end()) {
        const auto time = [&](std::size_t i) {
            return elements[i].number(by->to) - (by->from.empty() ? 0 : elements[i].number(by->from));
        };
        std::stable_sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) { return time(a) > time(b); });
    }
    kept.resize(most);
    std::sort(kept.begin(), kept.end());
    return kept;
}

/// Writes a document within limits that it takes from a table: one for all arrays of the same place, such as the
/// "chain" of all "waits".
class Cutter {
public:
    explicit Cutter(const JsonBounds& bounds)
        : m_bounds(bounds)
    {
    }
    std::string write(const JsonValue& document)
    {
        for (;;) {
            m_out.clear();
            m_places.clear();
            value(document, "", "");
            if (m_out.size() <= m_bounds.bytes || !tighten()) {
                return std::move(m_out);
            }
        }
    }

private:
    struct Place {
        std::size_t limit = 0, bytes = 0, longest = 0;  ///< bytes: of its own, without the arrays in it
    };

    /// Cuts further what takes most; lists in the rows of another one before that one, since a row's id leads to the
    /// rest. False: nothing is left that could be cut.
    bool tighten()
    {
        const auto weight = [](const auto& place) {
            return place.second.bytes
                * static_cast<std::size_t>(std::count(place.first.begin(), place.first.end(), '/'));
        };
        auto most = m_places.end();
        for (auto place = m_places.begin(); place != m_places.end(); ++place) {
            if (place->second.longest > 1 && (most == m_places.end() || weight(*place) > weight(*most))) {
                most = place;
            }
        }
        if (most != m_places.end()) {
            m_limits[most->first] = most->second.longest * 3 / 4;
            return true;
        }
        m_most_text = std::min(m_most_text, std::size_t {800}) / 2;
        return m_most_text >= least_text;
    }

    void value(const JsonValue& of, const std::string& place, std::string_view key)
    {
        switch (of.is) {
        case JsonValue::Is::object:
            object(of, place);
            break;
        case JsonValue::Is::array:
            array(of, place, key, nullptr);
            break;
        case JsonValue::Is::text:
            m_out += shortened(of.written, key == "name" ? std::min(m_bounds.name, m_most_text) : m_most_text);
            break;
        case JsonValue::Is::scalar:
            m_out += of.written;
        }
    }

    void object(const JsonValue& of, const std::string& place)
    {
        const auto* const known = of.find(cut_key);  // what the writer of the whole had to leave out
        std::string cuts;
        m_out += '{';
        for (std::size_t i = 0; i < of.keys.size(); ++i) {
            const auto quoted = of.keys[i];
            const JsonValue& member = of.elements[i];
            const auto key = quoted.substr(1, quoted.size() - 2);
            if (&member == known) {
                continue;
            }
            m_out += m_out.back() == '{' ? "" : ", ";
            m_out.append(quoted).append(": ");
            if (member.is == JsonValue::Is::array) {
                const auto* const told = known == nullptr ? nullptr : known->find(key);
                array(member, place + '/' + std::string(key), key, &cuts, told);
            } else {
                value(member, place + '/' + std::string(key), key);
            }
        }
        m_out += cuts.empty() ? "" : (m_out.back() == '{' ? "" : ", ") + ("\"cut\": {" + cuts + '}');
        m_out += '}';
    }

    void array(const JsonValue& of, const std::string& place, std::string_view key, std::string* cuts,
        const JsonValue* told = nullptr)
    {
        const bool is_of_numbers = !of.elements.empty() && of.elements.front().is == JsonValue::Is::scalar;
        const bool is_table = !of.elements.empty() && of.elements.front().is == JsonValue::Is::array;
        const auto limit = m_limits.find(place);
        const auto most = limit == m_limits.end() ? m_bounds.rows : std::min(limit->second, m_bounds.rows);
        const auto kept = kept_of(key, of.elements, most);
        const auto begin = m_out.size();
        const auto inner = std::exchange(m_inner, 0);
        m_out += '[';
        for (const auto i : kept) {
            m_out += m_out.back() == '[' && m_out.size() == begin + 1 ? "" : ", ";
            value(of.elements[i], place, key);
        }
        m_out += ']';
        const auto bytes = m_out.size() - begin;
        if (!is_of_numbers && !is_table) {
            auto& own = m_places[place];
            own.bytes += bytes - m_inner;
            own.longest = std::max(own.longest, kept.size());
        }
        m_inner = inner + bytes;
        if (cuts != nullptr && (kept.size() < of.elements.size() || told != nullptr)) {
            JsonWriter json;
            const auto all = told == nullptr ? 0 : static_cast<std::size_t>(told->number("of"));
            json.begin_object().field("shown", std::uint64_t {kept.size()});
            json.field("of", std::uint64_t {std::max(all, of.elements.size())}).key("all");
            const auto* const command = told == nullptr ? nullptr : told->find("all");
            command != nullptr ? json.raw(command->written) : json.value("--json=full");
            *cuts += (cuts->empty() ? "\"" : ", \"") + std::string(key) + "\": " + json.end_object().take();
        }
    }

    /// A text with its quotes, cut between two characters and not inside an escape.
    static std::string shortened(std::string_view quoted, std::size_t most)
    {
        if (quoted.size() <= most + 2) {
            return std::string(quoted);
        }
        std::size_t end = 1;
        for (std::size_t next = 1; next < most; end = next) {
            next += quoted[next] != '\\' ? 1U : quoted[next + 1] == 'u' ? 6U : 2U;
            while ((static_cast<unsigned char>(quoted[next]) & 0xC0U) == 0x80U) {
                ++next;
            }
            if (next > most) {
                break;
            }
        }
        return std::string(quoted.substr(0, end)) + "…\"";
    }

    static constexpr std::size_t least_text = 40;

    const JsonBounds& m_bounds;
    std::string m_out;
    std::map<std::string, Place> m_places;
    std::map<std::string, std::size_t> m_limits;
    std::size_t m_inner = 0;  ///< bytes of the arrays in the current one
    std::size_t m_most_text = std::size_t {1} << 20U;
};

}  // namespace

std::string bounded_json(std::string_view json, const JsonBounds& bounds)
{
    return Cutter(bounds).write(Reader(json).value());
}

}  // namespace lanes
