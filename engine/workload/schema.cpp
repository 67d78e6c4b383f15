// SPDX-License-Identifier: MIT
#include "engine/workload/schema.h"

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
constexpr Key while_scalar = {"while", Takes::condition, true};
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
constexpr Key all_reduce_map[] = {{"buffers", Takes::buffers, true}, {"streams", Takes::streams, true}};
constexpr Key fault_map[] = {{"stream", Takes::stream, true}};

constexpr StepForm forms[] = {
    {StepKind::kernel, "kernel", nullptr, kernel_map, {}},
    {StepKind::copy, "copy", nullptr, copy_map, {}},
    {StepKind::memset, "memset", nullptr, memset_map, {}},
    {StepKind::cpu, "cpu", nullptr, cpu_map, {}},
    {StepKind::read, "read", nullptr, read_map, {}},
    {StepKind::write, "write", nullptr, write_map, {}},
    {StepKind::record, "record", nullptr, event_stream_map, {}},
    {StepKind::wait, "wait", nullptr, event_stream_map, {}},
    {StepKind::sync, "sync", &sync_scalar, sync_map, {}},
    {StepKind::repeat, "repeat", &repeat_scalar, {}, repeat_siblings},
    {StepKind::if_, "if", &if_scalar, {}, if_siblings},
    {StepKind::while_, "while", &while_scalar, {}, while_siblings},
    {StepKind::range, "range", &range_scalar, {}, range_siblings},
    {StepKind::call, "call", &call_scalar, {}, {}},
    {StepKind::put, "put", &put_scalar, {}, {}},
    {StepKind::get, "get", &get_scalar, {}, {}},
    {StepKind::join, "join", &join_scalar, {}, {}},
    {StepKind::alloc, "alloc", nullptr, pool_map, {}},
    {StepKind::free, "free", nullptr, pool_map, {}},
    {StepKind::capture, "capture", nullptr, capture_map, {}},
    {StepKind::launch, "launch", nullptr, launch_map, {}},
    {StepKind::all_reduce, "all_reduce", nullptr, all_reduce_map, {}},
    {StepKind::fault, "fault", nullptr, fault_map, {}},
};
constexpr bool are_in_order()
{
    for (std::size_t i = 0; i < std::size(forms); ++i) {
        if (forms[i].kind != static_cast<StepKind>(i)) {
            return false;
        }
    }
    return std::size(forms) == static_cast<std::size_t>(StepKind::fault) + 1;
}
static_assert(are_in_order(), "form_of() finds a form by its kind");

constexpr Key buffers[] = {
    {"on", Takes::text, true},
    {"bytes", Takes::bytes, true},
    {"memory", Takes::word, false, {"pageable", "pinned"}},
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
