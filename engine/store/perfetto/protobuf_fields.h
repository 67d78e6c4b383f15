// SPDX-License-Identifier: MIT
// The fields of a message in protobuf's wire format; private to engine/store. A reader of its own: what a trace needs
// of it is this file, it allocates nothing, and every length is checked against the bytes that are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanes {

/// What is wrong with a message.
struct ProtobufDamage {
    std::size_t at;  ///< its byte in the message
    std::string words;  ///< "expected …, found …"
};

struct ProtobufField {
    enum Type : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };
    std::uint32_t number = 0;
    Type type = varint;
    std::uint64_t value = 0;  ///< of a number; of bytes their size
    std::string_view text;  ///< of bytes

    bool is(std::uint32_t wanted, Type of) const { return number == wanted && type == of; }
    double as_double() const;  ///< of fixed64
    /// Of an int32 or int64.
    std::int64_t as_signed() const { return static_cast<std::int64_t>(value); }
};

class ProtobufFields {
public:
    explicit ProtobufFields(std::string_view message)
        : m_message(message)
    {
    }
    /// The next field; false: there are no more. Throws ProtobufDamage. Cost: its length.
    bool next(ProtobufField& field);
    std::size_t at() const { return m_at; }

private:
    std::string_view m_message;
    std::size_t m_at = 0;
};

/// The next number of a packed field, whose numbers have no tags. Moves `at` to the byte after it. Throws
/// ProtobufDamage.
std::uint64_t protobuf_number(std::string_view text, std::size_t& at);

/// The first field of a message that may be cut off: as much of its tag and its size as is there.
struct ProtobufHead {
    std::size_t size = 0;  ///< of the head; 0: it is not complete
    std::uint32_t number = 0;
    ProtobufField::Type type = ProtobufField::varint;
    std::uint64_t length = 0;  ///< of what follows the head
};
/// Throws ProtobufDamage if it is no field.
ProtobufHead protobuf_head(std::string_view text);

}  // namespace lanes
