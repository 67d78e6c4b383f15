// SPDX-License-Identifier: MIT
#include "engine/analysis/caveats.h"
#include "engine/analysis/graph/why.h"
#include "engine/analysis/graph/why_not.h"
#include "engine/analysis/repeats.h"
#include "engine/analysis/report.h"
#include "engine/analysis/words/names.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/replay/change.h"
#include "engine/trace/event.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>

namespace lanes {

namespace {

/// Of a finding in the part that repeats they are of that part, as its cost is.
std::string trial_options(const Report& report, const Finding& finding, const std::vector<replay::Change>& changes)
{
    const bool is_of_part = report.parts && finding.title.id == "finding.in_steady"
        && std::all_of(changes.begin(), changes.end(),
            [](const replay::Change& change) { return replay::can_be_limited(change.kind); });
    return is_of_part ? replay::options_of(replay::without_part(changes, report.parts->steady.range)) + steady_option
                      : replay::options_of(changes);
}

class TextReport {
public:
    TextReport(
        const Trace& trace, const Report& report, const Messages& messages, const Graph* graph, std::string command)
        : m_trace(trace)
        , m_report(report)
        , m_messages(messages)
        , m_graph(graph)
        , m_command(std::move(command))
    {
    }
    std::string run();

private:
    void head();
    void verdict();
    void totals();
    void gpus();
    void streams(const GpuFigures& gpu);
    void threads();
    void ranges();
    void reads();
    void findings();
    void counts();

    void line(const std::string& text) { m_text += text + '\n'; }
    void line(std::string id, std::vector<std::pair<std::string, std::string>> arguments)
    {
        line(m_messages.format({std::move(id), std::move(arguments)}));
    }
    void title(std::string_view id) { m_text += '\n' + m_messages.text(id) + '\n'; }
    std::string word(std::string_view id) const { return m_messages.text(id); }
    std::string meta(const char* key) const { return printable(meta::text_of(m_trace.meta, key)); }
    static std::string time(MaybeNs time) { return time ? shown_time(*time) : "–"; }
    static std::string share(Ns part, Ns whole)
    {
        return whole > 0 ? shown_share(static_cast<double>(part) / static_cast<double>(whole)) : "";
    }
    /// A share of the wall time, like every share in these tables that does not name another whole.
    std::string share(Ns part) const { return share(part, m_report.wall); }

    const Trace& m_trace;
    const Report& m_report;
    const Messages& m_messages;
    const Graph* m_graph;
    const std::string m_command;
    std::string m_text;
};

std::string TextReport::run()
{
    head();
    totals();
    gpus();
    threads();
    ranges();
    reads();
    findings();
    if (m_graph != nullptr) {
        m_text += critical_path_text(*m_graph, critical_path(*m_graph, m_report.range), m_messages);
        m_text += why_not_text(*m_graph, WhyNot(*m_graph, m_report.range), m_messages, false);
    }
    counts();
    return std::move(m_text);
}

void TextReport::verdict()
{
    line(m_messages.format(m_report.verdict.message));
    for (const auto& sentence : m_report.verdict.more) {
        line(m_messages.format(sentence));
    }
}

void TextReport::head()
{
    std::string devices;
    for (const auto& gpu : m_report.gpus) {
        const auto name = printable(device_name(m_trace, gpu.device));
        if (devices.find(name) == std::string::npos) {
            devices += (devices.empty() ? "" : ", ") + name;
        }
    }
    line(m_messages.format(source_message(m_trace, devices)));
    if (const auto workload = meta(meta::workload); !workload.empty()) {
        const auto variant = meta(meta::variant);
        line(workload + (variant.empty() ? "" : " · " + variant));
    }
    if (m_report.complete) {
        verdict();
    }
    for (const auto& caveat : caveats_of(m_trace)) {
        line(m_messages.format(caveat));
    }
    if (!m_report.complete) {  // the failure matters more than how the GPU was used until then
        verdict();
    }
    for (const auto& message : repeat_messages(m_trace)) {
        line(m_messages.format(message));
    }
    if (m_report.steady) {
        line(m_messages.format(steady_message(*m_report.steady)));
    }
    if (m_report.length_step) {
        line(m_messages.format(length_step_message(*m_report.length_step)));
    }
    const bool is_whole = m_report.range == Interval {0, m_trace.duration};
    if (m_report.workload.empty() && is_whole && m_trace.operations.size() > 0) {
        if (const auto message = unrecorded_message(m_trace); !message.empty()) {
            line(m_messages.format(message));
        }
    }
    if (!is_whole) {
        line("report.range", {{"start", shown_time(m_report.range.start)}, {"end", shown_time(m_report.range.end)}});
    }
}

void TextReport::totals()
{
    TextTable table;
    m_text += '\n';
    table.add({word("report.wall"), shown_time(m_report.wall), share(m_report.wall)});
    if (m_trace.operations.size() == 0 && m_trace.calls.size() == 0) {
        m_text += table.text("");
        return;  // a trace of the CPU alone
    }
    const auto add = [&](const char* id, Ns figure) {
        const auto known = m_report.of_gpus(figure);
        table.add({word(id), time(known), known ? share(*known) : ""});
    };
    add(busy_label(m_report.gpus.size()), m_report.gpu_busy);
    add(overlap_label(m_report.gpus.size()), m_report.overlap);
    table.add({word("report.cpu_free"), time(m_report.cpu_free), m_report.cpu_free ? share(*m_report.cpu_free) : ""});
    m_text += table.text("");
}

void TextReport::gpus()
{
    for (const auto& gpu : m_report.gpus) {
        if (!m_report.gpu_recorded) {
            break;
        }
        m_text += "\nGPU " + std::to_string(gpu.device) + "  " + printable(device_name(m_trace, gpu.device)) + '\n';
        TextTable table;
        const auto add = [&](std::string_view id, Ns value, bool always = false) {
            if (value > 0 || always) {
                table.add({word(id), shown_time(value), share(value)});
            }
        };
        add("report.busy", gpu.busy, true);
        if (m_report.has_whole_graphs) {
            table.add({word("report.kernels"), time(std::nullopt), ""});
            add("report.streams_overlap", gpu.overlap, true);
            m_text += table.text();
            streams(gpu);
            continue;
        }
        add("report.kernels", gpu.kernel);
        add("report.kernel_concurrency", gpu.kernel_concurrency);
        add("report.h2d", gpu.h2d);
        add("report.d2h", gpu.d2h);
        add("report.d2d", gpu.d2d);
        add("report.p2p", gpu.p2p);
        add("report.memset", gpu.memset);
        if (gpu.copy > 0) {
            add("report.copy_hidden", gpu.copy_hidden, true);
            add("report.copy_exposed", gpu.copy_exposed, true);
            table.add({word("report.copy_hidden_share"), share(gpu.copy_hidden, gpu.copy)});
            add("report.h2d_d2h_overlap", gpu.h2d_d2h_overlap);
        }
        if (gpu.communication > 0) {
            add("report.communication", gpu.communication);
            add("report.communication_exposed", gpu.communication_exposed, true);
            table.add({word("report.communication_hidden_share"),
                share(gpu.communication - gpu.communication_exposed, gpu.communication)});
        }
        add("report.streams_overlap", gpu.overlap, true);
        m_text += table.text();
        streams(gpu);
    }
}

void TextReport::streams(const GpuFigures& gpu)
{
    TextTable table;
    for (const auto& figures : gpu.streams) {
        const auto& stream = m_trace.streams[figures.stream];
        auto label = printable(m_trace.label_of(stream));
        if (stream.name != 0 && !is_made_up(stream.id)) {
            label += " (" + std::to_string(stream.id) + ")";
        }
        table.add({label, m_messages.format({"report.operations", {{"count", std::to_string(figures.operations)}}}),
            shown_time(figures.busy), share(figures.busy)});
    }
    m_text += table.text("    ");
}

void TextReport::threads()
{
    if (m_report.threads.empty()
        || (m_trace.calls.size() == 0 && m_trace.operations.size() == 0 && m_trace.host_spans.empty())) {
        return;
    }
    title("report.threads");
    TextTable table("lrrrrrl");
    table.add({"", word("report.in_api"), word("report.blocked"), word("report.held"), word("report.held_cost"),
        word("report.host_wait"), word("report.blocked_by")});
    for (const auto& figures : m_report.threads) {
        const auto& thread = m_trace.threads[figures.thread];
        const auto name = printable(m_trace.text(thread.name));
        std::string causes;
        for (std::size_t cause = 0; cause < block_cause_count; ++cause) {
            const auto& blocked = figures.blocked_by[cause];
            if (blocked.value_or(0) > 0) {
                const auto id = "cause." + std::string(name_of(static_cast<BlockCause>(cause)));
                causes += (causes.empty() ? "" : ", ") + word(id) + ' ' + shown_time(*blocked);
            }
        }
        table.add({name.empty()         ? std::to_string(thread.id)
                : is_made_up(thread.id) ? name
                                        : name + " (" + std::to_string(thread.id) + ")",
            time(figures.api), time(figures.blocked), time(figures.held), time(figures.held_cost),
            time(figures.host_wait), causes});
    }
    m_text += table.text();
}

void TextReport::ranges()
{
    if (m_report.ranges.empty()) {
        return;
    }
    constexpr std::size_t most = 20;
    title("report.ranges");
    TextTable table;
    const bool of_gpu = m_trace.operations.size() > 0 || m_trace.calls.size() > 0;
    const auto add = [&](std::vector<std::string> row) {
        row.resize(of_gpu ? row.size() : 3);
        table.add(row);
    };
    add({"", word("report.times"), word("report.wall"), word("report.gpu_busy"), word("report.blocked")});
    std::vector<NamedRangeFigures> shown = m_report.ranges;
    if (shown.size() > most) {  // then only those that take longest, without frames that only lead to them
        constexpr double nearly_all = 0.95;
        std::erase_if(shown, [&](const NamedRangeFigures& range) {
            return range.only_leads_on
                || (range.is_frame
                    && static_cast<double>(range.wall) >= nearly_all * static_cast<double>(m_report.wall));
        });
        std::ranges::stable_sort(shown, std::ranges::greater {}, &NamedRangeFigures::wall);
        shown.resize(std::min(shown.size(), most));
    }
    for (const NamedRangeFigures& range : shown) {
        add({printable(m_trace.text(range.name)), std::to_string(range.count), shown_time(range.wall),
            time(m_report.of_gpus(range.gpu_busy)), time(range.blocked)});
    }
    m_text += table.text();
    if (const auto left_out = m_report.ranges.size() - shown.size(); left_out > 0) {
        line("  " + m_messages.format({"report.more", {{"count", std::to_string(left_out)}}}));
    }
}

void TextReport::reads()
{
    std::uint64_t stale = 0;
    for (const Row row : m_report.reads) {
        stale += m_trace.reads[row].wrong_bytes > 0 ? 1 : 0;
    }
    if (!m_report.reads.empty()) {
        m_text += '\n';
        line("report.reads", {{"count", std::to_string(m_report.reads.size())}, {"stale", std::to_string(stale)}});
    }
}

void TextReport::findings()
{
    if (m_report.findings.empty() && m_trace.operations.size() == 0) {
        return;
    }
    title("report.findings");
    if (m_report.findings.empty()) {
        const bool known = std::any_of(m_report.threads.begin(), m_report.threads.end(),
            [](const ThreadFigures& thread) { return thread.blocked.has_value(); });
        line("  " + word(known ? "report.no_findings" : "report.no_findings_known"));
    }
    for (const auto& finding : m_report.findings) {
        line("  " + cost_text(finding, m_messages) + "  " + m_messages.format(finding.title));
        line("      " + m_messages.format(finding.advice));
        if (!finding.changes.empty()) {
            auto changes = finding.on_top_of;
            changes.insert(changes.end(), finding.changes.begin(), finding.changes.end());
            const auto id = !finding.is_replayed ? "report.try_bound"
                : finding.on_top_of.empty()      ? "report.try"
                                                 : "report.try_on_top";
            line("      "
                + m_messages.format({id,
                    {{"command", m_command + ' ' + trial_options(m_report, finding, changes)},
                        {"without", trial_options(m_report, finding, finding.on_top_of)}}}));
        }
    }
}

void TextReport::counts()
{
    const auto& c = m_report.counts;
    const auto of_nodes = [this](std::uint64_t count) {
        return m_report.of_nodes(static_cast<Ns>(count)) ? std::to_string(count) : std::string("–");
    };
    m_text += '\n';
    line("report.counts",
        {{"calls", std::to_string(c.api_calls)}, {"kernels", of_nodes(c.kernels)}, {"copies", of_nodes(c.copies)},
            {"memsets", of_nodes(c.memsets)}, {"syncs", std::to_string(c.syncs)}, {"waits", std::to_string(c.waits)},
            {"ranges", std::to_string(c.ranges)}});
}

}  // namespace

std::string cost_text(const Finding& finding, const Messages& messages)
{
    return finding.stale_bytes == 0
        ? shown_time(finding.cost)
        : messages.format({"finding.stale-read.cost", {{"bytes", shown_bytes(finding.stale_bytes)}}});
}

Message source_message(const Trace& trace, const std::string& devices)
{
    const bool is_of_other_tool
        = trace.source == Source::chrome || trace.source == Source::kineto || trace.source == Source::nsys;
    if (devices.empty() && is_of_other_tool) {
        return {"source." + std::string(name_of(trace.source)) + "_alone", {}};  // any program's, or only of the CPU
    }
    const auto named = devices.empty() ? std::string("GPU") : devices;
    return {"source." + std::string(name_of(trace.source)), {{"device", named}}};
}

Message steady_message(const SteadyState& steady)
{
    const bool named = !steady.name.empty();
    constexpr Ns told_apart = 10;  // a part of the length: the resolution of its ends
    const auto [start, end] = shown_ends(steady.span, told_apart);
    Message message {named ? "steady.ranges" : "steady.launches",
        {{"count", std::to_string(steady.count)}, {"length", shown_time(steady.span.end - steady.span.start)},
            {"start", start}, {"end", end}}};
    if (named) {
        message.arguments.emplace_back("name", steady.name);
    }
    return message;
}

Message length_step_message(const LengthStep& step)
{
    return {"steady.length_step",
        {{"number", std::to_string(step.first + 1)}, {"before", shown_time(step.before)},
            {"after", shown_time(step.after)}}};
}

std::string to_text(
    const Trace& trace, const Report& report, const Messages& messages, const Graph* graph, const std::string& command)
{
    return TextReport(trace, report, messages, graph, command).run();
}

}  // namespace lanes
