// SPDX-License-Identifier: MIT
#include "engine/workload/expression.h"

#include <cmath>
#include <map>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

const std::map<std::string, Value, std::less<>> variables {
    {"i", {Dimension::number, 3, {}}},
    {"n", {Dimension::number, 8, {}}},
    {"size", {Dimension::bytes, 64 << 20, {}}},
    {"long", {Dimension::time, 2e6, {}}},
    {"flag", {Dimension::boolean, 1, {}}},
    {"kind", {Dimension::text, 0, "small"}},
};
const std::vector<std::string> kinds {"small", "large"};

bool is_a_buffer(std::string_view name)
{
    return name == "x" || name == "y";
}

class Types final : public NameTypes {
public:
    std::optional<Dimension> variable(std::string_view name) const override
    {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second.dimension);
    }
    const std::vector<std::string>* words(std::string_view name) const override
    {
        return name == "kind" ? &kinds : nullptr;
    }
    bool is_buffer(std::string_view name) const override { return is_a_buffer(name); }
    std::vector<std::string> variable_names() const override { return {"i", "n", "size", "long", "flag", "kind"}; }
    std::vector<std::string> buffer_names() const override { return {"x", "y"}; }
};

/// x has eight elements, Program indices 10 to 17; y is one, 20.
class Values final : public NameValues {
public:
    const Value* variable(std::string_view name) const override
    {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : &found->second;
    }
    bool is_buffer(std::string_view name) const override { return is_a_buffer(name); }
    Index element(std::string_view buffer, std::optional<double> index) const override
    {
        if (index.value_or(0) > 7) {
            throw std::runtime_error("beyond the end");
        }
        return (buffer == "x" ? 10 : 20) + static_cast<Index>(index.value_or(0));
    }
};

/// Checks, then evaluates.
Evaluated value_of(const std::string& text)
{
    const Expression expression = parse_expression(text);
    bool loads = false;
    const Dimension dimension = check_expression(expression, Types(), loads);
    Evaluated result = evaluate(expression, Values());
    if (dimension != result.value.dimension || loads == result.constant()) {
        throw std::logic_error("the check and the value do not agree");
    }
    return result;
}

/// The value of code with x.k = 100 + k and y = 5.
double run(const ValueCode& code)
{
    using Op = ValueCode::Op;
    std::vector<double> stack;
    for (const auto& item : code.items) {
        if (item.op == Op::constant || item.op == Op::load) {
            stack.push_back(item.op == Op::constant ? item.number : item.buffer == 20 ? 5 : 90 + item.buffer);
            continue;
        }
        const double b = stack.back();
        if (item.op == Op::negate || item.op == Op::logical_not) {
            stack.back() = item.op == Op::negate ? -b : (b == 0);
            continue;
        }
        stack.pop_back();
        double& a = stack.back();
        switch (item.op) {
        case Op::add:
            a += b;
            break;
        case Op::subtract:
            a -= b;
            break;
        case Op::multiply:
            a *= b;
            break;
        case Op::divide:
            a /= b;
            break;
        case Op::modulo:
            a = std::fmod(a, b);
            break;
        case Op::less:
            a = a < b;
            break;
        case Op::greater:
            a = a > b;
            break;
        case Op::equal:
            a = a == b;
            break;
        case Op::logical_and:
            a = a != 0 && b != 0;
            break;
        default:
            throw std::logic_error("not in these tests");
        }
    }
    return stack.size() == 1 ? stack.back() : throw std::logic_error("the code leaves no single value");
}

}  // namespace

class tst_WorkloadExpression : public QObject {
    Q_OBJECT

private slots:
    void constants_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* text, const char* value) { QTest::newRow(text) << text << value; };
        row("7", "7");
        row("$i", "3");
        row("$(i)", "3");
        row("$(i + 1)", "4");
        row("$i + 1", "4");
        row("2 + 3 * 4", "14");
        row("(2 + 3) * 4", "20");
        row("20 - 5 - 3", "12");
        row("64 / 4 / 2", "8");
        row("7 % 4", "3");
        row("-$i + 1", "-2");
        row("- - 4", "4");
        row("$size", "64 MiB");
        row("$size / 2", "32 MiB");
        row("$(size / n)", "8 MiB");
        row("$size / 32 MiB", "2");
        row("$size + 1 MiB", "65 MiB");
        row("2 * $size", "128 MiB");
        row("$size % 48 MiB", "16 MiB");
        row("$long * 3", "6 ms");
        row("$long + 500 us", "2.5 ms");
        row("$long / 1 us", "2000");
        row("2 ms", "2 ms");
        row("$i % 2 == 1", "true");
        row("$i < 3 or $n >= 8", "true");
        row("$i < 3 || $n != 8", "false");
        row("$flag and $i == 3", "true");
        row("$flag && !$flag", "false");
        row("not $flag", "false");
        row("not $i == 3", "");  // `not` binds tighter: its operand is a number
        row("$size > 1 MiB", "true");
        row("$kind == small", "true");
        row("large == $kind", "false");
        row("$kind != large", "true");
        row("$kind == 'small'", "true");
        row("$(kind == small)", "true");
        row("$i > 5 and 1 / ($i - 3) > 0", "false");
        row("$i == 3 or 1 / ($i - 3) > 0", "true");
        row("true", "true");
        row("  4  ", "4");
        row("1 and 2", "");
        row("2 ms and true", "");
    }
    void constants()
    {
        QFETCH(QString, text);
        QFETCH(QString, value);
        try {
            const Evaluated result = value_of(text.toStdString());
            QVERIFY(result.constant());
            QCOMPARE(QString::fromStdString(to_text(result.value)), value);
        } catch (const ExpressionError& error) {
            QVERIFY2(value.isEmpty(), error.what());
        }
    }

    void code_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value");
        const auto row = [](const char* text, double value) { QTest::newRow(text) << text << value; };
        row("x.0", 100);
        row("x.0 > 1", 1);
        row("$(x.0 / 2)", 50);
        row("x.$i", 103);
        row("x.$(i + 1) - x.$i", 1);
        row("y", 5);
        row("$(y * i)", 15);
        row("-y", -5);
        row("not (y > 1)", 0);
        row("(x.7 - 1) % 10 + $n", 14);
        row("x.0 < 1 and y == 5", 0);
        row("$flag and y == 5", 1);
        row("2 + 3 * y", 17);
        row("(2 + 3) * (y - 1)", 20);
    }
    void code()
    {
        QFETCH(QString, text);
        QFETCH(double, value);
        const Evaluated result = value_of(text.toStdString());
        QVERIFY(!result.constant());
        QCOMPARE(run(result.code), value);
    }
    void whatIsConstantIsFolded()
    {
        const auto code = value_of("y + ($n - 2) * 4").code;
        QCOMPARE(code.items.size(), std::size_t(3));
        QCOMPARE(code.items[1].number, 24.0);
    }

    void errors_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("offset");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* text, int offset, const char* message) {
            QTest::newRow(text) << text << offset << message;
        };
        row("", 0, "it ends where a value was expected");
        row("1 +", 3, "it ends where a value was expected");
        row("1 2", 2, "found '2', expected an operator or the end");
        row("(1", 2, "expected ')'");
        row("$(1", 3, "expected ')'");
        row("$", 1, "expected a name or '(' after '$'");
        row("$5", 1, "expected a name or '(' after '$'");
        row("x.", 2, "expected the number of an element after '.'");
        row("x.a", 2, "expected the number of an element after '.'");
        row("'abc", 0, "this quote never ends");
        row("4 mss", 2, "unknown unit 'mss'; did you mean 'ms'?");
        row("1 + # 2", 4, "found '#' where a value was expected");
        row("$m + 1", 0, "unknown parameter '$m', expected $i, $n, $size, $long, $flag or $kind; did you mean '$i'?");
        row("n + 1", 0, "found 'n', expected a value; did you mean '$n'?");
        row("$(m + 1)", 2, "unknown name 'm'");
        row("z + 1", 0, "unknown name 'z', expected x, y, $i, $n, $size, $long, $flag or $kind; did you mean 'x'?");
        row("z.0 + 1", 0, "unknown buffer 'z', expected x or y; did you mean 'x'?");
        row("$size + 1", 6, "'+' cannot take a size such as 64 MiB and a number");
        row("$size + $long", 6, "'+' cannot take a size such as 64 MiB and a time such as 2 ms");
        row("$size * $size", 6, "'*' cannot take a size such as 64 MiB and a size such as 64 MiB");
        row("1 / $size", 2, "'/' cannot take a number and a size such as 64 MiB");
        row("$long < 3", 6, "'<' cannot take a time such as 2 ms and a number");
        row("$i and true", 3, "'and' cannot take a number and true or false");
        row("-$flag", 0, "'-' cannot take true or false");
        row("not $i", 0, "'not' cannot take a number");
        row("$kind == smal", 9, "unknown word 'smal', expected small or large; did you mean 'small'?");
        row("$i == small", 6, "unknown name 'small'");
        row("$kind < large", 8, "unknown name 'large'");
        row("$i / ($i - 3)", 3, "division by zero");
        row("$i % 0", 3, "division by zero");
        row("x.9", 0, "beyond the end");
        row("x.$long", 2, "the number of an element must be known before the run");
        row("x.$(y)", 4, "the number of an element must be known before the run");
    }
    void errors()
    {
        QFETCH(QString, text);
        QFETCH(int, offset);
        QFETCH(QString, message);
        try {
            value_of(text.toStdString());
            QFAIL("it was taken");
        } catch (const ExpressionError& error) {
            QVERIFY2(QString(error.what()).startsWith(message), error.what());
            QCOMPARE(static_cast<int>(error.offset()), offset);
        }
    }

    void texts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("rendered");
        const auto row = [](const char* text, const char* rendered) { QTest::newRow(text) << text << rendered; };
        row("y.$i", "y.3");
        row("y.$(i + 1)", "y.4");
        row("step $i of $n", "step 3 of 8");
        row("$kind", "small");
        row("$i.5", "3.5");
        row("cost: 5 $$", "cost: 5 $");
        row("$size in $long", "64 MiB in 2 ms");
        row("$(i)$(n)", "38");
        row("", "");
    }
    void texts()
    {
        QFETCH(QString, text);
        QFETCH(QString, rendered);
        QCOMPARE(QString::fromStdString(render(parse_template(text.toStdString()), Values())), rendered);
    }
    void textsTellWhereTheyAreWrong()
    {
        try {
            parse_template("abc $(1 + ) def");
            QFAIL("it was taken");
        } catch (const ExpressionError& error) {
            QCOMPARE(error.offset(), std::size_t(10));
        }
    }

    void depthAndLengthAreBounded()
    {
        const std::string parentheses = std::string(31, '(') + '1' + std::string(31, ')');
        QCOMPARE(value_of(parentheses).value.number, 1.0);
        for (const std::string& text : {std::string(500, '('), std::string(500, '-') + '1', std::string(1001, ' '), [] {
                                            std::string deep;
                                            for (int i = 0; i < 200; ++i) {
                                                deep += "$(";
                                            }
                                            return deep;
                                        }()}) {
            QVERIFY_THROWS_EXCEPTION(ExpressionError, parse_expression(text));
        }
        std::string chain = "1";
        while (chain.size() < 990) {
            chain += "+1";
        }
        QCOMPARE(value_of(chain).value.number, 496.0);
    }

    /// Random arithmetic against the compiler's own: the text is built beside the value.
    void randomArithmetic()
    {
        std::mt19937 random(3);
        const std::function<std::pair<std::string, double>(int)> make
            = [&](int depth) -> std::pair<std::string, double> {
            if (depth == 0 || random() % 4 == 0) {
                const int number = static_cast<int>(random() % 50);
                return {std::to_string(number), number};
            }
            const auto [a, va] = make(depth - 1);
            const auto [b, vb] = make(depth - 1);
            switch (random() % 4) {
            case 0:
                return {"(" + a + " + " + b + ")", va + vb};
            case 1:
                return {"(" + a + "-" + b + ")", va - vb};
            case 2:
                return {a + " * " + b, va * vb};
            default:
                return {"-(" + a + ")", -va};
            }
        };
        for (int round = 0; round < 2000; ++round) {
            const auto [text, value] = make(4);
            if (text.size() <= 1000) {
                QCOMPARE(value_of(text).value.number, value);
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadExpression)
#include "tst_workload_expression.moc"
