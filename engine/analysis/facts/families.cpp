// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/families.h"

#include "engine/trace/names/kernel_name.h"
#include "engine/workload/resources.h"
#include "engine/workload/workload.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace lanes {

namespace {

constexpr std::array<std::string_view, family_count> family_words {"communication", "attention", "matmul",
    "convolution", "norm", "optimizer", "index", "elementwise", "copy", "memset", "other"};

constexpr std::size_t most_remembered = 100'000;  // names; a recording has some thousands

/// The rules of a file; none if it does not exist.
FamilyRules rules_of_file(const std::filesystem::path& path)
{
    std::error_code none;
    if (path.empty() || !std::filesystem::exists(path, none)) {
        return {};
    }
    std::ifstream file;
    if (std::filesystem::is_regular_file(path, none)) {
        file.open(path, std::ios::binary);
    }
    if (!file.is_open()) {
        throw InputError(path.string() + ": cannot be read, expected a file of rules for families");
    }
    return FamilyRules::read(std::string {std::istreambuf_iterator<char>(file), {}}, path.string());
}

FamilyRules rules_with(const std::filesystem::path& own)
{
    std::filesystem::path shipped;
    try {
        shipped = resource("families.yaml");
    } catch (const std::runtime_error&) {  // no resources: a report without families is better than none
    }
    return rules_of_file(shipped).after(rules_of_file(own));
}

/// What the program uses; threads ask at any time.
class RulesInUse {
public:
    void use(const std::filesystem::path& own)
    {
        auto rules = rules_with(own);
        const std::lock_guard lock(m_mutex);
        m_rules = std::move(rules);
        m_known.clear();
    }
    FamilyColour colour(Family family)
    {
        const std::lock_guard lock(m_mutex);
        return rules().colour(family);
    }
    Family family_of(std::string_view kernel)
    {
        {
            const std::shared_lock lock(m_mutex);
            if (const auto known = m_known.find(kernel); known != m_known.end()) {
                return known->second;
            }
        }
        const std::lock_guard lock(m_mutex);
        if (m_known.size() >= most_remembered) {
            m_known.clear();
        }
        return m_known.emplace(kernel, rules().family_of(kernel)).first->second;
    }

private:
    const FamilyRules& rules()
    {
        if (!m_rules) {
            m_rules = rules_with({});
        }
        return *m_rules;
    }
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view> {}(text); }
    };
    std::shared_mutex m_mutex;
    std::optional<FamilyRules> m_rules;  ///< read when they are first needed
    std::unordered_map<std::string, Family, Hash, std::equal_to<>> m_known;
};

RulesInUse& rules_in_use()
{
    static RulesInUse rules;
    return rules;
}

/// Of a kernel with that full name which is shown under another. 0: it has none.
Family family_of_kernel(const Trace& trace, StringId full, StringId shown)
{
    const Family by_full = full == 0 ? Family::other : family_of(trace.text(full));
    // A short name has lost what the rules look for; one that a workload gave says something new.
    const bool is_given
        = shown != 0 && shown != full && (full == 0 || trace.text(shown) != short_kernel_name(trace.text(full)));
    if (by_full == Family::communication || !is_given) {
        return by_full;
    }
    const Family by_given = family_of(trace.text(shown));
    return by_full == Family::other || by_given == Family::communication ? by_given : by_full;
}

Family family_of_kind(OperationKind kind)
{
    return is_copy(kind) ? Family::copy : kind == OperationKind::memset ? Family::memset : Family::other;
}

}  // namespace

std::string_view word_of(Family family)
{
    return family_words[static_cast<std::size_t>(family)];
}

std::optional<Family> family_named(std::string_view word)
{
    const auto found = std::find(family_words.begin(), family_words.end(), word);
    return found == family_words.end() ? std::nullopt
                                       : std::optional(static_cast<Family>(found - family_words.begin()));
}

FamilyRules FamilyRules::after(const FamilyRules& own) const
{
    FamilyRules both = own;
    both.m_rules.insert(both.m_rules.end(), m_rules.begin(), m_rules.end());
    for (std::size_t i = 0; i < family_count; ++i) {
        both.m_colours[i] = own.m_colours[i] ? own.m_colours[i] : m_colours[i];
    }
    both.m_default = own.m_default ? own.m_default : m_default;
    return both;
}

Family FamilyRules::family_of(std::string_view kernel) const
{
    const auto parts = split_kernel_name(kernel);
    const auto colon = parts.path.rfind("::");
    const auto last = words_of(std::string_view(parts.path).substr(colon == std::string::npos ? 0 : colon + 2));
    const auto path = words_of(parts.path);
    const auto whole = path + ' ' + words_of(parts.arguments);
    const auto fits = [](const Rule& rule, const std::string& words, bool beginning) {
        return std::any_of(rule.patterns.begin(), rule.patterns.end(),
            [&](const NamePattern& pattern) { return (beginning || !pattern.begins()) && pattern.fits(words); });
    };
    for (const auto& rule : m_rules) {
        if (fits(rule, rule.in == In::whole ? whole : rule.in == In::path ? path : last, true)) {
            return rule.family;
        }
    }
    for (const std::string* words : {&path, &whole}) {
        if (*words == last) {
            continue;
        }
        const auto rule = std::find_if(
            m_rules.begin(), m_rules.end(), [&](const Rule& each) { return fits(each, *words, words == &path); });
        if (rule != m_rules.end()) {
            return rule->family;
        }
    }
    return m_default.value_or(Family::other);
}

FamilyColour FamilyRules::colour(Family family) const
{
    return m_colours[static_cast<std::size_t>(family)].value_or(FamilyColour {});
}

std::filesystem::path own_families_file()
{
    const auto folder_of = [](const char* variable) {
        const char* const set = std::getenv(variable);
        return std::filesystem::path(set == nullptr ? "" : set);
    };
    auto folder = folder_of("XDG_CONFIG_HOME");
    if (!folder.is_absolute()) {  // a relative one is invalid, says the XDG Base Directory Specification
        folder = folder_of("HOME");
        if (folder.empty()) {
            return {};
        }
        folder /= ".config";
    }
    return folder / "lanescope" / "families.yaml";
}

void use_own_families(const std::filesystem::path& own)
{
    rules_in_use().use(own);
}

FamilyColour colour_of(Family family)
{
    return rules_in_use().colour(family);
}

Family family_of(std::string_view kernel)
{
    return rules_in_use().family_of(kernel);
}

Family family_of(const Trace& trace, Row operation)
{
    const auto& ops = trace.operations;
    return ops.kind[operation] != OperationKind::kernel
        ? family_of_kind(ops.kind[operation])
        : family_of_kernel(trace, trace.kernels[ops.detail[operation]].full_name, ops.name[operation]);
}

OperationFamilies::OperationFamilies(const Trace& trace)
    : m_of_detail(trace.kernels.size(), Family::other)
{
    const auto& ops = trace.operations;
    std::unordered_map<std::uint64_t, Family> known;  // by the ids of both names
    Row last_detail = no_row;
    StringId last_name = 0;
    for (Row row = 0; row < ops.size(); ++row) {
        const Row detail = ops.detail[row];
        const StringId name = ops.name[row];
        if (ops.kind[row] != OperationKind::kernel || (detail == last_detail && name == last_name)) {
            continue;
        }
        last_detail = detail;
        last_name = name;
        const auto full = trace.kernels[detail].full_name;
        const auto [at, is_new] = known.try_emplace((std::uint64_t {full} << 32U) | name, Family::other);
        if (is_new) {
            at->second = family_of_kernel(trace, full, name);
        }
        // Kernels that share a detail have one full name; if a workload gave them several, the first that communicates
        // decides, else the last.
        Family& family = m_of_detail[detail];
        family = family == Family::communication ? family : at->second;
    }
}

Family OperationFamilies::of(const Trace& trace, Row operation) const
{
    const auto kind = trace.operations.kind[operation];
    return kind == OperationKind::kernel ? m_of_detail[trace.operations.detail[operation]] : family_of_kind(kind);
}

}  // namespace lanes
