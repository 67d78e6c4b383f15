// SPDX-License-Identifier: MIT
#include "engine/workload/schema.h"

#include <algorithm>

namespace lanes::syntax {

namespace {

constexpr Key kernel_map[] = {
    {"name", Takes::text},
    {"stream", Takes::stream, true},
    {"time", Takes::time},
    {"flops", Takes::number},
    {"bytes", Takes::bytes},
    {"blocks", Takes::blocks},
    {"work", Takes::word, false, {"fma", "spin", "memory"}},
    {"reads", Takes::buffers},
    {"writes", Takes::buffers},
    {"value", Takes::value},
};
constexpr Key copy_map[] = {
    {"from", Takes::buffer, true},
    {"to", Takes::buffer, true},
    {"stream", Takes::stream},
    {"range", Takes::span},
    {"blocking", Takes::boolean},
    {"call", Takes::word, false, {"cudaMemcpyAsync", "cudaMemcpy"}},
};
constexpr Key memset_map[] = {
    {"to", Takes::buffer, true},
    {"stream", Takes::stream, true},
    {"range", Takes::span},
    {"value", Takes::number},
    {"blocking", Takes::boolean},
};
constexpr Key cpu_map[] = {
    {"time", Takes::time},
    {"kind", Takes::word, false, {"spin", "sleep"}},
    {"memcpy", Takes::bytes},
    {"reads", Takes::buffers},
    {"writes", Takes::buffers},
    {"name", Takes::text},
};
constexpr Key read_map[] = {
    {"buffer", Takes::buffers, true},
    {"expect", Takes::word, false, {"fresh", "stale"}},
};
constexpr Key write_map[] = {
    {"buffer", Takes::buffers, true},
    {"value", Takes::number, true},
    {"racing", Takes::boolean},
};
constexpr Key event_stream_map[] = {{"event", Takes::event, true}, {"stream", Takes::stream, true}};
constexpr Key sync_scalar = {"device", Takes::word, true, {"device"}};
constexpr Key sync_map[] = {{"stream", Takes::stream}, {"event", Takes::event}, {"device", Takes::number}};
constexpr Key repeat_scalar = {"repeat", Takes::number, true};
constexpr Key repeat_siblings[] = {
    {"from", Takes::number},
    {"step", Takes::number},
    {"as", Takes::identifier},
    {"do", Takes::steps, true},
};
constexpr Key if_scalar = {"if", Takes::condition, true};
constexpr Key if_siblings[] = {{"then", Takes::steps, true}, {"else", Takes::steps}};
constexpr Key while_scalar = {"while", Takes::changing_condition, true};
constexpr Key while_siblings[] = {{"at_most", Takes::number, true}, {"do", Takes::steps, true}};
constexpr Key range_scalar = {"range", Takes::text, true};
constexpr Key range_siblings[] = {{"do", Takes::steps, true}};
constexpr Key call_scalar = {"call", Takes::part, true};
constexpr Key put_scalar = {"put", Takes::queue, true};
constexpr Key get_scalar = {"get", Takes::queue, true};
constexpr Key join_scalar = {"join", Takes::thread, true};
constexpr Key pool_map[] = {{"buffer", Takes::buffers, true}, {"stream", Takes::stream}};
constexpr Key capture_map[] = {
    {"graph", Takes::new_graph, true},
    {"stream", Takes::stream, true},
    {"do", Takes::steps, true},
};
constexpr Key launch_map[] = {{"graph", Takes::graph, true}, {"stream", Takes::stream, true}};
constexpr Key collective_map[] = {{"buffers", Takes::buffers, true}, {"streams", Takes::streams, true}};
constexpr Key fault_map[] = {{"stream", Takes::stream, true}};

constexpr LabelPiece kernel_label[] = {{" ", "name"}, {" on ", "stream"}};
constexpr LabelPiece copy_label[] = {{" ", "from"}, {" -> ", "to"}, {" on ", "stream"}};
constexpr LabelPiece cpu_label[] = {{" ", "name"}, {" memcpy ", "memcpy"}, {" ", "time"}};
constexpr LabelPiece buffer_label[] = {{" ", "buffer"}};
constexpr LabelPiece record_label[] = {{" ", "event"}, {" on ", "stream"}};
constexpr LabelPiece wait_label[] = {{" for ", "event"}, {" on ", "stream"}};
constexpr LabelPiece sync_label[] = {{" ", "stream"}, {" ", "event"}, {" device ", "device"}};
constexpr LabelPiece while_label[] = {{" ", "while"}};
constexpr LabelPiece pool_label[] = {{" ", "buffer"}, {" on ", "stream"}};

constexpr std::string_view two_lengths = "'kernel' has a time and flops or bytes, expected one of them";
constexpr KeyRule kernel_rules[] = {
    {{"time", "flops", "bytes"}, 1, 3, "'kernel' lacks its length, expected time, flops or bytes"},
    {{"time", "flops"}, 0, 1, two_lengths},
    {{"time", "bytes"}, 0, 1, two_lengths},
};
constexpr KeyRule copy_rules[] = {
    {{"stream", "call: cudaMemcpy"}, 1, 2, "'copy' lacks 'stream'"},
    {{"blocking", "call: cudaMemcpy"}, 0, 1, "found 'blocking' beside 'call: cudaMemcpy', which blocks by itself",
        "blocking"},
};
constexpr KeyRule cpu_rules[] = {
    {{"time", "memcpy"}, 1, 1, "'cpu' expects either time or memcpy"},
    {{"memcpy", "kind"}, 0, 1, "found 'kind' beside 'memcpy', expected it beside 'time'", "kind"},
};
constexpr KeyRule sync_rules[]
    = {{{"device", "stream", "event"}, 1, 1, "'sync' expects one of device, stream or event"}};

constexpr StepForm forms[] = {
    {.kind = StepKind::kernel,
        .action = "kernel",
        .in_capture = InCapture::allowed,
        .map = kernel_map,
        .label = kernel_label,
        .rules = kernel_rules},
    {.kind = StepKind::copy,
        .action = "copy",
        .in_capture = InCapture::allowed,
        .map = copy_map,
        .label = copy_label,
        .rules = copy_rules},
    {.kind = StepKind::memset, .action = "memset", .in_capture = InCapture::allowed, .map = memset_map},
    {.kind = StepKind::cpu,
        .action = "cpu",
        .in_capture = InCapture::allowed,
        .map = cpu_map,
        .label = cpu_label,
        .rules = cpu_rules},
    {.kind = StepKind::read,
        .action = "read",
        .in_capture = InCapture::refused,
        .map = read_map,
        .label = buffer_label},
    {.kind = StepKind::write,
        .action = "write",
        .in_capture = InCapture::refused,
        .map = write_map,
        .label = buffer_label},
    {.kind = StepKind::record,
        .action = "record",
        .in_capture = InCapture::allowed,
        .map = event_stream_map,
        .label = record_label},
    {.kind = StepKind::wait,
        .action = "wait",
        .in_capture = InCapture::allowed,
        .map = event_stream_map,
        .label = wait_label},
    {.kind = StepKind::sync,
        .action = "sync",
        .in_capture = InCapture::fails,
        .scalar = &sync_scalar,
        .map = sync_map,
        .label = sync_label,
        .rules = sync_rules},
    {.kind = StepKind::repeat,
        .action = "repeat",
        .in_capture = InCapture::allowed,
        .scalar = &repeat_scalar,
        .siblings = repeat_siblings},
    {.kind = StepKind::if_,
        .action = "if",
        .in_capture = InCapture::refused,
        .scalar = &if_scalar,
        .siblings = if_siblings},
    {.kind = StepKind::while_,
        .action = "while",
        .in_capture = InCapture::refused,
        .scalar = &while_scalar,
        .siblings = while_siblings,
        .label = while_label},
    {.kind = StepKind::range,
        .action = "range",
        .in_capture = InCapture::allowed,
        .scalar = &range_scalar,
        .siblings = range_siblings},
    {.kind = StepKind::call, .action = "call", .in_capture = InCapture::allowed, .scalar = &call_scalar},
    {.kind = StepKind::put, .action = "put", .in_capture = InCapture::refused, .scalar = &put_scalar},
    {.kind = StepKind::get, .action = "get", .in_capture = InCapture::refused, .scalar = &get_scalar},
    {.kind = StepKind::join, .action = "join", .in_capture = InCapture::refused, .scalar = &join_scalar},
    {.kind = StepKind::alloc, .action = "alloc", .in_capture = InCapture::fails, .map = pool_map, .label = pool_label},
    {.kind = StepKind::free, .action = "free", .in_capture = InCapture::fails, .map = pool_map, .label = pool_label},
    {.kind = StepKind::capture, .action = "capture", .in_capture = InCapture::refused, .map = capture_map},
    {.kind = StepKind::launch, .action = "launch", .in_capture = InCapture::refused, .map = launch_map},
    {.kind = StepKind::all_reduce, .action = "all_reduce", .in_capture = InCapture::allowed, .map = collective_map},
    {.kind = StepKind::all_gather, .action = "all_gather", .in_capture = InCapture::allowed, .map = collective_map},
    {.kind = StepKind::reduce_scatter,
        .action = "reduce_scatter",
        .in_capture = InCapture::allowed,
        .map = collective_map},
    {.kind = StepKind::broadcast, .action = "broadcast", .in_capture = InCapture::allowed, .map = collective_map},
    {.kind = StepKind::send_recv, .action = "send_recv", .in_capture = InCapture::allowed, .map = collective_map},
    {.kind = StepKind::fault, .action = "fault", .in_capture = InCapture::refused, .map = fault_map},
};
constexpr bool are_in_order()
{
    for (std::size_t i = 0; i < std::size(forms); ++i) {
        if (forms[i].kind != static_cast<StepKind>(i)) {
            return false;
        }
    }
    return std::size(forms) == static_cast<std::size_t>(StepKind::last) + 1;
}
static_assert(are_in_order(), "form_of() finds a form by its kind");

constexpr Key buffers[] = {
    {"on", Takes::text, true},
    {"bytes", Takes::bytes, true},
    {"memory", Takes::word, false, {"pageable", "pinned", "cached"}},
    {"count", Takes::number},
    {"as", Takes::identifier},
    {"value", Takes::number},
};
constexpr Key streams[] = {
    {"gpu", Takes::number},
    {"kind", Takes::word, false, {"non_blocking", "blocking"}},
    {"priority", Takes::word, false, {"normal", "high", "low"}},
    {"count", Takes::number},
    {"as", Takes::identifier},
};
constexpr Key cache[] = {{"limit", Takes::bytes, true}};
constexpr Key events[] = {{"count", Takes::number}};
constexpr Key queues[] = {{"capacity", Takes::number, true}, {"count", Takes::number}};
constexpr Key threads[] = {
    {"count", Takes::number, true},
    {"as", Takes::identifier},
    {"do", Takes::steps, true},
};

}  // namespace

std::span<const StepForm> step_forms()
{
    return forms;
}

const StepForm* find_step(std::string_view action)
{
    for (const auto& form : forms) {
        if (form.action == action) {
            return &form;
        }
    }
    return nullptr;
}

bool StepForm::holds_steps() const
{
    const auto holds = [](const Key& key) { return key.takes == Takes::steps || key.takes == Takes::part; };
    return std::any_of(map.begin(), map.end(), holds) || std::any_of(siblings.begin(), siblings.end(), holds)
        || (scalar != nullptr && holds(*scalar));
}

const StepForm& form_of(StepKind kind)
{
    return forms[static_cast<std::size_t>(kind)];
}

std::span<const Key> buffer_keys()
{
    return buffers;
}
std::span<const Key> stream_keys()
{
    return streams;
}
std::span<const Key> cache_keys()
{
    return cache;
}
std::span<const Key> event_keys()
{
    return events;
}
std::span<const Key> queue_keys()
{
    return queues;
}
std::span<const Key> thread_keys()
{
    return threads;
}

const Key* find_key(std::span<const Key> keys, std::string_view name)
{
    for (const auto& key : keys) {
        if (key.name == name) {
            return &key;
        }
    }
    return nullptr;
}

std::vector<std::string> names_of(std::span<const Key> keys)
{
    std::vector<std::string> names;
    for (const auto& key : keys) {
        names.emplace_back(key.name);
    }
    return names;
}

std::vector<std::string> words_of(const Key& key)
{
    std::vector<std::string> words;
    for (const auto word : key.words) {
        if (!word.empty()) {
            words.emplace_back(word);
        }
    }
    return words;
}

}  // namespace lanes::syntax
