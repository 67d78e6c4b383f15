// SPDX-License-Identifier: MIT
#include "gui/app/open/together_dialog.h"

#include "gui/paint/words/printable_text.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::gui {

TogetherDialog::TogetherDialog(const QStringList& files, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("togetherDialog"));
    setWindowTitle(tr("How to open them"));
    auto* question = new QLabel(tr("%1 recordings are to be opened. What are they?").arg(files.size()));
    question->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(question);
    const auto add = [&](const char* name, const QString& text, bool asRanks) {
        auto* button = new QPushButton(entryText(text));
        button->setObjectName(QLatin1String(name));
        button->setAutoDefault(true);
        connect(button, &QPushButton::clicked, this, [this, asRanks] {
            accept();
            emit chosen(asRanks);
        });
        layout->addWidget(button);
    };
    add("togetherBeside",
        files.size() == 2 ? tr("Two runs: side by side on one time scale")
                          : tr("Separate runs: the first two side by side, %1 and %2")
                                .arg(QFileInfo(files[0]).fileName(), QFileInfo(files[1]).fileName()),
        false);
    add("togetherRanks", tr("The ranks of one run: all in one recording"), true);
    auto* leave = new QPushButton(tr("Cancel"));
    leave->setObjectName(QStringLiteral("togetherCancel"));
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    layout->addWidget(leave);
    setMinimumWidth(380);
}

}  // namespace lanes::gui
