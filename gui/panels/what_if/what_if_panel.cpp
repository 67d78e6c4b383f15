// SPDX-License-Identifier: MIT
#include "gui/panels/what_if/what_if_panel.h"

#include "gui/panels/eliding_button.h"
#include "gui/panels/eliding_choice.h"
#include "gui/panels/progress.h"
#include "gui/panels/what_if/what_if_amounts.h"
#include "gui/panels/what_if/what_if_assumptions.h"
#include "gui/panels/what_if/what_if_scopes.h"
#include "gui/panels/what_if/what_if_table.h"
#include "gui/panels/what_if/what_if_words.h"
#include "gui/session/format.h"
#include "gui/session/open_recording.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lanes::gui {

namespace {

using replay::Prediction;

constexpr int aside_least = 270, aside_most = 460;
constexpr int recorded_row = 0, together_row = 1, first_row = 2;  // the changes are below

QLabel* wrapped(QWidget* parent = nullptr)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

WhatIfPanel::WhatIfPanel(QWidget* show, QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget)
    , m_state(wrapped())
    , m_progress(new QProgressBar)
    , m_stop(new QPushButton)
    , m_small(new QPushButton)
    , m_gate(wrapped())
    , m_scope(new ElidingChoice)
    , m_table(makeWhatIfTable())
    , m_title(wrapped())
    , m_sentence(wrapped())
    , m_amounts(new WhatIfAmounts)
    , m_warning(wrapped())
    , m_assumed(new WhatIfAssumptions)
    , m_measured(wrapped())
    , m_toMeasured(new ElidingButton)
{
    setAccessibleName(tr("What if"));
    m_gate->setProperty("quiet", true);
    m_gate->setObjectName(QStringLiteral("whatIfGate"));
    m_title->setProperty("heading", true);
    m_warning->setProperty("problem", true);
    m_scope->setObjectName(QStringLiteral("whatIfScope"));
    m_scope->setAccessibleName(tr("Limit the changes to"));
    m_scope->setToolTip(tr("Limit the changes to: select an event or a range for more"));
    constexpr int scope_letters = 28;  // whatever is selected: the head does not move
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_scope->setMinimumContentsLength(scope_letters);
    m_assumed->setObjectName(QStringLiteral("whatIfAssumed"));
    m_measured->setObjectName(QStringLiteral("whatIfMeasured"));
    m_toMeasured->setObjectName(QStringLiteral("whatIfToMeasured"));
    setMeasured({}, {});
    m_aside = makeAside(show);
    auto* work = new QWidget;
    auto* columns = new QHBoxLayout(work);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_table, 1);
    columns->addWidget(m_aside);
    m_stack->addWidget(makeState());
    m_stack->addWidget(work);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 0, 0);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 6, 0);
    m_small->setObjectName(QStringLiteral("whatIfSmall"));
    m_small->setFlat(true);
    m_small->setCheckable(true);
    m_small->hide();
    head->addWidget(m_gate, 1);
    head->addWidget(m_small);
    head->addWidget(m_scope);
    layout->addLayout(head);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_table);
    connectParts();
}

/// In the place of the table where there is none: why, or how far the pricing is.
QWidget* WhatIfPanel::makeState()
{
    auto* state = new QWidget;
    auto* stateLayout = new QVBoxLayout(state);
    stateLayout->setContentsMargins(0, 4, 0, 8);
    auto* progress = new QHBoxLayout;
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(320);
    m_progress->setAccessibleName(tr("Progress"));
    progress->addWidget(m_progress, 1);
    progress->addWidget(m_stop);
    progress->addStretch();
    stateLayout->addWidget(m_state);
    stateLayout->addLayout(progress);
    stateLayout->addStretch();
    return state;
}

/// Beside the table: what is known of what was chosen last; `show` is under its sentence.
QWidget* WhatIfPanel::makeAside(QWidget* show)
{
    auto* aside = new QWidget;
    aside->setObjectName(QStringLiteral("sideColumn"));  // on the panel's ground
    auto* asideLayout = new QVBoxLayout(aside);
    asideLayout->setContentsMargins(14, 2, 6, 6);
    asideLayout->setSpacing(5);
    for (QWidget* each : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_sentence)}) {
        asideLayout->addWidget(each);
    }
    asideLayout->addWidget(m_amounts);
    asideLayout->addWidget(show, 0, Qt::AlignLeft);
    asideLayout->addWidget(m_measured);
    asideLayout->addWidget(m_toMeasured, 0, Qt::AlignLeft);
    asideLayout->addWidget(m_warning);
    asideLayout->addWidget(m_assumed);
    asideLayout->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(aside);
    return scroll;
}

void WhatIfPanel::connectParts()
{
    connect(m_scope, &QComboBox::activated, this, [this](int index) {
        const WhatIfScope& scope = m_scopes[static_cast<std::size_t>(index)];
        m_whatIfs->setScope(Query::parse(scope.query.toStdString()), scope.part);
    });
    connect(m_toMeasured, &QPushButton::clicked, this, &WhatIfPanel::measuredWanted);
    connect(m_small, &QPushButton::clicked, this, &WhatIfPanel::hideSmall);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    connect(m_table, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
        if (!m_isFilling && column == change_column) {
            tick(item);
        }
    });
    const auto chooseRow = [this] {
        if (!m_isFilling) {
            m_isTickedChosen = m_table->currentItem() == m_table->topLevelItem(together_row);
            if (Changes changes = chosen(); !changes.empty()) {
                m_byHand = std::move(changes);
                m_byHandOf = m_whatIfs->recording()->trace;
            }
            sayChosen();
        }
    };
    connect(m_table, &QTreeWidget::currentItemChanged, this, chooseRow);
    connect(m_table, &QTreeWidget::itemPressed, this, chooseRow);  // of the current one as well
    connect(m_table, &QTreeWidget::itemDoubleClicked, this, &WhatIfPanel::showWanted);
    connect(m_stop, &QPushButton::clicked, this,
        [this] { m_whatIfs->isPricing() ? m_whatIfs->cancel() : m_whatIfs->again(); });
}

WhatIfPanel::~WhatIfPanel() = default;

void WhatIfPanel::observe(WhatIfs* whatIfs)
{
    m_whatIfs = whatIfs;
    connect(whatIfs, &WhatIfs::changed, this, &WhatIfPanel::refill);
    connect(whatIfs->workspace(), &Workspace::changed, this, &WhatIfPanel::sayHead);  // the same may be B now
    connect(whatIfs, &WhatIfs::progressed, this, [this](double fraction) { setProgress(*m_progress, fraction); });
    connect(m_amounts, &WhatIfAmounts::changed, whatIfs, &WhatIfs::setAmount);
    connect(m_assumed, &WhatIfAssumptions::answered, whatIfs, &WhatIfs::answer);
    connect(whatIfs->workspace(), &Workspace::selectionChanged, this, &WhatIfPanel::fillScopes);
    connect(whatIfs->workspace(), &Workspace::scopeChanged, this, &WhatIfPanel::fillScopes);
    connect(whatIfs, &WhatIfs::advised, this, [this] {
        m_isTickedChosen = true;
        if (m_table->topLevelItemCount() > 0) {
            const QSignalBlocker blocker(m_table);
            m_table->setCurrentItem(tickedRow());
            m_table->scrollToItem(tickedRow());
        }
        sayChosen();
    });
    refill();
}

void WhatIfPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_whatIfs->setWanted(this, true);
}

void WhatIfPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    if (m_whatIfs != nullptr) {  // Qt 6.8 hides what a tab is made of, before observe()
        m_whatIfs->setWanted(this, false);
    }
}

void WhatIfPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int aside = std::clamp(width() * 3 / 10, aside_least, aside_most);
    m_aside->setFixedWidth(aside);
}

/// From what is selected. What the changes are limited to stays in the list, also when it is not selected any more.
void WhatIfPanel::fillScopes()
{
    const OpenRecordingPtr& of = m_whatIfs->recording();
    const QString now = QString::fromStdString(m_whatIfs->scope().text());
    const QString title = m_scope->currentText();
    const QSignalBlocker blocker(m_scope);
    m_scope->clear();
    m_scopes.clear();
    m_scope->setVisible(of != nullptr);
    if (!of) {
        return;
    }
    const Workspace& workspace = *m_whatIfs->workspace();
    const auto [side, event] = workspace.selection();
    const int own = m_whatIfs->side();
    m_scopes = whatIfScopes(*of, side == own ? event : EventRef {}, workspace.scope(), own);
    auto found
        = std::find_if(m_scopes.begin(), m_scopes.end(), [&now](const WhatIfScope& each) { return each.query == now; });
    if (found == m_scopes.end()) {
        m_scopes.push_back({m_limitedTo.isEmpty() ? title : m_limitedTo, now, m_whatIfs->part()});
        found = m_scopes.end() - 1;
    }
    for (const WhatIfScope& scope : m_scopes) {
        m_scope->addItem(scope.title);
    }
    m_scope->setCurrentIndex(static_cast<int>(found - m_scopes.begin()));
}

void WhatIfPanel::limitTo(const QString& query, const QString& title)
{
    m_limitedTo = title;
    const Query on = Query::parse(query.toStdString());
    m_whatIfs->setScope(on, replay::limited_part(on).value_or(Interval {}));
    fillScopes();
    m_limitedTo.clear();
}

void WhatIfPanel::refill()
{
    fillScopes();
    const auto priced = m_whatIfs->priced();
    const bool isOpen = this->isOpen();
    if (!isOpen && m_table->hasFocus()) {
        m_scope->setFocus();  // until the table is there again
        m_hasLentFocus = true;
    }
    m_stack->setCurrentIndex(isOpen ? 1 : 0);
    if (isOpen && std::exchange(m_hasLentFocus, false) && m_scope->hasFocus()) {
        m_table->setFocus();
    }
    sayHead();
    if (!isOpen) {
        m_shown = nullptr;
        m_table->clear();
        sayState();
    } else {
        if (priced != m_shown
            || m_table->topLevelItemCount() != static_cast<int>(m_whatIfs->rows().size()) + first_row) {
            m_shown = priced;
            fillTable();
        }
        fillTogether();
    }
    sayChosen();
}

/// Whether there is a table.
bool WhatIfPanel::isOpen() const
{
    const auto priced = m_whatIfs->priced();
    return priced && priced->whatIf.gate().is_open() && !m_whatIfs->rows().empty();
}

/// Of which recording, how well it replays, and why something is missing.
void WhatIfPanel::sayHead()
{
    const auto priced = m_whatIfs->priced();
    m_gate->setVisible(priced != nullptr);
    const auto head = [&](bool whole) {
        QString said = priced ? gateText(priced->whatIf.gate(), m_whatIfs->recorded(), whole) : QString();
        if (m_whatIfs->workspace()->count() > 1) {
            said = tr("%1: %2").arg(m_whatIfs->side() == 0 ? QChar(u'A') : QChar(u'B')).arg(said);
        }
        if (isOpen() && !priced->pace.id.empty()) {
            const Messages& messages = engineMessages();
            said += QStringLiteral("  \u00B7  ")
                + text(messages.text("whatif.nothing") + ' ' + messages.format(priced->pace));
        }
        if (priced && !priced->leftOut.empty()) {
            QStringList names;
            for (const replay::Change& change : priced->leftOut) {
                names += changesText({change}, m_whatIfs->scope());
            }
            said += QStringLiteral("  \u00B7  ")
                + tr("Left out because replaying takes too long: %1").arg(names.join(QStringLiteral(", ")));
        }
        return said;
    };
    m_gate->setText(head(false));
    m_gate->setToolTip(head(true));
}

/// Why there is no table.
void WhatIfPanel::sayState()
{
    const auto priced = m_whatIfs->priced();
    QString said;
    if (!m_whatIfs->recording()) {
        said = tr("Open a recording to see what each change would gain.");
    } else if (m_whatIfs->isPricing()) {
        said = tr("Replaying the recording with each change that applies…");
    } else if (m_whatIfs->isCancelled()) {
        said = tr("Stopped before all changes were replayed.");
    } else if (!m_whatIfs->error().isEmpty()) {
        said = m_whatIfs->error();
    } else if (priced && !priced->whatIf.gate().is_open()) {
        said = text(engineMessages().text("whatif.refused.title"));
        for (const Message& reason : priced->whatIf.gate().reasons) {
            said += QStringLiteral("\n\u2022 ") + sentenceOf(reason);
        }
    } else if (priced) {
        const Messages& messages = engineMessages();
        said = text(messages.text("whatif.nothing") + ' ' + messages.format(priced->pace));
    }
    m_state->setText(said);
    m_progress->setVisible(m_whatIfs->isPricing());
    m_stop->setVisible(m_whatIfs->isPricing() || m_whatIfs->isCancelled());
    m_stop->setText(m_whatIfs->isPricing() ? tr("Cancel") : tr("Continue"));
}

/// Of the change that the user chose in this recording, whatever it was limited to; else the first of a change.
int WhatIfPanel::rowToChoose() const
{
    const auto& rows = m_whatIfs->rows();
    const auto found = std::find_if(rows.begin(), rows.end(), [this](const Prediction& row) {
        return std::equal(row.changes.begin(), row.changes.end(), m_byHand.begin(), m_byHand.end(),
            [](const replay::Change& a, const replay::Change& b) {
                return a.kind == b.kind && a.finding == b.finding;
            });
    });
    const bool isKept = found != rows.end() && m_byHandOf.lock() == m_whatIfs->recording()->trace;
    return first_row + (isKept ? static_cast<int>(found - rows.begin()) : 0);
}

void WhatIfPanel::fillTable()
{
    m_isFilling = true;
    m_table->clear();
    QFont bold = m_table->font();
    bold.setWeight(QFont::DemiBold);
    for (int row = 0; row < first_row; ++row) {
        auto* item = new QTreeWidgetItem(m_table);
        for (const int column : {change_column, predicted_column}) {
            item->setFont(column, bold);
        }
    }
    for (std::size_t row = 0; row < m_whatIfs->rows().size(); ++row) {
        auto* item = new QTreeWidgetItem(m_table);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(change_column, Qt::Unchecked);
    }
    m_isTickedChosen = !m_whatIfs->ticked().empty();
    m_table->setCurrentItem(m_isTickedChosen ? tickedRow() : m_table->topLevelItem(rowToChoose()));
    m_isFilling = false;
}

/// That of what is ticked: of the changes alone where there is one, else that of all together; of nothing the recorded
/// one.
QTreeWidgetItem* WhatIfPanel::tickedRow() const
{
    const auto& rows = m_whatIfs->rows();
    const auto found = std::find_if(
        rows.begin(), rows.end(), [this](const Prediction& each) { return each.changes == m_whatIfs->ticked(); });
    return m_table->topLevelItem(m_whatIfs->ticked().empty() ? recorded_row
            : found == rows.end()                            ? together_row
                                                             : first_row + static_cast<int>(found - rows.begin()));
}

/// The first rows, the boxes, and what depends on the longest of all.
void WhatIfPanel::fillTogether()
{
    m_isFilling = true;
    const Ns recorded = m_whatIfs->recorded();
    const Changes& ticked = m_whatIfs->ticked();
    auto together = m_whatIfs->together();
    if (together) {
        together = m_whatIfs->ofPart(*together);
    }
    std::vector<Prediction> rows;
    for (const Prediction& prediction : m_whatIfs->rows()) {
        rows.push_back(m_whatIfs->ofPart(prediction));
    }
    Ns longest = std::max<Ns>(recorded, together ? together->high : 0);
    for (const Prediction& prediction : rows) {
        longest = std::max(longest, prediction.high);
    }
    const WhatIfScale scale {recorded, longest};
    QTreeWidgetItem* first = m_table->topLevelItem(recorded_row);
    first->setText(change_column, tr("As recorded"));
    showUnpredicted(first, formatTime(recorded), true, scale);
    QTreeWidgetItem* all = m_table->topLevelItem(together_row);
    all->setHidden(ticked.empty());
    all->setText(change_column, tr("Ticked: %1").arg(changesText(ticked, m_whatIfs->scope())));
    all->setToolTip(change_column, all->text(change_column));
    if (together) {
        showPrediction(all, *together, scale);
    } else {
        const bool isWrong = !m_whatIfs->error().isEmpty();
        showUnpredicted(all, isWrong ? QStringLiteral("\u2013") : QStringLiteral("\u2026"), false, scale);
    }
    for (int row = first_row; row < m_table->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_table->topLevelItem(row);
        const Prediction& prediction = rows[static_cast<std::size_t>(row - first_row)];
        const bool isIn = std::all_of(
            prediction.changes.begin(), prediction.changes.end(), [&ticked](const replay::Change& change) {
                return std::find(ticked.begin(), ticked.end(), change) != ticked.end();
            });
        item->setCheckState(change_column, isIn ? Qt::Checked : Qt::Unchecked);
        item->setText(change_column, changesText(prediction.changes, m_whatIfs->scope()));
        item->setToolTip(change_column, item->text(change_column));
        if (prediction.total > 0) {
            showPrediction(item, prediction, scale);
        } else {
            showUnpredicted(item, QStringLiteral("\u2026"), false, scale);
        }
    }
    m_isFilling = false;
    hideSmall();
    placeColumns(m_table);
}

/// Rows that change nothing worth a line, unless they are wanted, ticked or chosen.
void WhatIfPanel::hideSmall()
{
    constexpr Ns share = 200;  // half a percent
    const Ns recorded = m_whatIfs->recorded();
    int small = 0;
    for (int row = first_row; row < m_table->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_table->topLevelItem(row);
        const Prediction prediction = m_whatIfs->ofPart(m_whatIfs->rows()[static_cast<std::size_t>(row - first_row)]);
        const bool isSmall = prediction.total > 0 && std::abs(prediction.total - recorded) < recorded / share
            && !needs_amount(prediction.changes.front().kind) && item->checkState(change_column) != Qt::Checked;
        small += isSmall;
        item->setHidden(isSmall && !m_small->isChecked() && item != m_table->currentItem());
    }
    m_small->setVisible(small > 0);
    m_small->setText(m_small->isChecked() ? tr("Hide those under 0.5 %") : tr("%1 more under 0.5 %").arg(small));
}

/// Its box says what is wanted of all of its changes; of one kind only one is ticked.
void WhatIfPanel::tick(QTreeWidgetItem* item)
{
    const int row = m_table->indexOfTopLevelItem(item) - first_row;
    if (row < 0) {
        return;
    }
    Changes ticked = m_whatIfs->ticked();
    const Changes& of = m_whatIfs->rows()[static_cast<std::size_t>(row)].changes;
    std::erase_if(ticked, [&of](const replay::Change& each) {
        return std::any_of(
            of.begin(), of.end(), [&each](const replay::Change& change) { return change.kind == each.kind; });
    });
    if (item->checkState(change_column) == Qt::Checked) {
        ticked.insert(ticked.end(), of.begin(), of.end());
    }
    m_isTickedChosen = !ticked.empty();
    m_whatIfs->setTicked(ticked);
}

Changes WhatIfPanel::chosen() const
{
    if (!m_shown) {
        return {};
    }
    if (m_isTickedChosen) {
        return m_whatIfs->ticked();
    }
    const int row = m_table->indexOfTopLevelItem(m_table->currentItem()) - first_row;
    return row < 0 ? Changes() : m_whatIfs->rows()[static_cast<std::size_t>(row)].changes;
}

const Prediction* WhatIfPanel::chosenPrediction() const
{
    const Changes changes = chosen();
    if (changes.empty()) {
        return nullptr;
    }
    if (changes == m_whatIfs->ticked()) {
        return m_whatIfs->together() ? &*m_whatIfs->together() : nullptr;
    }
    const auto found = std::find_if(m_whatIfs->rows().begin(), m_whatIfs->rows().end(),
        [&changes](const Prediction& each) { return each.changes == changes; });
    return found == m_whatIfs->rows().end() || found->total == 0 ? nullptr : &*found;
}

void WhatIfPanel::sayChosen()
{
    const Changes changes = chosen();
    const Prediction* prediction = chosenPrediction();
    m_amounts->show(changes);
    m_title->setText(changes.empty() ? tr("Choose a change, or tick some to try them together.")
                                     : changesText(changes, m_whatIfs->scope()));
    m_sentence->setText(prediction != nullptr ? sentenceText(m_whatIfs->ofPart(*prediction), m_whatIfs->recorded())
            : changes.empty()                 ? QString()
            : m_whatIfs->error().isEmpty()    ? tr("Replaying…")
                                              : m_whatIfs->error());
    const auto old = prediction == nullptr
        ? std::vector<replay::Assumption>::const_iterator()
        : std::find_if(prediction->assumptions.begin(), prediction->assumptions.end(),
            [](const replay::Assumption& each) { return each.word() == "old-bytes"; });
    const bool isUnsafe = prediction != nullptr && prediction->reliability == replay::Reliability::unsafe;
    m_warning->setText(
        isUnsafe && old != prediction->assumptions.end() ? text(engineMessages().format(old->said)) : QString());
    m_warning->setVisible(!m_warning->text().isEmpty());
    if (prediction != nullptr && isWhole(*prediction)) {
        m_assumed->show(prediction->assumptions);
    } else if (changes != m_assumedOf) {
        m_assumed->show({});
    }  // else what was answered stays until the replay comes
    m_assumedOf = changes;
    m_sentence->setVisible(!m_sentence->text().isEmpty());
    emit chosenChanged();
}

void WhatIfPanel::setMeasured(const QString& said, const QString& offer)
{
    m_measured->setText(said);
    m_measured->setVisible(!said.isEmpty());
    if (offer.isEmpty() && m_toMeasured->hasFocus()) {
        m_table->setFocus();
    }
    m_toMeasured->setText(offer);
    m_toMeasured->setToolTip(offer);
    m_toMeasured->setVisible(!offer.isEmpty());
}

QString WhatIfPanel::asText() const
{
    QStringList lines;
    for (const QLabel* label : {m_gate, m_state}) {
        if (label->isVisibleTo(this) && !label->text().isEmpty()) {
            lines += label == m_gate ? label->toolTip() : label->text();
        }
    }
    for (int row = 0; row < m_table->topLevelItemCount(); ++row) {
        if (m_table->topLevelItem(row)->isHidden()) {
            continue;
        }
        QStringList cells;
        for (int column = 0; column < what_if_columns; ++column) {
            if (column != scale_column) {
                cells += m_table->topLevelItem(row)->text(column);
            }
        }
        lines += cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

bool WhatIfPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == m_table->viewport()) {
        placeColumns(m_table);
    }
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy)) {
            QApplication::clipboard()->setText(asText());
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            emit showWanted();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace lanes::gui
