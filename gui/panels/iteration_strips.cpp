// SPDX-License-Identifier: MIT
#include "gui/panels/iteration_strips.h"

#include "engine/analysis/figures/range_index.h"
#include "engine/analysis/graph/rows_in.h"
#include "gui/lanes/wait_role.h"
#include "gui/panels/theme_of.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace lanes::gui {

namespace {

constexpr std::array strip_order {ItemRole::kernel, ItemRole::communication, ItemRole::h2d, ItemRole::d2h,
    ItemRole::p2p, ItemRole::held, ItemRole::freeWait, ItemRole::unknownWait};
constexpr int strip_margin = 3;
constexpr int least_band = 4;  // pixels
constexpr Ns most_typical = 3;
constexpr float ground_alpha = 0.07F;

ItemRole roleOf(const Trace& trace, const RecordingBounds& bounds, Row operation)
{
    switch (trace.operations.kind[operation]) {
    case OperationKind::kernel: {
        const bool talks = bounds.communicates.has(trace, operation);
        return talks ? ItemRole::communication : ItemRole::kernel;
    }
    case OperationKind::h2d:
        return ItemRole::h2d;
    case OperationKind::d2h:
        return ItemRole::d2h;
    case OperationKind::p2p:
        return ItemRole::p2p;
    default:
        return ItemRole::kernel;  // memsets and copies on the device are work of the GPU as well
    }
}

/// What share of a column of pixels is busy, as paint.
QColor shadeOf(QColor color, double share)
{
    color.setAlphaF(static_cast<float>(0.25 + 0.75 * std::min(1., share)));
    return color;
}

}  // namespace

std::vector<ItemRole> stripRoles(const OpenRecording& recording)
{
    const Trace& trace = *recording.trace;
    std::array<bool, itemRoleCount> exists {};
    for (Row row = 0; row < trace.operations.size(); ++row) {
        exists[static_cast<std::size_t>(roleOf(trace, recording.ranges->bounds(), row))] = true;
    }
    for (Row row = 0; row < recording.blocking->calls.size(); ++row) {
        exists[static_cast<std::size_t>(waitRole(recording, row))] = true;
    }
    std::vector<ItemRole> roles;
    std::copy_if(strip_order.begin(), strip_order.end(), std::back_inserter(roles),
        [&](ItemRole role) { return exists[static_cast<std::size_t>(role)]; });
    return roles;
}

std::vector<Coverage> bandsOf(
    const OpenRecording& recording, Interval span, const std::vector<ItemRole>& roles, Row thread)
{
    const Trace& trace = *recording.trace;
    const auto& bounds = recording.ranges->bounds();
    std::array<std::vector<Interval>, itemRoleCount> busy;
    const auto add = [&](ItemRole role, Ns start, Ns end) {
        busy[static_cast<std::size_t>(role)].push_back(
            {std::max(start, span.start) - span.start, std::min(end, span.end) - span.start});
    };
    for (const Row row : rows_in(*recording.graph, span)) {
        add(roleOf(trace, bounds, row), trace.operations.start[row], trace.operations.end[row]);
    }
    each_touching(recording.blocking->calls, bounds.blocked, span, [&](Row row) {
        const auto& stretch = recording.blocking->calls[row];
        if (trace.calls.thread[stretch.call] == thread) {
            add(waitRole(recording, row), stretch.start, stretch.end);
        }
    });
    std::vector<Coverage> found;
    found.reserve(std::size(roles));
    for (const ItemRole role : roles) {
        found.emplace_back(unite(std::move(busy[static_cast<std::size_t>(role)])));
    }
    return found;
}

void IterationStrips::set(OpenRecordingPtr recording, std::shared_ptr<const Iterations> iterations)
{
    m_recording = std::move(recording);
    m_iterations = std::move(iterations);
    m_bands.clear();
    m_roles = m_iterations ? stripRoles(*m_recording) : std::vector<ItemRole> {};
}

Ns IterationStrips::scale() const
{
    const Ns typical = m_iterations->all[m_iterations->typical].wall();
    Ns longest = typical;
    for (const Iteration& each : m_iterations->all) {
        longest = each.outlier == Iteration::Outlier::warm_up ? longest : std::max(longest, each.wall());
    }
    return std::max<Ns>(1, std::min(longest, most_typical * typical));
}

QSize IterationStrips::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int rows = static_cast<int>(strip_order.size()) * least_band + 2 * strip_margin;
    return {0, std::max(QStyledItemDelegate::sizeHint(option, index).height(), rows)};
}

void IterationStrips::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, {});
    const auto number = index.siblingAtColumn(m_numberColumn).data(m_role).toULongLong();
    if (!m_iterations || number >= m_iterations->all.size()) {
        return;
    }
    const Iteration& iteration = m_iterations->all[number];
    const auto [at, isNew] = m_bands.try_emplace(number);
    if (isNew) {
        at->second = bandsOf(*m_recording, iteration.span, m_roles, m_iterations->thread);
    }
    const Theme& theme = themeOf(option.palette);
    const QRect box = option.rect.adjusted(strip_margin, strip_margin, -strip_margin, -strip_margin);
    const Ns whole = scale();
    const double perPixel = static_cast<double>(whole) / std::max(1, box.width());
    const auto xOf = [&](Ns time) {
        return std::min(box.width(), static_cast<int>(std::lround(static_cast<double>(time) / perPixel)));
    };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    const int length = std::max(1, xOf(iteration.wall()));
    QColor ground = option.palette.color(QPalette::Text);
    ground.setAlphaF(ground_alpha);
    painter->fillRect(QRect(box.left(), box.top(), length, box.height()), ground);
    const int count = std::max<int>(1, static_cast<int>(at->second.size()));
    for (int band = 0; band < static_cast<int>(at->second.size()); ++band) {
        const Coverage& busy = at->second[static_cast<std::size_t>(band)];
        const QColor& color = theme.item(m_roles[static_cast<std::size_t>(band)]);
        const int top = box.top() + box.height() * band / count;
        const int bottom = box.top() + box.height() * (band + 1) / count;
        const int height = std::max(1, bottom - top - 1);
        for (int x = 0; x < length; ++x) {
            const Interval column {static_cast<Ns>(x * perPixel), static_cast<Ns>((x + 1) * perPixel)};
            if (const Ns time = busy.within(column); time > 0) {
                painter->fillRect(QRect(box.left() + x, top, 1, height),
                    shadeOf(color, static_cast<double>(time) / std::max(1., perPixel)));
            }
        }
    }
    if (iteration.wall() > whole) {  // it goes on
        painter->setPen(theme.text);
        painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("»"));
    }
    const int typical = box.left() + xOf(m_iterations->all[m_iterations->typical].wall());
    painter->setPen(QPen(theme.accent, number == m_iterations->typical ? 2 : 1));
    painter->drawLine(typical, option.rect.top(), typical, option.rect.bottom());
    painter->restore();
}

}  // namespace lanes::gui
