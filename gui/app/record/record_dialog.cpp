// SPDX-License-Identifier: MIT
#include "gui/app/record/record_dialog.h"

#include "engine/shell_quoted.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace lanes::gui {

namespace {

constexpr int dialog_width = 640;
constexpr int environment_lines = 3;

QLabel* labelFor(QWidget* field, const QString& text)
{
    auto* label = new QLabel(text);
    label->setBuddy(field);
    return label;
}

QString shellLine(const QStringList& words)
{
    std::vector<std::string> all;
    std::transform(
        words.begin(), words.end(), std::back_inserter(all), [](const QString& word) { return word.toStdString(); });
    return QString::fromStdString(shell_line(all));
}

}  // namespace

RecordDialog::RecordDialog(const RecordSettings& settings, const QString& warning, QWidget* parent)
    : QDialog(parent)
    , m_warning(warning)
{
    setObjectName(QStringLiteral("recordDialog"));
    setWindowTitle(tr("Record a program"));
    build();
    fill(settings);
    for (QLineEdit* line : {m_command, m_folder, m_delay, m_duration, m_maxSize, m_partWords}) {
        connect(line, &QLineEdit::textChanged, this, &RecordDialog::check);
    }
    connect(m_environment, &QPlainTextEdit::textChanged, this, &RecordDialog::check);
    for (QCheckBox* box : {m_pytorch, m_stacks, m_wholeGraphs, m_allApi}) {
        connect(box, &QCheckBox::toggled, this, &RecordDialog::check);
    }
    connect(m_part, &QComboBox::currentIndexChanged, this, &RecordDialog::choosePart);
    choosePart();
    m_command->setFocus();
    m_command->selectAll();
}

QLabel* RecordDialog::addProblem(QVBoxLayout* layout, RecordField field)
{
    auto* problem = new QLabel;
    problem->setProperty("problem", true);
    problem->setTextFormat(Qt::PlainText);
    problem->setWordWrap(true);
    problem->hide();
    layout->addWidget(problem);
    m_problems[static_cast<std::size_t>(field)] = problem;
    return problem;
}

QLineEdit* RecordDialog::addLine(
    QVBoxLayout* layout, const char* name, const QString& label, RecordField field, QWidget* beside)
{
    auto* line = new QLineEdit;
    line->setObjectName(QLatin1String(name));
    line->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    layout->addWidget(labelFor(line, label));
    if (beside != nullptr) {
        auto* row = new QHBoxLayout;
        row->setSpacing(6);
        row->addWidget(line, 1);
        row->addWidget(beside);
        layout->addLayout(row);
    } else {
        layout->addWidget(line);
    }
    addProblem(layout, field);
    return line;
}

void RecordDialog::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(4);
    if (!m_warning.isEmpty()) {
        auto* warning = new QLabel(m_warning);
        warning->setObjectName(QStringLiteral("recordWarning"));
        warning->setProperty("problem", true);
        warning->setWordWrap(true);
        layout->addWidget(warning);
        layout->addSpacing(8);
    }
    const auto add = [&](void (RecordDialog::*group)(QVBoxLayout*)) {
        (this->*group)(layout);
        layout->addSpacing(8);
    };
    add(&RecordDialog::addProgram);
    add(&RecordDialog::addEnvironment);
    add(&RecordDialog::addChecks);
    add(&RecordDialog::addPart);
    add(&RecordDialog::addLimits);
    m_words = new QLabel;
    m_words->setObjectName(QStringLiteral("recordWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_words);
    layout->addStretch();
    layout->addSpacing(6);
    addButtons(layout);
    setMinimumWidth(dialog_width);
}

/// The command, and where it runs.
void RecordDialog::addProgram(QVBoxLayout* layout)
{
    m_command = addLine(layout, "recordCommand", tr("&Command, as in a shell"), RecordField::command);
    m_command->setPlaceholderText(QStringLiteral("python3 train.py --epochs 1"));
    layout->addSpacing(8);
    auto* choose = new QPushButton(tr("C&hoose…"));
    choose->setObjectName(QStringLiteral("recordChoose"));
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, &RecordDialog::chooseFolder);
    m_folder = addLine(layout, "recordFolder", tr("&Working folder"), RecordField::folder, choose);
}

void RecordDialog::addEnvironment(QVBoxLayout* layout)
{
    m_environment = new QPlainTextEdit;
    m_environment->setObjectName(QStringLiteral("recordEnvironment"));
    m_environment->setPlaceholderText(QStringLiteral("CUDA_VISIBLE_DEVICES=0"));
    m_environment->setTabChangesFocus(true);
    m_environment->setFixedHeight(m_environment->fontMetrics().lineSpacing() * environment_lines + 16);
    layout->addWidget(labelFor(m_environment, tr("Additional &environment variables, one per line")));
    layout->addWidget(m_environment);
    addProblem(layout, RecordField::environment);
}

/// What else is recorded.
void RecordDialog::addChecks(QVBoxLayout* layout)
{
    auto* checks = new QGridLayout;
    checks->setHorizontalSpacing(24);
    checks->setVerticalSpacing(4);
    checks->setColumnStretch(2, 1);
    const auto add = [&](int row, int column, const char* name, const QString& text, const QString& tip) {
        auto* box = new QCheckBox(text);
        box->setObjectName(QLatin1String(name));
        box->setToolTip(tip);
        checks->addWidget(box, row, column);
        return box;
    };
    m_pytorch = add(0, 0, "recordPytorch", tr("&PyTorch's operators, modules and batches"),
        tr("Shown as ranges above the API calls; the script is not changed. Recording costs more time with them"));
    m_stacks = add(0, 1, "recordStacks", tr("Where P&ython is between calls"),
        tr("Function and line, a thousand times a second; the script is not changed and waits for nothing"));
    m_wholeGraphs = add(1, 0, "recordWholeGraphs", tr("CUDA &graphs as a whole"),
        tr("Each launch of a graph is one operation, which costs far less time than recording its kernels. What runs "
           "in a "
           "graph is not recorded then"));
    m_allApi
        = add(1, 1, "recordAllApi", tr("&All API calls"), tr("Also calls that only query state, several per launch"));
    layout->addLayout(checks);
}

void RecordDialog::addPart(QVBoxLayout* layout)
{
    m_part = new QComboBox;
    m_part->setObjectName(QStringLiteral("recordPart"));
    m_part->addItems({tr("the whole program"), tr("while an NVTX range is open"),
        tr("from cudaProfilerStart to cudaProfilerStop"), tr("iterations A:B")});
    m_partWords = new QLineEdit;
    m_partWords->setObjectName(QStringLiteral("recordPartWords"));
    auto* part = new QHBoxLayout;
    part->setSpacing(6);
    part->addWidget(m_part);
    part->addWidget(m_partWords, 1);
    layout->addWidget(labelFor(m_part, tr("&Recorded part")));
    layout->addLayout(part);
    addProblem(layout, RecordField::part);
}

/// When it begins, when it stops, and at what size.
void RecordDialog::addLimits(QVBoxLayout* layout)
{
    auto* limits = new QHBoxLayout;
    limits->setSpacing(12);
    const auto column = [&] {
        auto* one = new QVBoxLayout;
        one->setSpacing(4);
        limits->addLayout(one, 1);
        return one;
    };
    auto* first = column();
    m_delay = addLine(first, "recordDelay", tr("&Begin after"), RecordField::delay);
    m_delay->setPlaceholderText(tr("at once, or 2s"));
    auto* second = column();
    m_duration = addLine(second, "recordDuration", tr("Stop after"), RecordField::duration);
    m_duration->setPlaceholderText(tr("at its end, or 10s"));
    auto* third = column();
    m_maxSize = addLine(third, "recordMaxSize", tr("Stop at a size of"), RecordField::maxSize);
    m_maxSize->setPlaceholderText(tr("no limit, or 2GiB"));
    for (QVBoxLayout* one : {first, second, third}) {
        one->addStretch();
    }
    layout->addLayout(limits);
}

void RecordDialog::addButtons(QVBoxLayout* layout)
{
    m_start = new QPushButton(tr("Record"));
    m_start->setObjectName(QStringLiteral("recordStart"));
    m_start->setProperty("primary", true);
    m_start->setDefault(true);
    connect(m_start, &QPushButton::clicked, this, [this] {
        const RecordSettings wanted = settings();
        accept();
        emit startWanted(wanted);
    });
    auto* leave = new QPushButton(tr("Cancel"));
    leave->setAutoDefault(false);
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(leave, QDialogButtonBox::RejectRole);
    buttons->addButton(m_start, QDialogButtonBox::AcceptRole);
    layout->addWidget(buttons);
}

void RecordDialog::fill(const RecordSettings& settings)
{
    m_command->setText(settings.command);
    m_folder->setText(settings.folder);
    m_environment->setPlainText(settings.environment);
    m_pytorch->setChecked(settings.pytorch);
    m_stacks->setChecked(settings.stacks);
    m_wholeGraphs->setChecked(settings.wholeGraphs);
    m_allApi->setChecked(settings.allApi);
    m_range = settings.range;
    m_steps = settings.steps;
    m_part->setCurrentIndex(static_cast<int>(settings.part));
    m_delay->setText(settings.delay);
    m_duration->setText(settings.duration);
    m_maxSize->setText(settings.maxSize);
}

RecordSettings RecordDialog::settings() const
{
    RecordSettings settings;
    settings.command = m_command->text();
    settings.folder = m_folder->text();
    settings.environment = m_environment->toPlainText();
    settings.pytorch = m_pytorch->isChecked();
    settings.stacks = m_stacks->isChecked();
    settings.wholeGraphs = m_wholeGraphs->isChecked();
    settings.allApi = m_allApi->isChecked();
    settings.part = static_cast<RecordSettings::Trigger>(m_part->currentIndex());
    settings.range = settings.part == RecordSettings::Trigger::range ? m_partWords->text() : m_range;
    settings.steps = settings.part == RecordSettings::Trigger::steps ? m_partWords->text() : m_steps;
    settings.delay = m_delay->text();
    settings.duration = m_duration->text();
    settings.maxSize = m_maxSize->text();
    return settings;
}

/// The field beside the choice is for the words of the chosen part.
void RecordDialog::choosePart()
{
    const auto part = static_cast<RecordSettings::Trigger>(m_part->currentIndex());
    const bool named = part == RecordSettings::Trigger::range;
    const bool numbered = part == RecordSettings::Trigger::steps;
    {
        const QSignalBlocker blocker(m_partWords);
        m_partWords->setText(named ? m_range : numbered ? m_steps : QString());
    }
    m_partWords->setVisible(named || numbered);
    m_partWords->setPlaceholderText(named ? tr("name of the range") : QStringLiteral("10:20"));
    m_partWords->setAccessibleName(named ? tr("name of the range") : tr("iterations A:B"));
    check();
}

void RecordDialog::check()
{
    const RecordSettings now = settings();
    m_range = now.range;
    m_steps = now.steps;
    const auto problems = problemsOf(now);
    const std::array<QWidget*, record_fields> fields {
        m_command, m_folder, m_environment, m_partWords, m_delay, m_duration, m_maxSize};
    for (std::size_t i = 0; i < record_fields; ++i) {
        m_problems[i]->setText(problems[i]);
        m_problems[i]->setVisible(!problems[i].isEmpty());
        fields[i]->setAccessibleDescription(problems[i]);
        if (fields[i]->property("wrong").toBool() != !problems[i].isEmpty()) {
            fields[i]->setProperty("wrong", !problems[i].isEmpty());
            fields[i]->style()->unpolish(fields[i]);
            fields[i]->style()->polish(fields[i]);
        }
    }
    const bool ready = isReady(now);
    m_start->setEnabled(ready);
    m_words->setText(ready
            ? QStringLiteral("lanes ") + shellLine(recordArguments(now, programName(now) + QStringLiteral(".sqlite")))
            : QString());
    // What is said takes room; none of it is taken from the fields.
    layout()->activate();
    if (const int needed = layout()->totalHeightForWidth(width()); isVisible() && height() < needed) {
        resize(width(), needed);
    }
}

void RecordDialog::chooseFolder()
{
    auto* chooser = new QFileDialog(this, tr("Working folder"), m_folder->text());
    chooser->setObjectName(QStringLiteral("folderDialog"));
    chooser->setFileMode(QFileDialog::Directory);
    chooser->setOption(QFileDialog::ShowDirsOnly);
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    connect(chooser, &QFileDialog::fileSelected, m_folder, &QLineEdit::setText);
    chooser->open();
}

}  // namespace lanes::gui
