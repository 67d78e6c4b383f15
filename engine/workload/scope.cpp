// SPDX-License-Identifier: MIT
#include "engine/workload/scope.h"

#include "engine/workload/nearest.h"
#include "engine/workload/value_code.h"

#include <charconv>
#include <cmath>

namespace lanes::syntax {

const Value* Scope::variable(std::string_view name) const
{
    for (auto loop = m_loops.rbegin(); loop != m_loops.rend(); ++loop) {
        if (loop->first == name) {
            return &loop->second;
        }
    }
    const auto parameter = parameters.find(name);
    return parameter == parameters.end() ? nullptr : &parameter->second;
}

Index Scope::element(std::string_view buffer, std::optional<double> index) const
{
    return element_of(buffers, buffer, buffers.elements.find(buffer)->second, index);
}

void Scope::fail(Place place, const std::string& message) const
{
    throw WorkloadError(m_file, place.line, place.column, message);
}

Evaluated Scope::evaluated(const Expression& expression, const Argument& argument) const
{
    try {
        return evaluate(expression, *this);
    } catch (const ExpressionError& error) {
        fail(argument.at(argument.place, error.offset()), error.what());
    }
}

double Scope::bounded(const Argument& argument, double value, double least, double most, Dimension dimension) const
{
    if (value >= least && value <= most) {
        return value;
    }
    const auto shown = [&](double number) { return to_text({dimension, number, {}}); };
    fail(argument.place,
        "'" + std::string(argument.key->name) + "' is " + shown(value) + ", expected " + shown(least)
            + (least == most ? "" : " to " + shown(most)));
}

double Scope::number(const Argument& argument, double least, double most) const
{
    const Value value = evaluated(*argument.first, argument).value;
    const double rounded = value.dimension == Dimension::bytes ? std::floor(value.number) : value.number;
    return bounded(argument, rounded, least, most, value.dimension);
}

double Scope::whole(const Argument& argument, double least, double most) const
{
    const double value = number(argument, least, most);
    if (value != std::floor(value)) {
        fail(argument.place,
            "'" + std::string(argument.key->name) + "' is " + to_text({Dimension::number, value, {}})
                + ", expected a whole number");
    }
    return value;
}

double Scope::first_of(const Argument& argument) const
{
    return std::floor(evaluated(*argument.first, argument).value.number);
}

double Scope::second_of(const Argument& argument) const
{
    return std::floor(evaluated(*argument.second, argument).value.number);
}

std::string Scope::text(const Argument& argument, std::size_t which) const
{
    try {
        return render(argument.texts[which], *this);
    } catch (const ExpressionError& error) {
        fail(argument.at(argument.text_places[which], error.offset()), error.what());
    }
}

Evaluated Scope::code(const Argument& argument) const
{
    Evaluated result = evaluated(*argument.first, argument);
    if (stack_need(result.code) > value_stack) {
        fail(argument.place,
            "this formula keeps more than " + std::to_string(value_stack)
                + " values waiting, expected fewer: compute a part of it in a kernel before");
    }
    return result;
}

Scope::Reference Scope::reference(const Argument& argument, std::size_t which) const
{
    const auto& pieces = argument.texts[which].pieces;
    // Most references are "y.$i": the number need not be converted to text first.
    if (pieces.size() == 2 && !pieces[0].expression && pieces[1].expression && pieces[0].text.ends_with('.')) {
        try {
            const Evaluated index = evaluate(*pieces[1].expression, *this);
            if (index.constant() && index.value.dimension == Dimension::number) {
                return {std::string_view(pieces[0].text).substr(0, pieces[0].text.size() - 1), index.value.number};
            }
        } catch (const ExpressionError& error) {
            fail(argument.at(argument.text_places[which], error.offset()), error.what());
        }
    }
    m_rendered = text(argument, which);
    const std::string_view whole = m_rendered;
    const std::size_t dot = whole.find('.');
    if (dot == std::string_view::npos) {
        return {whole, std::nullopt};
    }
    double index = 0;
    const char* end = whole.data() + whole.size();
    const auto [stop, error] = std::from_chars(whole.data() + dot + 1, end, index);
    if (error != std::errc {} || stop != end) {
        fail(argument.text_places[which], "found '" + m_rendered + "', expected the number of an element after '.'");
    }
    return {whole.substr(0, dot), index};
}

const Elements& Scope::found(
    const Argument& argument, std::size_t which, const NameTable& table, std::string_view base) const
{
    const auto place = table.elements.find(base);
    if (place != table.elements.end()) {
        return place->second;
    }
    std::vector<std::string> known;
    for (const auto& [name, elements] : table.elements) {
        known.push_back(name);
    }
    fail(argument.text_places[which], unknown_name(table.what, base, known));
}

Index Scope::element_of(
    const NameTable& table, std::string_view base, const Elements& elements, std::optional<double> index)
{
    const auto name_of = [&](double number) {
        return std::string(base) + '.' + to_text({Dimension::number, number, {}});
    };
    if (!index) {
        if (elements.counted && elements.count != 1) {
            throw std::runtime_error(table.what + " '" + std::string(base) + "' has " + std::to_string(elements.count)
                + " elements, expected one of them: " + name_of(0) + " to " + name_of(elements.count - 1));
        }
        return elements.first;
    }
    if (*index < 0 || *index != std::floor(*index) || *index >= elements.count) {
        throw std::runtime_error("there is no " + table.what + " '" + name_of(*index) + "', expected "
            + (elements.count == 1 ? std::string(base) : name_of(0) + " to " + name_of(elements.count - 1)));
    }
    return elements.first + static_cast<Index>(*index);
}

Index Scope::one(const Argument& argument, const NameTable& table, std::size_t which) const
{
    const Reference wanted = reference(argument, which);
    const Elements& elements = found(argument, which, table, wanted.base);
    try {
        return element_of(table, wanted.base, elements, wanted.index);
    } catch (const WorkloadError&) {
        throw;
    } catch (const std::runtime_error& error) {
        fail(argument.text_places[which], error.what());
    }
}

std::vector<Index> Scope::all(const Argument& argument, const NameTable& table) const
{
    std::vector<Index> result;
    for (std::size_t i = 0; i < argument.texts.size(); ++i) {
        const Reference wanted = reference(argument, i);
        if (wanted.index) {
            result.push_back(one(argument, table, i));
            continue;
        }
        const Elements& elements = found(argument, i, table, wanted.base);
        for (Index k = 0; k < elements.count; ++k) {
            result.push_back(elements.first + k);
        }
    }
    return result;
}

}  // namespace lanes::syntax
