// SPDX-License-Identifier: MIT
// The meaning of names while a workload is unrolled: parameters, loop variables and declared things.
#pragma once

#include "engine/workload/syntax.h"

#include <map>
#include <string_view>

namespace lanes::syntax {

/// The elements of a declared thing, in the Program's vector of its kind.
struct Elements {
    Index first = 0;
    std::uint32_t count = 1;
    bool counted = false;
};

/// The declared things of one kind, by name.
struct NameTable {
    std::string what;  ///< "buffer", for messages
    std::map<std::string, Elements, std::less<>> elements;
};

class Scope final : public NameValues {
public:
    explicit Scope(const std::string& file)
        : m_file(file)
    {
    }

    std::map<std::string, Value, std::less<>> parameters;
    NameTable buffers {"buffer", {}}, streams {"stream", {}}, events {"event", {}}, queues {"queue", {}},
        threads {"thread", {}};

    void push(std::string_view name, double value) { m_loops.emplace_back(name, Value {Dimension::number, value, {}}); }
    void set_top(double value) { m_loops.back().second.number = value; }
    void pop() { m_loops.pop_back(); }

    const Value* variable(std::string_view name) const override;
    bool is_buffer(std::string_view name) const override { return buffers.elements.contains(name); }
    Index element(std::string_view buffer, std::optional<double> index) const override;

    [[noreturn]] void fail(Place place, const std::string& message) const;

    /// The value of an argument. Throws WorkloadError unless it is from `least` to `most`; whole(): and has no
    /// fraction.
    double number(const Argument& argument, double least, double most) const;
    double whole(const Argument& argument, double least, double most) const;
    /// The first and second value of an argument, in its unit; bytes are rounded down.
    double first_of(const Argument& argument) const;
    double second_of(const Argument& argument) const;
    std::string text(const Argument& argument, std::size_t which = 0) const;
    Evaluated code(const Argument& argument) const;

    /// The one element that the argument names.
    Index one(const Argument& argument, const NameTable& table, std::size_t which = 0) const;
    /// All elements that it names: "y" is all of y.
    std::vector<Index> all(const Argument& argument, const NameTable& table) const;

private:
    struct Reference {
        std::string_view base;
        std::optional<double> index;
    };
    Evaluated evaluated(const Expression& expression, const Argument& argument) const;
    double bounded(const Argument& argument, double value, double least, double most, Dimension dimension) const;
    Reference reference(const Argument& argument, std::size_t which) const;
    const Elements& found(
        const Argument& argument, std::size_t which, const NameTable& table, std::string_view base) const;
    static Index element_of(
        const NameTable& table, std::string_view base, const Elements& elements, std::optional<double> index);

    const std::string& m_file;
    std::vector<std::pair<std::string_view, Value>> m_loops;
    mutable std::string m_rendered;  // what a Reference's base points into
};

}  // namespace lanes::syntax
