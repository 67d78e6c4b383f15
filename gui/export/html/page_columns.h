// SPDX-License-Identifier: MIT
// The lanes of a recording as a page takes them: for each row its items in columns of
// variable-length integers, which pack well; data.js reads the same.
//
// Per row, each column as a whole: starts (each from the end before it, zigzag), lengths, roles (only where the row has
// several), texts, tips, lines of code; of operations also how long a collective waited (only where one did), bytes,
// issuing call's name, time from its start (zigzag), and on the lane of an engine the stream.
// Cost: linear; about 6 bytes an operation before and 3 after it is packed.
#pragma once

#include "engine/workload/program.h"
#include "gui/export/html/page_texts.h"
#include "gui/lanes/lane_model.h"

#include <QByteArray>
#include <QJsonObject>

namespace lanes::gui {

/// Appends `value` in 7 bits a byte, the lowest first, the highest bit set in all bytes but the last.
void appendVarint(QByteArray& bytes, std::uint64_t value);
/// A number of either sign, small where it is near 0.
constexpr std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}

class PageColumns {
public:
    /// `withSteps`: the workload's steps are known, and each item says which it is of, from 1.
    PageColumns(const LaneModel& model, bool withSteps, PageTexts& texts);

    /// Appends the columns of one row. Returns what JSON says of it: kind, count, its one role or -1, which columns.
    QJsonObject append(const LaneRow& row, QByteArray& bytes);

private:
    void appendOperations(const RowItems& items, bool hasStaged, bool hasEarly, bool ofEngine, QByteArray& bytes);
    std::uint32_t textOf(ItemRef item);
    std::uint32_t tipOf(ItemRef item);
    std::uint32_t operationTip(Row row);
    std::uint32_t callName(Row call);

    const LaneModel& m_model;
    bool m_withSteps;
    PageTexts& m_texts;
    QHash<quint64, std::uint32_t> m_kernels, m_calls, m_copies, m_memories, m_callNames, m_streams;
    QHash<QString, std::uint32_t> m_shapes;
};

}  // namespace lanes::gui
