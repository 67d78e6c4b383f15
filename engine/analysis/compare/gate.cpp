// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/gate.h"

#include "engine/analysis/words/shown.h"
#include "engine/formatted.h"
#include "engine/workload/nearest.h"
#include "engine/workload/quantity.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace lanes {

namespace {

class GateParser {
public:
    explicit GateParser(std::string_view text)
        : m_text(text)
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
        throw GateError(formatted("column {}: found {}, expected {}", m_at + 1, shown, expected));
    }
    Limit limit();
    std::size_t figure();

    std::string_view m_text;
    std::size_t m_at = 0;
};

std::size_t GateParser::figure()
{
    skip();
    const auto name = word(true);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < side_figures; ++i) {
        names.emplace_back(side_figure_name(i));
        if (name == side_figure_name(i)) {
            m_at += name.size();
            return i;
        }
    }
    const auto near = name.empty() ? std::string() : nearest_name(name, names);
    fail(alternatives(names) + (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

Limit GateParser::limit()
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
    skip();
    limit.relative = m_at < m_text.size() && m_text[m_at] == '%';
    if (limit.relative) {
        ++m_at;
        limit.bound = number;
    } else {
        const auto name = word(true);
        const auto unit = unit_value(name);
        if (!unit || unit->dimension != Dimension::time) {
            fail("%, ns, us, ms or s");
        }
        limit.bound = number * unit->number;
        m_at += name.size();
    }
    limit.text = std::string(m_text.substr(begin, m_at - begin));
    std::erase(limit.text, ' ');
    return limit;
}

/// B less A, in percent of A.
double percent_of(Ns a, Ns b)
{
    if (a == 0) {
        return b == 0 ? 0 : std::numeric_limits<double>::infinity();
    }
    return 100. * (static_cast<double>(b) - static_cast<double>(a)) / static_cast<double>(a);
}

}  // namespace

std::vector<Limit> parse_gate(std::string_view text)
{
    return GateParser(text).run();
}

std::vector<Judged> judge(const std::vector<Limit>& limits, const ComparedSide& a, const ComparedSide& b)
{
    std::vector<Judged> all;
    for (const auto& limit : limits) {
        const auto& from = a.figures[limit.figure];
        const auto& to = b.figures[limit.figure];
        if (!from || !to) {
            const auto& run = (from ? b : a).runs.front();
            throw GateError(formatted("the figure '{}' is unknown for {}", side_figure_name(limit.figure), run.name));
        }
        const double change = limit.relative ? percent_of(from->median, to->median)
                                             : static_cast<double>(to->median) - static_cast<double>(from->median);
        all.push_back({limit, from->median, to->median, limit.below ? change < limit.bound : change > limit.bound,
            within_spread(a, b, limit.figure)});
    }
    return all;
}

Message judged_message(const Judged& judged)
{
    const double percent = percent_of(judged.a, judged.b);
    const Ns change = judged.b - judged.a;
    Message message {judged.holds ? "gate.holds" : "gate.exceeded",
        {{"limit", judged.limit.text}, {"from", shown_time(judged.a)}, {"to", shown_time(judged.b)},
            {"change",
                judged.limit.relative && std::isfinite(percent)
                    ? formatted("{:+.1f} %", percent)
                    : (change < 0 ? "-" : "+") + shown_time(std::abs(change))}}};
    if (judged.within_spread) {
        message.id += "_within";
    }
    return message;
}

}  // namespace lanes
