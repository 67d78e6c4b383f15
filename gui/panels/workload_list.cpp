// SPDX-License-Identifier: MIT
#include "gui/panels/workload_list.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>

namespace lanes::gui {

namespace {

constexpr int mark_size = 12;

struct Mark {
    const char* word;  ///< in the workload's name
    QRgb color;
};
// The colours of the timeline for what a workload is about: copies to the GPU green, back purple, waiting
// vermilion, streams blue, events yellow. The first word that fits decides.
constexpr std::array marks {Mark {"item", 0xFFE5673B}, Mark {"loop", 0xFFE5673B}, Mark {"results", 0xFFD07AB8},
    Mark {"all-reduce", 0xFFD07AB8}, Mark {"gpus", 0xFFD07AB8}, Mark {"event", 0xFFC9A227}, Mark {"stream", 0xFF4F8FE6},
    Mark {"cpu", 0xFF7FB2D9}, Mark {"pin", 0xFF3FB68B}, Mark {"cop", 0xFF3FB68B}, Mark {"load", 0xFF3FB68B}};
constexpr QRgb other_mark = 0xFF5D6B82;

QIcon markOf(const std::string& name)
{
    QRgb color = other_mark;
    for (const Mark& mark : marks) {
        if (name.find(mark.word) != std::string::npos) {
            color = mark.color;
            break;
        }
    }
    QPixmap pixmap(QSize(mark_size, mark_size) * 2);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(color));
    painter.drawRoundedRect(QRectF(1, 1, mark_size - 2, mark_size - 2), 2.5, 2.5);
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected);  // the style must not tint it
    return icon;
}

}  // namespace

QString titleOf(const Workload& workload)
{
    const QString title = QString::fromStdString(in_language(workload.title, QLocale().name().toStdString()));
    return title.isEmpty() ? QString::fromStdString(workload.name) : title;
}

WorkloadList::WorkloadList(QWidget* parent)
    : QListWidget(parent)
{
    setAccessibleName(tr("Workloads"));
    setObjectName(QStringLiteral("workloads"));
    setIconSize({mark_size, mark_size});
    setUniformItemSizes(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideRight);
    setFrameShape(QFrame::NoFrame);
    connect(this, &QListWidget::currentRowChanged, this,
        [this](int row) { emit workloadSelected(row < 0 ? nullptr : m_workloads[static_cast<std::size_t>(row)]); });
}

void WorkloadList::addWorkload(std::shared_ptr<const Workload> workload)
{
    const auto known = std::find_if(
        m_workloads.begin(), m_workloads.end(), [&](const auto& other) { return other->file == workload->file; });
    const auto row = static_cast<int>(known - m_workloads.begin());
    QString description = QString::fromStdString(in_language(workload->description, QLocale().name().toStdString()));
    if (description.isEmpty()) {
        description = QString::fromStdString(workload->name);
    }
    if (known != m_workloads.end()) {
        *known = workload;
        item(row)->setText(titleOf(*workload));
        if (row == currentRow()) {
            emit workloadSelected(workload);
        }
    } else {
        m_workloads.push_back(workload);  // before the item: adding one may select it
        addItem(new QListWidgetItem(markOf(workload->name), titleOf(*workload)));
    }
    item(row)->setToolTip(description);
}

bool WorkloadList::select(const QString& nameOrFile)
{
    const std::string wanted = nameOrFile.toStdString();
    for (std::size_t row = 0; row < m_workloads.size(); ++row) {
        if (m_workloads[row]->name == wanted || m_workloads[row]->file == wanted) {
            setCurrentRow(static_cast<int>(row));
            return true;
        }
    }
    return false;
}

std::shared_ptr<const Workload> WorkloadList::selected() const
{
    return currentRow() < 0 ? nullptr : m_workloads[static_cast<std::size_t>(currentRow())];
}

QSize WorkloadList::sizeHint() const
{
    const int row = count() > 0 ? sizeHintForRow(0) : 26;
    return {220, row * std::clamp(count(), 3, 14) + 4};
}

}  // namespace lanes::gui
