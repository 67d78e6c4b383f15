// SPDX-License-Identifier: MIT
// The table of changes: one row each. What a change edits, what it assumes and when it applies is in the file of its
// name beside this one; its sentences are under `whatif` in resources/text.
#pragma once

#include "engine/replay/assumption.h"
#include "engine/replay/change.h"
#include "engine/replay/script.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lanes::replay {

class Edit;

struct ChangeRow {
    ChangeKind kind;
    std::string_view word;  ///< on the command line and in JSON
    enum Amount : std::uint8_t {
        no_amount,
        optional,
        factor,  ///< needed, and may be a fraction
        number,  ///< needed, and whole: of a stream
    } amount;
    enum Limit : std::uint8_t {
        never,  ///< it changes all of a recording
        possible,  ///< a query or a finding can limit it
        needed,  ///< without a query or a finding it would mean nothing
        of_finding,  ///< only what a finding found can be changed this way
    } limit;
    void (*make)(Edit& edit);
    const char* help;  ///< for the command line
};

/// In the order of ChangeKind.
std::span<const ChangeRow> change_rows();
const ChangeRow& row_of(ChangeKind kind);

/// How a change is made where there are two ways.
struct Way {
    bool keeps_gaps = false;  ///< the thread's own time before a dropped call stays, before what comes after it; else
                              ///< it goes too
    bool loads_first = false;  ///< loading ahead comes before an iteration's own work; else after its launches, before
                               ///< its first wait
    bool starts_workers = false;  ///< workers start when the thread first needs them; else they run by then
    bool adds_calls = false;  ///< forking to new streams and joining them costs the calls that PyTorch makes for it;
                              ///< else none: launches only name another stream
    bool has_forward = false;  ///< where the recording does not tell forward from backward, the first half of the
                               ///< kernels before collectives is the forward pass; else all are of the backward pass
};

/// What a change did, and what it takes for granted.
struct Applied {
    std::uint64_t count = 0;  ///< calls, copies or kernels that it changed; 0: it does not apply
    std::uint64_t old_bytes = 0;  ///< reads of the host that may come before what they read
    std::vector<Assumption> assumptions;
    bool is_refused = false;  ///< it needs what the user says does not hold: the script is unchanged
    Reliability reliability = Reliability::reliable;
    bool drops_calls = false;  ///< then it matters whether the time before them goes too
    bool loads_ahead = false;  ///< then it matters where in an iteration
    bool may_add_calls = false;  ///< then it matters what they cost
    bool may_start_workers = false;  ///< then it matters whether they do
    bool may_have_forward = false;  ///< then it matters which kernels are of the backward pass
    bool may_wait = false;  ///< a thread whose calls go may have waited for something else, and then still does
    bool guesses_loading = false;  ///< what loading is was guessed from the times: ranges of --pytorch would say
};

/// Leaves alone what another change of the same script has changed already. Cost: linear.
Applied apply(Script& script, const Graph& graph, const Change& change, Way way = {}, const Answers& answers = {});

namespace changes {

void pin(Edit& edit);
void non_blocking(Edit& edit);
void event_waits(Edit& edit);
void drop_syncs(Edit& edit);
void drop_values(Edit& edit);
void leave_legacy(Edit& edit);
void own_stream(Edit& edit);
void pool(Edit& edit);
void graph(Edit& edit);
void faster(Edit& edit);
void more_streams(Edit& edit);
void overlap_all_reduce(Edit& edit);
void faster_link(Edit& edit);
void prefetch(Edit& edit);
void split(Edit& edit);
void buckets(Edit& edit);
void gather(Edit& edit);
void workers(Edit& edit);
void at_once(Edit& edit);
void peer(Edit& edit);
void on_stream(Edit& edit);

}  // namespace changes

}  // namespace lanes::replay
