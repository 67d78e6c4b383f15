// SPDX-License-Identifier: MIT
// Families of GPU operations: what each is for (matrix products, attention, communication between GPUs...), by rules on
// the names of kernels. The rules are in resources/families.yaml, which says how they are written; a user's own come
// first. Everything that depends on what a kernel is for asks here: colours, tables, figures of communication.
#pragma once

#include "engine/analysis/facts/name_pattern.h"
#include "engine/trace/trace.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// In the order of the legend.
enum class Family : std::uint8_t {
    communication,
    attention,  ///< with KV caches and state spaces
    matmul,
    convolution,
    norm,  ///< and reductions
    optimizer,
    index,  ///< gather, scatter, sort
    elementwise,  ///< and casts
    copy,
    memset,
    other,
};
inline constexpr std::size_t family_count = 11;

/// "communication", as in rules, queries and JSON.
std::string_view word_of(Family family);
std::optional<Family> family_named(std::string_view word);

/// How a family is drawn in the light theme.
struct FamilyColour {
    std::uint32_t rgb = 0x808080;
    double band = 0;  ///< by how much names of it are lighter or darker, as OKLCH lightness (0 to 1)
};

/// Ordered rules. Does not change once read.
class FamilyRules {
public:
    /// No rules: every kernel is of the family `other`.
    FamilyRules() = default;

    /// Reads a file's text; `file` is for messages. Throws WorkloadError, which says the place, what was found and what
    /// was expected.
    static FamilyRules read(const std::string& text, const std::string& file);

    /// These, after those of `own`; its colours replace these.
    FamilyRules after(const FamilyRules& own) const;

    /// By a kernel's full name, demangled, with its namespaces. Cost: some 30 us, below 0.5 s for a hostile name;
    /// family_of() remembers.
    Family family_of(std::string_view kernel) const;

    FamilyColour colour(Family family) const;

private:
    friend class FamilyReader;
    /// In which part of the name a rule is looked for first.
    enum class In : std::uint8_t { last, path, whole };
    struct Rule {
        Family family = Family::other;
        In in = In::last;
        std::vector<NamePattern> patterns;
    };
    std::vector<Rule> m_rules;
    std::array<std::optional<FamilyColour>, family_count> m_colours;
    std::optional<Family> m_default;
};

/// ~/.config/lanescope/families.yaml, in $XDG_CONFIG_HOME if that is set; "" without a home. It need not exist.
std::filesystem::path own_families_file();

/// From now on the rules in use are those of `own` before Lanescope's; "": Lanescope's alone, as at the beginning. A
/// file that does not exist has no rules. Throws InputError, and changes nothing, if one of both files cannot be read.
/// To be called before recordings are opened: what was computed is not computed again.
void use_own_families(const std::filesystem::path& own);

/// The colour of a family by the rules in use.
FamilyColour colour_of(Family family);

/// By the rules in use. Where the resources are missing there are none. Cost: a look at a table that any thread may
/// use; for a name that was not asked for before, that of FamilyRules::family_of.
Family family_of(std::string_view kernel);

/// The same of an operation: by the kernel's full name, else by the one that a workload gave it. What either says is
/// communication is.
Family family_of(const Trace& trace, Row operation);

/// The families of all operations of a recording. Cost: to make, linear in the operations, and family_of() for each
/// distinct name; to ask, constant. One byte for each detail of kernels.
class OperationFamilies {
public:
    explicit OperationFamilies(const Trace& trace);

    Family of(const Trace& trace, Row operation) const;
    /// Of kernels with that row of Trace::kernels.
    Family of_detail(Row detail) const { return m_of_detail[detail]; }
    std::size_t bytes() const { return m_of_detail.size(); }

private:
    std::vector<Family> m_of_detail;
};

}  // namespace lanes
