// SPDX-License-Identifier: MIT
#include "gui/app/empty_page.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

constexpr int text_width = 560;
constexpr qsizetype shown_files = 5;

}  // namespace

EmptyPage::EmptyPage(QWidget* parent)
    : QWidget(parent)
    , m_run(new QPushButton)
    , m_recentTitle(new QLabel(tr("Opened before")))
    , m_recent(new QVBoxLayout)
{
    setObjectName(QStringLiteral("emptyPage"));
    setAttribute(Qt::WA_StyledBackground);
    auto* centre = new QWidget;
    centre->setMaximumWidth(text_width);
    auto* layout = new QVBoxLayout(centre);
    layout->setSpacing(10);
    auto* welcome = new QLabel(tr("Does it block, or does it overlap?"));
    welcome->setObjectName(QStringLiteral("welcome"));
    welcome->setWordWrap(true);
    layout->addWidget(welcome);
    auto* what = new QLabel(tr(
        "Lanescope shows what a CPU and a GPU do at the same time: one lane for every CPU thread and every GPU stream. "
        "Choose a workload on the left and run its two variants, one above the other on one time scale."));
    what->setWordWrap(true);
    what->setProperty("quiet", true);
    layout->addWidget(what);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(10);
    m_run->setProperty("primary", true);
    m_run->setObjectName(QStringLiteral("emptyRun"));
    auto* open = new QPushButton(tr("Open a recording…"));
    open->setObjectName(QStringLiteral("emptyOpen"));
    buttons->addWidget(m_run);
    buttons->addWidget(open);
    buttons->addStretch();
    layout->addSpacing(4);
    layout->addLayout(buttons);
    auto* drop = new QLabel(
        tr("Or drop files here: recordings of Lanescope, exports of Nsight Systems (.sqlite), workloads (.yaml)."));
    drop->setWordWrap(true);
    drop->setProperty("quiet", true);
    layout->addWidget(drop);
    layout->addSpacing(8);
    m_recentTitle->setProperty("section", true);
    layout->addWidget(m_recentTitle);
    m_recent->setSpacing(0);
    layout->addLayout(m_recent);

    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(centre, 4);
    row->addStretch(1);
    auto* outer = new QVBoxLayout(this);
    outer->addStretch(2);
    outer->addLayout(row);
    outer->addStretch(3);
    connect(m_run, &QPushButton::clicked, this, &EmptyPage::runWanted);
    connect(open, &QPushButton::clicked, this, &EmptyPage::openWanted);
    setRun(tr("Run"), false);
    setRecentFiles({});
}

void EmptyPage::setRun(const QString& text, bool enabled)
{
    m_run->setText(text);
    m_run->setEnabled(enabled);
}

void EmptyPage::setRecentFiles(const QStringList& files)
{
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString& file : files.first(qMin(shown_files, files.size()))) {
        auto* button = new QPushButton(QFileInfo(file).fileName());
        button->setFlat(true);
        button->setToolTip(QDir::toNativeSeparators(file));
        connect(button, &QPushButton::clicked, this, [this, file] { emit fileWanted(file); });
        m_recent->addWidget(button, 0, Qt::AlignLeft);
    }
    m_recentTitle->setVisible(!files.isEmpty());
}

}  // namespace lanes::gui
