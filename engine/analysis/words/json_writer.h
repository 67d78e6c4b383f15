// SPDX-License-Identifier: MIT
// Writes JSON in the order of the calls, on one line. Invalid UTF-8 in text becomes U+FFFD, so the output always
// parses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanes {

/// The "schema" of what the commands print: within one number, keys are never removed and keep their meaning.
inline constexpr std::int64_t json_schema = 2;

class JsonWriter {
public:
    JsonWriter& begin_object() { return open('{'); }
    JsonWriter& end_object() { return close('}'); }
    JsonWriter& begin_array() { return open('['); }
    JsonWriter& end_array() { return close(']'); }
    JsonWriter& key(std::string_view name);
    JsonWriter& value(std::int64_t number);
    JsonWriter& value(std::uint64_t number);
    JsonWriter& value(std::uint32_t number) { return value(std::uint64_t {number}); }
    JsonWriter& value(std::optional<std::int64_t> number) { return number ? value(*number) : null(); }
    JsonWriter& value(double number);
    JsonWriter& value(bool yes);
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& null();
    /// A value that is JSON already.
    JsonWriter& raw(std::string_view json);

    template <class T> JsonWriter& field(std::string_view name, const T& what) { return key(name).value(what); }

    /// What was written; the writer is empty afterwards.
    std::string take() { return std::move(m_text); }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();

    std::string m_text;
};

/// Into the object of an array: that only the first `shown` of `of` elements are in it, and what lists all.
void write_cut(JsonWriter& json, std::string_view array, std::uint64_t shown, std::uint64_t of, std::string_view all);

}  // namespace lanes
