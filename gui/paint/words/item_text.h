// SPDX-License-Identifier: MIT
// What is written on an item, said when the mouse rests on it, and said of it in one line.
#pragma once

#include "gui/lanes/shown_recording.h"

#include <QString>
#include <QStringList>

namespace lanes::gui {

/// Labels for an item, the fullest first; the first that fits is drawn, none if none does.
QStringList labelsOf(const Recording& recording, ItemRef item);

/// Lines for a tooltip: what it is, when since `begin`, how long, and what matters of its kind.
QStringList tooltipOf(const ShownRecording& recording, ItemRef item, Ns begin = 0);

/// A kernel's name without return type, namespaces, template arguments and parameters.
QString shortKernelName(const QString& name);

/// Of a copy of pageable memory, how much of its time its bytes move (staged_copies.h); empty for other operations.
/// Cost: that of ShownRecording::pinnedRates().
QString stagedText(const ShownRecording& recording, Row operation);

/// The value of a range as it is shown: bytes as "4.00 KiB", others as text_of() has them.
QString valueText(const Trace& trace, const RangeValue& value);
/// "communicator 0x00000000000004d2, call 3, bytes 4.00 KiB, op Sum"; empty if the range has none.
QString valuesText(const Trace& trace, Row range);
/// What is known of the collectives that an operation carries out: "ncclAllReduce: communicator …, call 3, …";
/// empty if nothing is. Cost: that of collective_ranges().
QString collectiveText(const Recording& recording, Row operation);

/// "waits for D2H 64 MiB": what a blocked stretch (into Blocking::calls) waits for.
QString waitText(const Recording& recording, Row stretch);

}  // namespace lanes::gui
