// SPDX-License-Identifier: MIT
#include "probes/inject/own_ranges.h"

#include <algorithm>
#include <bit>
#include <ctime>
#include <functional>
#include <map>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>
#include <unordered_set>

namespace lanes {

namespace {

constexpr std::size_t most_records = 512;
constexpr Ns oldest = 20'000'000;
constexpr std::uint64_t first_id = std::uint64_t {1} << 40U;  // CUPTI's are of 32 bits

constexpr std::size_t values_at_end = 1024;  // place of the first value that comes with a range's end
constexpr std::size_t most_names = 4096;
constexpr std::string_view backward_node = "autograd::engine::evaluate_function: ";

constexpr std::uint64_t several_threads = 255;
constexpr std::uint64_t largest_name = (1U << 24U) - 1;

std::atomic<std::uint64_t> numbers {0};

/// An operator's number (32 bits), the thread that called it forward (8), and the text of the range around its
/// backward (24). 0: none, since threads count from 1.
std::uint64_t outer_entry(std::int64_t sequence, std::uint64_t thread, StringId outer)
{
    return static_cast<std::uint64_t>(sequence) << 32U | thread << 24U | (outer <= largest_name ? outer : 0);
}

bool is_number(std::int64_t sequence)
{
    return sequence >= 0 && sequence < no_id;
}

/// CUPTI's axis.
Ns now()
{
    timespec time {};
    ::clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<Ns>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

struct OwnRanges::Name {
    StringId id = 0;
    StringId backward = 0;  ///< "backward of" it, 0: not asked for yet
    std::string_view text = {};
};

struct OwnRanges::OfThread {
    struct Open {
        std::uint64_t id;
        Name* name;  ///< of `names`; nullptr where those are full
        bool is_operator;
        bool is_outer;  ///< ends with the range that it was begun for
    };
    std::uint64_t number = 0;
    std::uint64_t index = 0;  ///< among the threads, from 1; several_threads: one of too many
    std::uint32_t thread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    StringId operators = 0;  ///< operator_domain, once it is there
    struct OpenInDomain {
        std::uint64_t id;
        StringId domain;
    };
    std::vector<OpenInDomain> open_in_domains;
    std::map<std::string, StringId, std::less<>> value_texts;  ///< the latest
    std::vector<Open> open;  ///< the thread's own, and
    std::map<std::string, Name, std::less<>> names;  ///< those that the sink knows
    std::mutex mutex;  ///< of what follows
    Ns flushed_at = now();
    std::vector<RangeRecord> records;
    std::vector<CounterRecord> values;
    std::vector<AutogradRecord> autograd;
    std::vector<RangeValueRecord> range_values;
};

OwnRanges::OwnRanges(RecordSink& sink, bool (*are_kept)(Ns))
    : m_sink(sink)
    , m_are_kept(are_kept)
    , m_facts(sink, true)
    , m_number(++numbers)
    , m_next_id(first_id + (m_number << 32U))
{
    m_facts.write_process();
    m_facts.write_clock();
}

OwnRanges::~OwnRanges()
{
    flush_all();
}

OwnRanges::OfThread& OwnRanges::of_thread()
{
    // A thread that ends leaves its records here until the next flush of all.
    static thread_local std::shared_ptr<OfThread> own;
    if (own == nullptr || own->number != m_number) {
        own = std::make_shared<OfThread>();
        own->number = m_number;
        own->records.reserve(most_records);
        own->values.reserve(most_records);
        own->autograd.reserve(most_records);
        const std::lock_guard lock(m_mutex);
        m_threads.push_back(own);
        own->index = std::min<std::uint64_t>(m_threads.size(), several_threads);
    }
    return *own;
}

OwnRanges::Name* OwnRanges::kept(OfThread& thread, std::string_view name, StringId& id)
{
    auto known = thread.names.find(name);
    if (known == thread.names.end()) {
        id = m_sink.intern(name);
        if (thread.names.size() >= most_names) {
            return nullptr;
        }
        known = thread.names.emplace(name, Name {.id = id}).first;
        known->second.text = known->first;
    }
    id = known->second.id;
    return &known->second;
}

void OwnRanges::add(OfThread& thread, StringId name, RangeRecord::Edge edge, std::uint64_t id, StringId domain,
    std::int64_t sequence, std::uint32_t forward_thread, std::uint32_t color)
{
    const Ns time = now();
    const std::lock_guard lock(thread.mutex);
    if (is_number(sequence)) {
        thread.autograd.push_back({id, 0, m_facts.process(), static_cast<std::uint32_t>(sequence), forward_thread, 1});
    }
    thread.records.push_back({.time = time,
        .id = id,
        .process = m_facts.process(),
        .thread = thread.thread,
        .name = name,
        .domain = domain,
        .color = color,
        .edge = edge});
    write_if_due(thread, time);
}

void OwnRanges::write_if_due(OfThread& thread, Ns time)
{
    if (thread.records.size() + thread.values.size() + thread.range_values.size() >= most_records
        || (thread.open.empty() && time - thread.flushed_at > oldest)) {
        write(thread);
    }
}

void OwnRanges::begin(OfThread& thread, std::string_view name, bool is_operator, bool is_outer, std::int64_t sequence,
    std::uint32_t forward_thread)
{
    StringId text = 0;
    auto* const stays = kept(thread, name, text);
    const auto id = m_next_id++;
    thread.open.push_back({id, stays, is_operator, is_outer});
    if (is_operator && thread.operators == 0) {
        thread.operators = m_sink.intern(operator_domain);
    }
    add(thread, text, RangeRecord::begin, id, is_operator ? thread.operators : 0, sequence, forward_thread);
}

void OwnRanges::push(const char* name)
{
    begin(of_thread(), name == nullptr ? "" : name, false, false);
}

void OwnRanges::push_operator(const char* name, std::int64_t sequence, const char* shapes)
{
    auto& thread = of_thread();
    const std::string_view words = name;
    // The range around a node's backward has no number; the node's range in it, of the same name, has the forward's.
    const std::string_view around = thread.open.empty() || thread.open.back().name == nullptr
        ? std::string_view()
        : thread.open.back().name->text;
    const bool is_backward
        = around.substr(0, backward_node.size()) == backward_node && around.substr(backward_node.size()) == words;
    if (!is_backward) {
        note_forward(thread, sequence);
    } else if (const auto outer = outer_of(sequence); outer != 0) {
        const auto id = m_next_id++;
        thread.open.push_back({id, nullptr, true, true});
        add(thread, outer, RangeRecord::begin, id);
    }
    begin(thread, words, true, false, sequence, is_backward ? forward_thread_of(sequence) : 0);
    if (shapes != nullptr && *shapes != '\0') {
        const GivenValue value {operator_value::inputs, shapes, 0, RangeValueRecord::text};
        add_values(thread, thread.open.back().id, {nullptr, nullptr, 0, &value, 1}, 0);
    }
}

void OwnRanges::note_forward(OfThread& thread, std::int64_t sequence)
{
    if (!is_number(sequence)) {
        return;
    }
    const auto module
        = std::find_if(thread.open.rbegin(), thread.open.rend(), [](const auto& open) { return !open.is_operator; });
    // A node belongs to the last operator before the node was made: earlier ones only saw the number that was next.
    StringId outer = 0;
    if (module != thread.open.rend() && module->name != nullptr && thread.index != several_threads) {
        auto& backward = module->name->backward;
        if (backward == 0) {
            backward = m_sink.intern("backward of " + std::string(module->name->text));
        }
        outer = backward;
    }
    auto& entry = m_outer[static_cast<std::size_t>(sequence) % m_outer.size()];
    const auto mine = outer_entry(sequence, thread.index, outer);
    auto there = entry.load();
    while (!entry.compare_exchange_weak(there,
        there != 0 && there >> 32U == mine >> 32U && there >> 24U != mine >> 24U
            ? outer_entry(sequence, several_threads, 0)
            : mine)) { }
}

StringId OwnRanges::outer_of(std::int64_t sequence) const
{
    if (!is_number(sequence)) {
        return 0;
    }
    const auto noted = m_outer[static_cast<std::size_t>(sequence) % m_outer.size()].load();
    return noted >> 32U == static_cast<std::uint64_t>(sequence) ? static_cast<StringId>(noted & largest_name) : 0;
}

std::uint32_t OwnRanges::forward_thread_of(std::int64_t sequence) const
{
    const auto noted = is_number(sequence) ? m_outer[static_cast<std::size_t>(sequence) % m_outer.size()].load() : 0;
    return noted != 0 && noted >> 32U == static_cast<std::uint64_t>(sequence)
        ? static_cast<std::uint32_t>(noted >> 24U & several_threads)
        : several_threads;
}

void OwnRanges::pop()
{
    auto& thread = of_thread();
    for (bool again = !thread.open.empty(); again; again = !thread.open.empty() && thread.open.back().is_outer) {
        const auto id = thread.open.back().id;
        thread.open.pop_back();
        add(thread, 0, RangeRecord::finish, id);
    }
}

void OwnRanges::push_in_domain(const GivenRange& range)
{
    auto& thread = of_thread();
    StringId domain = 0;
    StringId name = 0;
    kept(thread, range.domain, domain);
    kept(thread, range.name, name);
    const auto id = m_next_id++;
    thread.open_in_domains.push_back({id, domain});
    add_values(thread, id, range, 0);
    add(thread, name, RangeRecord::begin, id, domain, -1, 0, range.color);
}

bool OwnRanges::pop_in_domain(const GivenRange& range)
{
    auto& thread = of_thread();
    StringId domain = 0;
    kept(thread, range.domain, domain);
    auto& open = thread.open_in_domains;
    const auto last = std::find_if(open.rbegin(), open.rend(), [&](const auto& of) { return of.domain == domain; });
    if (last == open.rend()) {
        return false;
    }
    const auto id = last->id;
    open.erase(last.base() - 1);
    add_values(thread, id, range, values_at_end);
    note_communicator(range);
    add(thread, 0, RangeRecord::finish, id);
    return true;
}

void OwnRanges::add_values(OfThread& thread, std::uint64_t id, const GivenRange& range, std::size_t first_place)
{
    for (std::size_t i = 0; i < range.value_count; ++i) {
        const auto& given = range.values[i];
        StringId name = 0;
        kept(thread, given.name, name);
        const auto words = value_text(thread, given.words);
        const std::lock_guard lock(thread.mutex);
        thread.range_values.push_back({id, given.value, m_facts.process(), name, words,
            static_cast<RangeValueRecord::Type>(given.type), static_cast<std::uint16_t>(first_place + i)});
    }
}

StringId OwnRanges::value_text(OfThread& thread, std::string_view text)
{
    if (text.empty()) {
        return 0;
    }
    auto& texts = thread.value_texts;
    auto known = texts.find(text);
    if (known == texts.end()) {
        if (texts.size() >= most_names) {
            texts.clear();
        }
        known = texts.emplace(text, m_sink.intern(text)).first;
    }
    return known->second;
}

/// What made a communicator of NCCL's says its size and this process's rank at its end. A part of the program that is
/// recorded later has no such range: so these are kept in any case.
void OwnRanges::note_communicator(const GivenRange& range)
{
    const auto value_of = [&range](std::string_view name) {
        const auto* const end = range.values + range.value_count;
        const auto* const found
            = std::find_if(range.values, end, [name](const GivenValue& value) { return value.name == name; });
        return found == end ? nullptr : found;
    };
    const auto* const id = value_of(collective_value::communicator);
    const auto* const ranks = value_of(collective_value::ranks);
    const auto* const rank = value_of(collective_value::rank);
    const auto* const device = value_of(collective_value::device);
    if (id != nullptr && ranks != nullptr && rank != nullptr && device != nullptr) {
        m_sink.write_meta(communicator_key + std::to_string(m_facts.process()) + "." + std::to_string(id->value),
            std::to_string(ranks->value) + " " + std::to_string(rank->value) + " " + std::to_string(device->value));
    }
}

void OwnRanges::mark(const char* name)
{
    auto& thread = of_thread();
    StringId text = 0;
    kept(thread, name == nullptr ? "" : name, text);
    add(thread, text, RangeRecord::mark, m_next_id++);
}

void OwnRanges::count(const char* name, double value, CounterRecord::Unit unit, std::uint32_t device)
{
    auto& thread = of_thread();
    StringId text = 0;
    kept(thread, name == nullptr ? "" : name, text);
    const Ns time = now();
    const std::lock_guard lock(thread.mutex);
    thread.values.push_back({time, std::bit_cast<std::uint64_t>(value), m_facts.process(), device, text, unit});
    write_if_due(thread, time);
}

void OwnRanges::name_thread(const char* name)
{
    m_facts.name_thread(of_thread().thread, name == nullptr ? "" : name);
}

void OwnRanges::sampled(std::uint32_t of, std::string_view name, Ns start, Ns end)
{
    auto& thread = of_thread();
    StringId text = 0;
    kept(thread, name, text);
    const auto id = m_next_id++;
    m_facts.see_thread(of);
    const auto domain = m_sink.intern(sampled_domain);
    const std::lock_guard lock(thread.mutex);
    for (const auto edge : {RangeRecord::begin, RangeRecord::finish}) {
        const bool begins = edge == RangeRecord::begin;
        thread.records.push_back({.time = begins ? start : end,
            .id = id,
            .process = m_facts.process(),
            .thread = of,
            .name = begins ? text : 0,
            .domain = begins ? domain : 0,
            .color = 0,
            .edge = edge});
    }
    write_if_due(thread, end);
}

void OwnRanges::note_sampling(Ns interval)
{
    m_sink.write_meta(stacks_key, std::to_string(interval));
}

/// Keeps beginnings of ranges that are still open, and ends of ranges whose beginning has been written.
void OwnRanges::drop_ended(OfThread& thread)
{
    std::unordered_set<std::uint64_t> begun, ended;
    for (const auto& record : thread.records) {
        if (record.edge == RangeRecord::begin) {
            begun.insert(record.id);
        } else if (record.edge == RangeRecord::mark || begun.contains(record.id)) {
            ended.insert(record.id);
        }
    }
    std::erase_if(thread.records, [&](const RangeRecord& record) { return ended.contains(record.id); });
    std::erase_if(thread.autograd, [&](const AutogradRecord& record) { return ended.contains(record.range); });
    std::erase_if(thread.range_values, [&](const RangeValueRecord& record) { return ended.contains(record.range); });
    thread.values.clear();
}

void OwnRanges::write(OfThread& thread)
{
    if (m_are_kept != nullptr && !m_are_kept(thread.flushed_at)) {
        drop_ended(thread);
        thread.flushed_at = now();
        if (thread.records.size() < most_records / 2) {
            return;
        }
    }
    if (!thread.records.empty()) {
        if (std::any_of(thread.records.begin(), thread.records.end(),
                [&thread](const RangeRecord& record) { return record.thread == thread.thread; })) {
            m_facts.see_thread(thread.thread);
        }
        m_sink.write(std::span<const RangeRecord>(thread.records));
        thread.records.clear();
    }
    if (!thread.autograd.empty()) {
        m_sink.write(std::span<const AutogradRecord>(thread.autograd));
        thread.autograd.clear();
    }
    if (!thread.range_values.empty()) {
        m_sink.write(std::span<const RangeValueRecord>(thread.range_values));
        thread.range_values.clear();
    }
    if (!thread.values.empty()) {
        m_sink.write(std::span<const CounterRecord>(thread.values));
        thread.values.clear();
    }
    thread.flushed_at = now();
}

void OwnRanges::flush()
{
    auto& thread = of_thread();
    const std::lock_guard lock(thread.mutex);
    write(thread);
}

void OwnRanges::flush_all()
{
    const std::lock_guard lock(m_mutex);
    for (const auto& thread : m_threads) {
        const std::lock_guard thread_lock(thread->mutex);
        write(*thread);
    }
}

}  // namespace lanes
