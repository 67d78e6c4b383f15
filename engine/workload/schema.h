// SPDX-License-Identifier: MIT
// The workload language as tables: every step and declaration with its keys, and what each key takes. The reader, the
// check of names and units, and the compiler use them. A new key is added here and where the compiler uses it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::syntax {

/// What a key takes.
enum class Takes : std::uint8_t {
    number,
    bytes,
    time,
    boolean,  ///< expressions of that dimension
    condition,  ///< boolean, may depend on buffers' values
    changing_condition,  ///< must depend on them
    value,  ///< number, may depend on buffers' values
    text,  ///< anything, with $name and $(...) in it
    word,  ///< one of Key::words, a keyword
    blocks,  ///< `all` or a number
    identifier,  ///< a new name
    buffer,
    buffers,
    stream,
    streams,
    event,
    queue,
    thread,
    part,
    graph,  ///< names of declared things; the plurals: lists
    new_graph,
    span,  ///< "A .. B", sizes
    steps,
};

struct Key {
    std::string_view name;
    Takes takes;
    bool required = false;
    std::array<std::string_view, 3> words {};  ///< of Takes::word
};

enum class StepKind : std::uint8_t {
    kernel,
    copy,
    memset,
    cpu,
    read,
    write,
    record,
    wait,
    sync,
    repeat,
    if_,
    while_,
    range,
    call,
    put,
    get,
    join,
    alloc,
    free,
    capture,
    launch,
    all_reduce,
    all_gather,
    reduce_scatter,
    broadcast,
    send_recv,
    fault,
    last = fault,
};

/// Whether a step may be in the `do` of a `capture`.
enum class InCapture : std::uint8_t {
    allowed,  ///< if it makes the host wait (`blocking`, cudaMemcpy): as `fails`
    fails,  ///< CUDA refuses it: allowed only in a variant that expects an error
    refused,
};

/// A piece of the short description of a step: the value of a key after `before`, nothing if the step has no such key.
/// A Takes::word needs no `before`.
struct LabelPiece {
    std::string_view before, key;
};

/// How many of these keys a step has. "call: cudaMemcpy" is the key `call` with that value.
struct KeyRule {
    std::array<std::string_view, 3> of;
    int at_least, at_most;
    std::string_view message;  ///< if it is broken
    std::string_view at = {};  ///< the key whose value is at fault; "": the step as a whole
};

/// A step: `action: scalar` with siblings, or `action: {map}`.
struct StepForm {
    StepKind kind;
    std::string_view action;  ///< the key that names it
    InCapture in_capture;  ///< for steps with inner steps: if a buffer's value decides which of these run
    const Key* scalar = nullptr;  ///< the action's value, if it is no map
    std::span<const Key> map = {};  ///< the keys of the map, if it is one
    std::span<const Key> siblings = {};  ///< keys beside the action; `lines` is always allowed
    std::span<const LabelPiece> label = {};  ///< empty: all required keys and the streams, in the order written
    std::span<const KeyRule> rules = {};  ///< beside Key::required

    /// Whether it consists of other steps: unroll.cpp takes it apart. Any other step becomes actions.
    bool holds_steps() const;
};

std::span<const StepForm> step_forms();
const StepForm* find_step(std::string_view action);  ///< nullptr: no such step
const StepForm& form_of(StepKind kind);

std::span<const Key> buffer_keys();
std::span<const Key> stream_keys();
std::span<const Key> cache_keys();
std::span<const Key> event_keys();
std::span<const Key> queue_keys();
std::span<const Key> thread_keys();

const Key* find_key(std::span<const Key> keys, std::string_view name);
std::vector<std::string> names_of(std::span<const Key> keys);
std::vector<std::string> words_of(const Key& key);

}  // namespace lanes::syntax
