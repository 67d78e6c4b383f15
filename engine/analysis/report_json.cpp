// SPDX-License-Identifier: MIT
#include "engine/analysis/caveats.h"
#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/graph/why.h"
#include "engine/analysis/graph/why_not.h"
#include "engine/analysis/refused.h"
#include "engine/analysis/repeats.h"
#include "engine/analysis/report.h"
#include "engine/analysis/row_id.h"
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/names.h"
#include "engine/replay/change.h"
#include "engine/trace/event.h"

#include <algorithm>

namespace lanes {

namespace {

void write_gpus(JsonWriter& json, const Trace& trace, const Report& report)
{
    json.key("gpu").begin_array();
    for (const auto& gpu : report.gpus) {
        json.begin_object().field("device", gpu.device);
        const auto field = [&](std::string_view name, Ns figure) { json.field(name, report.of_gpus(figure)); };
        const auto of_nodes = [&](std::string_view name, Ns figure) { json.field(name, report.of_nodes(figure)); };
        field("busy_ns", gpu.busy);
        field("idle_ns", gpu.idle);
        of_nodes("kernel_ns", gpu.kernel);
        of_nodes("copy_ns", gpu.copy);
        of_nodes("memset_ns", gpu.memset);
        of_nodes("h2d_ns", gpu.h2d);
        of_nodes("d2h_ns", gpu.d2h);
        of_nodes("d2d_ns", gpu.d2d);
        of_nodes("p2p_ns", gpu.p2p);
        of_nodes("copy_hidden_ns", gpu.copy_hidden);
        of_nodes("copy_exposed_ns", gpu.copy_exposed);
        of_nodes("h2d_d2h_overlap_ns", gpu.h2d_d2h_overlap);
        of_nodes("kernel_concurrency_ns", gpu.kernel_concurrency);
        field("overlap_ns", gpu.overlap);
        of_nodes("communication_ns", gpu.communication);
        of_nodes("communication_exposed_ns", gpu.communication_exposed);
        json.key("streams").begin_array();
        for (const auto& figures : gpu.streams) {
            const auto& stream = trace.streams[figures.stream];
            json.begin_object().field("stream", stream.id).field("process", stream.process);
            json.field("context", stream.context).field("operations", figures.operations);
            json.field("busy_ns", figures.busy).end_object();
        }
        json.end_array().end_object();
    }
    json.end_array();
}

void write_threads(JsonWriter& json, const Trace& trace, const Report& report)
{
    json.key("cpu").begin_array();
    for (const auto& figures : report.threads) {
        const auto& thread = trace.threads[figures.thread];
        json.begin_object().field("process", thread.process).field("thread", thread.id);
        json.field("name", trace.text(thread.name)).field("api_ns", figures.api);
        json.field("host_wait_ns", figures.host_wait).field("blocked_ns", figures.blocked);
        json.field("held_ns", figures.held).field("held_cost_ns", figures.held_cost);
        json.key("blocked_by").begin_object();
        for (std::size_t cause = 0; cause < block_cause_count; ++cause) {
            json.field(name_of(static_cast<BlockCause>(cause)), figures.blocked_by[cause]);
        }
        json.end_object().end_object();
    }
    json.end_array();
}

void write_ranges(JsonWriter& json, const Trace& trace, const Report& report)
{
    json.key("ranges").begin_array();
    for (const auto& range : report.ranges) {
        json.begin_object().field("name", trace.text(range.name)).field("count", range.count);
        json.field("wall_ns", range.wall).field("gpu_busy_ns", report.of_gpus(range.gpu_busy));
        json.field("blocked_ns", range.blocked).end_object();
    }
    json.end_array();
    json.key("reads").begin_array();
    for (const Row row : report.reads) {
        const auto& read = trace.reads[row];
        json.begin_object().field("buffer", trace.text(read.buffer)).field("start_ns", read.start);
        json.field("bytes", read.bytes).field("wrong_bytes", read.wrong_bytes).end_object();
    }
    json.end_array();
}

/// "kernel", "copy", "memset", "call", "range", "work", "read".
std::string_view evidence_kind(EventKind kind)
{
    return kind > EventKind::kernel && kind < EventKind::memset ? "copy" : name_of(kind);
}

void write_findings(JsonWriter& json, const Trace& trace, const Report& report, const Messages& messages)
{
    json.key("findings").begin_array();
    for (const auto& finding : report.findings) {
        json.begin_object().field("id", std::string_view(finding_id(finding)));
        json.field("rule", std::string_view(finding.rule)).field("cost_ns", finding.cost);
        json.key("cost_range_ns").begin_array().value(std::min(finding.cost, finding.otherwise));
        json.value(std::max(finding.cost, finding.otherwise)).end_array();
        json.field("count", finding.count);
        json.field("title", std::string_view(messages.format(finding.title)));
        json.field("advice", std::string_view(messages.format(finding.advice)));
        json.field("replayed", finding.is_replayed);
        const auto options = [&](std::string_view key, const std::vector<replay::Change>& changes) {
            json.key(key);
            changes.empty() ? json.null() : json.value(std::string_view(replay::options_of(changes)));
        };
        options("what_if", finding.changes);
        options("on_top_of", finding.on_top_of);
        json.key("evidence").begin_array();
        for (const EventRef event : finding.evidence) {
            const auto [start, end] = span_of(trace, event);
            json.begin_object().field("id", std::string_view(row_id(event)));
            json.field("kind", evidence_kind(kind_of(trace, event))).field("start_ns", start);
            json.field("end_ns", end).field("correlation", correlation_of(trace, event)).end_object();
        }
        json.end_array().end_object();
    }
    json.end_array();
}

void write_spread(JsonWriter& json, const Spread& spread)
{
    json.begin_array().value(spread.least).value(spread.median).value(spread.most).end_array();
}

void write_repeat(JsonWriter& json, const Trace& trace)
{
    const auto repeats = repeats_of(trace);
    json.key("repeat");
    if (!repeats) {
        json.null();
        return;
    }
    json.begin_object().field("runs", std::uint64_t {repeats->runs}).key("wall_ns");
    write_spread(json, repeats->wall);
    json.key("unrecorded_wall_ns");
    if (repeats->unrecorded) {
        write_spread(json, *repeats->unrecorded);
    } else {
        json.null();
    }
    json.end_object();
}

void write_steady(JsonWriter& json, const Report& report)
{
    const auto& steady = report.steady;
    json.key("steady");
    if (!steady) {
        json.null();
        return;
    }
    const bool ranges = steady->found == SteadyState::Found::ranges;
    json.begin_object().field("found", std::string_view(ranges ? "ranges" : "launches"));
    json.field("name", std::string_view(steady->name)).field("count", std::uint64_t {steady->count});
    json.key("range_ns").begin_array().value(steady->span.start).value(steady->span.end).end_array();
    write_length_step(json, report.length_step);
    json.end_object();
}

}  // namespace

void write_length_step(JsonWriter& json, const std::optional<LengthStep>& step)
{
    json.key("length_step");
    if (!step) {
        json.null();
        return;
    }
    json.begin_object().field("from", std::string_view(iteration_id(step->first)));
    json.field("before_ns", step->before).field("after_ns", step->after).end_object();
}

std::string to_json(const Trace& trace, const Report& report, const Messages& messages, const Graph* graph,
    const std::function<void(JsonWriter&)>& more)
{
    JsonWriter json;
    json.begin_object().field("schema", json_schema).field("source", name_of(trace.source));
    json.key("devices").begin_array();
    for (const auto& gpu : report.gpus) {
        json.value(device_name(trace, gpu.device));
    }
    json.end_array();
    json.key("range_ns").begin_array().value(report.range.start).value(report.range.end).end_array();
    json.field("wall_ns", report.wall).field("gpu_busy_ns", report.of_gpus(report.gpu_busy));
    json.field("overlap_ns", report.of_gpus(report.overlap));
    json.key("concurrency_ns").begin_array();
    for (const Ns time : report.concurrency) {
        json.value(report.of_gpus(time));
    }
    json.end_array().field("cpu_free_ns", report.cpu_free);
    write_gpus(json, trace, report);
    write_threads(json, trace, report);
    write_repeat(json, trace);
    write_steady(json, report);
    json.field("complete", is_complete(trace));
    if (!is_complete(trace)) {
        const auto ends = ends_of(trace);
        json.key("ends_ns").begin_object().field("api", ends.calls).field("gpu", ends.gpu).end_object();
    }
    json.key("caveats").begin_array();
    for (const auto& caveat : caveats_of(trace)) {
        json.begin_object().field("id", std::string_view(caveat.id));
        json.field("text", std::string_view(messages.format(caveat))).end_object();
    }
    json.end_array();
    json.key("verdict").begin_object().field("kind", name_of(report.verdict.kind));
    json.field("text", std::string_view(messages.format(report.verdict.message))).key("more").begin_array();
    for (const auto& sentence : report.verdict.more) {
        json.value(std::string_view(messages.format(sentence)));
    }
    json.end_array().end_object();
    write_refused(json, refused_by(trace, report), messages);
    write_not_recorded(json, trace, messages);
    write_ranges(json, trace, report);
    write_findings(json, trace, report, messages);
    if (graph != nullptr) {
        write_why(json, *graph, report.range);
        write_why_not(json, *graph, WhyNot(*graph, report.range));
    }
    if (more) {
        more(json);
    }
    const auto& counts = report.counts;
    const auto of_nodes = [&](std::uint64_t count) { return report.of_nodes(static_cast<Ns>(count)); };
    json.key("counts").begin_object().field("api_calls", counts.api_calls).field("kernels", of_nodes(counts.kernels));
    json.field("copies", of_nodes(counts.copies)).field("memsets", of_nodes(counts.memsets));
    json.field("syncs", counts.syncs);
    json.field("waits", counts.waits).field("ranges", counts.ranges).field("dropped", counts.dropped).end_object();
    return json.end_object().take();
}

}  // namespace lanes
