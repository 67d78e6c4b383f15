// SPDX-License-Identifier: MIT
#include "engine/workload/effects.h"
#include "engine/workload/workload.h"
#include "engine/workload/yaml_tree.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace lanes {

namespace {

using Words = std::array<std::string_view, 12>;  // keys of texts; "" is no key
constexpr Words of_workload {
    "title", "description", "matters", "look", "why", "rule", "quiz", "exercise", "compared", "view", "usual", "code"};
constexpr Words of_variant {"title", "look"};
constexpr Words of_parameter {"label"};

bool is_same(const YamlNode& a, const YamlNode& b);

bool holds(const Words& words, const std::string& key)
{
    return !key.empty() && std::find(words.begin(), words.end(), key) != words.end();
}

/// Every other key of one is in the other, with the same value.
template <typename Same> bool same_but(const YamlNode& a, const YamlNode& b, const Words& words, Same same)
{
    const auto covers = [&](const YamlNode& from, const YamlNode& to) {
        for (std::size_t i = 0; i < from.pair_count(); ++i) {
            const std::string& key = from.key(i).text;
            const YamlNode* other = to.find(key);
            if (!holds(words, key) && (other == nullptr || !same(key, from.value(i), *other))) {
                return false;
            }
        }
        return true;
    };
    return a.kind == YamlNode::Kind::map && b.kind == YamlNode::Kind::map ? covers(a, b) && covers(b, a)
                                                                          : is_same(a, b);
}

bool is_same(const YamlNode& a, const YamlNode& b)
{
    return a.kind == b.kind && a.quoted == b.quoted && a.text == b.text
        && std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same);
}

/// Of maps of variants or of parameters.
bool same_entries(const YamlNode& a, const YamlNode& b, const Words& words)
{
    return same_but(a, b, {}, [&](const std::string&, const YamlNode& left, const YamlNode& right) {
        return same_but(left, right, words,
            [](const std::string&, const YamlNode& from, const YamlNode& to) { return is_same(from, to); });
    });
}

}  // namespace

bool runs_the_same(const std::string& a, const std::string& b)
{
    if (a == b) {
        return true;
    }
    try {
        return same_but(parse_yaml(a, {}), parse_yaml(b, {}), of_workload,
            [](const std::string& key, const YamlNode& left, const YamlNode& right) {
                return key == "variants"  ? same_entries(left, right, of_variant)
                    : key == "parameters" ? same_entries(left, right, of_parameter)
                                          : is_same(left, right);
            });
    } catch (const WorkloadError&) {
        return false;
    }
}

namespace {

bool is_same(const BufferElement& a, const BufferElement& b, bool values_decide)
{
    return a.name == b.name && a.gpu == b.gpu && a.memory == b.memory && a.bytes == b.bytes
        && a.allocated_by_step == b.allocated_by_step && a.cached == b.cached
        && (!values_decide || a.initial_value == b.initial_value);
}

/// What host work says of the buffers that it reads and writes does not change what is recorded of it.
bool does_the_same(const Action& a, const Action& b)
{
    const auto* left = std::get_if<CpuAction>(&a);
    const auto* right = std::get_if<CpuAction>(&b);
    return left != nullptr && right != nullptr ? left->kind == right->kind && left->time == right->time
            && left->bytes == right->bytes && left->name == right->name
                                               : a == b;
}

/// Whether `b` has all of `a`, at the same places; more may follow.
template <class Things, class Same> bool begins_with(const Things& b, const Things& a, Same same)
{
    return b.size() >= a.size() && std::equal(a.begin(), a.end(), b.begin(), same);
}

/// All but the threads.
bool has_all_of(const Program& b, const Program& a)
{
    bool values_decide = false;  // which way a branch goes
    each_effects(a, [&](const Effects& effects, const Instruction& instruction, Index) {
        const auto* branch = std::get_if<BranchAction>(&instruction.action);
        values_decide = values_decide || (branch != nullptr && !effects.accesses.empty());
    });
    return a.streams == b.streams && a.peers == b.peers && a.gpus == b.gpus && a.cache_limit == b.cache_limit
        && a.launch_blocking == b.launch_blocking && a.expected_error == b.expected_error
        && a.threads.size() == b.threads.size()
        && begins_with(b.buffers, a.buffers,
            [&](const BufferElement& x, const BufferElement& y) { return is_same(x, y, values_decide); })
        && begins_with(b.events, a.events, std::equal_to<>()) && begins_with(b.graphs, a.graphs, std::equal_to<>())
        && begins_with(b.queues, a.queues, std::equal_to<>());
}

}  // namespace

std::optional<std::vector<Index>> same_steps(const Program& a, const Program& b)
{
    if (!has_all_of(b, a)) {
        return {};
    }
    std::vector<Index> steps(a.steps.size(), no_id);
    for (std::size_t thread = 0; thread < a.threads.size(); ++thread) {
        const ThreadProgram& left = a.threads[thread];
        const ThreadProgram& right = b.threads[thread];
        if (left.name != right.name || left.instructions.size() != right.instructions.size()) {
            return {};
        }
        for (std::size_t i = 0; i < left.instructions.size(); ++i) {
            if (!does_the_same(left.instructions[i].action, right.instructions[i].action)) {
                return {};
            }
            steps[left.instructions[i].step] = right.instructions[i].step;
        }
    }
    return steps;
}

}  // namespace lanes
