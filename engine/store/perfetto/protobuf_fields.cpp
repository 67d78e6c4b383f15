// SPDX-License-Identifier: MIT
#include "engine/store/perfetto/protobuf_fields.h"

#include <bit>
#include <optional>

namespace lanes {

namespace {

constexpr std::size_t longest_varint = 10;

/// The number at `at`; nothing if it is not complete. Moves `at` to the byte after it.
inline std::optional<std::uint64_t> varint_at(std::string_view text, std::size_t& at)
{
    if (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) {  // most of them
        return static_cast<unsigned char>(text[at++]);
    }
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < longest_varint; ++i) {
        if (at + i >= text.size()) {
            return std::nullopt;
        }
        const auto byte = static_cast<unsigned char>(text[at + i]);
        number |= std::uint64_t {byte & 0x7FU} << (7 * i);
        if (byte < 0x80) {
            at += i + 1;
            return number;
        }
    }
    throw ProtobufDamage {at, "expected a number of at most 10 bytes, found a longer one"};
}

/// The tag as a field without its value.
ProtobufField field_of(std::uint64_t tag, std::size_t at)
{
    ProtobufField field;
    const auto type = static_cast<unsigned>(tag & 7U);
    const auto number = tag >> 3U;
    if (number == 0 || number > 0x1FFFFFFF) {
        throw ProtobufDamage {at, "expected a field of 1 to 536870911, found field " + std::to_string(number)};
    }
    if (type != ProtobufField::varint && type != ProtobufField::fixed64 && type != ProtobufField::bytes
        && type != ProtobufField::fixed32) {
        throw ProtobufDamage {at, "expected a field of type 0, 1, 2 or 5, found type " + std::to_string(type)};
    }
    field.number = static_cast<std::uint32_t>(number);
    field.type = static_cast<ProtobufField::Type>(type);
    return field;
}

}  // namespace

double ProtobufField::as_double() const
{
    return std::bit_cast<double>(value);
}

std::uint64_t protobuf_number(std::string_view text, std::size_t& at)
{
    const auto found = varint_at(text, at);
    if (!found) {
        throw ProtobufDamage {at, "expected a number, found the end of the message"};
    }
    return *found;
}

bool ProtobufFields::next(ProtobufField& field)
{
    if (m_at >= m_message.size()) {
        return false;
    }
    const auto begin = m_at;
    field = field_of(protobuf_number(m_message, m_at), begin);
    const auto left = [&] { return m_message.size() - m_at; };
    if (field.type == ProtobufField::varint) {
        field.value = protobuf_number(m_message, m_at);
        return true;
    }
    const bool is_bytes = field.type == ProtobufField::bytes;
    const std::uint64_t size = is_bytes        ? protobuf_number(m_message, m_at)
        : field.type == ProtobufField::fixed64 ? 8
                                               : 4;
    if (size > left()) {
        throw ProtobufDamage {begin,
            "expected " + std::to_string(size) + " bytes of field " + std::to_string(field.number) + ", found "
                + std::to_string(left())};
    }
    field.text = m_message.substr(m_at, static_cast<std::size_t>(size));
    field.value = is_bytes ? size : 0;
    for (std::size_t i = 0; !is_bytes && i < field.text.size(); ++i) {
        field.value |= std::uint64_t {static_cast<unsigned char>(field.text[i])} << (8 * i);
    }
    m_at += static_cast<std::size_t>(size);
    return true;
}

ProtobufHead protobuf_head(std::string_view text)
{
    ProtobufHead head;
    std::size_t at = 0;
    const auto tag = varint_at(text, at);
    if (!tag) {
        return head;
    }
    const auto field = field_of(*tag, 0);
    head.number = field.number;
    head.type = field.type;
    if (field.type == ProtobufField::fixed64 || field.type == ProtobufField::fixed32) {
        head.length = field.type == ProtobufField::fixed64 ? 8 : 4;
        head.size = at;
        return head;
    }
    const auto number = varint_at(text, at);
    if (!number) {
        return head;
    }
    head.length = field.type == ProtobufField::bytes ? *number : 0;
    head.size = at;
    return head;
}

}  // namespace lanes
