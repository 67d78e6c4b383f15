// SPDX-License-Identifier: MIT
#include "gui/app/frame/keys_page.h"

#include "gui/app/commands/command_table.h"
#include "gui/app/commands/mouse_help.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr QSize page_size(1240, 680);
constexpr int tip_role = Qt::UserRole;
constexpr int list_indent = 10;
constexpr int around_cell = 8;  // left and right of a text

/// What a list needs for none of its lines to be cut. Qt's own hint leaves out lines that span both columns, as those
/// of the mouse do.
int widthOf(const QTreeWidget& list)
{
    const QFontMetrics metrics(list.font());
    int spanned = 0, text = 0, keys = 0;
    for (int i = 0; i < list.topLevelItemCount(); ++i) {
        const QTreeWidgetItem* group = list.topLevelItem(i);
        spanned = std::max(spanned, QFontMetrics(group->font(0)).horizontalAdvance(group->text(0)) + around_cell);
        for (int line = 0; line < group->childCount(); ++line) {
            const QTreeWidgetItem* item = group->child(line);
            const int width = list_indent + metrics.horizontalAdvance(item->text(0)) + around_cell;
            if (item->text(1).isEmpty()) {
                spanned = std::max(spanned, width);
            } else {
                text = std::max(text, width);
                keys = std::max(keys, metrics.horizontalAdvance(item->text(1)) + around_cell);
            }
        }
    }
    return std::max(spanned, text + keys);
}

}  // namespace

KeysPage::KeysPage(const CommandTable& commands, QWidget* parent)
    : QDialog(parent)
    , m_commands(commands)
    , m_words(new QLineEdit)
    , m_lists {new QTreeWidget, new QTreeWidget, new QTreeWidget}
    , m_columns(new QHBoxLayout)
    , m_tip(new QLabel)
{
    setWindowTitle(tr("All keys"));
    setObjectName(QStringLiteral("keysPage"));
    resize(page_size.boundedTo(screen()->availableSize() - QSize(20, 40)));
    auto* layout = new QVBoxLayout(this);
    m_words->setPlaceholderText(tr("Search"));
    m_words->setAccessibleName(tr("Search among the commands"));
    m_words->setClearButtonEnabled(true);
    layout->addWidget(m_words);
    auto* sheet = new QWidget;
    sheet->setLayout(m_columns);
    m_columns->setContentsMargins(0, 0, 0, 0);
    m_columns->setSpacing(16);
    auto* scroll = new QScrollArea;  // one bar at the right for all lists
    scroll->setObjectName(QStringLiteral("keys"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setAccessibleName(tr("Commands and their keys"));
    scroll->setWidget(sheet);
    layout->addWidget(scroll, 1);
    for (QTreeWidget* list : m_lists) {
        list->setAccessibleName(tr("Commands and their keys"));
        list->setHeaderHidden(true);
        list->setColumnCount(2);
        list->setRootIsDecorated(false);
        list->setIndentation(list_indent);
        list->setUniformRowHeights(true);
        list->setFrameShape(QFrame::NoFrame);
        list->setMouseTracking(true);
        list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        list->header()->setStretchLastSection(false);
        list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
        list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
        m_columns->addWidget(list);
        const auto tell = [this](const QTreeWidgetItem* item) {
            m_tip->setText(item != nullptr ? item->data(0, tip_role).toString() : QString());
        };
        connect(list, &QTreeWidget::currentItemChanged, this, tell);
        connect(list, &QTreeWidget::itemEntered, this, tell);
    }
    m_tip->setProperty("quiet", true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));  // Qt's own translations may not be there
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(m_tip, 1);
    bottom->addWidget(buttons);
    layout->addLayout(bottom);
    connect(m_words, &QLineEdit::textChanged, this, &KeysPage::fill);
    fill({});
    int wide = 0;
    for (const QTreeWidget* list : m_lists) {
        wide += widthOf(*list);
    }
    resize(QSize(std::max(page_size.width(), wide + 120), page_size.height())
               .boundedTo(screen()->availableSize() - QSize(20, 40)));
}

/// Those that hold the words; group after group, a third of the lines in each list.
void KeysPage::fill(const QString& words)
{
    for (QTreeWidget* list : m_lists) {
        list->clear();
    }
    struct Line {
        QString text, keys, tip;
    };
    std::vector<std::pair<QString, std::vector<Line>>> groups;
    std::size_t lines = 0;
    for (const Menu menu : {Menu::view, Menu::lanes, Menu::theme, Menu::language, Menu::file, Menu::edit, Menu::go,
             Menu::compare, Menu::lesson, Menu::run, Menu::help}) {
        static const QRegularExpression mnemonic(QStringLiteral("\\(&.\\)|&"));  // "视图(&V)", "&View"
        auto& [title, group] = groups.emplace_back(menuText(menu).remove(mnemonic), std::vector<Line>());
        for (const Command& command : m_commands) {
            if (command.menu == menu
                && QStringList({plainText(command), keysText(command), command.tip})
                       .join(QLatin1Char(' '))
                       .contains(words, Qt::CaseInsensitive)) {
                group.push_back({plainText(command), keysText(command), command.tip});
            }
        }
    }
    auto& mouse = groups.emplace_back(tr("Mouse in the timeline"), std::vector<Line>()).second;
    for (const MouseHelp& help : mouseHelp()) {
        const QString line = tr("%1: %2").arg(help.gesture, help.effect);
        if (line.contains(words, Qt::CaseInsensitive)) {
            mouse.push_back({line, {}, line});
        }
    }
    std::erase_if(groups, [](const auto& group) { return group.second.empty(); });
    for (const auto& [title, group] : groups) {
        lines += group.size() + 1;
    }
    std::size_t filled = 0;
    for (const auto& [title, group] : groups) {
        // A group goes where its middle lies.
        QTreeWidget* list
            = m_lists[std::min(m_lists.size() - 1, (filled + (group.size() + 1) / 2) * m_lists.size() / lines)];
        filled += group.size() + 1;
        auto* heading = new QTreeWidgetItem(list, {title});
        QFont font = list->font();
        font.setWeight(QFont::DemiBold);
        heading->setFont(0, font);
        heading->setFlags(Qt::ItemIsEnabled);
        heading->setFirstColumnSpanned(true);
        for (const Line& line : group) {
            auto* item = new QTreeWidgetItem(heading, {line.text, line.keys});
            item->setData(0, tip_role, line.tip);
            item->setToolTip(0, line.tip);
            item->setToolTip(1, line.keys);
            item->setFirstColumnSpanned(line.keys.isEmpty());
        }
        heading->setExpanded(true);
    }
    for (QTreeWidget* list : m_lists) {  // as high as its lines: the sheet scrolls, not the list
        int lineCount = 0;
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            lineCount += 1 + list->topLevelItem(i)->childCount();
        }
        list->setMinimumHeight(lineCount * std::max(list->sizeHintForRow(0), 1) + 8);
        list->setVisible(lineCount > 0 || words.isEmpty());
        // None is cut while another has room.
        m_columns->setStretch(m_columns->indexOf(list), std::max(widthOf(*list), 1));
    }
}

}  // namespace lanes::gui
