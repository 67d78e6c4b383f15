// SPDX-License-Identifier: MIT
#include "engine/workload/names_check.h"

#include "engine/ascii.h"
#include "engine/workload/nearest.h"
#include "engine/workload/reader.h"

#include <algorithm>
#include <set>

namespace lanes::syntax {

namespace {

constexpr std::size_t most_steps = 1'000'000;

class NamesCheck final : public NameTypes {
public:
    NamesCheck(const Workload& workload, const Workload::Body& body)
        : m_workload(workload)
        , m_body(body)
        , m_buffers(names_of(body.buffers))
        , m_streams(names_of(body.streams))
        , m_events(names_of(body.events))
        , m_queues(names_of(body.queues))
        , m_threads(names_of(body.threads))
        , m_parts(names_of(body.parts))
    {
        m_streams.insert(m_streams.end(), {"legacy", "per_thread"});
        for (const auto& name : body.graphs) {
            m_graphs.push_back(name.substr(0, name.find('.')));
        }
    }

    void check()
    {
        for (const auto* declarations : {&m_body.buffers, &m_body.streams, &m_body.events, &m_body.queues}) {
            for (const auto& declaration : *declarations) {
                check_declaration(declaration);
            }
        }
        for (const auto& argument : m_body.cache.all) {
            check_argument(argument);
        }
        for (const auto& thread : m_body.threads) {
            check_declaration(thread);
        }
        for (const auto& part : m_body.parts) {
            if (!m_called.contains(part.name)) {
                m_calls.push_back(&part);
                check_steps(part.steps);
                m_calls.pop_back();
            }
        }
    }

    std::optional<Dimension> variable(std::string_view name) const override
    {
        if (std::find(m_loops.begin(), m_loops.end(), name) != m_loops.end()) {
            return Dimension::number;
        }
        const Parameter* parameter = parameter_of(name);
        return parameter == nullptr ? std::nullopt : std::optional(dimension_of(parameter->type));
    }
    const std::vector<std::string>* words(std::string_view name) const override
    {
        const Parameter* parameter = parameter_of(name);
        return parameter == nullptr || parameter->one_of.empty() ? nullptr : &parameter->one_of;
    }
    bool is_buffer(std::string_view name) const override { return find(m_body.buffers, name) != nullptr; }
    std::vector<std::string> variable_names() const override
    {
        std::vector<std::string> names = m_loops;
        for (const auto& parameter : m_workload.parameters) {
            names.push_back(parameter.name);
        }
        return names;
    }
    std::vector<std::string> buffer_names() const override { return m_buffers; }

private:
    [[noreturn]] void fail(Place place, const std::string& message) const
    {
        throw WorkloadError(m_workload.file, place.line, place.column, message);
    }

    const Parameter* parameter_of(std::string_view name) const
    {
        for (const auto& parameter : m_workload.parameters) {
            if (parameter.name == name) {
                return &parameter;
            }
        }
        return nullptr;
    }

    Dimension dimension(const Expression& expression, const Argument& argument, Place begin, bool may_load) const
    {
        try {
            bool loads = false;
            const Dimension result = check_expression(expression, *this, loads);
            if (loads && !may_load) {
                throw ExpressionError(
                    expression.offset, "a buffer's value cannot be used here, expected something known before the run");
            }
            return result;
        } catch (const ExpressionError& error) {
            fail(argument.at(begin, error.offset()), error.what());
        }
    }

    void expect(const Expression& expression, const Argument& argument, Dimension wanted, bool may_load = false) const
    {
        const Dimension found = dimension(expression, argument, argument.place, may_load);
        if (found != wanted) {
            fail(argument.at(argument.place, expression.offset),
                "found " + std::string(described(found)) + ", expected " + std::string(described(wanted)) + " for '"
                    + std::string(argument.key->name) + "'");
        }
    }

    /// Expects a text to be one of `known`: as written or, if it is a parameter, for each of its values.
    void expect_name(const Argument& argument, std::size_t which, const std::string& what,
        const std::vector<std::string>& known, bool elements) const
    {
        const Template& text = argument.texts[which];
        const Place place = argument.text_places[which];
        const auto check = [&](const std::string& name) {
            const std::size_t dot = elements ? name.find('.') : std::string::npos;
            const std::string base = name.substr(0, dot);
            if (what == "memory" && base == "managed") {
                fail(place,
                    "found 'managed', which is reserved for unified memory and not supported yet: expected 'pageable' "
                    "or 'pinned'");
            }
            if (std::find(known.begin(), known.end(), base) == known.end()) {
                fail(place, unknown_name(what, base, known));
            }
            const bool digits
                = dot == std::string::npos || ascii::is_all_digits(std::string_view(name).substr(dot + 1));
            if (!digits) {
                fail(place, "found '" + name + "', expected the number of an element after '.'");
            }
        };
        if (const auto literal = text.literal()) {
            check(*literal);
            return;
        }
        check_text(argument, which);
        const auto& first = text.pieces.front();
        if (first.expression) {
            const auto* words_of_it = first.expression->kind == Expression::Kind::variable && text.pieces.size() == 1
                ? words(first.expression->value.text)
                : nullptr;
            for (std::size_t i = 0; words_of_it != nullptr && i < words_of_it->size(); ++i) {
                check((*words_of_it)[i]);
            }
        } else if (elements && first.text.find('.') != std::string::npos) {
            check(first.text.substr(0, first.text.find('.')));
        }
    }

    void check_text(const Argument& argument, std::size_t which) const
    {
        for (const auto& piece : argument.texts[which].pieces) {
            if (piece.expression) {
                dimension(*piece.expression, argument, argument.text_places[which], false);
            }
        }
    }

    void check_argument(const Argument& argument) const
    {
        switch (argument.key->takes) {
        case Takes::number:
            expect(*argument.first, argument, Dimension::number);
            return;
        case Takes::bytes:
            expect(*argument.first, argument, Dimension::bytes);
            return;
        case Takes::time:
            expect(*argument.first, argument, Dimension::time);
            return;
        case Takes::boolean:
            expect(*argument.first, argument, Dimension::boolean);
            return;
        case Takes::condition:
        case Takes::changing_condition:
            expect(*argument.first, argument, Dimension::boolean, true);
            return;
        case Takes::value:
            expect(*argument.first, argument, Dimension::number, true);
            return;
        case Takes::span:
            expect(*argument.first, argument, Dimension::bytes);
            expect(*argument.second, argument, Dimension::bytes);
            return;
        case Takes::identifier:
        case Takes::steps:
            return;
        default:
            break;
        }
        for (std::size_t i = 0; i < argument.texts.size(); ++i) {
            switch (argument.key->takes) {
            case Takes::word:
                expect_name(argument, i, std::string(argument.key->name), words_of(*argument.key), false);
                break;
            case Takes::buffer:
            case Takes::buffers:
                expect_name(argument, i, "buffer", m_buffers, true);
                break;
            case Takes::stream:
            case Takes::streams:
                expect_name(argument, i, "stream", m_streams, true);
                break;
            case Takes::event:
                expect_name(argument, i, "event", m_events, true);
                break;
            case Takes::queue:
                expect_name(argument, i, "queue", m_queues, true);
                break;
            case Takes::thread:
                expect_name(argument, i, "thread", m_threads, true);
                break;
            case Takes::part:
                expect_name(argument, i, "part", m_parts, false);
                break;
            case Takes::graph:
                expect_name(argument, i, "graph", m_graphs, true);
                break;
            default:
                check_text(argument, i);
            }
        }
    }

    /// Makes the name given with `as` known. True if there is one: the caller must remove it again.
    bool push_loop(const Arguments& arguments)
    {
        const Argument* as = arguments.find("as");
        if (as == nullptr) {
            return false;
        }
        if (variable(as->source) || is_buffer(as->source)) {
            fail(as->place, "'" + as->source + "' is already defined, expected another name after 'as'");
        }
        m_loops.push_back(as->source);
        return true;
    }

    void check_declaration(const Declaration& declaration)
    {
        const Argument* count = declaration.arguments.find("count");
        const Argument* as = declaration.arguments.find("as");
        if (as != nullptr && count == nullptr) {
            fail(as->place, "found 'as' without 'count'");
        }
        if (count != nullptr) {
            check_argument(*count);
        }
        const bool pushed = push_loop(declaration.arguments);
        for (const auto& argument : declaration.arguments.all) {
            if (&argument != count) {
                check_argument(argument);
            }
        }
        check_steps(declaration.steps);
        if (pushed) {
            m_loops.pop_back();
        }
    }

    void check_steps(const Steps& steps)
    {
        for (const auto& step : steps) {
            if (++m_steps > most_steps) {
                fail(step.place, "parts that call parts make more than a million steps of this workload");
            }
            for (const auto& argument : step.arguments.all) {
                check_argument(argument);
            }
            for (const auto& argument : step.arguments.all) {
                if (argument.key->takes == Takes::changing_condition) {
                    check_change(argument);
                } else if (argument.key->takes == Takes::part) {
                    check_call(argument);
                }
            }
            const bool pushed = push_loop(step.arguments);
            for (const auto& block : step.blocks) {
                check_steps(block.second);
            }
            if (pushed) {
                m_loops.pop_back();
            }
        }
    }

    void check_change(const Argument& condition) const
    {
        bool loads = false;
        check_expression(*condition.first, *this, loads);
        if (!loads) {
            fail(condition.place, "this condition never changes, expected one on a buffer's value (or 'repeat')");
        }
    }

    void check_call(const Argument& call)
    {
        const auto literal = call.texts.front().literal();
        const Declaration* part = literal ? find(m_body.parts, *literal) : nullptr;
        if (part == nullptr) {
            fail(call.place, "found '" + call.source + "', expected the name of a part");
        }
        if (std::find(m_calls.begin(), m_calls.end(), part) != m_calls.end()) {
            fail(call.place, "part '" + part->name + "' calls itself");
        }
        if (m_calls.size() >= 32) {
            fail(call.place, "parts call parts more than 32 deep");
        }
        m_called.insert(part->name);
        // Checked once with these variables: another call can find nothing new.
        std::string known = part->name;
        for (const auto& name : m_loops) {
            known += ' ' + name;
        }
        if (!m_checked.insert(known).second) {
            return;
        }
        m_calls.push_back(part);
        check_steps(part->steps);
        m_calls.pop_back();
    }

    const Workload& m_workload;
    const Workload::Body& m_body;
    std::vector<std::string> m_buffers, m_streams, m_events, m_queues, m_threads, m_parts, m_graphs;
    std::vector<std::string> m_loops;
    std::vector<const Declaration*> m_calls;
    std::set<std::string> m_called, m_checked;
    std::size_t m_steps = 0;
};

}  // namespace

void check_names(const Workload& workload, const Workload::Body& body)
{
    NamesCheck(workload, body).check();
}

}  // namespace lanes::syntax
