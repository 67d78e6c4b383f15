// SPDX-License-Identifier: MIT
#include "probes/inject/process_identity.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace lanes {

namespace {

struct Rule {
    const char* word;
    const char* rank;
    const char* besides;  ///< must be set as well; nullptr: nothing
    const char* world;  ///< nullptr: it says none
};
constexpr std::array<Rule, 8> rules {{
    {"LANES_RANK", "LANES_RANK", nullptr, "WORLD_SIZE"},
    {"torchrun", "RANK", "LOCAL_RANK", "WORLD_SIZE"},
    {"ompi", "OMPI_COMM_WORLD_RANK", nullptr, "OMPI_COMM_WORLD_SIZE"},
    {"pmix", "PMIX_RANK", nullptr, nullptr},
    {"pmi", "PMI_RANK", nullptr, "PMI_SIZE"},
    {"pmi", "PMI_ID", nullptr, "PMI_SIZE"},
    {"slurm", "SLURM_PROCID", nullptr, "SLURM_NTASKS"},
    {"pod", "RANK", nullptr, "WORLD_SIZE"},
}};

constexpr std::array kept_variables {"LANES_RANK", "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_RANK",
    "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
    "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_NODE_RANK", "PMIX_RANK", "PMIX_NAMESPACE", "PMI_RANK", "PMI_SIZE",
    "PMI_ID", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NODEID",
    "SLURMD_NODENAME", "SLURM_JOB_ID", "SLURM_STEP_ID", "RAY_JOB_ID", "JOB_COMPLETION_INDEX", "CUDA_VISIBLE_DEVICES"};

constexpr std::size_t longest_value = 200;

/// "" unless it is a number of at most nine digits.
std::string digits_of(const char* value)
{
    const std::string text = value == nullptr ? "" : value;
    return text.size() <= 9 && text.find_first_not_of("0123456789") == std::string::npos ? text : "";
}

std::optional<std::uint32_t> number_of(std::string_view text)
{
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc {} && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                      : std::nullopt;
}

/// "3" or "0-7" of a list.
std::optional<std::pair<std::uint32_t, std::uint32_t>> span_of(std::string_view part)
{
    const auto dash = part.find('-');
    const auto first = number_of(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number_of(part.substr(dash + 1));
    return first && last && *first <= *last ? std::optional(std::pair(*first, *last)) : std::nullopt;
}

/// Nothing if it is no list; else whether `rank` is of it.
std::optional<bool> has_rank(std::string_view list, std::optional<std::uint32_t> rank)
{
    constexpr std::string_view every = "every:";
    if (list == "all") {
        return true;
    }
    if (list.starts_with(every)) {
        const auto step = number_of(list.substr(every.size()));
        return step && *step > 0 ? std::optional(!rank || *rank % *step == 0) : std::nullopt;
    }
    bool found = !rank;
    for (;;) {
        const auto comma = list.find(',');
        const auto span = span_of(list.substr(0, comma));
        if (!span) {
            return std::nullopt;
        }
        found = found || (*rank >= span->first && *rank <= span->second);
        if (comma == std::string_view::npos) {
            return found;
        }
        list.remove_prefix(comma + 1);
    }
}

}  // namespace

ProcessIdentity identity_of(const Variables& variables)
{
    ProcessIdentity identity;
    for (const auto& rule : rules) {
        identity.rank = digits_of(variables(rule.rank));
        if (!identity.rank.empty() && (rule.besides == nullptr || variables(rule.besides) != nullptr)) {
            identity.rule = rule.word;
            identity.world = rule.world == nullptr ? "" : digits_of(variables(rule.world));
            break;
        }
        identity.rank.clear();
    }
    identity.restarts = digits_of(variables("TORCHELASTIC_RESTART_COUNT"));
    for (const char* const name : kept_variables) {
        if (const char* value = variables(name); value != nullptr) {
            std::string text(std::string_view(value).substr(0, longest_value));
            for (char& c : text) {
                c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
            }
            identity.told.emplace_back(name, text);
        }
    }
    return identity;
}

ProcessIdentity identity_of_environment()
{
    return identity_of([](const char* name) -> const char* { return std::getenv(name); });
}

std::string rank_of_environment()
{
    return identity_of_environment().rank;
}

std::string to_text(const ProcessIdentity& identity)
{
    std::string text = "rule " + identity.rule + "\nrank " + identity.rank + "\nworld " + identity.world + "\nrestarts "
        + identity.restarts;
    for (const auto& [name, value] : identity.told) {
        text += '\n' + name + '=' + value;
    }
    return text;
}

ProcessIdentity identity_of_text(std::string_view text)
{
    ProcessIdentity identity;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const auto after = [&](std::string_view word) { return std::string(line.substr(word.size())); };
        if (line.starts_with("rule ")) {
            identity.rule = after("rule ");
        } else if (line.starts_with("rank ")) {
            identity.rank = digits_of(after("rank ").c_str());
        } else if (line.starts_with("world ")) {
            identity.world = digits_of(after("world ").c_str());
        } else if (line.starts_with("restarts ")) {
            identity.restarts = digits_of(after("restarts ").c_str());
        } else if (const auto equals = line.find('='); equals != std::string_view::npos) {
            identity.told.emplace_back(line.substr(0, equals), line.substr(equals + 1));
        }
    }
    return identity;
}

bool wants_rank(std::string_view list, std::string_view rank)
{
    return has_rank(list, number_of(rank)).value_or(true);
}

bool is_rank_list(std::string_view list)
{
    return has_rank(list, std::nullopt).has_value();
}

}  // namespace lanes
