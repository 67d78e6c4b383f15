// SPDX-License-Identifier: MIT
// Iterations under each other, all drawn from the left on one scale: when kernels, communication and copies ran in
// each, and when the first thread was blocked. A line marks where the typical one ends.
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "engine/analysis/iterations.h"
#include "gui/lanes/item_role.h"
#include "gui/session/open_recording.h"

#include <QStyledItemDelegate>

#include <map>
#include <memory>
#include <vector>

namespace lanes::gui {

/// What strips of the recording have bands for, from the top. Cost: linear in its operations.
std::vector<ItemRole> stripRoles(const OpenRecording& recording);

/// For each role when anything of it went on, ns from the start of `span`; blocked is `thread`. Cost: linear in what
/// lies in `span`.
std::vector<Coverage> bandsOf(
    const OpenRecording& recording, Interval span, const std::vector<ItemRole>& roles, Row thread);

/// Paints the strip of the row whose `role` has the iteration's number from 0. Strips are computed when they are first
/// seen, and kept.
class IterationStrips : public QStyledItemDelegate {
public:
    IterationStrips(int numberColumn, int role, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_numberColumn(numberColumn)
        , m_role(role)
    {
    }
    void set(OpenRecordingPtr recording, std::shared_ptr<const Iterations> iterations);
    /// ns of the whole width: the longest but for the warm-up, at most three typical ones.
    Ns scale() const;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int m_numberColumn, m_role;
    OpenRecordingPtr m_recording;
    std::shared_ptr<const Iterations> m_iterations;
    std::vector<ItemRole> m_roles;
    mutable std::map<std::size_t, std::vector<Coverage>> m_bands;
};

}  // namespace lanes::gui
