// SPDX-License-Identifier: MIT
#include "gui/panels/details_panel.h"

#include "gui/paint/words/item_text.h"
#include "gui/panels/details.h"
#include "gui/session/critical_paths.h"
#include "gui/session/workspace.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

/// Opens a value to select text from, never to change it.
class ValueReader final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        if (index.column() != 1) {
            return nullptr;
        }
        auto* line = new QLineEdit(parent);
        line->setReadOnly(true);
        line->setFrame(false);
        line->setAccessibleName(index.siblingAtColumn(0).data().toString());
        return line;
    }
    void setModelData(QWidget*, QAbstractItemModel*, const QModelIndex&) const override { }
};

void toClipboard(const QString& text)
{
    QGuiApplication::clipboard()->setText(text);
}

QString lineOf(const QTreeWidgetItem* item)
{
    return item->text(0) + QLatin1Char('\t') + item->text(1) + QLatin1Char('\n');
}

}  // namespace

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_cause(new QPushButton)
    , m_effect(new QPushButton)
    , m_fields(new QTreeWidget)
    , m_stack(new QStackedWidget)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    auto* empty = new QLabel(tr("Nothing is selected. Click an operation or an API call in the timeline, or press . "
                                "for the next one in its lane."));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setProperty("quiet", true);
    empty->setMargin(16);
    m_stack->addWidget(empty);

    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(12, 8, 12, 8);
    auto* head = new QHBoxLayout;
    m_title->setProperty("heading", true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    head->addWidget(m_title, 1);
    m_cause->setObjectName(QStringLiteral("cause"));
    m_effect->setObjectName(QStringLiteral("effect"));
    connect(m_cause, &QPushButton::clicked, this, [this] { emit followWanted(m_causeItem); });
    connect(m_effect, &QPushButton::clicked, this, [this] { emit followWanted(m_effectItem); });
    auto* copyButton = new QPushButton(tr("Copy all"));
    copyButton->setToolTip(tr("Copy all fields"));
    connect(copyButton, &QPushButton::clicked, this, [this] { toClipboard(asText()); });
    head->addWidget(m_cause);
    head->addWidget(m_effect);
    head->addWidget(copyButton);
    layout->addLayout(head);
    m_fields->setObjectName(QStringLiteral("details"));
    m_fields->setAccessibleName(tr("Details of the selection"));
    m_fields->setColumnCount(2);
    m_fields->setHeaderHidden(true);
    m_fields->setRootIsDecorated(false);
    m_fields->setUniformRowHeights(true);
    m_fields->setFrameShape(QFrame::NoFrame);
    m_fields->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_fields->setItemDelegate(new ValueReader(m_fields));
    m_fields->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_fields->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_fields, &QTreeWidget::customContextMenuRequested, this, &DetailsPanel::showMenu);
    m_fields->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_fields->header()->setStretchLastSection(true);
    layout->addWidget(m_fields, 1);
    m_stack->addWidget(page);

    auto* copyAction = new QAction(this);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copyAction, &QAction::triggered, this, &DetailsPanel::copyChosen);
    addAction(copyAction);
}

void DetailsPanel::present(const OpenRecordingPtr& recording, EventRef event, const ShownPath* path)
{
    m_fields->clear();
    m_causeItem = recording && event ? causeOf(*recording, event) : ItemRef {};
    m_effectItem = recording && event ? effectOf(*recording, event) : ItemRef {};
    lead(m_cause, tr("Its cause: %1"), recording, m_causeItem);
    lead(m_effect, tr("Its effect: %1"), recording, m_effectItem);
    if (!recording || !event) {
        m_stack->setCurrentIndex(0);
        return;
    }
    m_title->setText(nameOf(*recording->trace, event));
    for (const DetailField& field : detailsOf(*recording, event, path)) {
        auto* item = new QTreeWidgetItem(m_fields, {field.name, field.value});
        item->setToolTip(1, field.value);
        item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    m_stack->setCurrentIndex(1);
}

/// Names on a button where it leads; hides it where that is nowhere.
void DetailsPanel::lead(QPushButton* button, const QString& text, const OpenRecordingPtr& recording, ItemRef item)
{
    button->setVisible(static_cast<bool>(item));
    if (item) {
        const QString name = labelsOf(*recording, item).value(0);
        button->setText(text.arg(name.size() > 32 ? name.left(30) + QStringLiteral("…") : name));
        button->setToolTip(text.arg(name) + (button == m_cause ? QStringLiteral(" ([)") : QStringLiteral(" (])")));
    }
}

QString DetailsPanel::asText() const
{
    QString lines;
    for (int i = 0; i < m_fields->topLevelItemCount(); ++i) {
        lines += lineOf(m_fields->topLevelItem(i));
    }
    return lines;
}

/// The chosen fields, all of them where none is chosen.
void DetailsPanel::copyChosen() const
{
    QString lines;
    for (int i = 0; i < m_fields->topLevelItemCount(); ++i) {
        lines += m_fields->topLevelItem(i)->isSelected() ? lineOf(m_fields->topLevelItem(i)) : QString();
    }
    toClipboard(lines.isEmpty() ? asText() : lines);
}

void DetailsPanel::showMenu(QPoint at)
{
    QMenu menu;
    if (const QTreeWidgetItem* item = m_fields->itemAt(at)) {
        menu.addAction(tr("Copy the value"), this, [item] { toClipboard(item->text(1)); });
        menu.addAction(tr("Copy name and value"), this, [item] { toClipboard(lineOf(item)); });
    }
    menu.addAction(tr("Copy all"), this, [this] { toClipboard(asText()); });
    menu.exec(m_fields->viewport()->mapToGlobal(at));
}

void DetailsPanel::presentSelection()
{
    const auto [side, event] = m_workspace->selection();
    if (m_paths != nullptr) {
        m_paths->setWanted(this, isVisible() && event.table == EventTable::operations);
    }
    const auto path = m_paths != nullptr ? m_paths->at(side) : nullptr;
    present(event ? m_workspace->at(side) : nullptr, event, path.get());
}

void DetailsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_paths != nullptr) {
        presentSelection();
    }
}

void DetailsPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    if (m_paths != nullptr) {
        m_paths->setWanted(this, false);
    }
}

void DetailsPanel::observe(Workspace* workspace, CriticalPaths* paths)
{
    m_workspace = workspace;
    m_paths = paths;
    for (const auto signal : {&Workspace::changed, &Workspace::renewed, &Workspace::selectionChanged}) {
        connect(workspace, signal, this, &DetailsPanel::presentSelection);
    }
    if (paths != nullptr) {
        connect(paths, &CriticalPaths::changed, this, &DetailsPanel::presentSelection);
    }
    connect(this, &DetailsPanel::followWanted, workspace,
        [workspace](ItemRef item) { workspace->follow(workspace->selection().side, item); });
}

}  // namespace lanes::gui
