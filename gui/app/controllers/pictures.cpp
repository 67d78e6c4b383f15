// SPDX-License-Identifier: MIT
#include "gui/app/controllers/pictures.h"

#include "gui/app/dialogs/export_dialog.h"
#include "gui/app/pages/notice_bar.h"
#include "gui/timeline/comparison_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

namespace lanes::gui {

Pictures::Pictures(ComparisonView* timeline, NoticeBar* notice)
    : QObject(timeline)
    , m_timeline(timeline)
    , m_notice(notice)
{
}

void Pictures::addCommands(CommandTable& table)
{
    const auto open = [this] { return !m_timeline->recordings().empty(); };
    table.add({"file.export", tr("&Export picture…"), tr("Saves the timeline as shown as PNG, SVG, PDF or HTML"),
        Menu::file, "Ctrl+E", open, [this] { exportShown(); }});
    table.add({"file.copy-picture", tr("Copy p&icture"),
        tr("Copies the timeline as shown to the clipboard, as an image and as SVG"), Menu::file, "Ctrl+Shift+E", open,
        [this] { copyShown(); }});
}

PictureSource Pictures::source() const
{
    const Timeline& upper = m_timeline->side(0);
    PictureSource source {
        {}, upper.visibleRange(), upper.state().highlights.range, m_timeline->view(0)->width(), upper.theme().name};
    for (const int side : {0, 1}) {
        if (ViewState state = m_timeline->view(side)->picture(); state.model) {
            source.views.push_back(std::move(state));
        }
    }
    return source;
}

void Pictures::exportShown()
{
    PictureSource shown = source();
    if (shown.views.empty()) {
        return;
    }
    auto* dialog = new ExportDialog(std::move(shown), m_timeline->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
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
