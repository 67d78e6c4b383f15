// SPDX-License-Identifier: MIT
#include "gui/app/open/place_dialog.h"

#include "gui/paint/words/printable_text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::gui {

PlaceDialog::PlaceDialog(const QString& name, const std::vector<OpenRecordingPtr>& open, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("placeDialog"));
    setWindowTitle(tr("Where to open it"));
    const bool two = open.size() > 1;
    auto* question = new QLabel(two ? tr("Two recordings are open. Where does “%1” open?").arg(name)
                                    : tr("“%1” is open. Where does “%2” open?").arg(longTitle(*open[0]), name));
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(question);
    const auto add = [&](const char* id, const QString& text, Place place) {
        auto* button = new QPushButton(entryText(text));
        button->setObjectName(QLatin1String(id));
        button->setAutoDefault(true);
        connect(button, &QPushButton::clicked, this, [this, place] {
            accept();
            emit chosen(place);
        });
        layout->addWidget(button);
    };
    add("placeAlone", tr("Alone: what is open is closed"), Place::alone);
    if (two) {
        add("placeA", tr("In the place of A: %1").arg(longTitle(*open[0])), Place::a);
        add("placeB", tr("In the place of B: %1").arg(longTitle(*open[1])), Place::b);
    } else {
        add("placeB", tr("Below it, to compare them"), Place::b);
    }
    auto* leave = new QPushButton(tr("Cancel"));
    leave->setObjectName(QStringLiteral("placeCancel"));
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    layout->addWidget(leave);
    setMinimumWidth(380);
}

}  // namespace lanes::gui
