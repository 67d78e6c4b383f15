// SPDX-License-Identifier: MIT
#include "gui/app/pages/guess_page.h"

#include "gui/paint/words/time_format.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

constexpr int text_width = 620;

}  // namespace

GuessPage::GuessPage(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_what(new QLabel)
    , m_question(new QLabel)
    , m_choices(new QVBoxLayout)
{
    setObjectName(QStringLiteral("guessPage"));
    setAttribute(Qt::WA_StyledBackground);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("What do you expect?"));
    auto* centre = new QWidget;
    centre->setMaximumWidth(text_width);
    auto* layout = new QVBoxLayout(centre);
    layout->setSpacing(10);
    m_title->setProperty("section", true);
    m_what->setWordWrap(true);
    m_what->setProperty("quiet", true);
    auto* heading = new QLabel(tr("What do you expect?"));
    heading->setObjectName(QStringLiteral("welcome"));
    m_question->setWordWrap(true);
    layout->addWidget(m_title);
    layout->addWidget(heading);
    layout->addWidget(m_what);
    layout->addWidget(m_question);
    m_choices->setSpacing(8);
    layout->addSpacing(4);
    layout->addLayout(m_choices);
    auto* skip = new QPushButton(tr("Just show me"));
    skip->setObjectName(QStringLiteral("guessSkip"));
    skip->setFlat(true);
    layout->addWidget(skip, 0, Qt::AlignLeft);
    connect(skip, &QPushButton::clicked, this, &GuessPage::skipped);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(centre, 6);
    row->addStretch(1);
    auto* outer = new QVBoxLayout(this);
    outer->addStretch(2);
    outer->addLayout(row);
    outer->addStretch(3);
}

void GuessPage::ask(
    const QString& title, const QString& what, const QString& a, const QString& b, const Expectation& expectation)
{
    m_title->setText(title.toUpper());
    m_what->setText(what);
    m_question->setText(tr("“%1” took %2. How long does “%3” take?").arg(a, formatTime(expectation.known), b));
    qDeleteAll(m_buttons);
    m_buttons.clear();
    for (std::size_t i = 0; i < expectation.choices.size(); ++i) {
        auto* button = new QPushButton(QStringLiteral("%1   %2").arg(i + 1).arg(expectation.text(i)));
        button->setProperty("choice", true);
        connect(button, &QPushButton::clicked, this, [this, i] { emit chosen(i); });
        m_choices->addWidget(button);
        m_buttons += button;
    }
}

void GuessPage::keyPressEvent(QKeyEvent* event)
{
    const int choice = event->key() - Qt::Key_1;
    if (choice >= 0 && choice < m_buttons.size()) {
        m_buttons[choice]->click();
        return;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace lanes::gui
