// SPDX-License-Identifier: MIT
#include "gui/app/frame/keys_page.h"

#include "gui/app/commands/command_table.h"
#include "gui/app/commands/mouse_help.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
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
constexpr int id_role = Qt::UserRole + 1;
constexpr int list_indent = 10;
constexpr int around_cell = 16;  // left and right of a text: the style sheet's padding, and Qt's own margin

/// Shows the key that is pressed in it. Tab, Enter and Esc remain those of the page.
class KeyField : public QLineEdit {
public:
    explicit KeyField(std::function<void(const QKeySequence&)> pressed)
        : m_pressed(std::move(pressed))
    {
        setObjectName(QStringLiteral("newKey"));
        setReadOnly(true);
        setMaximumWidth(field_width);
    }

protected:
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ShortcutOverride) {
            event->accept();  // the key is meant, not what it does now
            return true;
        }
        return QLineEdit::event(event);
    }

    void keyPressEvent(QKeyEvent* event) override
    {
        switch (event->key()) {
        case Qt::Key_Control:
        case Qt::Key_Shift:
        case Qt::Key_Alt:
        case Qt::Key_Meta:
        case Qt::Key_AltGr:
        case Qt::Key_unknown:
            return;
        case Qt::Key_Escape:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            event->ignore();
            return;
        default:
            break;
        }
        const QString text = event->text();
        const bool isSign = text.size() == 1 && text[0].isPrint() && !text[0].isLetter() && !text[0].isSpace();
        // A sign that needs Shift on this keyboard is the sign.
        const auto without
            = isSign ? Qt::KeypadModifier | Qt::ShiftModifier : Qt::KeyboardModifiers(Qt::KeypadModifier);
        m_pressed(QKeySequence(event->key() | static_cast<int>(event->modifiers() & ~without)));
    }

private:
    static constexpr int field_width = 130;
    std::function<void(const QKeySequence&)> m_pressed;
};

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

KeysPage::KeysPage(const CommandTable& commands, std::function<void(const KeyChoice&)> choose, QWidget* parent)
    : QDialog(parent)
    , m_commands(commands)
    , m_choose(std::move(choose))
    , m_words(new QLineEdit)
    , m_lists {new QTreeWidget, new QTreeWidget, new QTreeWidget}
    , m_columns(new QHBoxLayout)
    , m_tip(new QLabel)
    , m_presets(new QComboBox)
    , m_name(new QLabel)
    , m_field(new KeyField([this](const QKeySequence& key) { takeKey(key); }))
    , m_add(new QPushButton(tr("Add")))
    , m_remove(new QPushButton(tr("Remove its keys")))
    , m_own(new QPushButton(tr("Usual keys")))
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
        connect(list, &QTreeWidget::currentItemChanged, this, &KeysPage::take);
        connect(list, &QTreeWidget::itemClicked, this, &KeysPage::take);
        connect(list, &QTreeWidget::itemEntered, this, [this](const QTreeWidgetItem* item) {
            if (m_key.isEmpty()) {
                m_tip->setText(item->data(0, tip_role).toString());
            }
        });
    }
    m_tip->setProperty("quiet", true);
    m_tip->setObjectName(QStringLiteral("keysTip"));
    layout->addWidget(editRow());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));  // Qt's own translations may not be there
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(presetRow());
    bottom->addStretch();
    bottom->addWidget(buttons);
    layout->addLayout(bottom);
    connect(m_words, &QLineEdit::textChanged, this, &KeysPage::fill);
    fill();
    showChoice();
    int wide = 0;
    for (const QTreeWidget* list : m_lists) {
        wide += widthOf(*list);
    }
    resize(QSize(std::max(page_size.width(), wide + 120), page_size.height())
               .boundedTo(screen()->availableSize() - QSize(20, 40)));
}

QWidget* KeysPage::presetRow()
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(tr("Keys as in"));
    label->setBuddy(m_presets);
    m_presets->setObjectName(QStringLiteral("keyPresets"));
    m_presets->setAccessibleName(tr("Keys as in another viewer"));
    m_presets->setToolTip(tr(
        "The keys of another viewer, as far as they are documented and differ; \"Lanescope\" takes back every change"));
    connect(m_presets, &QComboBox::activated, this, [this](int index) {
        const std::vector<KeyPreset> presets = keyPresets();
        if (static_cast<std::size_t>(index) < presets.size()) {
            choose(presets[static_cast<std::size_t>(index)].choice);
        }
    });
    layout->addWidget(label);
    layout->addWidget(m_presets);
    return row;
}

QWidget* KeysPage::editRow()
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_field->setPlaceholderText(tr("press a key"));
    m_add->setObjectName(QStringLiteral("addKey"));
    m_add->setDefault(true);
    m_remove->setObjectName(QStringLiteral("removeKeys"));
    m_own->setObjectName(QStringLiteral("ownKeys"));
    m_own->setToolTip(tr("Gives the command the keys that it has in Lanescope"));
    connect(m_add, &QPushButton::clicked, this, [this] { choose(m_commands.withKey(m_id, m_key)); });
    connect(m_own, &QPushButton::clicked, this, [this] { choose(m_commands.withOwnKeys(m_id)); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        KeyChoice choice = m_commands.keys();
        choice.keys[m_id].clear();
        choose(choice);
    });
    layout->addWidget(m_name);
    layout->addWidget(m_field);
    for (QPushButton* button : {m_add, m_remove, m_own}) {
        layout->addWidget(button);
    }
    layout->addWidget(m_tip, 1);
    take(nullptr);
    return row;
}

const Command* KeysPage::command() const
{
    return m_commands.find(m_id);
}

/// The line whose keys can be changed now; those of the mouse cannot.
void KeysPage::take(const QTreeWidgetItem* item)
{
    m_id = item != nullptr ? item->data(0, id_role).toByteArray() : QByteArray();
    m_key = {};
    m_field->clear();
    m_tip->setText(item != nullptr ? item->data(0, tip_role).toString() : QString());
    const Command* chosen = command();
    m_name->setText(chosen != nullptr ? plainText(*chosen) : tr("Choose a command to change its keys"));
    m_field->setAccessibleName(chosen != nullptr ? tr("New key of: %1").arg(plainText(*chosen)) : QString());
    m_add->setEnabled(false);
    for (QWidget* part : std::initializer_list<QWidget*> {m_field, m_add, m_remove, m_own}) {
        part->setVisible(chosen != nullptr);
    }
    m_remove->setEnabled(chosen != nullptr && !keysText(*chosen).isEmpty());
    m_own->setEnabled(m_commands.keys().keys.contains(m_id));
}

void KeysPage::takeKey(const QKeySequence& key)
{
    m_key = key;
    const QString text = key.toString(QKeySequence::NativeText);
    m_field->setText(text);
    const Command* owner = m_commands.owner(key);
    m_add->setEnabled(owner == nullptr || owner->id != m_id);
    m_tip->setText(owner == nullptr ? tr("%1 is free").arg(text)
            : owner->id == m_id     ? tr("It has %1 already").arg(text)
                                    : tr("%1 belongs to: %2. Add takes it from there").arg(text, plainText(*owner)));
}

void KeysPage::choose(const KeyChoice& choice)
{
    const QByteArray id = m_id;
    m_choose(choice);
    fill();
    for (const QTreeWidget* list : m_lists) {
        for (QTreeWidgetItemIterator line(const_cast<QTreeWidget*>(list)); *line != nullptr; ++line) {
            if (!id.isEmpty() && (*line)->data(0, id_role).toByteArray() == id) {
                take(*line);
            }
        }
    }
    showChoice();
}

/// Which viewer's keys these are; "changed" where they are nobody's.
void KeysPage::showChoice()
{
    m_presets->clear();
    int current = -1;
    for (const KeyPreset& preset : keyPresets()) {
        if (preset.choice == m_commands.keys()) {
            current = m_presets->count();
        }
        m_presets->addItem(preset.name);
    }
    if (current < 0) {
        current = m_presets->count();
        m_presets->addItem(tr("changed"));
    }
    m_presets->setCurrentIndex(current);
}

/// Those that hold the words; group after group, a third of the lines in each list.
void KeysPage::fill()
{
    const QString words = m_words->text();
    for (QTreeWidget* list : m_lists) {
        list->clear();
    }
    struct Line {
        QString text, keys, tip;
        QByteArray id = {};
    };
    std::vector<std::pair<QString, std::vector<Line>>> groups;
    std::size_t lines = 0;
    for (const Menu menu : {Menu::view, Menu::scope, Menu::lanes, Menu::theme, Menu::language, Menu::file, Menu::edit,
             Menu::go, Menu::compare, Menu::lesson, Menu::run, Menu::help}) {
        static const QRegularExpression mnemonic(QStringLiteral("\\(&.\\)|&"));  // "视图(&V)", "&View"
        auto& [title, group] = groups.emplace_back(menuText(menu).remove(mnemonic), std::vector<Line>());
        for (const Command& command : m_commands) {
            if (command.menu == menu
                && QStringList({plainText(command), keysText(command), command.tip})
                       .join(QLatin1Char(' '))
                       .contains(words, Qt::CaseInsensitive)) {
                group.push_back({plainText(command), keysText(command), command.tip, command.id});
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
            item->setData(0, id_role, line.id);
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
