// SPDX-License-Identifier: MIT
#include "engine/workload/limits.h"

#include "engine/workload/expression.h"
#include "engine/workload/nearest.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lanes {

namespace {

class LimitParser {
public:
    LimitParser(std::string_view text, const std::vector<std::string>& figures, bool of_times)
        : m_text(text)
        , m_figures(figures)
        , m_of_times(of_times)
    {
    }
    std::vector<Limit> run()
    {
        std::vector<Limit> limits;
        do {
            limits.push_back(limit());
            skip();
        } while (take(','));
        if (m_at < m_text.size()) {
            fail("',' and another limit, or the end");
        }
        return limits;
    }

private:
    void skip()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) {
            ++m_at;
        }
    }
    bool take(char letter)
    {
        skip();
        if (m_at < m_text.size() && m_text[m_at] == letter) {
            ++m_at;
            return true;
        }
        return false;
    }
    /// Up to the next character that is not part of a word.
    std::string_view word(bool of_letters) const
    {
        std::size_t end = m_at;
        while (end < m_text.size() && m_text[end] != ',' && m_text[end] != ' '
            && (!of_letters || (m_text[end] != '<' && m_text[end] != '>' && m_text[end] != '='))) {
            ++end;
        }
        return m_text.substr(m_at, end - m_at);
    }
    [[noreturn]] void fail(const std::string& expected) const
    {
        const auto found = word(false);
        const auto shown = m_at >= m_text.size()
            ? std::string("the end")
            : "'" + std::string(found.empty() ? m_text.substr(m_at, 1) : found) + "'";
        throw ExpressionError(m_at, "found " + shown + ", expected " + expected);
    }
    Limit limit();
    std::size_t figure();
    void unit(Limit& limit, double number);

    std::string_view m_text;
    const std::vector<std::string>& m_figures;
    bool m_of_times;
    std::size_t m_at = 0;
};

std::size_t LimitParser::figure()
{
    skip();
    const std::string name(word(true));
    const auto known = std::find(m_figures.begin(), m_figures.end(), name);
    if (known != m_figures.end()) {
        m_at += name.size();
        return static_cast<std::size_t>(known - m_figures.begin());
    }
    const auto near = name.empty() ? std::string() : nearest_name(name, m_figures);
    fail(alternatives(m_figures) + (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

void LimitParser::unit(Limit& limit, double number)
{
    skip();
    limit.bound = number;
    limit.relative = m_at < m_text.size() && m_text[m_at] == '%';
    if (limit.relative) {
        ++m_at;
        return;
    }
    const auto name = word(true);
    if (name.empty() && !m_of_times) {
        limit.dimension = Dimension::number;
        return;
    }
    const auto known = unit_value(name);
    if (!known || (m_of_times && known->dimension != Dimension::time)) {
        fail(m_of_times ? "%, ns, us, ms or s" : "%, a unit such as ms or MiB, or nothing");
    }
    limit.dimension = known->dimension;
    limit.bound = number * known->number;
    m_at += name.size();
}

Limit LimitParser::limit()
{
    Limit limit {};
    skip();
    const auto begin = m_at;
    limit.figure = figure();
    if (take('<')) {
        limit.below = true;
    } else if (!take('>')) {
        fail("'<' or '>'");
    }
    skip();
    const bool plus = m_at < m_text.size() && m_text[m_at] == '+';
    const auto* const first = m_text.data() + m_at + (plus ? 1 : 0);
    double number = 0;
    const auto read = std::from_chars(first, m_text.data() + m_text.size(), number);
    if (read.ec != std::errc() || !std::isfinite(number) || (plus && *first == '-')) {
        fail("a number such as 5% or 2ms");
    }
    m_at = static_cast<std::size_t>(read.ptr - m_text.data());
    unit(limit, number);
    limit.text = std::string(m_text.substr(begin, m_at - begin));
    std::erase(limit.text, ' ');
    return limit;
}

}  // namespace

std::vector<Limit> parse_limits(std::string_view text, const std::vector<std::string>& figures, bool of_times)
{
    return LimitParser(text, figures, of_times).run();
}

}  // namespace lanes
