// SPDX-License-Identifier: MIT
#include "gui/app/open/place_dialog.h"

#include "gui/paint/words/printable_text.h"
#include "gui/session/open_recording.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::gui {

PlaceDialog::PlaceDialog(const OpenRecording& opened, const OpenRecording& a, const OpenRecording& b, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("placeDialog"));
    setWindowTitle(tr("Where to open it"));
    auto* question = new QLabel(tr("Two recordings are open. Which one does “%1” replace?").arg(longTitle(opened)));
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(question);
    const auto add = [&](const char* name, const QString& text, Place place) {
        auto* button = new QPushButton(entryText(text));
        button->setObjectName(QLatin1String(name));
        button->setAutoDefault(true);
        connect(button, &QPushButton::clicked, this, [this, place] {
            accept();
            emit chosen(place);
        });
        layout->addWidget(button);
    };
    add("placeA", tr("A: %1").arg(longTitle(a)), Place::a);
    add("placeB", tr("B: %1").arg(longTitle(b)), Place::b);
    add("placeAlone", tr("Both: it opens alone"), Place::alone);
    auto* leave = new QPushButton(tr("Cancel"));
    leave->setObjectName(QStringLiteral("placeCancel"));
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    layout->addWidget(leave);
    setMinimumWidth(380);
}

}  // namespace lanes::gui
