// SPDX-License-Identifier: MIT
#include "gui/timeline/spoken_selection.h"

#include "gui/paint/words/item_text.h"
#include "gui/paint/words/lane_names.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/timeline/timeline.h"

#include <QAccessibleWidget>
#include <QWidget>

namespace lanes::gui {

namespace {

struct SpokenSelection {
    Q_DECLARE_TR_FUNCTIONS(SpokenSelection)
};

constexpr auto role_property = "spokenRole";

QAccessibleInterface* spokenOf(const QString&, QObject* object)
{
    const QVariant role = object->isWidgetType() ? object->property(role_property) : QVariant();
    if (!role.isValid()) {
        return nullptr;
    }
    return new QAccessibleWidget(static_cast<QWidget*>(object), static_cast<QAccessible::Role>(role.toInt()));
}

}  // namespace

QString spokenSelection(const Timeline& timeline)
{
    const auto recording = timeline.recording();
    if (!recording) {
        return {};
    }
    QString title = nameText(recording->title);
    const ItemRef item = timeline.selection();
    if (item.kind == ItemKind::none) {
        return title;
    }
    const QString what = tooltipOf(*recording, item).join(QStringLiteral(", "));
    const auto lane = timeline.model()->find(item);
    return lane
        ? SpokenSelection::tr("%1. Selected on %2: %3").arg(title, laneName(*timeline.model(), lane->lane).title, what)
        : SpokenSelection::tr("%1. Selected: %2").arg(title, what);
}

void speakAs(QWidget* widget, QAccessible::Role role)
{
    widget->setProperty(role_property, static_cast<int>(role));
    static const bool once = (QAccessible::installFactory(spokenOf), true);
    static_cast<void>(once);
}

}  // namespace lanes::gui
