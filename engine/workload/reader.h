// SPDX-License-Identifier: MIT
// Turns the YAML tree into the syntax tree. Throws WorkloadError for errors in the structure: unknown and missing keys,
// a list in place of a map, expressions that do not parse, numbers out of bounds.
#pragma once

#include "engine/workload/syntax.h"

namespace lanes::syntax {

inline constexpr int most_gpus = 64;  // of a workload

class Reader {
public:
    /// Fills `workload` and `body` from the root of a file. `file` is for messages and must outlive the Reader.
    Reader(const std::string& file, Workload& workload, Workload::Body& body);
    void read(const YamlNode& root);

private:
    // reader.cpp: common parts
    [[noreturn]] void fail(Place place, const std::string& message) const;
    void expect(const YamlNode& node, YamlNode::Kind kind, const std::string& expected) const;
    std::string identifier(const YamlNode& node, const std::string& what) const;
    double whole_number(const YamlNode& node, double least, double most) const;
    Value literal(const YamlNode& node) const;
    Translated translated(const YamlNode& node) const;
    Place place_in_block(const YamlNode& node, std::string_view rest) const;
    Translated lesson_text(const YamlNode& node, bool of_variant) const;
    Argument argument(const Key& key, const YamlNode& node) const;

    // reader_steps.cpp
    Steps steps(const YamlNode& node);
    Step step(const YamlNode& node);
    void map_into(const YamlNode& map, const std::string& what, std::span<const Key> keys, Arguments& arguments,
        std::vector<std::pair<std::string_view, Steps>>* blocks);
    void check_combination(const Step& step) const;
    StepInfo info_of(const Step& step, const YamlNode* lines) const;

    // reader_sections.cpp; reader_usual.cpp
    void parameters(const YamlNode& node);
    void parameter(const std::string& name, const YamlNode& map);
    std::optional<Value> bound(
        const YamlNode& map, const char* key, const Parameter& parameter, Dimension dimension) const;
    void variants(const YamlNode& node);
    void declarations(const YamlNode& node, const std::string& what, std::span<const Key> keys, Declarations& into);
    void parts(const YamlNode& node);
    void threads(const YamlNode& node);
    void peers(const YamlNode& node);
    void code(const YamlNode& node);
    FirstView view(const YamlNode& node) const;
    void usual(const YamlNode& node);
    UsualFigure usual_figure(const YamlNode& map) const;
    double limit(const YamlNode& node, bool share) const;

    // reader_course.cpp
    void expect_keys(const YamlNode& map, const std::vector<std::string>& keys, const std::string& where) const;
    const YamlNode& needed(const YamlNode& map, const char* key, const std::string& what) const;
    std::string variant_name(const YamlNode& node) const;
    Matters matters(const YamlNode& node) const;
    QuizQuestion question(const YamlNode& map) const;
    QuizQuestion::Choice choice(const YamlNode& map) const;
    void quiz(const YamlNode& node);
    std::vector<Limit> check(const YamlNode& node) const;
    Exercise exercise(const YamlNode& map) const;
    ComparedFigure compared(const YamlNode& map) const;
    void expect_few(const YamlNode& node) const;
    void check_value(const Parameter& parameter, std::size_t index, const Value& value, Place place) const;

    const std::string& m_file;
    Workload& m_workload;
    Workload::Body& m_body;
};

/// The problem with a value of the parameter; "": none.
std::string parameter_problem(const Parameter& parameter, const Value& value, const std::optional<Value>& minimum,
    const std::optional<Value>& maximum);

/// The dimension of a parameter's values.
Dimension dimension_of(Parameter::Type type);

}  // namespace lanes::syntax
