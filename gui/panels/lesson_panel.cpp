// SPDX-License-Identifier: MIT
#include "gui/panels/lesson_panel.h"

#include "engine/analysis/exercise.h"
#include "gui/paint/words/engine_words.h"
#include "gui/panels/eliding_choice.h"
#include "gui/session/run_titles.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

constexpr int beside_width = 760;  // from here on the sections are beside one another
constexpr int head_width = 980;  // from here on the choices are beside the title
constexpr int one_row_width = 640;  // from here on the choices and their buttons are in one row
constexpr int page_margin = 14;

}  // namespace

LessonPanel::LessonPanel(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget)
    , m_title(new QLabel)
    , m_outcome(new QLabel)
    , m_place(new QLabel)
    , m_about(new QLabel)
    , m_exercise(new QLabel)
    , m_quiz(new QPushButton(tr("Questions")))
    , m_previous(new QPushButton(QStringLiteral("‹")))
    , m_next(new QPushButton(QStringLiteral("›")))
    , m_here(new QPushButton(tr("On this GPU")))
    , m_variants {new ElidingChoice, new ElidingChoice}
    , m_choice(new QWidget)
    , m_head(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_columns(new QBoxLayout(QBoxLayout::LeftToRight))
{
    setObjectName(QStringLiteral("lesson"));
    setAccessibleName(tr("Lesson"));
    buildHead();
    buildSections();
    auto* none = new QLabel(
        tr("Open a lesson from the gallery to see what to look at, why it is so, and the rule to remember."));
    none->setProperty("quiet", true);
    none->setAlignment(Qt::AlignCenter);
    none->setWordWrap(true);
    m_stack->addWidget(none);
    m_stack->addWidget(makePage());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setFocusPolicy(Qt::TabFocus);
    setFocusProxy(m_variants[0]);
    present(nullptr, {});
}

/// Which lesson it is, its title and outcome, and the choice of what is compared.
void LessonPanel::buildHead()
{
    m_title->setProperty("heading", true);
    m_outcome->setObjectName(QStringLiteral("outcome"));
    m_outcome->setWordWrap(true);
    m_outcome->hide();
    auto* where = new QHBoxLayout;
    where->setSpacing(16);
    where->addLayout(makePlace());
    where->addWidget(m_title);
    where->addWidget(m_outcome, 1);
    where->addStretch();
    m_choiceParts = new QBoxLayout(QBoxLayout::LeftToRight, m_choice);
    m_choiceParts->setContentsMargins(0, 0, 0, 0);
    m_choiceParts->setSpacing(6);
    m_choiceParts->addLayout(makeVariants());
    m_choiceParts->addLayout(makeButtons());
    m_head->setSpacing(16);
    m_head->addLayout(where, 1);
    m_head->addWidget(m_choice);
}

/// The variants that are A and B.
QLayout* LessonPanel::makeVariants()
{
    auto* choice = new QHBoxLayout;
    choice->setSpacing(6);
    for (int side = 0; side < 2; ++side) {
        auto* letter = new QLabel(side == 0 ? QStringLiteral("A") : QStringLiteral("B"));
        letter->setProperty("sideMark", true);
        m_variants[side]->setAccessibleName(side == 0 ? tr("The variant above") : tr("The variant below"));
        m_variants[side]->setObjectName(side == 0 ? QStringLiteral("lessonA") : QStringLiteral("lessonB"));
        m_variants[side]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_variants[side]->setMinimumContentsLength(12);
        m_variants[side]->setMaximumWidth(260);
        choice->addWidget(letter);
        choice->addWidget(m_variants[side]);
        connect(m_variants[side], &QComboBox::activated, this, &LessonPanel::compare);
    }
    return choice;
}

/// All variants, and this one on this machine's GPU.
QLayout* LessonPanel::makeButtons()
{
    auto* all = new QPushButton(tr("All variants"));
    all->setObjectName(QStringLiteral("lessonAll"));
    all->setToolTip(tr("How all variants compare"));
    m_quiz->setObjectName(QStringLiteral("lessonQuiz"));
    m_quiz->setToolTip(tr("Asks the questions of this lesson"));
    connect(m_quiz, &QPushButton::clicked, this, &LessonPanel::quizWanted);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addWidget(m_quiz);
    buttons->addWidget(all);
    connect(all, &QPushButton::clicked, this, &LessonPanel::allWanted);
    m_here->setObjectName(QStringLiteral("lessonHere"));
    buttons->addWidget(m_here);
    buttons->addStretch();
    connect(m_here, &QPushButton::clicked, this, &LessonPanel::hereWanted);
    m_here->setToolTip(tr("Runs the active variant here and shows it under the recording that came with Lanescope"));
    setHere(false);
    return buttons;
}

/// "‹ 3 of 24 ›"
QLayout* LessonPanel::makePlace()
{
    m_place->setProperty("quiet", true);
    m_previous->setObjectName(QStringLiteral("lessonPrevious"));
    m_previous->setAccessibleName(tr("Previous lesson"));
    m_previous->setToolTip(tr("The previous lesson"));
    m_next->setObjectName(QStringLiteral("lessonNext"));
    m_next->setAccessibleName(tr("Next lesson"));
    m_next->setToolTip(tr("The next lesson"));
    for (const auto& [button, by] : {std::pair(m_previous, -1), std::pair(m_next, 1)}) {
        button->setProperty("segment", true);
        connect(button, &QPushButton::clicked, this, [this, step = by] { emit otherWanted(step); });
    }
    auto* way = new QHBoxLayout;
    way->setSpacing(2);
    way->addWidget(m_previous);
    way->addWidget(m_place);
    way->addWidget(m_next);
    return way;
}

/// "What to look at", "Why", "The rule".
void LessonPanel::buildSections()
{
    const QString headings[] = {tr("What to look at"), tr("Why"), tr("The rule")};
    const int stretch[] = {6, 6, 3};
    m_columns->setSpacing(28);
    for (std::size_t i = 0; i < 3; ++i) {
        auto* column = new QVBoxLayout;
        column->setSpacing(4);
        m_sections[i] = {new QLabel(headings[i]), new QLabel};
        m_sections[i].heading->setProperty("section", true);
        m_sections[i].text->setWordWrap(true);
        m_sections[i].text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        m_sections[i].text->setTextFormat(Qt::PlainText);
        m_sections[i].text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        m_sections[i].text->setAccessibleName(headings[i]);
        column->addWidget(m_sections[i].heading);
        column->addWidget(m_sections[i].text, 1);
        m_columns->addLayout(column, stretch[i]);
    }
    m_sections[2].text->setProperty("heading", true);
}

/// The head over the sections.
QWidget* LessonPanel::makePage()
{
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("sideColumn"));  // on the panel's ground
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(page_margin, 10, page_margin, 10);
    pageLayout->setSpacing(8);
    pageLayout->addLayout(m_head);
    m_about->setObjectName(QStringLiteral("lessonAbout"));
    m_about->setProperty("quiet", true);
    m_exercise->setObjectName(QStringLiteral("lessonExercise"));
    for (QLabel* label : {m_about, m_exercise}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    pageLayout->addWidget(m_about);
    pageLayout->addLayout(m_columns);
    pageLayout->addWidget(m_exercise);
    pageLayout->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    return scroll;
}

void LessonPanel::present(const std::shared_ptr<const Workload>& workload, const std::vector<LessonRun>& runs)
{
    m_workload = workload;
    m_stack->setCurrentIndex(workload ? 1 : 0);
    if (!workload) {
        setOutcome({});
        return;
    }
    m_title->setText(titleOf(*workload));
    const LessonTexts filled = lesson_texts(*workload, windowLanguage(), runs);
    const std::string* texts[] = {&filled.look, &filled.why, &filled.rule};
    for (std::size_t i = 0; i < 3; ++i) {
        const QString text = QString::fromStdString(*texts[i]);
        m_sections[i].text->setText(text);
        m_sections[i].text->setVisible(!text.isEmpty());
        m_sections[i].heading->setVisible(!text.isEmpty());
    }
    if (workload->look.empty() && workload->why.empty() && workload->rule.empty()) {
        m_sections[0].text->setText(inLanguage(workload->description));
        m_sections[0].text->show();
    }
    m_quiz->setVisible(!workload->quiz.empty());
    sayAbout();
    sayExercise(runs);
    m_choice->setVisible(workload->variants.size() > 1);
    for (std::size_t side = 0; side < 2; ++side) {
        const QSignalBlocker quiet(m_variants[side]);
        m_variants[side]->clear();
        if (side == 1) {
            m_variants[side]->addItem(tr("(none)"), QString());
        }
        for (const Variant& variant : workload->variants) {
            m_variants[side]->addItem(variantTitle(*workload, variant.name), QString::fromStdString(variant.name));
        }
        const QString shown = side < runs.size() ? QString::fromStdString(runs[side].variant) : QString();
        m_variants[side]->setCurrentIndex(m_variants[side]->findData(shown));
    }
}

void LessonPanel::setOutcome(const QString& text)
{
    m_outcome->setText(text);
    m_outcome->setVisible(!text.isEmpty());
}

void LessonPanel::sayAbout()
{
    QStringList lines;
    if (!m_course.isEmpty()) {
        lines += m_course;
    }
    if (m_workload && !m_workload->matters.issue.empty()) {
        lines += tr("Why it matters: %1 (%2)")
                     .arg(inLanguage(m_workload->matters.text), QString::fromStdString(m_workload->matters.issue));
    }
    m_about->setText(lines.join(QLatin1Char('\n')));
    m_about->setVisible(!lines.isEmpty());
}

/// What is to be done, and of each shown run whether it is.
void LessonPanel::sayExercise(const std::vector<LessonRun>& runs)
{
    const Exercise& exercise = m_workload->exercise;
    m_exercise->setVisible(!exercise.check.empty());
    if (exercise.check.empty()) {
        return;
    }
    QString text = tr("Exercise (%1): %2").arg(variantTitle(*m_workload, exercise.of), inLanguage(exercise.task));
    for (std::size_t side = 0; side < runs.size(); ++side) {
        if (runs[side].report == nullptr) {
            continue;
        }
        const auto checked = check_exercise(exercise, runs[side]);
        QStringList limits;
        for (const CheckedLimit& each : checked) {
            limits += QString::fromStdString(engineMessages().format(checked_message(each)));
        }
        text += QStringLiteral("\n%1 %2 %3")
                    .arg(runs.size() < 2 ? QString() : QString(QChar(u'A' + static_cast<char16_t>(side))),
                        is_solved(checked) ? QStringLiteral("✓") : QStringLiteral("✗"),
                        limits.join(QStringLiteral(" · ")));
    }
    m_exercise->setText(text);
}

void LessonPanel::setPlace(const QString& place, const QString& course, bool previous, bool next)
{
    m_course = course;
    sayAbout();
    m_place->setText(place);
    m_place->setVisible(!place.isEmpty());
    m_previous->setEnabled(previous);
    m_next->setEnabled(next);
}

void LessonPanel::setHere(bool possible)
{
    m_here->setVisible(possible);
}

QString LessonPanel::title() const
{
    return m_title->text();
}

std::vector<LessonPanel::Section> LessonPanel::sections() const
{
    std::vector<Section> all;
    for (const Column& column : m_sections) {
        if (m_workload && !column.text->isHidden()) {
            all.push_back({column.heading->text(), column.text->text()});
        }
    }
    return all;
}

void LessonPanel::compare()
{
    if (m_variants[0]->currentIndex() >= 0) {
        emit compareWanted(m_variants[0]->currentData().toString().toStdString(),
            m_variants[1]->currentData().toString().toStdString());
    }
}

void LessonPanel::resizeEvent(QResizeEvent* event)
{
    const auto besideFrom
        = [this](int least) { return width() >= least ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom; };
    m_columns->setDirection(besideFrom(beside_width));
    m_head->setDirection(besideFrom(head_width));
    m_head->setSpacing(width() >= head_width ? 16 : 6);
    m_choiceParts->setDirection(besideFrom(one_row_width));
    m_title->setWordWrap(width() < beside_width);
    QWidget::resizeEvent(event);
}

}  // namespace lanes::gui
