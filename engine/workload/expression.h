// SPDX-License-Identifier: MIT
// Expressions in workloads (`$i % $every == 0`, `$(bytes / 2)`, `x_cpu.0 > 1`), and texts with expressions (`y.$(i +
// 1)`).
//
// $name is a parameter or loop variable, $(...) an expression. A bare name is the value of a buffer; inside $(...) a
// variable of that name comes first. As an operand of `==` and `!=` any other bare name is text ($host_memory ==
// pinned). Operators, loosest first: or || · and && · == != < <= > >= · + - · * / % · - not !.
//
// Limits: 1000 characters, 32 nested parentheses. They also bound the recursion.
#pragma once

#include "engine/workload/program.h"
#include "engine/workload/quantity.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// What is wrong, and at which byte of the text.
class ExpressionError : public std::runtime_error {
public:
    ExpressionError(std::size_t offset, const std::string& message)
        : std::runtime_error(message)
        , m_offset(offset)
    {
    }
    std::size_t offset() const { return m_offset; }

private:
    std::size_t m_offset;
};

/// A node of the syntax tree.
struct Expression {
    enum class Kind : std::uint8_t { literal, variable, name, element, unary, binary };
    Kind kind = Kind::literal;
    ValueCode::Op op = ValueCode::Op::constant;  ///< of unary and binary
    bool inside = false;  ///< of a name: it is inside $(...)
    std::uint32_t offset = 0;  ///< in the text
    Value value;  ///< of a literal; .text is the name of variable, name and element
    std::unique_ptr<Expression> left, right;  ///< operands; of an element, `left` is its index
};

/// Parses all of `text`; offsets count from `base`. `expected` is what it should give: of an unknown unit the message
/// offers those of it. Throws ExpressionError.
Expression parse_expression(
    std::string_view text, std::size_t base = 0, std::optional<Dimension> expected = std::nullopt);

/// A text with expressions in it; `$$` is a dollar.
struct Template {
    struct Piece {
        std::string text;  ///< where there is no expression
        std::unique_ptr<Expression> expression;  ///< "$i", "$(i + 1)"
    };
    std::vector<Piece> pieces;
    /// The text, if it contains no expression.
    std::optional<std::string> literal() const;
};
Template parse_template(std::string_view text, std::size_t base = 0);

/// What is known about names before their values are.
class NameTypes {
public:
    virtual ~NameTypes() = default;
    virtual std::optional<Dimension> variable(std::string_view name) const = 0;
    /// The values that a variable of Dimension::text can have; nullptr: any.
    virtual const std::vector<std::string>* words(std::string_view name) const = 0;
    virtual bool is_buffer(std::string_view name) const = 0;
    virtual std::vector<std::string> variable_names() const = 0;
    virtual std::vector<std::string> buffer_names() const = 0;
};

/// The dimension of the expression. Throws ExpressionError for unknown names and for operands of dimensions that cannot
/// be combined. Sets `loads` if the value of a buffer is read.
Dimension check_expression(const Expression& expression, const NameTypes& names, bool& loads);

/// The values of names.
class NameValues {
public:
    virtual ~NameValues() = default;
    virtual const Value* variable(std::string_view name) const = 0;
    virtual bool is_buffer(std::string_view name) const = 0;
    /// The element of a buffer; without an `index`, the only one. Throws std::runtime_error.
    virtual Index element(std::string_view buffer, std::optional<double> index) const = 0;
};

/// A value, or code that computes it from buffers.
struct Evaluated {
    Value value;
    ValueCode code;  ///< empty: it is `value`
    bool constant() const { return code.empty(); }
};

/// Throws ExpressionError as check_expression() does, and for division by zero and missing elements. Cost: linear.
Evaluated evaluate(const Expression& expression, const NameValues& names);

/// The text with its expressions evaluated. Throws ExpressionError, also if one depends on the value of a buffer.
std::string render(const Template& text, const NameValues& names);

}  // namespace lanes
