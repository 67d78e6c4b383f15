// SPDX-License-Identifier: MIT
#include "gui/panels/details_panel.h"

#include "engine/trace/event.h"
#include "gui/lanes/lane_model.h"
#include "gui/paint/words/printable_text.h"
#include "gui/panels/bar_color.h"
#include "gui/panels/card_link.h"
#include "gui/panels/line_breaks.h"
#include "gui/panels/name_dots.h"
#include "gui/panels/theme_of.h"
#include "gui/session/critical_paths.h"
#include "gui/session/format.h"
#include "gui/session/workspace.h"
#include "gui/timeline/timeline_pair.h"

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
#include <QPixmap>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace lanes::gui {

namespace {

constexpr int swatch_size = 12;
constexpr qsizetype long_name = 240;  // letters: what is longer is cut in its middle until one asks for all of it
constexpr qsizetype long_word = 16;  // letters: what is longer may be broken in a field
constexpr std::size_t most_causes = 12;  // lines of the chain
constexpr std::size_t most_steps = 400;  // that are looked at, to say how often they repeat

/// What is too long loses its middle.
QString inSight(const QString& text)
{
    return text.size() > long_name ? text.left(long_name * 2 / 3) + QChar(0x2026) + text.right(long_name / 3) : text;
}

/// Wraps what is longer than its column is wide. Opens a value to select text from, never to change it.
class ValueReader final : public QStyledItemDelegate {
public:
    explicit ValueReader(QTreeWidget* fields)
        : QStyledItemDelegate(fields)
        , m_fields(fields)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QSize line = QStyledItemDelegate::sizeHint(option, index);
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        const int column = m_fields->columnWidth(index.column());
        item.rect = QRect(0, 0, column, QWIDGETSIZE_MAX);
        item.widget = m_fields;
        const QStyle* style = m_fields->style();
        const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &item, m_fields) + 1;
        const QRect text = style->subElementRect(QStyle::SE_ItemViewItemText, &item, m_fields);
        const int beside = std::max(column - text.width(), 0) + 2 * margin;
        const int room = std::max(column - beside, 1);
        QTextLayout layout(item.text, item.font);
        QTextOption wrap;
        wrap.setWrapMode(QTextOption::WordWrap);
        layout.setTextOption(wrap);
        int lines = 0;
        layout.beginLayout();
        for (QTextLine at = layout.createLine(); at.isValid(); at = layout.createLine()) {
            at.setLineWidth(room);
            ++lines;
        }
        layout.endLayout();
        return {QFontMetrics(item.font).horizontalAdvance(item.text) + beside,
            line.height() + std::max(lines - 1, 0) * item.fontMetrics.lineSpacing()};
    }

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
        QStringList words = inSight(option->text).split(QLatin1Char(' '));
        for (QString& word : words) {
            word = word.size() > long_word ? breakable(word) : word;
        }
        option->text = words.join(QLatin1Char(' '));
        option->features |= QStyleOptionViewItem::WrapText;
        option->displayAlignment = Qt::AlignLeft | Qt::AlignTop;
        if (index.column() % 2 == 0) {  // names are paler than values, as there are several pairs in a row
            QColor quiet = option->palette.color(QPalette::Text);
            quiet.setAlphaF(0.7F);
            option->palette.setColor(QPalette::Text, quiet);
        }
    }

private:
    QTreeWidget* m_fields;
};

void toClipboard(const QString& text)
{
    QGuiApplication::clipboard()->setText(text);
}

QString lineOf(const DetailField& field)
{
    return field.name + QLatin1Char('\t') + field.value + QLatin1Char('\n');
}

QLabel* sectionLabel(const QString& title)
{
    auto* label = new QLabel(title.toUpper());
    label->setProperty("section", true);
    label->setWordWrap(true);
    label->setContentsMargins(0, 8, 0, 0);
    return label;
}

QLabel* mutedLabel()
{
    auto* label = new QLabel;
    label->setProperty("quiet", true);
    return label;
}

QFrame* hairline()
{
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    return line;
}

void emptied(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();  // it may be its click that we are in
        }
        delete item;
    }
}

}  // namespace

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget)
    , m_swatch(new QLabel)
    , m_name(new QLabel)
    , m_length(new QLabel)
    , m_fullName(mutedLabel())
    , m_place(mutedLabel())
    , m_facts(new QVBoxLayout)
    , m_dotsTitle(mutedLabel())
    , m_first(mutedLabel())
    , m_last(mutedLabel())
    , m_dots(new NameDots)
    , m_parts(new QWidget)
    , m_fields(new QTreeWidget)
{
    setObjectName(QStringLiteral("card"));
    setAttribute(Qt::WA_StyledBackground);
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
    page->setObjectName(QStringLiteral("cardPage"));
    page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // as wide as the card, whatever is on it
    m_column = new QVBoxLayout(page);
    m_column->setContentsMargins(12, 8, 12, 8);
    m_column->setSpacing(4);
    addHead();
    m_parts->setLayout(new QVBoxLayout);
    m_parts->layout()->setContentsMargins(0, 0, 0, 0);
    m_parts->layout()->setSpacing(1);
    m_column->addWidget(m_parts);
    addFields();
    m_column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("cardScroll"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    m_stack->addWidget(scroll);

    auto* copyAction = new QAction(this);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copyAction, &QAction::triggered, this, &DetailsPanel::copyChosen);
    addAction(copyAction);
}

void DetailsPanel::addHead()
{
    auto* top = new QHBoxLayout;
    auto* title = sectionLabel(tr("Selected"));
    title->setContentsMargins(0, 0, 0, 0);
    top->addWidget(title, 1);
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("closeCard"));
    close->setText(QStringLiteral("\u00D7"));
    close->setAutoRaise(true);
    close->setToolTip(tr("Selects nothing, and gives the lanes this room (Esc)"));
    close->setAccessibleName(tr("Close the card"));
    connect(close, &QToolButton::clicked, this, &DetailsPanel::closeWanted);
    top->addWidget(close);
    m_column->addLayout(top);

    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    m_swatch->setObjectName(QStringLiteral("cardSwatch"));
    m_swatch->setFixedSize(swatch_size, swatch_size);
    m_name->setProperty("heading", true);
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_name->setWordWrap(true);
    m_length->setProperty("heading", true);
    m_length->setAlignment(Qt::AlignRight | Qt::AlignTop);
    head->addWidget(m_swatch, 0, Qt::AlignVCenter);
    head->addWidget(m_name, 1);
    head->addWidget(m_length);
    m_column->addLayout(head);
    m_fullName->setObjectName(QStringLiteral("fullName"));
    m_fullName->setWordWrap(true);
    m_fullName->setTextFormat(Qt::RichText);
    m_fullName->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse);
    connect(m_fullName, &QLabel::linkActivated, this, [this] {
        m_isWhole = true;
        nameWhole();
    });
    m_column->addWidget(m_fullName);
    m_place->setWordWrap(true);
    m_column->addWidget(m_place);
    m_facts->setSpacing(1);
    m_column->addLayout(m_facts);

    m_column->addWidget(hairline());
    m_dotsTitle->setWordWrap(true);
    m_column->addWidget(m_dotsTitle);
    m_column->addWidget(m_dots);
    auto* ends = new QHBoxLayout;
    ends->addWidget(m_first, 1);
    m_last->setAlignment(Qt::AlignRight);
    ends->addWidget(m_last);
    m_column->addLayout(ends);
    m_column->addWidget(hairline());
    connect(m_dots, &NameDots::chosen, this, [this](Row row) { emit followWanted(EventRef {m_event.table, row}); });
}

void DetailsPanel::addFields()
{
    m_column->addWidget(hairline());
    auto* head = new QHBoxLayout;
    head->addWidget(sectionLabel(tr("All fields")), 1);
    auto* copyAll = new QToolButton;
    copyAll->setObjectName(QStringLiteral("copyAll"));
    copyAll->setText(tr("Copy all"));
    copyAll->setToolTip(tr("Copy all fields"));
    copyAll->setAutoRaise(true);
    connect(copyAll, &QToolButton::clicked, this, [this] { toClipboard(asText()); });
    head->addWidget(copyAll);
    m_column->addLayout(head);
    m_fields->setObjectName(QStringLiteral("details"));
    m_fields->setAccessibleName(tr("Details of the selection"));
    m_fields->setHeaderHidden(true);
    m_fields->setColumnCount(2);
    m_fields->header()->setMinimumSectionSize(20);
    m_fields->setRootIsDecorated(false);
    m_fields->setTextElideMode(Qt::ElideMiddle);
    m_fields->setFrameShape(QFrame::NoFrame);
    m_fields->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_fields->setItemDelegate(new ValueReader(m_fields));
    m_fields->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_fields->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_fields, &QTreeWidget::customContextMenuRequested, this, &DetailsPanel::showMenu);
    m_fields->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_fields->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // the card scrolls
    m_fields->viewport()->installEventFilter(this);
    m_column->addWidget(m_fields);
    setFocusProxy(m_fields);
}

void DetailsPanel::present(const OpenRecordingPtr& recording, EventRef event, const ShownPath* path)
{
    const bool isSame = recording == m_recording && event == m_event;
    m_shown = recording ? detailsOf(*recording, event, path) : std::vector<DetailField>();
    m_recording = m_shown.empty() ? nullptr : recording;
    m_event = m_recording ? event : EventRef {};
    if (!m_recording) {
        m_figures.cancel();
        m_card = {};
        m_fields->clear();
        m_stack->setCurrentIndex(0);
        return;
    }
    if (!isSame) {
        fill(recording, event);
    }
    fillFields();
    m_stack->setCurrentIndex(1);
}

/// That of its bar; of what is on no lane that of quiet texts.
QColor DetailsPanel::colorOf(ItemRef item) const
{
    const LaneModel* model
        = m_workspace != nullptr ? m_workspace->pair()->side(m_workspace->selection().side).model() : nullptr;
    const bool isShown = model != nullptr && &model->trace() == m_recording->trace.get();
    return barColor(isShown ? model : nullptr, item, themeOf(palette()));
}

void DetailsPanel::fill(const OpenRecordingPtr& recording, EventRef event)
{
    const auto part = m_workspace != nullptr ? m_workspace->pair()->side(m_workspace->selection().side).state().part
                                             : std::optional<PartOfRun>();
    m_card = cardOf(*recording, event, part ? part->zero : 0);
    QPixmap swatch(swatch_size, swatch_size);
    swatch.fill(colorOf(event));
    m_swatch->setPixmap(swatch);
    m_name->setText(breakable(m_card.name));
    m_length->setText(m_card.length);
    m_isWhole = false;
    nameWhole();
    m_place->setText(m_card.place);
    fillFacts();
    fillParts();
    askFigures();
}

void DetailsPanel::nameWhole()
{
    QString name = m_card.fullName;
    const bool isCut = !m_isWhole && name.size() > long_name;
    if (isCut) {
        name = inSight(name);
    }
    QString html = breakable(name).toHtmlEscaped();
    if (isCut) {
        html += QStringLiteral(" <a href=\"all\">%1</a>").arg(tr("all of it"));
    }
    m_fullName->setText(html);
    m_fullName->setVisible(!name.isEmpty());
}

void DetailsPanel::fillFacts()
{
    emptied(m_facts);
    for (const DetailField& fact : m_card.facts) {
        auto* name = mutedLabel();
        name->setText(fact.name);
        auto* value = new QLabel(breakable(fact.value));
        value->setAlignment(Qt::AlignRight | Qt::AlignTop);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        value->setWordWrap(true);
        auto* line = new QWidget;  // not columns: a long name has no long value
        auto* layout = new QHBoxLayout(line);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(name, 0, Qt::AlignTop);
        layout->addWidget(value, 1);
        m_facts->addWidget(line);
    }
}

void DetailsPanel::addLink(const CardEntry& entry, const QString& before)
{
    auto* link = new CardLink(entry, before, colorOf(entry.item));
    connect(link, &CardLink::clicked, this, [this, item = entry.item] { emit followWanted(item); });
    m_parts->layout()->addWidget(link);
}

void DetailsPanel::fillParts()
{
    emptied(m_parts->layout());
    for (const CardPart& part : m_card.parts) {
        m_parts->layout()->addWidget(sectionLabel(part.title));
        for (const CardEntry& entry : part.entries) {
            addLink(entry, {});
        }
    }
    std::vector<ChainLine> lines = chainLines(*m_recording, chainOf(*m_recording, m_event, most_steps));
    if (lines.size() < 2) {  // one step back is what it waited for
        return;
    }
    lines.resize(std::min(lines.size(), most_causes));
    m_parts->layout()->addWidget(sectionLabel(tr("Chain of causes, from here back")));
    for (const ChainLine& line : lines) {
        CardEntry entry = line.entry;
        entry.said = QStringLiteral("%1 \u00B7 %2").arg(line.words, entry.said);
        if (line.times > 1) {
            entry.said += QStringLiteral("  \u00D7 %1").arg(line.times);
        }
        addLink(entry, QString::number(line.number));
    }
}

/// At once where that is quick.
void DetailsPanel::askFigures()
{
    constexpr std::size_t quick = 200'000;  // rows
    for (QWidget* part : std::initializer_list<QWidget*> {m_dotsTitle, m_dots, m_first, m_last}) {
        part->hide();
    }
    const auto work = [recording = m_recording, event = m_event](
                          const std::stop_token& stop) { return cardFigures(*recording->trace, event, stop); };
    const bool isQuick = size_of(*m_recording->trace, m_event.table) <= quick;
    m_figures.ask(
        work, [this](const CardFigures& figures) { take(figures); }, [](const QString&) {},
        isQuick ? Question<CardFigures>::Work::here : Question<CardFigures>::Work::aside);
}

void DetailsPanel::take(const CardFigures& figures)
{
    const Interval span = span_of(*m_recording->trace, m_event);
    const Ns length = span.end - span.start;
    if (figures.hidden) {
        m_card.facts.push_back({tr("hidden behind compute"), formatTime(*figures.hidden)});
        m_card.facts.push_back({tr("exposed"), formatTime(length - *figures.hidden)});
        fillFacts();
    }
    const bool severalToShow = figures.count > 1;
    m_dotsTitle->setText(
        wholeFigures(tr("all %L1 of this name, median %2").arg(figures.count).arg(formatTime(figures.median))));
    m_dots->show(figures, {m_event.row, span.start, length}, colorOf(m_event));
    m_first->setText(tr("at %1").arg(formatTime(figures.span.start)));
    m_last->setText(tr("at %1").arg(formatTime(figures.span.end)));
    for (QLabel* label : {m_dotsTitle, m_first, m_last}) {
        label->setVisible(severalToShow);
    }
}

/// Names have at most two fifths of the width; the list is as high as its rows.
void DetailsPanel::fitFields()
{
    m_fields->resizeColumnToContents(0);
    m_fields->setColumnWidth(0, std::min(m_fields->columnWidth(0), m_fields->viewport()->width() * 2 / 5));
    m_fields->setColumnWidth(1, m_fields->viewport()->width() - m_fields->columnWidth(0));
    m_fields->doItemsLayout();
    int height = 4;
    for (int row = 0; row < m_fields->topLevelItemCount(); ++row) {
        const QModelIndex name = m_fields->model()->index(row, 0);
        height += std::max(
            m_fields->sizeHintForIndex(name).height(), m_fields->sizeHintForIndex(name.siblingAtColumn(1)).height());
    }
    m_fields->setFixedHeight(height);
}

/// The keyboard stays on the field that it was on.
void DetailsPanel::fillFields()
{
    const QModelIndex was = m_fields->currentIndex();
    const QString current = was.siblingAtColumn(0).data().toString();
    m_fields->clear();
    for (const DetailField& field : m_shown) {
        auto* item = new QTreeWidgetItem(m_fields, {field.name, field.value});
        item->setToolTip(1, field.value);
        item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    fitFields();
    if (was.isValid()) {
        const auto kept = std::find_if(
            m_shown.begin(), m_shown.end(), [&](const DetailField& field) { return field.name == current; });
        const auto row = kept == m_shown.end() ? 0 : static_cast<int>(kept - m_shown.begin());
        m_fields->selectionModel()->setCurrentIndex(
            m_fields->model()->index(row, was.column()), QItemSelectionModel::NoUpdate);
    }
}

const DetailField* DetailsPanel::fieldAt(const QModelIndex& index) const
{
    const auto at = static_cast<std::size_t>(index.row());
    return index.isValid() && at < m_shown.size() ? &m_shown[at] : nullptr;
}

bool DetailsPanel::eventFilter(QObject* watched, QEvent* event)
{
    const auto* resize = event->type() == QEvent::Resize ? static_cast<QResizeEvent*>(event) : nullptr;
    if (resize != nullptr && resize->size().width() != resize->oldSize().width()) {
        fitFields();
    }
    return QWidget::eventFilter(watched, event);
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

void DetailsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_paths != nullptr) {
        presentSelection();
    }
}

/// Its colours are those of the theme.
void DetailsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_recording) {
        fill(m_recording, m_event);
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
