// SPDX-License-Identifier: MIT
// Syntax tree -> dimension, value or code. Both walks take their rules from result_of(), so what passes the check has
// a value.
#include "engine/workload/expression.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <cmath>

namespace lanes {

namespace {

using Op = ValueCode::Op;

std::string_view sign_of(Op op)
{
    switch (op) {
    case Op::add:
        return "+";
    case Op::subtract:
    case Op::negate:
        return "-";
    case Op::multiply:
        return "*";
    case Op::divide:
        return "/";
    case Op::modulo:
        return "%";
    case Op::less:
        return "<";
    case Op::less_equal:
        return "<=";
    case Op::greater:
        return ">";
    case Op::greater_equal:
        return ">=";
    case Op::equal:
        return "==";
    case Op::not_equal:
        return "!=";
    case Op::logical_and:
        return "and";
    case Op::logical_or:
        return "or";
    case Op::logical_not:
        return "not";
    case Op::constant:
    case Op::load:
        break;
    }
    return "";
}

/// The dimension of `a op b`. Throws if they cannot be combined.
Dimension result_of(const Expression& node, Dimension a, Dimension b)
{
    const bool scalar_a = a == Dimension::number;
    const bool scalar_b = b == Dimension::number;
    const bool quantities = a <= Dimension::time && b <= Dimension::time;
    switch (node.op) {
    case Op::add:
    case Op::subtract:
    case Op::modulo:
        if (quantities && a == b) {
            return a;
        }
        break;
    case Op::multiply:
        if (quantities && (scalar_a || scalar_b)) {
            return scalar_a ? b : a;
        }
        break;
    case Op::divide:
        if (quantities && (scalar_b || a == b)) {
            return scalar_b ? a : Dimension::number;
        }
        break;
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
        if (quantities && a == b) {
            return Dimension::boolean;
        }
        break;
    case Op::equal:
    case Op::not_equal:
        if (a == b) {
            return Dimension::boolean;
        }
        break;
    case Op::logical_and:
    case Op::logical_or:
        if (a == Dimension::boolean && b == Dimension::boolean) {
            return Dimension::boolean;
        }
        break;
    default:
        break;
    }
    throw ExpressionError(node.offset,
        "'" + std::string(sign_of(node.op)) + "' cannot take " + std::string(described(a)) + " and "
            + std::string(described(b)));
}

Dimension result_of(const Expression& node, Dimension a)
{
    if (node.op == Op::negate ? a <= Dimension::time : a == Dimension::boolean) {
        return a;
    }
    throw ExpressionError(
        node.offset, "'" + std::string(sign_of(node.op)) + "' cannot take " + std::string(described(a)));
}

double apply(const Expression& node, double a, double b)
{
    switch (node.op) {
    case Op::add:
        return a + b;
    case Op::subtract:
        return a - b;
    case Op::multiply:
        return a * b;
    case Op::divide:
    case Op::modulo:
        if (b == 0) {
            throw ExpressionError(node.offset, "division by zero");
        }
        return node.op == Op::divide ? a / b : std::fmod(a, b);
    case Op::less:
        return a < b;
    case Op::less_equal:
        return a <= b;
    case Op::greater:
        return a > b;
    case Op::greater_equal:
        return a >= b;
    case Op::equal:
        return a == b;
    case Op::not_equal:
        return a != b;
    case Op::logical_and:
        return a != 0 && b != 0;
    case Op::logical_or:
        return a != 0 || b != 0;
    default:
        return 0;
    }
}

/// Whether it is a name that `names` does not know: compared with text, such a name is a word.
template <class Names> bool is_unknown_name(const Expression& node, const Names& names)
{
    return node.kind == Expression::Kind::name && !names.variable(node.value.text) && !names.is_buffer(node.value.text);
}

void append(ValueCode& code, const Evaluated& operand)
{
    if (operand.constant()) {
        code.items.push_back({Op::constant, no_id, operand.value.number});
    } else {
        code.items.insert(code.items.end(), operand.code.items.begin(), operand.code.items.end());
    }
}

Evaluated load(const Expression& node, std::optional<double> index, const NameValues& names)
{
    try {
        Evaluated result;
        result.code.items.push_back({Op::load, names.element(node.value.text, index), 0});
        return result;
    } catch (const ExpressionError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw ExpressionError(node.offset, error.what());
    }
}

Evaluated evaluate_binary(const Expression& node, const NameValues& names)
{
    const bool equality = node.op == Op::equal || node.op == Op::not_equal;
    const auto operand = [&](const Expression& side) {
        if (equality && is_unknown_name(side, names)) {
            return Evaluated {{Dimension::text, 0, side.value.text}, {}};
        }
        return evaluate(side, names);
    };
    Evaluated a = operand(*node.left);
    // If one side decides, the other is not evaluated: `$every > 0 and $i % $every == 0` never divides by zero.
    const bool left_decides
        = (node.op == Op::logical_and && a.value.number == 0) || (node.op == Op::logical_or && a.value.number != 0);
    if (a.constant() && a.value.dimension == Dimension::boolean && left_decides) {
        return a;
    }
    const Evaluated b = operand(*node.right);
    Evaluated result;
    result.value.dimension = result_of(node, a.value.dimension, b.value.dimension);
    if (!a.constant() || !b.constant()) {
        append(result.code, a);
        append(result.code, b);
        result.code.items.push_back({node.op, no_id, 0});
    } else if (a.value.dimension == Dimension::text) {
        result.value.number = (a.value.text == b.value.text) == (node.op == Op::equal) ? 1 : 0;
    } else {
        result.value.number = apply(node, a.value.number, b.value.number);
        if (!std::isfinite(result.value.number)) {
            throw ExpressionError(node.offset, "this number is out of range");
        }
    }
    return result;
}

std::vector<std::string> with_dollar(std::vector<std::string> names)
{
    for (auto& name : names) {
        name.insert(name.begin(), '$');
    }
    return names;
}

[[noreturn]] void fail_unknown(const Expression& node, const NameTypes& names)
{
    std::vector<std::string> known = names.buffer_names();
    auto variables = names.variable_names();
    if (!node.inside) {
        variables = with_dollar(variables);
    }
    known.insert(known.end(), variables.begin(), variables.end());
    throw ExpressionError(node.offset, unknown_name("name", node.value.text, known));
}

}  // namespace

Dimension check_expression(const Expression& node, const NameTypes& names, bool& loads)
{
    const std::string& name = node.value.text;
    switch (node.kind) {
    case Expression::Kind::literal:
        return node.value.dimension;
    case Expression::Kind::variable:
        if (const auto dimension = names.variable(name)) {
            return *dimension;
        }
        throw ExpressionError(node.offset, unknown_name("parameter", '$' + name, with_dollar(names.variable_names())));
    case Expression::Kind::name:
        if (const auto dimension = names.variable(name)) {
            if (node.inside) {
                return *dimension;
            }
            throw ExpressionError(node.offset, "found '" + name + "', expected a value; did you mean '$" + name + "'?");
        }
        if (names.is_buffer(name)) {
            loads = true;
            return Dimension::number;
        }
        fail_unknown(node, names);
    case Expression::Kind::element: {
        if (!names.is_buffer(name)) {
            throw ExpressionError(node.offset, unknown_name("buffer", name, names.buffer_names()));
        }
        bool index_loads = false;
        if (check_expression(*node.left, names, index_loads) != Dimension::number || index_loads) {
            throw ExpressionError(node.left->offset, "the number of an element must be known before the run");
        }
        loads = true;
        return Dimension::number;
    }
    case Expression::Kind::unary:
        return result_of(node, check_expression(*node.left, names, loads));
    case Expression::Kind::binary:
        break;
    }
    if (node.op == Op::equal || node.op == Op::not_equal) {
        for (const auto& [side, other] :
            {std::pair(node.left.get(), node.right.get()), {node.right.get(), node.left.get()}}) {
            if (!is_unknown_name(*side, names)) {
                continue;
            }
            const bool is_variable = other->kind == Expression::Kind::variable || other->kind == Expression::Kind::name;
            if (is_variable && check_expression(*other, names, loads) == Dimension::text) {
                const auto* words = names.words(other->value.text);
                if (words != nullptr && std::find(words->begin(), words->end(), side->value.text) == words->end()) {
                    throw ExpressionError(side->offset, unknown_name("word", side->value.text, *words));
                }
                return Dimension::boolean;
            }
            fail_unknown(*side, names);
        }
    }
    const Dimension a = check_expression(*node.left, names, loads);
    return result_of(node, a, check_expression(*node.right, names, loads));
}

Evaluated evaluate(const Expression& node, const NameValues& names)
{
    switch (node.kind) {
    case Expression::Kind::literal:
        return {node.value, {}};
    case Expression::Kind::variable:
    case Expression::Kind::name:
        if (const Value* value = names.variable(node.value.text)) {
            return {*value, {}};
        }
        if (node.kind == Expression::Kind::variable || !names.is_buffer(node.value.text)) {
            throw ExpressionError(node.offset, "unknown name '" + node.value.text + "'");
        }
        return load(node, std::nullopt, names);
    case Expression::Kind::element:
        return load(node, evaluate(*node.left, names).value.number, names);
    case Expression::Kind::unary: {
        Evaluated result = evaluate(*node.left, names);
        result.value.dimension = result_of(node, result.value.dimension);
        if (!result.constant()) {
            result.code.items.push_back({node.op, no_id, 0});
        } else {
            const double number = result.value.number;
            result.value.number = node.op == Op::negate ? -number : (number == 0 ? 1 : 0);
        }
        return result;
    }
    case Expression::Kind::binary:
        break;
    }
    return evaluate_binary(node, names);
}

std::string render(const Template& text, const NameValues& names)
{
    std::string result;
    for (const auto& piece : text.pieces) {
        if (!piece.expression) {
            result += piece.text;
            continue;
        }
        const Evaluated evaluated = evaluate(*piece.expression, names);
        if (!evaluated.constant()) {
            throw ExpressionError(piece.expression->offset, "a name cannot depend on a buffer's value");
        }
        result += to_text(evaluated.value);
    }
    return result;
}

}  // namespace lanes
