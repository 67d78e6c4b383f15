// SPDX-License-Identifier: MIT
#include "engine/workload/actions.h"

#include "engine/ascii.h"
#include "engine/workload/collective.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lanes::syntax {

namespace {

constexpr double longest_time = 600e9;  // ten minutes
constexpr double most_work = 1e18;  // flops or bytes of a kernel
constexpr double most_blocks = 2147483647;
constexpr double most_reach = 1ULL << 60U;  // bytes; sums of two such offsets fit into 64 bits

std::string where(const BufferElement& buffer)
{
    switch (buffer.memory) {
    case MemoryKind::pageable:
        return "in pageable host memory";
    case MemoryKind::pinned:
        return "in pinned host memory";
    default:
        return "on gpu " + std::to_string(buffer.gpu);
    }
}

/// The actions of one step.
class StepActions {
public:
    StepActions(Actions& actions, Scope& scope, Program& program, const Actions::Emit& emit)
        : m_actions(actions)
        , m_scope(scope)
        , m_program(program)
        , m_emit(emit)
    {
    }
    void of(const Step& step);

private:
    KernelAction kernel(const Step& step) const;
    CopyAction copy(const Step& step) const;
    MemsetAction memset(const Step& step) const;
    CpuAction cpu(const Step& step) const;
    std::vector<Index> touched_by(const Step& step, std::string_view key, const CpuAction& work) const;
    ReadAction read(const Step& step) const;
    void write(const Step& step) const;
    CollectiveAction collective(const Step& step) const;
    void sync(const Step& step) const;
    void allocate(const Step& step);
    std::pair<std::uint64_t, std::uint64_t> span(const Step& step, std::uint64_t bytes) const;
    void check_reach(const Argument& argument, Index buffer, Index stream) const;
    void check_on_host(const Argument& argument, Index buffer) const;
    bool flag(const Step& step, std::string_view key) const;
    bool are_peers(std::uint32_t a, std::uint32_t b) const;
    Index stream(const Argument& argument) const { return m_actions.stream(argument); }

    Actions& m_actions;
    Scope& m_scope;
    Program& m_program;
    const Actions::Emit& m_emit;
};

}  // namespace

void Actions::of(const Step& step, const Emit& emit)
{
    StepActions(*this, m_scope, m_program, emit).of(step);
}

Index Actions::stream(const Argument& argument) const
{
    return m_scope.one(argument, m_scope.streams);
}

Index Actions::graph(const Argument& argument)
{
    const std::string name = m_scope.text(argument);
    const auto known = std::find(m_program.graphs.begin(), m_program.graphs.end(), name);
    const auto index = static_cast<Index>(known - m_program.graphs.begin());
    if (known == m_program.graphs.end()) {
        m_program.graphs.push_back(name);
    }
    return index;
}

void Actions::check_host_values(const Argument& argument, const ValueCode& code) const
{
    for (const auto& item : code.items) {
        if (item.op == ValueCode::Op::load && m_program.buffers[item.buffer].gpu != no_id) {
            m_scope.fail(argument.place,
                "found '" + m_program.buffers[item.buffer].name + "' " + where(m_program.buffers[item.buffer])
                    + ", expected a buffer on the host");
        }
    }
}

void StepActions::of(const Step& step)
{
    const Arguments& arguments = step.arguments;
    const auto event_and_stream = [&](auto action) {
        action.event = m_scope.one(*arguments.find("event"), m_scope.events);
        action.stream = stream(*arguments.find("stream"));
        return action;
    };
    switch (step.kind) {
    case StepKind::kernel:
        m_emit(kernel(step));
        break;
    case StepKind::copy:
        m_emit(copy(step));
        break;
    case StepKind::memset:
        m_emit(memset(step));
        break;
    case StepKind::cpu:
        m_emit(cpu(step));
        break;
    case StepKind::read:
        m_emit(read(step));
        break;
    case StepKind::write:
        write(step);
        break;
    case StepKind::record:
        m_emit(event_and_stream(RecordAction {}));
        break;
    case StepKind::wait:
        m_emit(event_and_stream(WaitAction {}));
        break;
    case StepKind::sync:
        sync(step);
        break;
    case StepKind::put:
        m_emit(PutAction {m_scope.one(*arguments.find("put"), m_scope.queues)});
        break;
    case StepKind::get:
        m_emit(GetAction {m_scope.one(*arguments.find("get"), m_scope.queues)});
        break;
    case StepKind::join:
        for (const Index thread : m_scope.all(*arguments.find("join"), m_scope.threads)) {
            m_emit(JoinAction {thread});
        }
        break;
    case StepKind::alloc:
    case StepKind::free:
        allocate(step);
        break;
    case StepKind::launch:
        m_emit(LaunchAction {m_actions.graph(*arguments.find("graph")), stream(*arguments.find("stream"))});
        break;
    case StepKind::all_reduce:
    case StepKind::all_gather:
    case StepKind::reduce_scatter:
    case StepKind::broadcast:
    case StepKind::send_recv:
        m_emit(collective(step));
        break;
    case StepKind::fault:
        m_emit(FaultAction {stream(*arguments.find("stream"))});
        break;
    case StepKind::repeat:
    case StepKind::if_:
    case StepKind::while_:
    case StepKind::range:
    case StepKind::call:
    case StepKind::capture:
        break;  // these contain steps: unroll.cpp
    }
}

bool StepActions::flag(const Step& step, std::string_view key) const
{
    const Argument* argument = step.arguments.find(key);
    return argument != nullptr && m_scope.number(*argument, 0, 1) != 0;
}

bool StepActions::are_peers(std::uint32_t a, std::uint32_t b) const
{
    return std::any_of(m_program.peers.begin(), m_program.peers.end(),
        [&](const auto& pair) { return pair == std::pair(a, b) || pair == std::pair(b, a); });
}

void StepActions::check_reach(const Argument& argument, Index index, Index stream_index) const
{
    const BufferElement& buffer = m_program.buffers[index];
    const std::uint32_t gpu = m_program.streams[stream_index].gpu;
    const bool reached = buffer.memory == MemoryKind::pinned
        || (buffer.gpu != no_id && (buffer.gpu == gpu || are_peers(buffer.gpu, gpu)));
    if (!reached) {
        m_scope.fail(argument.place,
            "found '" + buffer.name + "' " + where(buffer) + ", expected what a kernel on gpu " + std::to_string(gpu)
                + " can reach");
    }
}

KernelAction StepActions::kernel(const Step& step) const
{
    KernelAction action {};
    action.stream = stream(*step.arguments.find("stream"));
    for (const Argument& argument : step.arguments.all) {
        const std::string_view key = argument.key->name;
        if (key == "name") {
            action.name = m_scope.text(argument);
        } else if (key == "time") {
            action.time = std::llround(m_scope.number(argument, 1, longest_time));
        } else if (key == "flops") {
            action.flops = m_scope.number(argument, 1, most_work);
        } else if (key == "bytes") {
            action.bytes = m_scope.number(argument, 1, most_work);
        } else if (key == "blocks") {
            const std::string text = m_scope.text(argument);
            if (text == "all") {
                continue;
            }
            const bool digits = text.size() <= 10 && ascii::is_all_digits(text);
            const double blocks = digits ? std::stod(text) : 0;
            if (blocks < 1 || blocks > most_blocks) {
                m_scope.fail(argument.place,
                    "'blocks' is '" + text + "', expected 'all' or a whole number from 1 to 2147483647");
            }
            action.blocks = static_cast<std::uint32_t>(blocks);
        } else if (key == "work") {
            const std::string word = m_scope.text(argument);
            action.work = word == "spin" ? KernelWork::spin : word == "memory" ? KernelWork::memory : KernelWork::fma;
        } else if (key == "reads" || key == "writes") {
            auto& buffers = key == "reads" ? action.reads : action.writes;
            buffers = m_scope.all(argument, m_scope.buffers);
            for (const Index buffer : buffers) {
                check_reach(argument, buffer, action.stream);
            }
        } else if (key == "value") {
            Evaluated value = m_scope.code(argument);
            action.value = std::move(value.code);
            if (action.value.empty()) {
                action.value.items.push_back({ValueCode::Op::constant, no_id, value.value.number});
            }
            for (const auto& item : action.value.items) {
                if (item.op == ValueCode::Op::load) {
                    check_reach(argument, item.buffer, action.stream);
                }
            }
        }
    }
    if (action.name.empty()) {
        action.name = "kernel";
    }
    if (!action.value.empty() && action.writes.empty()) {
        m_scope.fail(
            step.arguments.find("value")->place, "found 'value' of a kernel that writes nothing, expected 'writes'");
    }
    return action;
}

std::pair<std::uint64_t, std::uint64_t> StepActions::span(const Step& step, std::uint64_t bytes) const
{
    const Argument* range = step.arguments.find("range");
    if (range == nullptr) {
        return {0, bytes};
    }
    const double begin = m_scope.first_of(*range);
    const double end = m_scope.second_of(*range);
    const auto shown = [](double number) { return to_text({Dimension::bytes, number, {}}); };
    if (!(begin >= 0 && end > begin)) {
        m_scope.fail(range->place,
            "found the range " + shown(begin) + " .. " + shown(end)
                + ", expected a range that starts at 0 B or more and ends after its start");
    }
    if (!(end <= most_reach)) {
        m_scope.fail(range->place, "found the range " + shown(begin) + " .. " + shown(end) + ", which no buffer has");
    }
    return {static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end - begin)};
}

CopyAction StepActions::copy(const Step& step) const
{
    const Arguments& arguments = step.arguments;
    const Argument& from_argument = *arguments.find("from");
    const Argument& to_argument = *arguments.find("to");
    const Argument* stream_argument = arguments.find("stream");
    const Argument* call = arguments.find("call");
    CopyAction action {};
    action.from = m_scope.one(from_argument, m_scope.buffers);
    action.to = m_scope.one(to_argument, m_scope.buffers);
    const BufferElement& from = m_program.buffers[action.from];
    const BufferElement& to = m_program.buffers[action.to];
    if (action.from == action.to) {
        m_scope.fail(to_argument.place, "found '" + to.name + "' on both ends of a copy, expected two buffers");
    }
    if (call != nullptr && m_scope.text(*call) == "cudaMemcpy") {
        action.call = CopyAction::Call::memcpy;
        const std::uint32_t gpu = to.gpu != no_id ? to.gpu : from.gpu != no_id ? from.gpu : 0;
        action.stream = m_scope.streams.elements.find("legacy")->second.first + gpu;
        if (stream_argument != nullptr
            && m_program.streams[stream(*stream_argument)].kind != StreamSpec::Kind::legacy) {
            m_scope.fail(
                stream_argument->place, "found a stream of 'call: cudaMemcpy', which is always on the legacy stream");
        }
    } else {
        action.stream = stream(*stream_argument);
        action.blocking = flag(step, "blocking");
    }
    const std::uint32_t gpu = m_program.streams[action.stream].gpu;
    const bool none_on_gpu = from.gpu == no_id && to.gpu == no_id;
    if (!none_on_gpu && from.gpu != gpu && to.gpu != gpu) {
        m_scope.fail((stream_argument != nullptr ? *stream_argument : to_argument).place,
            "found a stream of gpu " + std::to_string(gpu) + ", but '" + from.name + "' is " + where(from) + " and '"
                + to.name + "' " + where(to));
    }
    std::tie(action.offset, action.bytes) = span(step, from.bytes);
    const auto shown = [](std::uint64_t bytes) { return to_text({Dimension::bytes, static_cast<double>(bytes), {}}); };
    for (const auto& [buffer, argument] : {std::pair(&from, &from_argument), {&to, &to_argument}}) {
        if (action.offset + action.bytes > buffer->bytes) {
            m_scope.fail(argument->place,
                "the copy reaches to " + shown(action.offset + action.bytes) + ", but '" + buffer->name + "' has "
                    + shown(buffer->bytes));
        }
    }
    return action;
}

MemsetAction StepActions::memset(const Step& step) const
{
    const Argument& to_argument = *step.arguments.find("to");
    const Argument& stream_argument = *step.arguments.find("stream");
    const Argument* value = step.arguments.find("value");
    MemsetAction action {};
    action.to = m_scope.one(to_argument, m_scope.buffers);
    action.stream = stream(stream_argument);
    const BufferElement& to = m_program.buffers[action.to];
    if (to.gpu != m_program.streams[action.stream].gpu) {
        m_scope.fail(to_argument.place,
            "found '" + to.name + "' " + where(to) + ", expected a buffer on the stream's gpu "
                + std::to_string(m_program.streams[action.stream].gpu));
    }
    std::tie(action.offset, action.bytes) = span(step, to.bytes);
    if (action.offset + action.bytes > to.bytes) {
        m_scope.fail(to_argument.place,
            "the memset reaches beyond the end of '" + to.name + "', which has "
                + to_text({Dimension::bytes, static_cast<double>(to.bytes), {}}));
    }
    action.value = value == nullptr ? 0 : static_cast<std::uint8_t>(m_scope.whole(*value, 0, 255));
    action.blocking = flag(step, "blocking");
    return action;
}

CpuAction StepActions::cpu(const Step& step) const
{
    CpuAction action;
    if (const Argument* memcpy = step.arguments.find("memcpy")) {
        action.kind = CpuAction::Kind::memcpy;
        action.bytes = static_cast<std::uint64_t>(m_scope.number(*memcpy, 1, 1099511627776.0));
    } else {
        action.time = std::llround(m_scope.number(*step.arguments.find("time"), 0, longest_time));
    }
    if (const Argument* kind = step.arguments.find("kind"); kind != nullptr && m_scope.text(*kind) == "sleep") {
        action.kind = CpuAction::Kind::sleep;
    }
    if (const Argument* name = step.arguments.find("name")) {
        action.name = m_scope.text(*name);
    }
    action.reads = touched_by(step, "reads", action);
    action.writes = touched_by(step, "writes", action);
    if (!action.reads.empty() && action.reads == action.writes && action.kind == CpuAction::Kind::memcpy) {
        m_scope.fail(step.arguments.find("writes")->place,
            "found '" + m_program.buffers[action.writes.front()].name
                + "' on both ends of a memcpy, expected two buffers");
    }
    return action;
}

std::vector<Index> StepActions::touched_by(const Step& step, std::string_view key, const CpuAction& work) const
{
    const Argument* argument = step.arguments.find(key);
    if (argument == nullptr) {
        return {};
    }
    const bool copies = work.kind == CpuAction::Kind::memcpy;
    std::vector<Index> found = m_scope.all(*argument, m_scope.buffers);
    if (copies && found.size() > 1) {
        m_scope.fail(argument->place, "found " + std::to_string(found.size()) + " buffers, expected one for a memcpy");
    }
    for (const Index buffer : found) {
        check_on_host(*argument, buffer);
        const BufferElement& element = m_program.buffers[buffer];
        if (copies && work.bytes > element.bytes) {
            m_scope.fail(argument->place,
                "the memcpy reaches to " + to_text({Dimension::bytes, static_cast<double>(work.bytes), {}}) + ", but '"
                    + element.name + "' has " + to_text({Dimension::bytes, static_cast<double>(element.bytes), {}}));
        }
    }
    return found;
}

void StepActions::check_on_host(const Argument& argument, Index buffer) const
{
    const BufferElement& element = m_program.buffers[buffer];
    if (element.gpu != no_id) {
        m_scope.fail(
            argument.place, "found '" + element.name + "' " + where(element) + ", expected a buffer on the host");
    }
}

ReadAction StepActions::read(const Step& step) const
{
    const Argument& buffer = *step.arguments.find("buffer");
    const Argument* expect = step.arguments.find("expect");
    ReadAction action;
    action.buffers = m_scope.all(buffer, m_scope.buffers);
    for (const Index index : action.buffers) {
        check_on_host(buffer, index);
    }
    for (std::size_t i = 0; i < buffer.texts.size(); ++i) {
        action.name += (i == 0 ? "" : ", ") + m_scope.text(buffer, i);
    }
    action.expect_stale = expect != nullptr && m_scope.text(*expect) == "stale";
    return action;
}

void StepActions::write(const Step& step) const
{
    const Argument& buffer = *step.arguments.find("buffer");
    const double value = m_scope.number(*step.arguments.find("value"), -1e300, 1e300);
    for (const Index index : m_scope.all(buffer, m_scope.buffers)) {
        check_on_host(buffer, index);
        m_emit(WriteAction {index, value, "write " + m_program.buffers[index].name, flag(step, "racing")});
    }
}

void StepActions::sync(const Step& step) const
{
    const Argument& argument = step.arguments.all.front();
    if (argument.key->takes == Takes::stream) {
        m_emit(SyncStreamAction {stream(argument)});
    } else if (argument.key->takes == Takes::event) {
        m_emit(SyncEventAction {m_scope.one(argument, m_scope.events)});
    } else if (argument.key->takes == Takes::number) {
        m_emit(SyncDeviceAction {static_cast<std::uint32_t>(m_scope.whole(argument, 0, m_program.gpus - 1))});
    } else {
        for (std::uint32_t gpu = 0; gpu < m_program.gpus; ++gpu) {
            m_emit(SyncDeviceAction {gpu});
        }
    }
}

void StepActions::allocate(const Step& step)
{
    const Argument& buffer = *step.arguments.find("buffer");
    const Argument* stream_argument = step.arguments.find("stream");
    const Index pool = stream_argument == nullptr ? no_id : stream(*stream_argument);
    for (const Index index : m_scope.all(buffer, m_scope.buffers)) {
        BufferElement& element = m_program.buffers[index];
        if (pool != no_id && element.gpu != m_program.streams[pool].gpu) {
            m_scope.fail(buffer.place,
                "found '" + element.name + "' " + where(element)
                    + ", expected a buffer on the gpu of the stream whose pool it comes from");
        }
        if (element.cached && step.kind == StepKind::alloc && pool == no_id) {
            m_scope.fail(buffer.place,
                "found '" + element.name
                    + "' of the caching allocator, whose blocks belong to a stream, expected "
                      "'stream' too");
        }
        if (element.cached && step.kind == StepKind::free && pool != no_id) {
            m_scope.fail(stream_argument->place,
                "found a stream, but '" + element.name + "' goes back to the caching allocator, expected none");
        }
        if (step.kind == StepKind::alloc) {
            element.allocated_by_step = true;
            m_emit(AllocAction {index, pool});
        } else {
            m_emit(FreeAction {index, pool});
        }
    }
}

CollectiveAction StepActions::collective(const Step& step) const
{
    const CollectiveKind kind = collective_named(form_of(step.kind).action);
    const Argument& buffers = *step.arguments.find("buffers");
    const Argument& streams = *step.arguments.find("streams");
    CollectiveAction action {m_scope.all(buffers, m_scope.buffers), m_scope.all(streams, m_scope.streams), kind};
    if (action.buffers.size() != action.streams.size()) {
        m_scope.fail(streams.place,
            "found " + std::to_string(action.streams.size())
                + (action.streams.size() == 1 ? " stream for " : " streams for ")
                + std::to_string(action.buffers.size()) + (action.buffers.size() == 1 ? " buffer" : " buffers")
                + ", expected one for each");
    }
    if (kind == CollectiveKind::send_recv && action.buffers.size() != 2) {
        m_scope.fail(buffers.place,
            "found " + std::to_string(action.buffers.size()) + (action.buffers.size() == 1 ? " buffer" : " buffers")
                + ", expected two: the one that is sent, and the one that it is received in");
    }
    if (kind != CollectiveKind::all_reduce && action.buffers.size() < 2) {
        m_scope.fail(buffers.place, "found 1 buffer, expected two or more: this goes from one GPU to others");
    }
    const bool in_parts = kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter;
    for (std::size_t i = 0; i < action.buffers.size(); ++i) {
        const BufferElement& element = m_program.buffers[action.buffers[i]];
        const std::uint32_t gpu = m_program.streams[action.streams[i]].gpu;
        if (element.gpu != gpu) {
            m_scope.fail(buffers.place,
                "found '" + element.name + "' " + where(element) + ", but its stream is on gpu " + std::to_string(gpu));
        }
        if (element.bytes != m_program.buffers[action.buffers[0]].bytes) {
            m_scope.fail(buffers.place,
                "found buffers of different sizes, expected all as large as '"
                    + m_program.buffers[action.buffers[0]].name + "'");
        }
        if (in_parts && element.bytes % (8 * action.buffers.size()) != 0) {
            m_scope.fail(buffers.place,
                "found '" + element.name + "' of " + std::to_string(element.bytes) + " B, expected a multiple of "
                    + std::to_string(8 * action.buffers.size()) + " B: each GPU has an equal part, in words of 8 B");
        }
        for (std::size_t k = 0; k < i; ++k) {
            if (m_program.streams[action.streams[k]].gpu == gpu) {
                m_scope.fail(
                    streams.place, "found two streams on gpu " + std::to_string(gpu) + ", expected one for each GPU");
            }
        }
    }
    return action;
}

}  // namespace lanes::syntax
