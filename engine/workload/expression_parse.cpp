// SPDX-License-Identifier: MIT
// Text -> syntax tree: recursive descent for operands, precedence climbing for operators.
#include "engine/ascii.h"
#include "engine/workload/expression.h"
#include "engine/workload/nearest.h"

#include <array>
#include <charconv>
#include <cmath>

namespace lanes {

namespace {

using Op = ValueCode::Op;

constexpr std::size_t longest_text = 1000;
constexpr int deepest = 32;

bool is_letter(char c)
{
    return ascii::begins_identifier(c) || static_cast<unsigned char>(c) >= 0x80;
}

struct Operator {
    std::string_view text;
    Op op;
    int binding;  // looser first
};

constexpr std::array<Operator, 15> operators {{
    // Longer ones first, as "<=" begins with "<".
    {"||", Op::logical_or, 1},
    {"or", Op::logical_or, 1},
    {"&&", Op::logical_and, 2},
    {"and", Op::logical_and, 2},
    {"==", Op::equal, 3},
    {"!=", Op::not_equal, 3},
    {"<=", Op::less_equal, 3},
    {">=", Op::greater_equal, 3},
    {"<", Op::less, 3},
    {">", Op::greater, 3},
    {"+", Op::add, 4},
    {"-", Op::subtract, 4},
    {"*", Op::multiply, 5},
    {"/", Op::divide, 5},
    {"%", Op::modulo, 5},
}};

class Parser {
public:
    Parser(std::string_view text, std::size_t base, std::optional<Dimension> expected = std::nullopt)
        : m_text(text)
        , m_base(base)
        , m_expected(expected)
    {
        if (text.size() > longest_text) {
            fail(0, "this is longer than 1000 characters");
        }
    }

    Expression whole()
    {
        Expression expression = binary(1, false);
        skip_space();
        if (m_at < m_text.size()) {
            fail(m_at, "found '" + std::string(m_text.substr(m_at, 20)) + "', expected an operator or the end");
        }
        return expression;
    }

    /// "$name" or "$(...)" at `at`, which is moved to its end.
    Expression dollar(std::size_t& at)
    {
        m_at = at;
        Expression expression = after_dollar(false);
        at = m_at;
        return expression;
    }

    Value literal()
    {
        skip_space();
        const std::size_t start = m_at;
        const bool negative = m_at < m_text.size() && m_text[m_at] == '-';
        if (negative) {
            ++m_at;
            skip_space();
        }
        if (m_at >= m_text.size() || !ascii::is_digit(m_text[m_at])) {
            m_at = start;
            return Value {Dimension::text, 0, std::string(m_text)};
        }
        Value value = quantity();
        skip_space();
        if (m_at < m_text.size()) {
            fail(m_at, "found '" + std::string(m_text.substr(m_at, 20)) + "' behind " + to_text(value));
        }
        value.number = negative ? -value.number : value.number;
        return value;
    }

private:
    [[noreturn]] void fail(std::size_t at, const std::string& message) const
    {
        throw ExpressionError(m_base + at, message);
    }

    void skip_space()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\n')) {
            ++m_at;
        }
    }

    std::string_view word()
    {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && (is_letter(m_text[m_at]) || ascii::is_digit(m_text[m_at]))) {
            ++m_at;
        }
        return m_text.substr(start, m_at - start);
    }

    const Operator* operator_here()
    {
        skip_space();
        const std::string_view rest = m_text.substr(m_at);
        for (const auto& candidate : operators) {
            if (!rest.starts_with(candidate.text)) {
                continue;
            }
            const std::size_t length = candidate.text.size();
            const bool is_word = is_letter(candidate.text[0]);
            if (!is_word || rest.size() == length || !(is_letter(rest[length]) || ascii::is_digit(rest[length]))) {
                return &candidate;
            }
        }
        return nullptr;
    }

    Expression binary(int binding, bool inside)
    {
        Expression left = unary(inside);
        while (const Operator* found = operator_here()) {
            if (found->binding < binding) {
                break;
            }
            const std::size_t at = m_at;
            m_at += found->text.size();
            Expression node;
            node.kind = Expression::Kind::binary;
            node.op = found->op;
            node.offset = place(at);
            node.left = std::make_unique<Expression>(std::move(left));
            node.right = std::make_unique<Expression>(binary(found->binding + 1, inside));
            left = std::move(node);
        }
        return left;
    }

    Expression unary(bool inside)
    {
        // The depth is counted here, because all nesting passes through here.
        if (++m_depth > deepest) {
            fail(m_at, "this is nested more than 32 deep");
        }
        skip_space();
        Expression node;
        node.kind = Expression::Kind::unary;
        node.offset = place(m_at);
        const std::string_view rest = m_text.substr(m_at);
        const bool says_not
            = rest.starts_with("not") && (rest.size() == 3 || !(is_letter(rest[3]) || ascii::is_digit(rest[3])));
        if (rest.starts_with("-")) {
            node.op = Op::negate;
            m_at += 1;
        } else if (says_not || (rest.starts_with("!") && !rest.starts_with("!="))) {
            node.op = Op::logical_not;
            m_at += says_not ? 3 : 1;
        } else {
            node = primary(inside);
            --m_depth;
            return node;
        }
        node.left = std::make_unique<Expression>(unary(inside));
        --m_depth;
        return node;
    }

    Expression primary(bool inside)
    {
        if (m_at >= m_text.size()) {
            fail(m_at, "it ends where a value was expected");
        }
        const char c = m_text[m_at];
        Expression node;
        node.offset = place(m_at);
        node.inside = inside;
        if (ascii::is_digit(c)) {
            node.value = quantity();
            return node;
        }
        if (c == '$') {
            return after_dollar(inside);
        }
        if (c == '(') {
            ++m_at;
            node = binary(1, inside);
            close();
            return node;
        }
        if (c == '\'' || c == '"') {
            const std::size_t end = m_text.find(c, m_at + 1);
            if (end == std::string_view::npos) {
                fail(m_at, "this quote never ends");
            }
            node.value = {Dimension::text, 0, std::string(m_text.substr(m_at + 1, end - m_at - 1))};
            m_at = end + 1;
            return node;
        }
        if (!is_letter(c)) {
            fail(m_at, "found '" + std::string(1, c) + "' where a value was expected");
        }
        const std::string_view name = word();
        if (name == "true" || name == "false") {
            node.value = {Dimension::boolean, name == "true" ? 1.0 : 0.0, {}};
            return node;
        }
        node.kind = Expression::Kind::name;
        node.value.text = name;
        if (m_at < m_text.size() && m_text[m_at] == '.') {
            ++m_at;
            node.kind = Expression::Kind::element;
            node.left = std::make_unique<Expression>(index());
        }
        return node;
    }

    Expression index()
    {
        if (m_at < m_text.size() && m_text[m_at] == '$') {
            return after_dollar(false);
        }
        Expression node;
        node.offset = place(m_at);
        const std::size_t start = m_at;
        while (m_at < m_text.size() && ascii::is_digit(m_text[m_at])) {
            ++m_at;
        }
        if (m_at == start || m_at - start > 9) {
            fail(start, "expected the number of an element after '.'");
        }
        std::from_chars(m_text.data() + start, m_text.data() + m_at, node.value.number);
        return node;
    }

    Expression after_dollar(bool inside)
    {
        Expression node;
        node.offset = place(m_at);
        node.inside = inside;
        ++m_at;
        if (m_at < m_text.size() && m_text[m_at] == '(') {
            ++m_at;
            if (++m_depth > deepest) {
                fail(m_at, "this is nested more than 32 deep");
            }
            node = binary(1, true);
            --m_depth;
            close();
            return node;
        }
        if (m_at >= m_text.size() || !is_letter(m_text[m_at])) {
            fail(m_at, "expected a name or '(' after '$'");
        }
        node.kind = Expression::Kind::variable;
        node.value.text = word();
        return node;
    }

    void close()
    {
        skip_space();
        if (m_at >= m_text.size() || m_text[m_at] != ')') {
            fail(m_at, "expected ')'");
        }
        ++m_at;
    }

    Value quantity()
    {
        Value value;
        const char* begin = m_text.data() + m_at;
        const char* end = m_text.data() + m_text.size();
        const auto [stop, error] = std::from_chars(begin, end, value.number);
        if (error != std::errc {} || !std::isfinite(value.number)) {
            fail(m_at, "this number is out of range");
        }
        m_at += static_cast<std::size_t>(stop - begin);
        const std::size_t behind = m_at;
        skip_space();
        const std::size_t at = m_at;
        const std::string_view unit = m_at < m_text.size() && is_letter(m_text[m_at]) ? word() : std::string_view();
        if (unit.empty() || unit == "and" || unit == "or") {
            m_at = behind;
            return value;
        }
        const auto one = unit_value(unit);
        if (!one) {
            auto known = unit_names();
            if (m_expected == Dimension::time || m_expected == Dimension::bytes) {
                std::erase_if(known, [this](const std::string& name) {  // µ has two characters, so it is left out
                    return unit_value(name)->dimension != m_expected || static_cast<unsigned char>(name[0]) >= 0x80;
                });
            }
            fail(at, unknown_name("unit", unit, known));
        }
        value.dimension = one->dimension;
        value.number *= one->number;
        return value;
    }

    std::uint32_t place(std::size_t at) const { return static_cast<std::uint32_t>(m_base + at); }

    std::string_view m_text;
    std::size_t m_base;
    std::optional<Dimension> m_expected;
    std::size_t m_at = 0;
    int m_depth = 0;
};

}  // namespace

Expression parse_expression(std::string_view text, std::size_t base, std::optional<Dimension> expected)
{
    return Parser(text, base, expected).whole();
}

Value parse_literal(std::string_view text)
{
    if (text == "true" || text == "false") {
        return {Dimension::boolean, text == "true" ? 1.0 : 0.0, {}};
    }
    return Parser(text, 0).literal();
}

Template parse_template(std::string_view text, std::size_t base)
{
    Template result;
    Parser parser(text, base);
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '$') {
            plain += text[at++];
        } else if (text.substr(at).starts_with("$$")) {
            plain += '$';
            at += 2;
        } else {
            if (!plain.empty()) {
                result.pieces.push_back({std::move(plain), nullptr});
                plain.clear();
            }
            result.pieces.push_back({{}, std::make_unique<Expression>(parser.dollar(at))});
        }
    }
    if (!plain.empty()) {
        result.pieces.push_back({std::move(plain), nullptr});
    }
    return result;
}

std::optional<std::string> Template::literal() const
{
    std::string text;
    for (const auto& piece : pieces) {
        if (piece.expression) {
            return std::nullopt;
        }
        text += piece.text;
    }
    return text;
}

}  // namespace lanes
