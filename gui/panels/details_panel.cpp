// SPDX-License-Identifier: MIT
#include "gui/panels/details_panel.h"

#include "gui/panels/details.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lanes::gui {

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel)
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
    auto* follow = new QPushButton(tr("Other end"));
    follow->setToolTip(tr("From an API call to its GPU operation, and back"));
    connect(follow, &QPushButton::clicked, this, &DetailsPanel::followWanted);
    auto* copyButton = new QPushButton(tr("Copy"));
    copyButton->setToolTip(tr("Copy the chosen fields, or all of them"));
    connect(copyButton, &QPushButton::clicked, this, &DetailsPanel::copy);
    head->addWidget(follow);
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
    m_fields->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_fields->header()->setStretchLastSection(true);
    layout->addWidget(m_fields, 1);
    m_stack->addWidget(page);

    auto* copyAction = new QAction(this);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copyAction, &QAction::triggered, this, &DetailsPanel::copy);
    addAction(copyAction);
}

void DetailsPanel::present(const OpenRecordingPtr& recording, ItemRef event)
{
    m_fields->clear();
    if (!recording || !event) {
        m_stack->setCurrentIndex(0);
        return;
    }
    m_title->setText(nameOf(*recording->trace, event));
    for (const DetailField& field : detailsOf(*recording, event)) {
        auto* item = new QTreeWidgetItem(m_fields, {field.name, field.value});
        item->setToolTip(1, field.value);
    }
    m_stack->setCurrentIndex(1);
}

QString DetailsPanel::asText() const
{
    const bool chosen = m_fields->selectedItems().size() > 1;
    QString lines;
    for (int i = 0; i < m_fields->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* item = m_fields->topLevelItem(i);
        if (!chosen || item->isSelected()) {
            lines += item->text(0) + QLatin1Char('\t') + item->text(1) + QLatin1Char('\n');
        }
    }
    return lines;
}

void DetailsPanel::copy() const
{
    QGuiApplication::clipboard()->setText(asText());
}

}  // namespace lanes::gui
