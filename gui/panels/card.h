// SPDX-License-Identifier: MIT
// What the card beside the lanes says of one event, before it is drawn: what it is, when, what of it other work hides,
// what it waited for and what waited for it, who issued it, and the chain of its causes.
#pragma once

#include "gui/lanes/cause_chain.h"
#include "gui/panels/details.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace lanes::gui {

/// Another event on the card; a click goes to it.
struct CardEntry {
    ItemRef item;
    QString name;  ///< short
    QString said;  ///< how it belongs here, one line: "before it on its stream; began 1 µs after"
    bool isPath = false;  ///< `name` is a path or a frame, which is cut in its middle
};

/// Entries under a heading.
struct CardPart {
    QString title;
    std::vector<CardEntry> entries;
};

struct Card {
    QString name;  ///< short, as on its bar
    QString length;
    QString fullName;  ///< empty: it is `name`
    QString place;  ///< "communication, GPU 0 · stream 27": its family, its stream or thread
    std::vector<DetailField> facts;  ///< "from – to", what a wait cost
    /// None of them is empty: what it waited for and what waited for it (two at most each), who issued it (the call and
    /// the ranges around that, five at most, the innermost first), what it issued, its owner.
    std::vector<CardPart> parts;
};

/// Cost: log n for each edge of the dependency graph at the event, and that of ranges_around().
/// `begin`: when the run began, from which its times count, in the recording's own time.
Card cardOf(const OpenRecording& recording, EventRef event, Ns begin = 0);

/// A line of a chain of causes.
struct ChainLine {
    std::size_t number = 0;  ///< of its step, from 1 for the nearest; the arrow on the lanes has the same
    QString words;  ///< "same stream", "CPU 3.2 ms"
    CardEntry entry;  ///< where the step leads to
    std::size_t times = 1;  ///< how often the lines of this cycle come, where it is the last of one
};

/// From the event back, a cycle once (cause_chain.h).
std::vector<ChainLine> chainLines(const OpenRecording& recording, const std::vector<ChainStep>& chain);

/// One operation, call or range of the same name.
struct NameDot {
    Row row = no_row;  ///< of the event's table
    Ns start = 0, length = 0;
};

/// What takes a look at a whole table.
struct CardFigures {
    /// Of a copy and of communication: for how long kernels that do not communicate ran beside it on its GPU; nothing
    /// of other events.
    std::optional<Ns> hidden;
    std::size_t count = 0;  ///< of the same name, with this one; of kernels of the same full name
    Ns least = 0, median = 0, most = 0;  ///< their lengths
    Interval span;  ///< from the first start to the last
    /// At most a few thousand: those that a plot of that size can tell apart. By start.
    std::vector<NameDot> dots;
};

/// Cost: linear in the event's table. When stopped, of no use.
CardFigures cardFigures(const Trace& trace, EventRef event, const std::stop_token& stop = {});

}  // namespace lanes::gui
