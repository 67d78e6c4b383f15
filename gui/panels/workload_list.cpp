// SPDX-License-Identifier: MIT
#include "gui/panels/workload_list.h"

#include "gui/session/run_titles.h"

#include <QDir>
#include <QPainter>
#include <QSignalBlocker>

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
    connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
        emit workloadSelected(row < 0 ? nullptr : m_entries[static_cast<std::size_t>(row)].workload);
    });
}

std::optional<int> WorkloadList::rowOf(const std::string& nameOrFile) const
{
    for (std::size_t row = 0; row < m_entries.size(); ++row) {
        const auto& workload = m_entries[row].workload;
        if (workload && (workload->file == nameOrFile || workload->name == nameOrFile)) {
            return static_cast<int>(row);
        }
    }
    return {};
}

void WorkloadList::addHeading(int row, const QString& text)
{
    m_entries.insert(m_entries.begin() + row, Entry {});
    auto* heading = new QListWidgetItem(text.toUpper());
    heading->setFlags(Qt::NoItemFlags);
    QFont small = font();
    small.setPixelSize(11);
    small.setWeight(QFont::DemiBold);
    heading->setFont(small);
    insertItem(row, heading);
}

void WorkloadList::describe(int row)
{
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    const Workload& workload = *entry.workload;
    QString description = inLanguage(workload.description);
    if (description.isEmpty()) {
        description = QString::fromStdString(workload.name);
    }
    if (entry.origin == Origin::own) {
        description += QLatin1Char('\n') + QDir::toNativeSeparators(QString::fromStdString(workload.file));
    }
    if (entry.modified) {
        description += QLatin1Char('\n') + tr("Changed and not saved");
    }
    item(row)->setText(entry.modified ? titleOf(workload) + QStringLiteral("  •") : titleOf(workload));
    item(row)->setToolTip(description);
}

void WorkloadList::addWorkload(std::shared_ptr<const Workload> workload, Origin origin)
{
    if (const auto known = rowOf(workload->file)) {
        m_entries[static_cast<std::size_t>(*known)].workload = workload;
        describe(*known);
        if (*known == currentRow()) {
            emit workloadSelected(workload);
        }
        return;
    }
    int row = count();
    if (origin == Origin::own) {
        if (m_own == 0) {
            addHeading(0, tr("Your own"));
            addHeading(1, tr("From Lanescope"));
        }
        row = 1 + m_own++;
    }
    const QIcon icon = markOf(workload->name);
    const QString title = titleOf(*workload);
    m_entries.insert(m_entries.begin() + row,
        Entry {std::move(workload), origin, false});  // before the item: adding one may select it
    insertItem(row, new QListWidgetItem(icon, title));
    describe(row);
}

void WorkloadList::removeWorkload(const QString& file)
{
    const auto row = rowOf(file.toStdString());
    if (!row || m_entries[static_cast<std::size_t>(*row)].origin != Origin::own) {
        return;
    }
    const bool current = *row == currentRow();
    const auto drop = [this](int at) {
        const QSignalBlocker quiet(this);  // rows and entries disagree until both are gone
        delete takeItem(at);
        m_entries.erase(m_entries.begin() + at);
    };
    drop(*row);
    if (--m_own == 0) {
        drop(1);
        drop(0);
    }
    if (current) {
        setCurrentRow(-1);
        selectFirst();
    }
}

QStringList WorkloadList::ownFiles() const
{
    QStringList files;
    for (const Entry& entry : m_entries) {
        if (entry.workload && entry.origin == Origin::own) {
            files += QString::fromStdString(entry.workload->file);
        }
    }
    return files;
}

bool WorkloadList::isOwn(const QString& file) const
{
    return ownFiles().contains(file);
}

void WorkloadList::setModified(const QString& file, bool modified)
{
    if (const auto row = rowOf(file.toStdString())) {
        m_entries[static_cast<std::size_t>(*row)].modified = modified;
        describe(*row);
    }
}

bool WorkloadList::select(const QString& nameOrFile)
{
    if (const auto row = rowOf(nameOrFile.toStdString())) {
        setCurrentRow(*row);
        return true;
    }
    return false;
}

std::vector<std::shared_ptr<const Workload>> WorkloadList::workloads() const
{
    std::vector<std::shared_ptr<const Workload>> all;
    for (const Origin origin : {Origin::catalogue, Origin::own}) {
        for (const Entry& entry : m_entries) {
            if (entry.workload && entry.origin == origin) {
                all.push_back(entry.workload);
            }
        }
    }
    return all;
}

std::shared_ptr<const Workload> WorkloadList::newest(const std::shared_ptr<const Workload>& recorded) const
{
    std::shared_ptr<const Workload> found = recorded;
    for (const auto& workload : workloads()) {
        if (workload->source == recorded->source) {
            return workload;
        }
        if (workload->name == recorded->name) {
            found = workload;
        }
    }
    return found;
}

void WorkloadList::selectFirst()
{
    for (std::size_t row = 0; row < m_entries.size(); ++row) {
        if (m_entries[row].workload && m_entries[row].origin == Origin::catalogue) {
            setCurrentRow(static_cast<int>(row));
            return;
        }
    }
}

std::shared_ptr<const Workload> WorkloadList::selected() const
{
    return currentRow() < 0 ? nullptr : m_entries[static_cast<std::size_t>(currentRow())].workload;
}

QSize WorkloadList::sizeHint() const
{
    const int row = count() > 0 ? sizeHintForRow(0) : 26;
    return {220, row * std::clamp(count(), 3, 14) + 4};
}

}  // namespace lanes::gui
