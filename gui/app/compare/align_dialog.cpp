// SPDX-License-Identifier: MIT
#include "gui/app/compare/align_dialog.h"

#include "engine/workload/nearest.h"

#include <QCompleter>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

constexpr int least_width = 460;

QString letterOf(std::size_t side)
{
    return QString(QChar(u'A' + static_cast<char16_t>(side)));
}

}  // namespace

AlignDialog::AlignDialog(const RecordingPtr& a, const RecordingPtr& b, const QString& name, QWidget* parent)
    : QDialog(parent)
    , m_recordings {a, b}
    , m_name(new QLineEdit(name))
    , m_number(new QSpinBox)
    , m_problem(new QLabel)
    , m_align(new QPushButton(tr("Align")))
{
    setWindowTitle(tr("Align at a name"));
    setObjectName(QStringLiteral("alignDialog"));
    setMinimumWidth(least_width);
    auto* what = new QLabel(tr("Aligns marks with the same text, or the same occurrence of a range, GPU operation or "
                               "API call, in both recordings."));
    what->setWordWrap(true);
    what->setProperty("quiet", true);
    m_name->setObjectName(QStringLiteral("alignName"));
    m_name->setAccessibleName(tr("Name"));
    m_name->selectAll();
    QStringList names;
    for (const std::string& known : namesIn(*a)) {
        names += QString::fromStdString(known);
    }
    auto* completer = new QCompleter(names, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    m_name->setCompleter(completer);
    m_number->setRange(1, 1'000'000'000);
    m_number->setObjectName(QStringLiteral("alignNumber"));
    m_number->setAccessibleName(tr("Occurrence"));
    m_problem->setObjectName(QStringLiteral("alignProblem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setMinimumHeight(m_problem->fontMetrics().lineSpacing() * 2);
    auto* form = new QFormLayout;
    form->addRow(tr("Name"), m_name);
    form->addRow(tr("Occurrence"), m_number);
    auto* cancel = new QPushButton(tr("Cancel"));
    m_align->setProperty("primary", true);
    m_align->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_align);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(what);
    layout->addLayout(form);
    layout->addWidget(m_problem);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_align, &QPushButton::clicked, this, &AlignDialog::accept);
    connect(m_name, &QLineEdit::textChanged, this, &AlignDialog::check);
    connect(m_number, &QSpinBox::valueChanged, this, &AlignDialog::check);
    check();
}

std::optional<Alignment> AlignDialog::alignment(QString& problem) const
{
    const QString name = m_name->text().trimmed();
    if (name.isEmpty()) {
        problem = tr("Enter the name of a mark, a range, a GPU operation or an API call.");
        return {};
    }
    const auto number = static_cast<std::size_t>(m_number->value());
    Alignment found {{0, 0}, QStringLiteral("%1 #%2").arg(name).arg(number)};
    for (std::size_t side = 0; side < 2; ++side) {
        const ShownRecording& recording = *m_recordings[side];
        const Occurrences occurrences = occurrencesOf(recording, name.toStdString(), number);
        if (occurrences.count == 0) {
            problem = tr("Nothing in %1 is named “%2”.").arg(letterOf(side), name);
            if (const std::string near = nearest_name(name.toStdString(), namesIn(recording)); !near.empty()) {
                problem += QLatin1Char(' ') + tr("Did you mean “%1”?").arg(QString::fromStdString(near));
            }
            return {};
        }
        if (!occurrences.start) {
            problem = tr("%1 has %2 of “%3”, not %4.").arg(letterOf(side)).arg(occurrences.count).arg(name).arg(number);
            return {};
        }
        found.anchor[side] = *occurrences.start;
    }
    return found;
}

void AlignDialog::check()
{
    QString problem;
    m_align->setEnabled(alignment(problem).has_value());
    m_problem->setText(problem);
    m_problem->setAccessibleName(problem);
}

void AlignDialog::accept()
{
    QString problem;
    if (const auto wanted = alignment(problem)) {
        emit aligned(*wanted);
        QDialog::accept();
    }
}

}  // namespace lanes::gui
