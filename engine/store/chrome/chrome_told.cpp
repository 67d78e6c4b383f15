// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_told.h"

#include "engine/ascii.h"
#include "engine/trace/range_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace lanes {

namespace {

using Told = ChromeBatch::Told;

const Told* told_as(std::span<const Told> told, std::string_view name)
{
    const auto found = std::find_if(told.begin(), told.end(), [name](const Told& one) { return one.name == name; });
    return found == told.end() ? nullptr : &*found;
}

std::uint64_t count_in(const Told* told)
{
    std::uint64_t count = 0;
    if (told != nullptr) {
        std::from_chars(told->text.data(), told->text.data() + told->text.size(), count);
    }
    return count;
}

/// Bytes of an element, by PyTorch's name of its type (c10::ScalarType); 0: not known.
std::uint64_t size_of_type(std::string_view type)
{
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 18> sizes {
        {{"Byte", 1}, {"Char", 1}, {"Bool", 1}, {"Short", 2}, {"UInt16", 2}, {"Half", 2}, {"BFloat16", 2}, {"Int", 4},
            {"UInt32", 4}, {"Float", 4}, {"ComplexHalf", 4}, {"Long", 8}, {"UInt64", 8}, {"Double", 8},
            {"ComplexFloat", 8}, {"ComplexDouble", 16}, {"Float8_e4m3fn", 1}, {"Float8_e5m2", 1}}};
    const auto* const found
        = std::find_if(sizes.begin(), sizes.end(), [type](const auto& known) { return known.first == type; });
    return found == sizes.end() ? 0 : found->second;
}

/// The items of a list in JSON, without spaces and quotes: "[64,32]", "float".
std::vector<std::string> items_of(std::string_view json)
{
    std::vector<std::string> items;
    std::string item;
    int depth = 0;
    bool is_quoted = false;
    for (const char letter : json) {
        is_quoted = is_quoted != (letter == '"');
        if (letter == '"' || (static_cast<unsigned char>(letter) <= ' ' && !is_quoted)) {
            continue;
        }
        const bool is_outer = !is_quoted && depth == 1 && (letter == ',' || letter == ']');
        depth += is_quoted ? 0 : letter == '[' ? 1 : letter == ']' ? -1 : 0;
        if (is_outer) {
            items.push_back(std::move(item));
            item.clear();
        } else if (depth > 1 || (depth == 1 && letter != '[') || letter == ']') {
            item += letter;
            item += letter == ',' && !is_quoted ? " " : "";
        }
        if (depth == 0) {
            break;
        }
    }
    return items.size() == 1 && items[0].empty() ? std::vector<std::string>() : items;
}

/// "float[64, 32], float[], Scalar" from [[64,32],[],[]] and ["float","float","Scalar"].
std::string inputs_text(std::string_view shapes, std::string_view types)
{
    const auto of_shapes = items_of(shapes);
    const auto of_types = items_of(types);
    std::string text;
    for (std::size_t i = 0; i < std::max(of_shapes.size(), of_types.size()); ++i) {
        const auto shape = i < of_shapes.size() ? std::string_view(of_shapes[i]) : std::string_view();
        const auto type = i < of_types.size() ? std::string_view(of_types[i]) : std::string_view();
        // PyTorch writes types of tensors as C++ does, and others, which have no shape, with a capital.
        const bool is_shapeless = shape == "[]" && !type.empty() && ascii::is_upper(type.front());
        text += i == 0 ? "" : ", ";
        text += type;
        text += is_shapeless ? std::string_view() : shape;
    }
    if (text.size() > operator_value::longest_inputs) {
        text.resize(operator_value::longest_inputs);
        text += "…";
    }
    return text;
}

/// An unquoted number, or an id in quotes.
bool read_as_number(const Told& told, RangeValueRecord& record)
{
    return told.kind != Told::list && read_number(told.text, record)
        && (told.kind == Told::number || record.type == RangeValueRecord::id);
}

}  // namespace

void ChromeTold::take(RangeValues::Of of, std::span<const Told> told, bool own)
{
    if (!own && told_as(told, collective_value::function) != nullptr) {
        collective(of, told);
        return;
    }
    if (!own) {  // what else is told means something of collectives alone
        if (const auto text = inputs(told); text != 0) {
            m_records.add({of.range, 0, of.process, m_inputs_name, text, RangeValueRecord::text, 0});
        }
        return;
    }
    std::uint16_t place = 0;
    for (const auto& one : told) {
        RangeValueRecord record {
            of.range, 0, of.process, m_builder.intern(one.name), 0, RangeValueRecord::text, place++};
        if (!read_as_number(one, record)) {
            record.value = 0;
            record.type = RangeValueRecord::text;
            record.words = m_builder.intern(one.text);
        }
        m_records.add(record);
    }
}

void ChromeTold::finish()
{
    m_records.flush();
    m_values.finish();
}

void ChromeTold::collective(RangeValues::Of of, std::span<const Told> told)
{
    std::vector<PayloadValue> values;
    const auto add = [&](std::string_view name, std::string_view text) {
        values.push_back({std::string(name), std::string(text.substr(0, operator_value::longest_inputs)), 0,
            RangeValueRecord::text});
    };
    const auto number = [&](std::string_view name, std::uint64_t count) {
        values.push_back({std::string(name), {}, count, RangeValueRecord::natural});
    };
    const auto* const function = told_as(told, collective_value::function);
    const auto* const group = told_as(told, collective_value::communicator);
    if (group == nullptr) {  // a wait for work, for example: what else is told has no meaning
        add(function->name, function->text);
        m_values.take(of, std::move(values));
        return;
    }
    add(group->name, group->text);
    add(function->name, function->text);
    of.function = m_builder.intern(function->text);
    // As NCCL counts: what a rank gives to an all-gather and what it gets from a reduce-scatter, the smaller of both.
    const auto* const type = told_as(told, collective_value::type);
    const auto in = count_in(told_as(told, told_name::elements_in));
    const auto out = count_in(told_as(told, told_name::elements_out));
    const auto elements = in == 0 || out == 0 ? std::max(in, out) : std::min(in, out);
    const auto size = type == nullptr ? 0 : size_of_type(type->text);
    if (size > 0 && elements <= std::numeric_limits<std::uint64_t>::max() / size) {
        number(collective_value::bytes, elements * size);
    }
    if (type != nullptr) {
        add(type->name, type->text);
    }
    // Both ends may be told: of a receive the other one is the source.
    const bool is_from = function->text.find("recv") != std::string_view::npos;
    const auto* const peer = told_as(told, is_from ? told_name::source : told_name::destination);
    if (peer != nullptr && peer->kind == Told::number) {
        number(collective_value::peer, count_in(peer));
    }
    for (const auto* const name : {collective_value::ranks, collective_value::rank, collective_value::sequence}) {
        if (const auto* const count = told_as(told, name); count != nullptr && count->kind == Told::number) {
            number(name, count_in(count));
        }
    }
    if (const auto* const members = told_as(told, collective_value::members); members != nullptr) {
        add(members->name, members->text);
    }
    if (const auto text = inputs(told); text != 0) {
        add(operator_value::inputs, m_builder.text(text));
    }
    m_values.take(of, std::move(values));
}

StringId ChromeTold::inputs(std::span<const Told> told)
{
    const auto* const shapes = told_as(told, told_name::shapes);
    const auto* const types = told_as(told, told_name::types);
    const auto list_of
        = [](const Told* one) { return one != nullptr && one->kind == Told::list ? one->text : std::string_view(); };
    if (list_of(shapes).empty() && list_of(types).empty()) {
        return 0;
    }
    m_lists = list_of(shapes);
    m_lists += '\0';
    m_lists += list_of(types);
    auto known = m_inputs.find(std::string_view(m_lists));
    if (known == m_inputs.end()) {
        known = m_inputs.emplace(m_lists, m_builder.intern(inputs_text(list_of(shapes), list_of(types)))).first;
    }
    return known->second;
}

}  // namespace lanes
