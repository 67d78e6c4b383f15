// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_owners.h"

#include "engine/ascii.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t most_weighed = 1000;  // operations of a group: this many decide as well as all

/// `text` without the number that ends or begins at `digit`, and without its minus.
std::string without_number_at(std::string_view text, std::size_t begin, std::size_t end)
{
    if (begin > 0 && text[begin - 1] == '-' && (begin == 1 || !ascii::is_letter_or_digit(text[begin - 2]))) {
        --begin;
    }
    return std::string(text.substr(0, begin)).append(text.substr(end));
}

/// A pid without its last number, and without its first one; nothing if it has none.
std::pair<std::string, std::string> rest_of(std::string_view text)
{
    const auto last = text.find_last_of(ascii::digits);
    if (last == std::string_view::npos) {
        return {};
    }
    const auto before = text.find_last_not_of(ascii::digits, last);
    const auto first = text.find_first_of(ascii::digits);
    const auto behind = text.find_first_not_of(ascii::digits, first);
    return {without_number_at(text, before == std::string_view::npos ? 0 : before + 1, last + 1),
        without_number_at(text, first, std::min(behind, text.size()))};
}

std::size_t common_head(std::string_view a, std::string_view b)
{
    std::size_t same = 0;
    while (same < std::min(a.size(), b.size()) && a[same] == b[same]) {
        ++same;
    }
    return same;
}

std::optional<std::int64_t> number_at(std::string_view text)
{
    std::int64_t number = 0;
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc {} ? std::optional(number)
                                                                                              : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> last_number(std::string_view text)
{
    const auto last = text.find_last_of(ascii::digits);
    if (last == std::string_view::npos) {
        return {};
    }
    const auto before = text.find_last_not_of(ascii::digits, last);
    const auto begin = before == std::string_view::npos ? 0 : before + 1;
    const bool is_part
        = begin > 1 && (text[begin - 1] == '.' || text[begin - 1] == ':') && ascii::is_letter_or_digit(text[begin - 2]);
    return is_part ? std::nullopt : number_at(text.substr(begin, last + 1 - begin));
}

std::optional<std::int64_t> rank_in(std::string_view text)
{
    constexpr std::string_view word = "ank";
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if (at == 0 || (text[at - 1] != 'r' && text[at - 1] != 'R')
            || (at > 1 && ascii::is_letter_or_digit(text[at - 2]))) {
            continue;
        }
        const auto number = text.find_first_not_of(" _-:#=", at + word.size());
        if (const auto found = number_at(text.substr(std::min(number, text.size()))); found && *found >= 0) {
            return found;
        }
    }
    return {};
}

std::uint32_t ChromeOwners::group_of(const ChromeId& pid, std::uint32_t device)
{
    const auto next = static_cast<std::uint32_t>(m_groups.size());
    const auto known = pid.number ? m_by_number.try_emplace(*pid.number, next).first->second
                                  : m_by_text.try_emplace(std::string(pid.text), next).first->second;
    if (known == next) {
        m_groups.push_back({.number = pid.number, .text = std::string(pid.text)});
    }
    auto& group = m_groups[known];
    group.device = group.device == no_id ? device : group.device;
    ++group.rows;
    ++group.beside[m_passed];
    return known;
}

void ChromeOwners::know(const std::vector<ApiCallRecord>& calls, std::uint32_t idle)
{
    std::map<std::uint32_t, std::size_t> counts;
    for (std::size_t i = 0; i < calls.size();) {  // usually many of one process follow one another
        const auto process = calls[i].process;
        auto& count = counts[process];
        if (count == 0) {
            m_processes.push_back(process);
        }
        for (; i < calls.size() && calls[i].process == process; ++i) {
            ++count;
        }
    }
    m_main = idle;
    std::size_t most = 0;
    for (const auto& [process, count] : counts) {
        if (count > most) {
            m_main = process;
            most = count;
        }
    }
    for (auto& group : m_groups) {
        group.owner = m_main;
    }
    if (m_processes.size() > 1) {
        for (const auto& call : calls) {
            const auto [at, is_new] = m_calls.try_emplace(key(call.process, call.correlation), call.start);
            at->second = std::min(at->second, call.start);
        }
    }
}

/// Finds processes by what the pids of a rank's rows share.
void ChromeOwners::find_by_pids(const std::map<std::uint32_t, std::string>& texts)
{
    std::map<std::int64_t, std::vector<std::uint32_t>> bases;  // by what a tool added to each rank's numbers
    for (const auto& group : m_groups) {
        if (group.number && group.device != no_id && *group.number >= group.device) {
            bases[*group.number - group.device];
        }
    }
    for (const auto process : m_processes) {
        if (const auto base = bases.upper_bound(process); !texts.contains(process) && base != bases.begin()) {
            std::prev(base)->second.push_back(process);
        }
    }
    for (auto& group : m_groups) {
        if (group.number) {
            const auto base = group.device == no_id ? bases.end() : bases.find(*group.number - group.device);
            if (bases.size() > 1 && base != bases.end()) {
                group.candidates = base->second;
            }
            continue;
        }
        const auto own = rest_of(group.text);
        const auto take = [&](auto part) {
            for (const auto process : m_processes) {
                if (const auto text = texts.find(process);
                    text != texts.end() && part(rest_of(text->second)) == part(own) && !part(own).empty()) {
                    group.candidates.push_back(process);
                }
            }
        };
        take([](const auto& rest) -> const std::string& { return rest.first; });
        if (group.candidates.empty()) {
            take([](const auto& rest) -> const std::string& { return rest.second; });
        }
        if (group.candidates.empty()) {  // "rank1 GPU 0" and "rank1 CPU 4711"
            std::size_t longest = 1;
            for (const auto process : m_processes) {
                const auto text = texts.find(process);
                const auto same = text == texts.end() ? 0 : common_head(text->second, group.text);
                if (same > longest) {
                    group.candidates.clear();
                    longest = same;
                }
                if (same == longest) {
                    group.candidates.push_back(process);
                }
            }
        }
    }
}

void ChromeOwners::weigh(std::uint32_t group, std::uint32_t correlation, Ns start)
{
    auto& of = m_groups[group];
    if (of.candidates.size() == 1 || correlation == 0 || ++of.weighed > most_weighed) {
        return;
    }
    for (const auto process : of.candidates.empty() ? m_processes : of.candidates) {
        if (const auto call = m_calls.find(key(process, correlation)); call != m_calls.end()) {
            auto& weight = of.weights[process];
            ++weight.calls;
            weight.late += call->second > start ? 1 : 0;
            weight.apart += std::abs(static_cast<double>(start) - static_cast<double>(call->second));
        }
    }
}

void ChromeOwners::decide()
{
    const bool several = std::count_if(m_groups.begin(), m_groups.end(), [](const Group& group) {
        return !group.weights.empty() || group.candidates.size() == 1;
    }) > 1;
    const bool in_turn = m_turns <= 2 * m_processes.size();  // files one after the other, not sorted by time
    std::map<std::uint32_t, std::size_t> given;
    for (auto& group : m_groups) {
        if (group.candidates.size() == 1) {
            group.owner = group.candidates.front();
            group.is_sure = true;
            ++given[group.owner];
        }
    }
    for (auto& group : m_groups) {
        if (group.candidates.size() == 1) {
            continue;
        }
        const auto& processes = group.candidates.empty() ? m_processes : group.candidates;
        double nearest = std::numeric_limits<double>::max();
        for (const auto process : processes) {
            nearest = group.weights[process].calls > 0 ? std::min(nearest, group.weights[process].apart) : nearest;
        }
        // Of equals, the process whose calls are next to the operations in the file or much nearer in time; else the
        // first without a GPU: ranks come in the same order as their GPUs.
        const auto rank = [&](std::uint32_t process) {
            const auto& weight = group.weights[process];
            return std::tuple(weight.calls, -static_cast<double>(weight.late),
                in_turn && group.beside[process] * 10 > group.rows * 9, weight.apart <= 2 * nearest,
                -static_cast<double>(given[process]));
        };
        auto best = processes.front();
        for (const auto process : processes) {
            best = rank(process) > rank(best) ? process : best;
        }
        if (group.weights[best].calls > 0) {
            group.owner = best;
            group.is_sure = several;
            ++given[best];
        }
    }
}

std::uint32_t ChromeOwners::process_of(std::uint32_t group, std::uint32_t correlation, Ns start) const
{
    const auto& of = m_groups[group];
    if (m_processes.size() < 2 || of.candidates.size() == 1 || correlation == 0
        || (of.is_sure && m_calls.contains(key(of.owner, correlation)))) {
        return of.owner;
    }
    // The last call before the row began decides.
    std::uint32_t found = of.owner;
    std::pair<bool, Ns> best {false, std::numeric_limits<Ns>::max()};
    bool any = false;
    for (const auto process : m_processes) {
        if (const auto call = m_calls.find(key(process, correlation)); call != m_calls.end()) {
            const std::pair apart(
                call->second > start, call->second > start ? call->second - start : start - call->second);
            if (!any || apart < best) {
                best = apart;
                found = process;
                any = true;
            }
        }
    }
    return found;
}

}  // namespace lanes
