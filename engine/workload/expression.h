// SPDX-License-Identifier: MIT
// Arithmetic in workloads: `$i % $every == 0`, `$(bytes / 2)`, `x_cpu.0 > 1`, and the texts that hold it: `y.$(i + 1)`.
//
// $name is a parameter or loop variable, $(...) an expression. Inside $(...) a bare name is a variable or, where
// there is no such variable, the value of a buffer; outside it is a buffer's. Beside `==` and `!=` a bare name that is
// neither is a word (`$host_memory == pinned`). Operators, loosest first: or || · and && · == != < <= > >= · + - ·
// * / % · - not !.
//
// Limits: 1000 characters, 32 parentheses deep; deeper input is an error and never a deep recursion.
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

/// What is wrong, and at which byte of the text it stands.
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
    bool inside = false;  ///< of a name: it stands inside $(...)
    std::uint32_t offset = 0;  ///< in the text
    Value value;  ///< of a literal; .text is the name of variable, name and element
    std::unique_ptr<Expression> left, right;  ///< operands; left is the index of an element
};

/// Parses all of `text`; offsets count from `base`. Throws ExpressionError.
Expression parse_expression(std::string_view text, std::size_t base = 0);

/// A text with expressions in it; `$$` is a dollar.
struct Template {
    struct Piece {
        std::string text;  ///< where there is no expression
        std::unique_ptr<Expression> expression;  ///< "$i", "$(i + 1)"
    };
    std::vector<Piece> pieces;
    /// The text itself where it holds no expression.
    std::optional<std::string> literal() const;
};
Template parse_template(std::string_view text, std::size_t base = 0);

/// What is known of names before any value is.
class NameTypes {
public:
    virtual ~NameTypes() = default;
    virtual std::optional<Dimension> variable(std::string_view name) const = 0;
    /// The words that a variable of Dimension::text can be; nullptr: any.
    virtual const std::vector<std::string>* words(std::string_view name) const = 0;
    virtual bool is_buffer(std::string_view name) const = 0;
    virtual std::vector<std::string> variable_names() const = 0;
    virtual std::vector<std::string> buffer_names() const = 0;
};

/// The dimension that the expression will have. Throws ExpressionError for unknown names and for operands that do not
/// go together. `loads` is set true where a buffer's value is read.
Dimension check_expression(const Expression& expression, const NameTypes& names, bool& loads);

/// The values of names.
class NameValues {
public:
    virtual ~NameValues() = default;
    virtual const Value* variable(std::string_view name) const = 0;
    virtual bool is_buffer(std::string_view name) const = 0;
    /// The element of a buffer; `index` nothing where none was written. Throws std::runtime_error.
    virtual Index element(std::string_view buffer, std::optional<double> index) const = 0;
};

/// A value, or code that yields it where it depends on buffers.
struct Evaluated {
    Value value;
    ValueCode code;  ///< empty: `value` is it
    bool constant() const { return code.empty(); }
};

/// Throws ExpressionError: division by zero, no such element, what check_expression finds. Cost: linear in the tree.
Evaluated evaluate(const Expression& expression, const NameValues& names);

/// The text with its expressions evaluated. Throws ExpressionError, also where one depends on a buffer's value.
std::string render(const Template& text, const NameValues& names);

}  // namespace lanes
