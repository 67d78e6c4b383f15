// SPDX-License-Identifier: MIT
#include "gui/panels/details_panel.h"

#include "gui/paint/words/item_text.h"
#include "gui/session/critical_paths.h"
#include "gui/session/workspace.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace lanes::gui {

namespace {

constexpr const char* lead_name = "leadName";  // property of a button: the whole name of where it leads

/// Opens a value to select text from, never to change it.
class ValueReader final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        if (index.column() % 2 == 0) {
            return nullptr;
        }
        auto* line = new QLineEdit(parent);
        line->setReadOnly(true);
        line->setFrame(false);
        line->setAccessibleName(index.siblingAtColumn(index.column() - 1).data().toString());
        return line;
    }
    void setModelData(QWidget*, QAbstractItemModel*, const QModelIndex&) const override { }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() % 2 == 0) {  // names are paler than values, as there are several pairs in a row
            QColor quiet = option->palette.color(QPalette::Text);
            quiet.setAlphaF(0.7F);
            option->palette.setColor(QPalette::Text, quiet);
        }
    }
};

void toClipboard(const QString& text)
{
    QGuiApplication::clipboard()->setText(text);
}

QString lineOf(const DetailField& field)
{
    return field.name + QLatin1Char('\t') + field.value + QLatin1Char('\n');
}

std::size_t rowsOf(std::size_t fields, int pairs)
{
    return (fields + static_cast<std::size_t>(pairs) - 1) / static_cast<std::size_t>(pairs);
}

}  // namespace

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent)
    , m_copyAll(new QPushButton)
    , m_head(new QWidget)
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
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(0, 0, 0, 0);
    m_title->setProperty("heading", true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    head->addWidget(m_title, 1);
    m_cause->setObjectName(QStringLiteral("cause"));
    m_effect->setObjectName(QStringLiteral("effect"));
    connect(m_cause, &QPushButton::clicked, this, [this] { emit followWanted(m_causeItem); });
    connect(m_effect, &QPushButton::clicked, this, [this] { emit followWanted(m_effectItem); });
    m_copyAll->setText(tr("Copy all"));
    m_copyAll->setToolTip(tr("Copy all fields"));
    connect(m_copyAll, &QPushButton::clicked, this, [this] { toClipboard(asText()); });
    head->addWidget(m_cause);
    head->addWidget(m_effect);
    head->addWidget(m_copyAll);
    layout->addWidget(m_head);
    m_fields->setObjectName(QStringLiteral("details"));
    m_fields->setAccessibleName(tr("Details of the selection"));
    m_fields->setHeaderHidden(true);
    m_fields->header()->setStretchLastSection(false);
    m_fields->header()->setMinimumSectionSize(20);
    m_fields->setRootIsDecorated(false);
    m_fields->setUniformRowHeights(true);
    m_fields->setFrameShape(QFrame::NoFrame);
    m_fields->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_fields->setItemDelegate(new ValueReader(m_fields));
    m_fields->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_fields->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_fields, &QTreeWidget::customContextMenuRequested, this, &DetailsPanel::showMenu);
    m_fields->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_fields->viewport()->installEventFilter(this);  // as many pairs in a row as show all fields without scrolling
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
    m_causeItem = recording && event ? causeOf(*recording, event) : ItemRef {};
    m_effectItem = recording && event ? effectOf(*recording, event) : ItemRef {};
    lead(m_cause, recording, m_causeItem);
    lead(m_effect, recording, m_effectItem);
    if (!recording || !event) {
        m_shown.clear();
        lay(1);
        m_stack->setCurrentIndex(0);
        return;
    }
    m_title->setText(nameOf(*recording->trace, event));
    nameLeads();
    m_shown = detailsOf(*recording, event, path);
    lay(pairsThatFit());
    m_stack->setCurrentIndex(1);
}

int DetailsPanel::pairsThatFit() const
{
    constexpr int least_width = 230;  // of a name and a value
    const int count = static_cast<int>(m_shown.size());
    const int height = m_fields->topLevelItemCount() > 0 ? m_fields->sizeHintForRow(0)
                                                         : m_fields->fontMetrics().height() + 4;  // with its padding
    const int rows = std::max(m_fields->height() / height, 1);
    const int most = std::max(m_fields->width() / least_width, 1);
    return std::clamp((count + rows - 1) / rows, 1, most);
}

/// Down the first pair of columns, then down the next. The keyboard stays on the field that it was on.
void DetailsPanel::lay(int pairs)
{
    const QModelIndex was = m_fields->currentIndex();
    const QString current = was.siblingAtColumn(was.column() / 2 * 2).data().toString();
    m_fields->clear();
    m_pairs = pairs;
    m_fields->setColumnCount(2 * pairs);
    // A click takes a field, never its neighbours.
    m_fields->setSelectionBehavior(pairs > 1 ? QAbstractItemView::SelectItems : QAbstractItemView::SelectRows);
    const std::size_t rows = rowsOf(m_shown.size(), pairs);
    for (std::size_t row = 0; row < rows; ++row) {
        auto* item = new QTreeWidgetItem(m_fields);
        for (std::size_t at = row, column = 0; at < m_shown.size(); at += rows, column += 2) {
            const DetailField& field = m_shown[at];
            item->setText(static_cast<int>(column), field.name);
            item->setText(static_cast<int>(column) + 1, field.value);
            item->setToolTip(static_cast<int>(column) + 1, field.value);
        }
        item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    const auto kept
        = std::find_if(m_shown.begin(), m_shown.end(), [&](const DetailField& field) { return field.name == current; });
    if (was.isValid() && rows > 0) {
        const auto at = kept == m_shown.end() ? 0 : static_cast<std::size_t>(kept - m_shown.begin());
        const auto row = static_cast<int>(at % rows), column = static_cast<int>(at / rows * 2) + was.column() % 2;
        m_fields->selectionModel()->setCurrentIndex(
            m_fields->model()->index(row, column), QItemSelectionModel::NoUpdate);
    }
    shareWidth();
}

/// Names get what they need, values what they need or an equal share of what the shorter ones leave.
void DetailsPanel::shareWidth()
{
    int room = m_fields->viewport()->width();
    std::vector<std::pair<int, int>> values;  // width wanted, column
    for (int column = 0; column < 2 * m_pairs; ++column) {
        int wanted = m_fields->header()->minimumSectionSize();
        for (int row = 0; row < m_fields->topLevelItemCount(); ++row) {
            const QModelIndex index = m_fields->model()->index(row, column);
            wanted = std::max(wanted, m_fields->sizeHintForIndex(index).width() + 6);
        }
        if (column % 2 == 0) {
            m_fields->setColumnWidth(column, wanted);
            room -= wanted;
        } else {
            values.emplace_back(wanted, column);
        }
    }
    std::sort(values.begin(), values.end());
    int left = m_pairs;
    for (const auto& [wanted, column] : values) {
        const int width = left == 1 ? std::max(room, 0) : std::min(wanted, std::max(room / left, 0));
        m_fields->setColumnWidth(column, width);
        room -= width;
        --left;
    }
}

const DetailField* DetailsPanel::fieldAt(const QModelIndex& index) const
{
    const std::size_t at = !index.isValid()
        ? m_shown.size()
        : static_cast<std::size_t>(index.column() / 2) * rowsOf(m_shown.size(), m_pairs)
            + static_cast<std::size_t>(index.row());
    return at < m_shown.size() ? &m_shown[at] : nullptr;
}

bool DetailsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize) {
        nameLeads();
        pairsThatFit() != m_pairs ? lay(pairsThatFit()) : shareWidth();
    }
    return QWidget::eventFilter(watched, event);
}

/// Hides a button that leads nowhere.
void DetailsPanel::lead(QPushButton* button, const OpenRecordingPtr& recording, ItemRef item)
{
    button->setVisible(static_cast<bool>(item));
    button->setProperty(lead_name, item ? labelsOf(*recording, item).value(0) : QString());
}

/// Says on the buttons where they lead, as much of it as there is room for beside the title.
void DetailsPanel::nameLeads()
{
    constexpr int least_letters = 30;
    const int count = (m_causeItem ? 1 : 0) + (m_effectItem ? 1 : 0);
    const int room = m_head->width() - m_title->sizeHint().width() - m_copyAll->sizeHint().width();
    for (auto* button : {m_cause, m_effect}) {
        const QString words = button == m_cause ? tr("Its cause: %1") : tr("Its effect: %1");
        const QString name = button->property(lead_name).toString();
        const QFontMetrics metrics = button->fontMetrics();
        constexpr int around = 40;
        const int left = room / std::max(count, 1) - metrics.horizontalAdvance(words.arg(QString())) - around;
        button->setText(words.arg(
            metrics.elidedText(name, Qt::ElideRight, std::max(left, least_letters * metrics.averageCharWidth()))));
        button->setToolTip(words.arg(name) + (button == m_cause ? QStringLiteral(" ([)") : QStringLiteral(" (])")));
        button->setMinimumWidth(around);  // so that the panel can become narrower than what is on it
    }
}

QString DetailsPanel::asText() const
{
    QString lines;
    for (const DetailField& field : m_shown) {
        lines += lineOf(field);
    }
    return lines;
}

/// The chosen fields, all of them where none is chosen.
void DetailsPanel::copyChosen() const
{
    std::set<const DetailField*> chosen;  // by their places in the list
    for (const QModelIndex& index : m_fields->selectionModel()->selectedIndexes()) {
        chosen.insert(fieldAt(index));
    }
    QString lines;
    for (const DetailField* field : chosen) {
        lines += field != nullptr ? lineOf(*field) : QString();
    }
    toClipboard(lines.isEmpty() ? asText() : lines);
}

void DetailsPanel::showMenu(QPoint at)
{
    QMenu menu;
    if (const DetailField* field = fieldAt(m_fields->indexAt(at))) {
        menu.addAction(tr("Copy the value"), this, [value = field->value] { toClipboard(value); });
        menu.addAction(tr("Copy name and value"), this, [line = lineOf(*field)] { toClipboard(line); });
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

/// In a low panel the fields have all of it: the first says the name again, and the keys [ and ] lead where the buttons
/// do.
void DetailsPanel::resizeEvent(QResizeEvent* event)
{
    constexpr int low = 115;
    m_head->setVisible(height() >= low);
    QLayout* page = m_stack->widget(1)->layout();
    const int above = height() < low ? 2 : 8;
    page->setContentsMargins(12, above, 12, above);
    QWidget::resizeEvent(event);
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
