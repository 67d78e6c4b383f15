// SPDX-License-Identifier: MIT
#include "engine/workload/nearest.h"
#include "engine/workload/reader.h"

#include <algorithm>

namespace lanes::syntax {

namespace {

std::vector<std::string> actions()
{
    std::vector<std::string> names;
    for (const auto& form : step_forms()) {
        names.emplace_back(form.action);
    }
    return names;
}

/// The line for StepInfo::label: as in the workload, so that it is true for every iteration of a loop.
std::string label_of(const Step& step)
{
    const StepForm& form = form_of(step.kind);
    std::string label(form.action);
    for (const LabelPiece& piece : form.label) {
        if (const Argument* argument = step.arguments.find(piece.key); argument != nullptr) {
            label += argument->key->takes == Takes::word ? " " : piece.before;
            label += argument->source;
        }
    }
    if (!form.label.empty()) {
        return label;
    }
    for (const auto& argument : step.arguments.all) {
        if (argument.key->takes == Takes::stream || argument.key->takes == Takes::streams) {
            label += " on " + argument.source;
        } else if (argument.key->required) {
            label += ' ' + argument.source;
        }
    }
    return label;
}

}  // namespace

Steps Reader::steps(const YamlNode& node)
{
    expect(node, YamlNode::Kind::list, "a list of steps");
    Steps result;
    result.reserve(node.items.size());
    for (const auto& item : node.items) {
        result.push_back(step(item));
    }
    return result;
}

Step Reader::step(const YamlNode& node)
{
    if (node.kind != YamlNode::Kind::map || node.items.empty()) {
        fail(node.place, "found " + described(node) + ", expected a step such as 'kernel: {…}'");
    }
    const StepForm* form = nullptr;
    std::size_t action = 0;
    for (std::size_t i = 0; i < node.pair_count() && form == nullptr; ++i) {
        form = find_step(node.key(i).text);
        action = i;
    }
    if (form == nullptr) {
        const auto known = actions();
        const bool near = !nearest_name(node.key(0).text, known).empty();
        fail(node.key(0).place,
            unknown_name("step", node.key(0).text, known) + (near ? "" : ", expected " + alternatives(known)));
    }
    Step result {.kind = form->kind,
        .place = node.key(action).place,
        .id = static_cast<Index>(m_body.infos.size()),
        .arguments = {},
        .blocks = {}};
    m_body.infos.emplace_back();
    const YamlNode* lines = nullptr;
    const YamlNode& value = node.value(action);
    const std::string name(form->action);
    if (value.kind == YamlNode::Kind::map && !form->map.empty()) {
        map_into(value, name, form->map, result.arguments, &result.blocks);
    } else if (form->scalar != nullptr) {
        result.arguments.all.push_back(argument(*form->scalar, value));
    } else {
        fail(value.kind == YamlNode::Kind::null ? result.place : value.place,
            "found " + described(value) + ", expected a map: " + name + ": {" + std::string(form->map[0].name)
                + ": …}");
    }
    for (std::size_t i = 0; i < node.pair_count(); ++i) {
        const YamlNode& key = node.key(i);
        const Key* sibling = find_key(form->siblings, key.text);
        if (i == action) {
            continue;
        }
        if (key.text == "lines") {
            lines = &node.value(i);
        } else if (sibling == nullptr) {
            auto known = names_of(form->siblings);
            known.emplace_back("lines");
            fail(key.place, unknown_name("key", key.text, known) + " (beside '" + name + "')");
        } else if (sibling->takes == Takes::steps) {
            result.blocks.emplace_back(sibling->name, steps(node.value(i)));
        } else {
            result.arguments.all.push_back(argument(*sibling, node.value(i)));
        }
    }
    for (const Key& key : form->siblings) {
        if (key.required && result.arguments.find(key.name) == nullptr && result.block(key.name) == nullptr) {
            fail(result.place, "'" + name + "' lacks '" + std::string(key.name) + "'");
        }
    }
    check_combination(result);
    for (const Argument& argument : result.arguments.all) {
        if (argument.key->takes == Takes::new_graph) {
            m_body.graphs.push_back(argument.source);
        }
    }
    m_body.infos[result.id] = info_of(result, lines);
    return result;
}

void Reader::map_into(const YamlNode& map, const std::string& what, std::span<const Key> keys, Arguments& arguments,
    std::vector<std::pair<std::string_view, Steps>>* blocks)
{
    expect(map, YamlNode::Kind::map, "a map");
    for (std::size_t i = 0; i < map.pair_count(); ++i) {
        const Key* key = find_key(keys, map.key(i).text);
        if (key == nullptr) {
            fail(map.key(i).place, unknown_name("key", map.key(i).text, names_of(keys)) + " (in '" + what + "')");
        }
        if (key->takes == Takes::steps) {
            blocks->emplace_back(key->name, steps(map.value(i)));
        } else {
            arguments.all.push_back(argument(*key, map.value(i)));
        }
    }
    for (const Key& key : keys) {
        if (key.required && map.find(key.name) == nullptr) {
            fail(map.place, "'" + what + "' lacks '" + std::string(key.name) + "'");
        }
    }
}

void Reader::check_combination(const Step& step) const
{
    const auto has = [&](std::string_view key) {
        const std::size_t colon = key.find(": ");
        const Argument* argument = step.arguments.find(key.substr(0, colon));
        return argument != nullptr && (colon == std::string_view::npos || argument->source == key.substr(colon + 2));
    };
    for (const KeyRule& rule : form_of(step.kind).rules) {
        const auto count = std::count_if(rule.of.begin(), rule.of.end(), has);
        if (count < rule.at_least || count > rule.at_most) {
            fail(rule.at.empty() ? step.place : step.arguments.find(rule.at)->place, std::string(rule.message));
        }
    }
}

StepInfo Reader::info_of(const Step& step, const YamlNode* lines) const
{
    StepInfo info {.kind = std::string(form_of(step.kind).action),
        .label = label_of(step),
        .line = step.place.line,
        .column = step.place.column};
    if (lines == nullptr) {
        return info;
    }
    expect(*lines, YamlNode::Kind::map, "a map: {pytorch: N, cuda: N}");
    for (std::size_t i = 0; i < lines->pair_count(); ++i) {
        const YamlNode& language = lines->key(i);
        const bool pytorch = language.text == "pytorch";
        if (!pytorch && language.text != "cuda") {
            fail(language.place, unknown_name("key", language.text, {"pytorch", "cuda"}) + " (in 'lines')");
        }
        const std::string& code = pytorch ? m_workload.code_pytorch : m_workload.code_cuda;
        const auto count = static_cast<double>(
            std::count(code.begin(), code.end(), '\n') + (code.empty() || code.back() == '\n' ? 0 : 1));
        if (count == 0) {
            fail(language.place, "found 'lines' into code." + language.text + ", but the workload has no such code");
        }
        const auto line = static_cast<std::uint32_t>(whole_number(lines->value(i), 1, count));
        (pytorch ? info.pytorch_line : info.cuda_line) = line;
    }
    return info;
}

}  // namespace lanes::syntax
