// SPDX-License-Identifier: MIT
#include "gui/app/keys_page.h"

#include "gui/app/commands.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

constexpr QSize page_size(900, 660);

}  // namespace

KeysPage::KeysPage(QWidget* parent)
    : QDialog(parent)
    , m_words(new QLineEdit)
    , m_list(new QTreeWidget)
{
    setWindowTitle(tr("All keys"));
    setObjectName(QStringLiteral("keysPage"));
    resize(page_size);
    auto* layout = new QVBoxLayout(this);
    m_words->setPlaceholderText(tr("Search"));
    m_words->setAccessibleName(tr("Search among the commands"));
    m_words->setClearButtonEnabled(true);
    layout->addWidget(m_words);
    m_list->setAccessibleName(tr("Commands and their keys"));
    m_list->setHeaderLabels({tr("Command"), tr("Keys"), tr("What it does")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    layout->addWidget(m_list, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    connect(m_words, &QLineEdit::textChanged, this, &KeysPage::filter);
    fill();
}

void KeysPage::fill()
{
    const auto section = [&](const QString& title) {
        auto* item = new QTreeWidgetItem(m_list, {title});
        QFont font = m_list->font();
        font.setWeight(QFont::DemiBold);
        item->setFont(0, font);
        item->setFlags(Qt::ItemIsEnabled);
        item->setExpanded(true);
        return item;
    };
    for (const Menu menu :
        {Menu::view, Menu::lanes, Menu::go, Menu::compare, Menu::run, Menu::edit, Menu::file, Menu::theme, Menu::language, Menu::help}) {
        QTreeWidgetItem* heading = section(menuText(menu).remove(QLatin1Char('&')));
        for (const Command& command : commandTable()) {
            if (command.menu != menu) {
                continue;
            }
            auto* item
                = new QTreeWidgetItem(heading, {plainCommandText(command), keysText(command), commandTip(command)});
            item->setToolTip(2, commandTip(command));
        }
    }
    QTreeWidgetItem* heading = section(tr("Mouse in the timeline"));
    for (const MouseHelp& help : mouseHelp()) {
        new QTreeWidgetItem(heading, {mouseText(help.gesture), QString(), mouseText(help.effect)});
    }
}

void KeysPage::filter(const QString& words)
{
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* heading = m_list->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < heading->childCount(); ++j) {
            QTreeWidgetItem* item = heading->child(j);
            const bool shown = (item->text(0) + QLatin1Char(' ') + item->text(1) + QLatin1Char(' ') + item->text(2))
                                   .contains(words, Qt::CaseInsensitive);
            item->setHidden(!shown);
            any = any || shown;
        }
        heading->setHidden(!any);
    }
}

}  // namespace lanes::gui
