// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/compare.h"

#include "engine/analysis/caveats.h"
#include "engine/analysis/usual.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/names.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/ascii.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <span>
#include <string_view>

namespace lanes {

namespace {

std::int64_t difference(std::uint64_t a, std::uint64_t b)
{
    return static_cast<std::int64_t>(b - a);
}

struct NamedFigure {
    const char* name;
    Ns GpuFigures::*figure;
};
constexpr std::array<NamedFigure, 16> gpu_figures {{
    {"busy_ns", &GpuFigures::busy},
    {"idle_ns", &GpuFigures::idle},
    {"kernel_ns", &GpuFigures::kernel},
    {"copy_ns", &GpuFigures::copy},
    {"memset_ns", &GpuFigures::memset},
    {"h2d_ns", &GpuFigures::h2d},
    {"d2h_ns", &GpuFigures::d2h},
    {"d2d_ns", &GpuFigures::d2d},
    {"p2p_ns", &GpuFigures::p2p},
    {"copy_hidden_ns", &GpuFigures::copy_hidden},
    {"copy_exposed_ns", &GpuFigures::copy_exposed},
    {"h2d_d2h_overlap_ns", &GpuFigures::h2d_d2h_overlap},
    {"kernel_concurrency_ns", &GpuFigures::kernel_concurrency},
    {"overlap_ns", &GpuFigures::overlap},
    {"communication_ns", &GpuFigures::communication},
    {"communication_exposed_ns", &GpuFigures::communication_exposed},
}};

struct NamedCount {
    const char* name;
    std::uint64_t Counts::*count;
};
constexpr std::array<NamedCount, 8> count_names {{
    {"api_calls", &Counts::api_calls},
    {"kernels", &Counts::kernels},
    {"copies", &Counts::copies},
    {"memsets", &Counts::memsets},
    {"syncs", &Counts::syncs},
    {"waits", &Counts::waits},
    {"ranges", &Counts::ranges},
    {"dropped", &Counts::dropped},
}};

const GpuFigures* gpu_of(const Report& report, std::uint32_t device)
{
    const auto found = std::find_if(
        report.gpus.begin(), report.gpus.end(), [device](const GpuFigures& gpu) { return gpu.device == device; });
    return found == report.gpus.end() ? nullptr : &*found;
}

Ns sum_of(const Report& report, Ns GpuFigures::*figure)
{
    Ns sum = 0;
    for (const auto& gpu : report.gpus) {
        sum += gpu.*figure;
    }
    return sum;
}

MaybeNs of_first_thread(const Report& report, MaybeNs ThreadFigures::*figure)
{
    const auto* first = report.first_thread();
    return first == nullptr ? std::nullopt : first->*figure;
}

std::string_view name_of_thread(const ReportedRecording& recording, std::size_t place)
{
    const auto& threads = recording.trace.threads;
    const Row row = recording.report.threads[place].thread;
    return row < threads.size() ? recording.trace.text(threads[row].name) : std::string_view();
}

/// "thread # (python)" of "thread 4711 (python)": the numbers of a process are others in each run.
std::string without_numbers(std::string_view name)
{
    std::string text;
    for (const char each : name) {
        const bool is_digit = ascii::is_digit(each);
        if (!is_digit || text.empty() || text.back() != '#') {
            text += is_digit ? '#' : each;
        }
    }
    return text;
}

/// Of the threads that both have.
void write_threads(JsonWriter& json, const ReportedRecording& a, const ReportedRecording& b)
{
    json.key("cpu").begin_array();
    for (const auto& pair : thread_pairs(a, b)) {
        if (!pair.a || !pair.b) {
            continue;
        }
        const auto& of_a = a.report.threads[*pair.a];
        const auto& of_b = b.report.threads[*pair.b];
        json.begin_object().field("name", name_of_thread(a, *pair.a));
        json.field("api_ns", Difference {of_a.api, of_b.api}.delta());
        json.field("host_wait_ns", Difference {of_a.host_wait, of_b.host_wait}.delta());
        json.field("blocked_ns", Difference {of_a.blocked, of_b.blocked}.delta());
        json.field("held_ns", Difference {of_a.held, of_b.held}.delta());
        json.field("held_cost_ns", Difference {of_a.held_cost, of_b.held_cost}.delta());
        json.key("blocked_by").begin_object();
        for (std::size_t cause = 0; cause < block_cause_count; ++cause) {
            json.field(name_of(static_cast<BlockCause>(cause)),
                Difference {of_a.blocked_by[cause], of_b.blocked_by[cause]}.delta());
        }
        json.end_object().end_object();
    }
    json.end_array();
}

void write_delta(JsonWriter& json, const ReportedRecording& of_a, const ReportedRecording& of_b)
{
    const Report &a = of_a.report, &b = of_b.report;
    const auto delta = [&](Ns from, Ns to) { return Difference {a.of_gpus(from), b.of_gpus(to)}.delta(); };
    json.begin_object().field("wall_ns", b.wall - a.wall).field("gpu_busy_ns", delta(a.gpu_busy, b.gpu_busy));
    json.field("overlap_ns", delta(a.overlap, b.overlap)).key("concurrency_ns").begin_array();
    for (std::size_t i = 0; i < a.concurrency.size(); ++i) {
        json.value(delta(a.concurrency[i], b.concurrency[i]));
    }
    json.end_array().field("cpu_free_ns", Difference {a.cpu_free, b.cpu_free}.delta());
    for (const auto& [name, figure] : {std::pair("copy_hidden_ns", &GpuFigures::copy_hidden),
             std::pair("copy_exposed_ns", &GpuFigures::copy_exposed)}) {
        json.field(name, delta(sum_of(a, figure), sum_of(b, figure)));
    }
    json.key("gpu").begin_array();
    for (const auto& gpu : a.gpus) {
        if (const auto* other = gpu_of(b, gpu.device)) {
            json.begin_object().field("device", gpu.device);
            for (const auto& [name, figure] : gpu_figures) {
                json.field(name, delta(gpu.*figure, other->*figure));
            }
            json.end_object();
        }
    }
    json.end_array();
    write_threads(json, of_a, of_b);
    json.key("counts").begin_object();
    for (const auto& [name, count] : count_names) {
        json.field(name, difference(a.counts.*count, b.counts.*count));
    }
    json.end_object().end_object();
}

/// What kernels of one name are given to do in one run and in the other.
void add_kernel_sizes(std::vector<Message>& all, const std::vector<KernelSize>& from, const std::vector<KernelSize>& to)
{
    const auto of_name = [](const std::vector<KernelSize>& sizes, const std::string& name) {
        const auto first = std::partition_point(
            sizes.begin(), sizes.end(), [&](const KernelSize& size) { return size.name < name; });
        return std::span(
            first, std::partition_point(first, sizes.end(), [&](const KernelSize& size) { return size.name == name; }));
    };
    const auto shown = [](std::span<const KernelSize> sizes) {
        return shown_size(sizes.front()) + (sizes.size() > 1 ? " … " + shown_size(sizes.back()) : "");
    };
    for (auto first = from.begin(); first != from.end();) {
        const auto before = of_name(from, first->name);
        const auto after = of_name(to, first->name);
        if (!after.empty() && !std::equal(before.begin(), before.end(), after.begin(), after.end())) {
            all.push_back(
                {"compare.kernel_size", {{"name", first->name}, {"from", shown(before)}, {"to", shown(after)}}});
        }
        first += static_cast<std::ptrdiff_t>(before.size());
    }
}

bool is_slight(std::uint64_t from, std::uint64_t to)
{
    const auto [least, most] = std::minmax(from, to);
    return static_cast<double>(most - least) <= same_work_share * static_cast<double>(most);
}

/// "76.3 MiB → 38.1 MiB", and more than that where rounding would hide the difference.
Message bytes_message(const char* id, std::uint64_t from, std::uint64_t to)
{
    const auto before = shown_bytes(from);
    auto after = shown_bytes(to);
    if (before == after) {
        const auto [least, most] = std::minmax(from, to);
        after = before + (to > from ? " + " : " \u2212 ") + shown_bytes(most - least);
    }
    return {id, {{"from", before}, {"to", after}}};
}

Message kernels_message(const char* id, std::uint64_t from, std::uint64_t to)
{
    return {id, {{"from", std::to_string(from)}, {"to", std::to_string(to)}}};
}

bool is_of_iterations(const Report& a, const Report& b, const ComparedParts& parts)
{
    return parts.iterations && a.workload.empty() && b.workload.empty();
}

/// Of the numbers of kernels and bytes, those that differ slightly or the others.
std::vector<Message> differing_counts(const Report& from, const Report& to, bool slightly, const ComparedParts& parts)
{
    std::vector<Message> all;
    if (!from.gpu_recorded || !to.gpu_recorded) {
        return all;
    }
    const auto is_asked = [&](std::uint64_t before, std::uint64_t after) {
        return before != after && is_slight(before, after) == slightly;
    };
    if (is_of_iterations(from, to, parts)) {
        const auto is_asked_of_each
            = [&](std::uint64_t before, std::uint64_t after, std::uint64_t all_before, std::uint64_t all_after) {
                  return is_asked(before, after) && !is_slight(all_before * parts.count_b, all_after * parts.count_a);
              };
        if (is_asked_of_each(parts.kernels_a, parts.kernels_b, from.counts.kernels, to.counts.kernels)) {
            all.push_back(kernels_message("compare.kernels_of_iteration", parts.kernels_a, parts.kernels_b));
        }
        if (parts.bytes_a && parts.bytes_b
            && is_asked_of_each(*parts.bytes_a, *parts.bytes_b, from.copied_bytes, to.copied_bytes)) {
            all.push_back(bytes_message("compare.copied_bytes_of_iteration", *parts.bytes_a, *parts.bytes_b));
        }
        return all;
    }
    if (is_asked(from.counts.kernels, to.counts.kernels)) {
        all.push_back(kernels_message("compare.kernels", from.counts.kernels, to.counts.kernels));
    }
    if (is_asked(from.copied_bytes, to.copied_bytes)) {
        all.push_back(bytes_message("compare.copied_bytes", from.copied_bytes, to.copied_bytes));
    }
    return all;
}

/// By the names of kernels.
std::map<std::string_view, Ns> kernel_times(const Trace& trace)
{
    std::map<std::string_view, Ns> times;
    const auto& ops = trace.operations;
    for (Row row = 0; row < ops.size(); ++row) {
        if (ops.kind[row] == OperationKind::kernel) {
            times[trace.text(ops.name[row])] += ops.end[row] - ops.start[row];
        }
    }
    return times;
}

/// "B is 2 times as fast as A.", "An iteration of B is 2 times as fast as one of A: 4.04 ms → 2.02 ms."
Message speed_message(const ComparedSpeed& of)
{
    const double factor = static_cast<double>(std::max(of.a, of.b)) / static_cast<double>(std::min(of.a, of.b));
    const bool is_even = are_the_same_time(of.a, of.b);
    constexpr std::array<std::string_view, 3> scopes {"", "iteration_", "average_"};
    Message message {"compare." + std::string(scopes[of.of]), {}};
    message.id += is_even ? "even" : of.b < of.a ? "b_faster" : "a_faster";
    if (!is_even) {
        message.arguments.emplace_back("factor", shown_ratio(factor));
    }
    if (of.of != ComparedSpeed::all) {
        message.arguments.emplace_back("from", shown_time(of.a));
        message.arguments.emplace_back("to", shown_time(of.b));
    }
    return message;
}

std::string listed(const std::vector<Message>& messages_of, const Messages& messages)
{
    std::string text;
    for (const auto& each : messages_of) {
        text += (text.empty() ? "" : ", ") + messages.format(each);
    }
    return text;
}

}  // namespace

bool is_whole(const ReportedRecording& side)
{
    return side.report.range == Interval {0, side.trace.duration};
}

Differences differences_of(const Report& a, const Report& b)
{
    const auto known
        = [](const Report& report, Ns figure) { return report.gpus.empty() ? std::nullopt : report.of_gpus(figure); };
    const auto of_nodes = [&](Ns GpuFigures::*figure) {
        const auto known_sum = [&](const Report& report) {
            return report.gpus.empty() ? std::nullopt : report.of_nodes(sum_of(report, figure));
        };
        return Difference {known_sum(a), known_sum(b)};
    };
    const auto of_threads = [&](MaybeNs ThreadFigures::*figure) {
        return Difference {of_first_thread(a, figure), of_first_thread(b, figure)};
    };
    return {{a.wall, b.wall}, {known(a, a.gpu_busy), known(b, b.gpu_busy)}, {known(a, a.overlap), known(b, b.overlap)},
        of_nodes(&GpuFigures::copy_hidden), of_nodes(&GpuFigures::copy_exposed), of_threads(&ThreadFigures::blocked),
        of_threads(&ThreadFigures::held), of_threads(&ThreadFigures::held_cost), {a.cpu_free, b.cpu_free}};
}

std::vector<Message> work_differences(const Report& from, const Report& to, const ComparedParts& parts)
{
    if (from.workload != to.workload) {
        const auto name
            = [](const Report& report) { return report.workload.empty() ? "–" : printable(report.workload); };
        return {{"compare.workloads", {{"from", name(from)}, {"to", name(to)}}}};
    }
    auto all = differing_counts(from, to, false, parts);
    if (from.gpu_recorded && to.gpu_recorded) {
        add_kernel_sizes(all, from.kernel_sizes, to.kernel_sizes);
    }
    return all;
}

std::vector<Message> slight_work_differences(const Report& from, const Report& to, const ComparedParts& parts)
{
    return differing_counts(from, to, true, parts);
}

double kernel_time_in_common(const Trace& a, const Trace& b)
{
    const auto of_a = kernel_times(a), of_b = kernel_times(b);
    const auto share = [](const auto& times, const auto& other) {
        double all = 0, common = 0;
        for (const auto& [name, time] : times) {
            all += static_cast<double>(time);
            common += other.contains(name) ? static_cast<double>(time) : 0;
        }
        return all == 0 ? 1 : common / all;
    };
    return of_a.empty() || of_b.empty() ? 1 : std::min(share(of_a, of_b), share(of_b, of_a));
}

bool is_one_program(const ReportedRecording& a, const ReportedRecording& b)
{
    if (!a.report.workload.empty() || !b.report.workload.empty()) {
        return a.report.workload == b.report.workload;
    }
    const auto bytes = a.report.copied_bytes;
    return (bytes > 0 && is_slight(bytes, b.report.copied_bytes))
        || kernel_time_in_common(a.trace, b.trace) >= least_in_common;
}

std::optional<Message> other_iteration_counts(const Report& a, const Report& b, const ComparedParts& parts)
{
    return is_of_iterations(a, b, parts) && parts.count_a != parts.count_b
        ? std::optional(Message {
            "compare.iteration_counts", {{"a", std::to_string(parts.count_a)}, {"b", std::to_string(parts.count_b)}}})
        : std::nullopt;
}

bool have_other_lengths(const ReportedRecording& a, const ReportedRecording& b)
{
    const bool are_of_programs = a.report.workload.empty() && b.report.workload.empty();
    return are_of_programs && a.iteration_count > 0 && b.iteration_count > 0
        && !is_slight(a.iteration_count, b.iteration_count) && !work_differences(a.report, b.report).empty();
}

bool may_be_ranked(const Report& a, const Report& b)
{
    // Where there is no GPU work, nothing says what was done.
    const auto did_its_work = [](const Report& report) {
        return !report.gpus.empty() && report.gpu_recorded && report.wrong_bytes == 0 && report.complete;
    };
    return did_its_work(a) && did_its_work(b) && work_differences(a, b).empty();
}

ComparedSpeed compared_speed(const Report& a, const Report& b, const ComparedParts& parts)
{
    if (!is_of_iterations(a, b, parts)) {
        return {ComparedSpeed::all, a.wall, b.wall, work_differences(a, b).empty(), may_be_ranked(a, b)};
    }
    const auto is_sound = [](const Report& of) { return of.wrong_bytes == 0 && of.complete; };
    const bool is_same = work_differences(a, b, parts).empty();
    const bool is_ranked = (is_same || parts.is_one_program) && std::min(parts.kernels_a, parts.kernels_b) > 0
        && is_sound(a) && is_sound(b);
    if (parts.hides_the_average()) {
        return {ComparedSpeed::average, parts.average_a, parts.average_b, is_same, is_ranked};
    }
    return {ComparedSpeed::iteration, parts.a.end - parts.a.start, parts.b.end - parts.b.start, is_same, is_ranked};
}

std::vector<ThreadPair> thread_pairs(const ReportedRecording& a, const ReportedRecording& b)
{
    std::vector<std::optional<std::size_t>> b_of(a.report.threads.size());
    std::vector<bool> is_paired(b.report.threads.size());
    const auto pair_by = [&](const auto& key_of) {
        std::map<std::string, std::deque<std::size_t>> free;  // of B
        for (std::size_t place = 0; place < is_paired.size(); ++place) {
            if (!is_paired[place]) {
                free[key_of(name_of_thread(b, place))].push_back(place);
            }
        }
        for (std::size_t place = 0; place < b_of.size(); ++place) {
            if (auto& of_key = free[key_of(name_of_thread(a, place))]; !b_of[place] && !of_key.empty()) {
                b_of[place] = of_key.front();
                is_paired[of_key.front()] = true;
                of_key.pop_front();
            }
        }
    };
    pair_by([](std::string_view name) { return std::string(name); });
    pair_by(without_numbers);  // "thread 4711 (python)"
    std::vector<ThreadPair> pairs;
    for (std::size_t place = 0; place < b_of.size(); ++place) {
        pairs.push_back({place, b_of[place]});
    }
    for (std::size_t place = 0; place < is_paired.size(); ++place) {
        if (!is_paired[place]) {
            pairs.push_back({{}, place});
        }
    }
    return pairs;
}

std::string comparison_to_json(const ReportedRecording& a, const ReportedRecording& b, const Messages& messages,
    const ComparedParts& parts, const std::function<void(JsonWriter&)>& more)
{
    JsonWriter json;
    json.begin_object().field("schema", json_schema);
    json.key("a").raw(to_json(a.trace, a.report, messages));
    json.key("b").raw(to_json(b.trace, b.report, messages));
    json.field("same_work", work_differences(a.report, b.report, parts).empty()).key("unusual").begin_array();
    for (const auto& message : unusual(a.trace, a.report, b.trace, b.report, messages.language())) {
        json.value(messages.format(message));
    }
    json.end_array().key("delta");
    write_delta(json, a, b);
    if (more) {
        more(json);
    }
    return json.end_object().take();
}

std::string comparison_to_text(
    const ReportedRecording& a, const ReportedRecording& b, const Messages& messages, const ComparedParts& parts)
{
    std::string text;
    for (const auto* side : {&a, &b}) {
        std::string devices;
        for (const auto& gpu : side->report.gpus) {
            devices += (devices.empty() ? "" : ", ") + printable(device_name(side->trace, gpu.device));
        }
        text += (side == &a ? "A  " : "B  ") + printable(side->name) + "  ("
            + messages.format(source_message(side->trace, devices)) + ")\n   "
            + messages.format(side->report.verdict.message) + '\n';
        if (!is_whole(*side)) {
            text += "   "
                + messages.format({"report.range",
                    {{"start", shown_time(side->report.range.start)}, {"end", shown_time(side->report.range.end)}}})
                + '\n';
        }
        for (const auto& caveat : caveats_of(side->trace)) {
            text += "   " + messages.format(caveat) + '\n';
        }
    }
    const auto differing = work_differences(a.report, b.report, parts);
    const auto slight = slight_work_differences(a.report, b.report, parts);
    if (!differing.empty()) {
        text += '\n' + messages.format({"compare.different_work", {{"what", listed(differing, messages)}}}) + '\n';
    } else if (!slight.empty()) {
        text
            += '\n' + messages.format({"compare.slightly_different_work", {{"what", listed(slight, messages)}}}) + '\n';
    }
    if (const auto counts = other_iteration_counts(a.report, b.report, parts)) {
        text += '\n' + messages.format(*counts) + '\n';
    }
    TextTable table;
    table.add({"", "A", "B", "B - A"});
    const auto add = [&](std::string_view id, const Difference& of) {
        const auto change = of.delta();
        table.add({messages.text(id), of.a ? shown_time(*of.a) : "–", of.b ? shown_time(*of.b) : "–",
            change ? (*change > 0 ? "+" : "") + shown_time(*change) : "–"});
    };
    const auto differences = differences_of(a.report, b.report);
    add("report.wall", differences.total);
    const auto speed = compared_speed(a.report, b.report, parts);
    if (speed.of != ComparedSpeed::all) {
        add("compare.iteration", {parts.average_a, parts.average_b});
    }
    if (differences.busy.a || differences.busy.b) {  // else there is no GPU work, as the verdicts say
        const auto gpus = std::max(a.report.gpus.size(), b.report.gpus.size());
        add(busy_label(gpus), differences.busy);
        add(overlap_label(gpus), differences.overlap);
        add("report.copy_hidden", differences.copy_hidden);
        add("report.copy_exposed", differences.copy_exposed);
        add("compare.cpu_blocked", differences.blocked);
        add("compare.cpu_held", differences.held);
        add("compare.cpu_held_cost", differences.held_cost);
        add("report.cpu_free", differences.cpu_free);
    }
    text += '\n' + table.text("") + '\n';
    for (const auto& message : unusual(a.trace, a.report, b.trace, b.report, messages.language())) {
        text += messages.format(message) + '\n';
    }
    const auto headline = [&](const ComparedSpeed& of) {
        return of.is_ranked && std::min(of.a, of.b) > 0 ? messages.format(speed_message(of)) : std::string();
    };
    auto line = headline(speed);
    if (!line.empty() && speed.of == ComparedSpeed::average) {
        line += ' '
            + messages.format({"compare.typical",
                {{"a", shown_time(parts.a.end - parts.a.start)}, {"b", shown_time(parts.b.end - parts.b.start)}}});
    }
    if (speed.of != ComparedSpeed::all && is_whole(a) && is_whole(b)) {
        const auto whole = headline(compared_speed(a.report, b.report, {}));
        const bool has_both = !line.empty() && !whole.empty();
        line = has_both ? line + ' ' + messages.format({"compare.whole_run", {{"sentence", whole}}}) : line + whole;
    }
    return line.empty() ? text : text + line + '\n';
}

}  // namespace lanes
