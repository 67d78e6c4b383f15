// SPDX-License-Identifier: MIT
#include "gui/app/learn/guess_page.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr int question_width = 620;

QString pixelText(double size)
{
    return QString::number(std::lround(size));
}

}  // namespace

GuessPage::GuessPage(QWidget* parent)
    : QFrame(parent)
    , m_title(new QLabel)
    , m_heading(new QLabel(tr("What do you expect?")))
    , m_facts(new QLabel)
    , m_question(new QLabel)
    , m_hint(new QLabel(tr("Keys 1 to 4 or a click add a hand, with Shift remove one. → shows the answer.")))
    , m_centre(new QWidget)
    , m_choices(new QVBoxLayout)
    , m_whys(new QLabel)
    , m_next(new QPushButton)
    , m_skip(new QPushButton(tr("Just show me")))
{
    setObjectName(QStringLiteral("guessPage"));
    setAttribute(Qt::WA_StyledBackground);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("What do you expect?"));
    auto* layout = new QVBoxLayout(m_centre);
    layout->setSpacing(10);
    m_title->setProperty("section", true);
    m_facts->setWordWrap(true);
    m_facts->setObjectName(QStringLiteral("guessFacts"));
    m_facts->setProperty("quiet", true);
    m_facts->setTextFormat(Qt::PlainText);
    m_heading->setObjectName(QStringLiteral("welcome"));
    m_question->setObjectName(QStringLiteral("guessQuestion"));
    m_question->setWordWrap(true);
    m_question->setTextFormat(Qt::PlainText);
    m_hint->setProperty("quiet", true);
    m_hint->setWordWrap(true);
    m_choices->setSpacing(8);
    m_whys->setObjectName(QStringLiteral("guessWhys"));
    m_whys->setWordWrap(true);
    m_whys->setTextFormat(Qt::PlainText);
    m_next->setObjectName(QStringLiteral("guessNext"));
    m_skip->setObjectName(QStringLiteral("guessSkip"));
    m_skip->setFlat(true);
    for (QLabel* text : {m_title, m_heading, m_facts, m_question}) {
        layout->addWidget(text);
    }
    layout->addSpacing(4);
    layout->addLayout(m_choices);
    layout->addWidget(m_whys);
    layout->addWidget(m_next, 0, Qt::AlignLeft);
    layout->addWidget(m_skip, 0, Qt::AlignLeft);
    layout->addWidget(m_hint);
    connect(m_next, &QPushButton::clicked, this, &GuessPage::nextWanted);
    connect(m_skip, &QPushButton::clicked, this, &GuessPage::skipped);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_centre, 6);
    row->addStretch(1);
    auto* outer = new QVBoxLayout(this);
    outer->addStretch(2);
    outer->addLayout(row);
    outer->addStretch(3);
    setLarge(0);
}

void GuessPage::ask(const QString& title, const QStringList& facts, const QString& question, const QStringList& choices)
{
    m_title->setText(title);
    m_facts->setText(facts.join(QLatin1Char('\n')));
    m_facts->setVisible(!facts.isEmpty());
    m_question->setText(question);
    qDeleteAll(m_buttons);
    m_buttons.clear();
    m_texts = choices;
    m_hands.assign(static_cast<std::size_t>(choices.size()), 0);
    m_right = m_chosen = -1;
    for (std::size_t i = 0; i < m_hands.size(); ++i) {
        auto* button = new QPushButton;
        button->setProperty("choice", true);
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QPushButton::clicked, this, [this, i] { choose(i); });
        m_choices->addWidget(button);
        m_buttons += button;
    }
    setLarge(m_times);
}

void GuessPage::answer(std::size_t right, int chosen, const QStringList& whys, const QString& next)
{
    m_right = static_cast<int>(right);
    m_chosen = chosen;
    QStringList lines;
    for (qsizetype i = 0; i < whys.size(); ++i) {
        if (!whys[i].isEmpty()) {
            lines += QStringLiteral("%1 %2  %3").arg(i + 1).arg(i == m_right ? QChar(u'✓') : QChar(u'✗')).arg(whys[i]);
        }
    }
    m_whys->setText(lines.join(QLatin1Char('\n')));
    m_next->setText(next);
    setLarge(m_times);
    if (m_times <= 0) {
        m_next->setFocus(Qt::OtherFocusReason);
    }
}

void GuessPage::setLarge(double times)
{
    m_times = times;
    const bool hall = times > 0;
    const double by = hall ? times : 1;
    m_centre->setMaximumWidth(static_cast<int>(question_width * by));
    m_skip->setVisible(!hall && !isAnswered());
    m_hint->setVisible(hall && !isAnswered());
    m_heading->setVisible(!isAnswered());
    m_whys->setVisible(isAnswered());
    m_next->setVisible(isAnswered());
    const QString sheet = !hall
        ? QString()
        : QStringLiteral("QLabel { font-size: %1px; } QLabel#welcome { font-size: %2px; } "
                         "QLabel#guessQuestion { font-size: %3px; } "
                         "QPushButton[choice=\"true\"] { font-size: %3px; padding: %4px %5px; }")
              .arg(pixelText(13 * by), pixelText(24 * by), pixelText(17 * by), pixelText(9 * by), pixelText(16 * by));
    if (sheet != styleSheet()) {
        setStyleSheet(sheet);
    }
    label();
}

std::vector<int> GuessPage::hands() const
{
    return m_times > 0 ? m_hands : std::vector<int>();
}

void GuessPage::finish()
{
    if (isAnswered()) {
        emit nextWanted();
    } else {
        emit counted(m_hands);
    }
}

void GuessPage::choose(std::size_t choice)
{
    if (isAnswered()) {
        return;
    }
    if (m_times <= 0) {
        emit chosen(choice);
        return;
    }
    const bool less = QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
    m_hands[choice] = std::max(m_hands[choice] + (less ? -1 : 1), 0);
    label();
}

void GuessPage::label()
{
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        const int hands = m_hands[static_cast<std::size_t>(i)];
        QString text = QStringLiteral("%1   %2").arg(i + 1).arg(m_texts[i]);
        if (isAnswered() && (i == m_right || i == m_chosen)) {
            text += i == m_right ? QStringLiteral("   ✓") : QStringLiteral("   ✗");
        }
        if (m_times > 0 && hands > 0) {
            text += QStringLiteral("      ") + tr("hands: %1").arg(hands);
        }
        m_buttons[i]->setText(text);
    }
}

void GuessPage::keyPressEvent(QKeyEvent* event)
{
    const int choice = event->key() - Qt::Key_1;
    if (choice >= 0 && choice < m_buttons.size()) {
        choose(static_cast<std::size_t>(choice));
        return;
    }
    if ((m_times > 0 || isAnswered()) && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        finish();
        return;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace lanes::gui
