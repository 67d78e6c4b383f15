// SPDX-License-Identifier: MIT
// The rows of the summary: what has one name in A and in B is one row.
#pragma once

#include "gui/panels/summary/summary_scope.h"

#include <QString>

#include <optional>
#include <stop_token>

namespace lanes::gui {

enum class SummaryFigure : std::uint8_t {
    name,
    family,  ///< of kernels: what they are for
    total,
    own,  ///< of ranges: less what is in ranges inside them
    share,
    count,
    mean,
    median,
    min,
    max,
    bytes,
    blocked,
    exposed,  ///< of copies and communication: while no kernel computed
    // Of a counter's values.
    least,
    average,
    most,
    last,
};

struct SummaryColumn {
    SummaryFigure figure = SummaryFigure::name;
    int part = 0;  ///< 0: A's, 1: B's, 2: B's less A's
};

struct NamedRow {
    std::string name;  ///< the engine's: of a finding its rule
    QString shown;
    std::array<std::optional<SummaryRow>, 2> sides;  ///< nothing where the name does not occur
    std::array<double, 2> share {};
    std::array<std::optional<CounterRow>, 2> counters;  ///< in place of `sides`
    bool occurs(int part) const
    {
        return sides[static_cast<std::size_t>(part)] || counters[static_cast<std::size_t>(part)];
    }
};
using NamedRows = std::vector<NamedRow>;

/// Name, then each figure of A, of B and their difference, as far as there are two and the table has it.
std::vector<SummaryColumn> columnsOf(const SummaryOf& of);

/// Unordered. Cost: that of summarise(), of each recording; few ns a finding. Stopped half-way it is empty.
NamedRows rowsOf(const SummaryOf& of, const std::stop_token& stop = {});

/// What the cell is sorted by: ns, a count, bytes, a share or a counter's value; nothing where it is empty.
std::optional<double> valueOf(const NamedRow& row, SummaryColumn column);
/// As it is shown; "" where there is nothing to show.
QString cellOf(const NamedRow& row, SummaryColumn column);

/// The numbers of the rows whose name has all words of `text`, in any case, sorted by a column; empty cells last,
/// equal ones by name.
std::vector<std::uint32_t> arranged(const NamedRows& rows, const QString& text, SummaryColumn column, bool descending,
    const std::stop_token& stop = {});

}  // namespace lanes::gui
