// SPDX-License-Identifier: MIT
#include "gui/app/frame/top_bar.h"

#include "gui/app/commands/command_actions.h"
#include "gui/app/frame/tool_icons.h"
#include "gui/app/run/device_choice.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>

#include <algorithm>

namespace lanes::gui {

TopBar::TopBar(CommandActions* actions, QWidget* parent)
    : QWidget(parent)
    , m_brand(new QLabel(QStringLiteral("Lanescope")))
    , m_caption(new QLabel)
    , m_run(actions->button("run.run", tr("Run")))
    , m_device(new DeviceChoice)
    , m_more(new QPushButton(QStringLiteral("»")))
{
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    m_brand->setObjectName(QStringLiteral("brand"));
    m_caption->setObjectName(QStringLiteral("caption"));
    m_caption->setSizePolicy(QSizePolicy::Ignored,
        QSizePolicy::Preferred);  // where there is little room the caption is cut, not the buttons
    m_run->setObjectName(QStringLiteral("run"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 7, 12, 7);
    layout->setSpacing(8);
    layout->addWidget(m_brand);
    layout->addSpacing(4);
    layout->addWidget(actions->button("lesson.gallery", tr("Gallery")));
    layout->addSpacing(4);
    layout->addWidget(m_caption, 1);
    layout->addWidget(m_run);
    layout->addWidget(m_device);
    auto* record = actions->button("run.record", tr("Record…"));
    layout->addWidget(record);
    auto* fit = actions->button("view.fit", tr("Fit"));
    const auto exported
        = [&](const char* id) { return std::pair(actions->button(id, tr("Export…")), actions->action(id)); };
    m_exports = {exported("file.export"), exported("job.export")};
    m_tools = {m_exports[0], {record, actions->action("run.record")}, {fit, actions->action("view.fit")}};
    const auto tool = [&](const char* id, ToolIcon icon, const QString& name) {
        QPushButton* button = actions->button(id, {});
        button->setIcon(toolIcon(icon));
        button->setIconSize({16, 16});
        button->setProperty("tool", true);
        button->setAccessibleName(name);
        layout->addWidget(button);
        m_tools.append({button, actions->action(id)});
    };
    layout->addSpacing(4);
    tool("lesson.step-through", ToolIcon::step, tr("Step through the run"));
    tool("edit.find", ToolIcon::search, tr("Search"));
    tool("lanes.filter", ToolIcon::filter, tr("Filter"));
    tool("view.arrows", ToolIcon::arrows, tr("Arrows"));
    tool("edit.measure", ToolIcon::measure, tr("Measure"));
    tool("view.full-screen", ToolIcon::fullScreen, tr("Full screen"));
    m_more->setObjectName(QStringLiteral("moreTools"));
    m_more->setProperty("tool", true);
    m_more->setAccessibleName(tr("More tools"));
    m_more->setToolTip(tr("Tools that do not fit here"));
    connect(m_more, &QPushButton::clicked, this, &TopBar::showMore);
    m_more->hide();
    layout->addWidget(m_more);
    layout->addSpacing(4);
    layout->addWidget(fit);
    for (const auto& [button, action] : m_exports) {
        layout->addWidget(button);
    }
    m_exports[1].first->hide();
}

int TopBar::widthWithoutTools() const
{
    int width = layout()->minimumSize().width() - (m_more->isHidden() ? 0 : widthInBar(m_more));
    for (const auto& [tool, action] : m_tools) {
        width -= tool->isHidden() ? 0 : widthInBar(tool);
    }
    return width;
}

int TopBar::widthInBar(const QPushButton* button) const
{
    return button->sizeHint().width() + layout()->spacing();
}

QSize TopBar::minimumSizeHint() const
{
    const int brand = m_brand->isHidden() ? 0 : m_brand->sizeHint().width() + layout()->spacing();
    return {widthWithoutTools() + widthInBar(m_more) - brand, layout()->minimumSize().height()};
}

bool TopBar::event(QEvent* event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
        fitTools();
        fitCaption();
    }
    return done;
}

void TopBar::fitTools()
{
    int all = 0;
    for (const auto& [tool, action] : std::as_const(m_tools)) {
        all += widthInBar(tool);
    }
    const int brand = m_brand->sizeHint().width() + layout()->spacing();
    const int others = widthWithoutTools() - (m_brand->isHidden() ? 0 : brand);
    m_brand->setVisible(width() >= others + brand + widthInBar(m_more));
    constexpr int least_caption = 140;  // of what is shown some words are said before there are more tools
    const int caption = std::min(m_caption->fontMetrics().horizontalAdvance(m_captionForms.back()) + 1, least_caption);
    int room = width() - others - (m_brand->isHidden() ? 0 : brand) - caption;
    const bool fits = all <= room;
    room -= fits ? 0 : widthInBar(m_more);
    for (const auto& [tool, action] : std::as_const(m_tools)) {
        room -= widthInBar(tool);
        tool->setVisible(room >= 0);
    }
    m_more->setVisible(!fits);
}

void TopBar::setRunShown(bool shown)
{
    if (shown != m_runShown) {
        m_runShown = shown;
        m_run->setVisible(shown);
        m_device->setVisible(shown);
        fitTools();
    }
}

void TopBar::setMapExported(bool map)
{
    if (const auto& wanted = m_exports[map ? 1 : 0]; wanted != m_tools.front()) {
        m_tools.front().first->hide();
        m_tools.front() = wanted;
        fitTools();
    }
}

void TopBar::fitCaption()
{
    const QFontMetrics metrics = m_caption->fontMetrics();
    const auto fits = [&](const QString& form) { return metrics.horizontalAdvance(form) <= m_caption->width(); };
    const auto found = std::find_if(m_captionForms.cbegin(), m_captionForms.cend(), fits);
    const QString fitting = found != m_captionForms.cend()
        ? *found
        : metrics.elidedText(m_captionForms.back(), Qt::ElideRight, m_caption->width());
    if (fitting != m_caption->text()) {
        m_caption->setText(fitting);
        m_caption->setToolTip(fitting == m_captionForms.front() ? QString() : m_captionForms.front());
    }
}

void TopBar::showMore()
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const auto& [tool, action] : std::as_const(m_tools)) {
        if (tool->isHidden()) {
            menu->addAction(action);
        }
    }
    menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

void TopBar::setCaption(const QStringList& forms)
{
    m_captionForms = forms;
    m_caption->setAccessibleName(forms.front());
    fitTools();
    fitCaption();
}

void TopBar::refresh(bool both)
{
    const bool opens = m_device->device().kind == RunDevice::Kind::recorded;
    m_run->setText(opens ? (both ? tr("Open both") : tr("Open")) : (both ? tr("▶  Run both") : tr("▶  Run")));
}

}  // namespace lanes::gui
