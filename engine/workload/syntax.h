// SPDX-License-Identifier: MIT
// The syntax tree of a workload, Workload::body. Names in it are not resolved yet (names_check.h) and have no values
// (compile()).
#pragma once

#include "engine/workload/expression.h"
#include "engine/workload/schema.h"
#include "engine/workload/workload.h"
#include "engine/workload/yaml_tree.h"

namespace lanes::syntax {

/// A key and its value as written.
struct Argument {
    const Key* key = nullptr;
    Place place;  ///< of the value's first byte
    bool one_line = true;  ///< if so, the column of each byte is known
    std::string source;  ///< as written, lists joined by ", "
    std::unique_ptr<Expression> first;  ///< of number, bytes, time, boolean, condition, value; where a span begins
    std::unique_ptr<Expression> second;  ///< where a span ends
    std::vector<Template> texts;  ///< of everything that is text or names
    std::vector<Place> text_places;  ///< of the first bytes of `texts`

    /// The place of byte `offset` in the text that begins at `begin`.
    Place at(Place begin, std::size_t offset) const;
};

struct Arguments {
    std::vector<Argument> all;
    const Argument* find(std::string_view key) const;
};

struct Step;
using Steps = std::vector<Step>;

struct Step {
    StepKind kind;
    Place place;  ///< of the action
    Index id;  ///< into Body::infos
    Arguments arguments;
    std::vector<std::pair<std::string_view, Steps>> blocks;  ///< under `do`, `then`, `else`

    const Steps* block(std::string_view key) const;
};

/// A buffer, stream, event, queue, or thread.
struct Declaration {
    std::string name;
    Place place;
    Arguments arguments;
    Steps steps;  ///< of a thread or part
    bool counted() const { return arguments.find("count") != nullptr; }
};
using Declarations = std::vector<Declaration>;

const Declaration* find(const Declarations& declarations, std::string_view name);
std::vector<std::string> names_of(const Declarations& declarations);

}  // namespace lanes::syntax

namespace lanes {

struct Workload::Body {
    syntax::Declarations buffers, streams, events, queues, parts, threads;
    struct Peer {
        Place place;
        std::uint32_t a, b;
    };
    std::vector<Peer> peers;
    syntax::Arguments cache;
    std::vector<std::string> graphs;  ///< names that `capture` steps give, as written
    std::vector<StepInfo> infos;  ///< of all steps, in the file's order
    std::vector<Value> defaults;  ///< of Workload::parameters
    std::vector<std::optional<Value>> minima, maxima;
};

}  // namespace lanes
