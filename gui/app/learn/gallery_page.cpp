// SPDX-License-Identifier: MIT
#include "gui/app/learn/gallery_page.h"

#include "gui/app/learn/gallery_list.h"
#include "gui/paint/words/printable_text.h"
#include "gui/session/format.h"

#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

constexpr int side_margin = 14;

}  // namespace

GalleryPage::GalleryPage(QWidget* parent)
    : QWidget(parent)
    , m_run(new QPushButton)
    , m_recent(new QPushButton(tr("Opened before")))
    , m_recentMenu(new QMenu(this))
    , m_list(new GalleryList)
{
    setObjectName(QStringLiteral("galleryPage"));
    setAttribute(Qt::WA_StyledBackground);
    setFocusProxy(m_list);
    auto* welcome = new QLabel(tr("Does it block, or does it overlap?"));
    welcome->setObjectName(QStringLiteral("welcome"));
    welcome->setWordWrap(true);
    auto* what = new QLabel(tr(
        "Lanescope shows what a CPU and a GPU do at the same time: one lane for every CPU thread and every GPU stream. "
        "Open a lesson, or drop files here: %1, or workloads (.yaml).")
                                .arg(formatsText()));
    what->setWordWrap(true);
    what->setProperty("quiet", true);
    m_run->setObjectName(QStringLiteral("galleryRun"));
    auto* open = new QPushButton(tr("Open a recording…"));
    open->setObjectName(QStringLiteral("galleryOpen"));
    m_recent->setObjectName(QStringLiteral("galleryRecent"));
    m_recent->setMenu(m_recentMenu);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(10);
    buttons->addWidget(m_run);
    buttons->addWidget(open);
    buttons->addWidget(m_recent);
    buttons->addStretch();

    auto* head = new QVBoxLayout;
    head->setContentsMargins(side_margin, 14, side_margin, 6);
    head->setSpacing(8);
    head->addWidget(welcome);
    head->addWidget(what);
    head->addLayout(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(side_margin / 2, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_list, 1);
    connect(m_list, &GalleryList::opened, this, &GalleryPage::lessonWanted);
    connect(m_run, &QPushButton::clicked, this, &GalleryPage::runWanted);
    connect(open, &QPushButton::clicked, this, &GalleryPage::openWanted);
    setRun(tr("Run"), false);
    setRecentFiles({});
}

void GalleryPage::setWorkloads(
    const std::vector<std::shared_ptr<const Workload>>& workloads, const std::shared_ptr<const Workload>& chosen)
{
    m_list->setWorkloads(workloads, chosen);
}

void GalleryPage::setRun(const QString& text, bool enabled)
{
    m_run->setText(text);
    m_run->setEnabled(enabled);
}

void GalleryPage::setRecentFiles(const QStringList& files)
{
    m_recentMenu->clear();
    for (const QString& file : files) {
        connect(m_recentMenu->addAction(entryText(QDir::toNativeSeparators(file))), &QAction::triggered, this,
            [this, file] { emit fileWanted(file); });
    }
    m_recent->setVisible(!files.isEmpty());
}

}  // namespace lanes::gui
