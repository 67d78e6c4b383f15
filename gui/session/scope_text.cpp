// SPDX-License-Identifier: MIT
#include "gui/session/scope_text.h"

#include "gui/session/span_text.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct ScopeText {
    Q_DECLARE_TR_FUNCTIONS(ScopeText)
};

}  // namespace

QString scopeText(const Scope& scope, std::size_t recordings)
{
    if (scope.of == Scope::Of::all) {
        return recordings > 1 ? ScopeText::tr("whole recordings") : ScopeText::tr("whole recording");
    }
    const auto span = [](Interval range) {
        const auto [from, to] = endTexts(range);
        return ScopeText::tr("%1 to %2").arg(from, to);
    };
    const auto& [a, b] = scope.ranges;
    const QString where = recordings < 2 || a == b ? span(a) : ScopeText::tr("A %1, B %2").arg(span(a), span(b));
    return (
        scope.of == Scope::Of::selected ? ScopeText::tr("selected range, %1") : ScopeText::tr("part that repeats, %1"))
        .arg(where);
}

}  // namespace lanes::gui
