// SPDX-License-Identifier: MIT
#include "gui/app/export/pictures.h"

#include "gui/app/export/export_dialog.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QMimeData>
#include <QPrintDialog>
#include <QPrinter>

#include <utility>

namespace lanes::gui {

Pictures::Pictures(ComparisonView* timeline, NoticeBar* notice, std::function<Handout()> handout)
    : QObject(timeline)
    , m_timeline(timeline)
    , m_notice(notice)
    , m_handout(std::move(handout))
{
    const TimelinePair* pair = &timeline->pair();
    // Queued: lanes in another grouping end the indexing of those before, and begin their own at once.
    connect(
        pair, &TimelinePair::indexed, this,
        [this, pair] {
            if (m_waiting && !pair->isIndexing()) {
                onceIndexed(waitNoMore());
            }
        },
        Qt::QueuedConnection);
    connect(pair, &TimelinePair::opened, this, &Pictures::waitNoMore);  // of what is no longer shown
}

Pictures::~Pictures() = default;

QString Pictures::waitingText()
{
    return tr("The lanes are still being indexed: the picture follows once they are complete.");
}

void Pictures::addCommands(CommandTable& table)
{
    const auto open = [this] { return !m_timeline->recordings().empty(); };
    table.add({"file.export", tr("&Export picture…"), tr("Saves the timeline as shown as PNG, SVG, PDF or HTML"),
        Menu::file, "Ctrl+E", open, [this] { onceIndexed([this] { exportShown(); }); }});
    table.add({"file.copy-picture", tr("Copy p&icture"),
        tr("Copies the timeline as shown to the clipboard, as an image and as SVG"), Menu::file, "Ctrl+Shift+E", open,
        [this] { onceIndexed([this] { copyShown(); }); }});
    table.add({"file.print", tr("&Print…"), tr("Prints the timeline as shown; of a lesson also its text and code"),
        Menu::file, "Ctrl+P", open, [this] { onceIndexed([this] { choosePrinter(); }); }});
}

PictureSource Pictures::source() const
{
    const Timeline& upper = m_timeline->side(0);
    PictureSource source {
        {}, upper.visibleRange(), upper.state().highlights.range, m_timeline->view(0)->width(), upper.theme().name};
    for (const int side : {0, 1}) {
        if (ViewState state = m_timeline->view(side)->picture(); state.model) {
            const TimelinePair& pair = m_timeline->pair();
            state.report = pair.reportsAreOld() ? nullptr : pair.reports()[static_cast<std::size_t>(side)];
            source.views.push_back(std::move(state));
        }
    }
    if (source.views.size() > 1 && source.views[0].highlights.iteration) {
        source.views[0].changes = m_timeline->waterfall();
    }
    return source;
}

std::function<void()> Pictures::waitNoMore()
{
    if (m_waiting && m_notice->text() == waitingText()) {
        m_notice->hide();
    }
    return std::exchange(m_waiting, nullptr);
}

void Pictures::onceIndexed(const std::function<void()>& then)
{
    const TimelinePair& pair = m_timeline->pair();
    if (pair.isIndexing()) {
        m_waiting = then;
        m_notice->showNotice(waitingText());
    } else if (source().views.size() < pair.recordings().size()) {
        m_notice->showError(tr("There is no picture of lanes that are incomplete: their indexing was cancelled, or "
                               "memory was short. Reload the recording to index them again."));
    } else {
        then();
    }
}

void Pictures::exportShown()
{
    PictureSource shown = source();
    auto* dialog = new ExportDialog(std::move(shown), m_timeline->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void Pictures::choosePrinter()
{
    if (!m_printer) {
        m_printer = std::make_unique<QPrinter>(QPrinter::HighResolution);
        m_printer->setPageOrientation(QPageLayout::Landscape);
        m_printer->setCreator(QStringLiteral("Lanescope"));
    }
    std::vector<const ShownRecording*> recordings;
    for (const RecordingPtr& recording : m_timeline->recordings()) {
        recordings.push_back(recording.get());
    }
    m_printer->setDocName(pictureName(recordings));
    auto* dialog = new QPrintDialog(m_printer.get(), m_timeline->window());
    dialog->setObjectName(QStringLiteral("printDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(
        dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), this, [this](QPrinter* printer) { print(*printer); });
    dialog->open();
}

void Pictures::print(QPrinter& printer)
{
    PictureSource shown = source();
    for (ViewState& view : shown.views) {  // paper cannot be scrolled
        view.height = 0;
        view.scroll = 0;
    }
    PictureOptions options = viewOptions(shown);
    options.theme = QStringLiteral("print");
    try {
        printPicture(printer, shown.views, options, m_handout());
        m_notice->showNotice(printer.outputFileName().isEmpty()
                ? tr("Sent to the printer %1.").arg(printer.printerName())
                : tr("Printed to %1.").arg(QDir::toNativeSeparators(printer.outputFileName())));
    } catch (const std::exception& error) {
        m_notice->showError(QString::fromUtf8(error.what()));
    }
}

void Pictures::copyShown()
{
    try {
        const PictureSource shown = source();
        QGuiApplication::clipboard()->setMimeData(pictureForClipboard(shown.views, viewOptions(shown)).release());
        m_notice->showNotice(tr("Copied the timeline as shown."));
    } catch (const std::exception& error) {
        m_notice->showError(QString::fromUtf8(error.what()));
    }
}

}  // namespace lanes::gui
