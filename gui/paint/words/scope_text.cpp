// SPDX-License-Identifier: MIT

#include "gui/paint/words/scope_text.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct ScopeText {
    Q_DECLARE_TR_FUNCTIONS(ScopeText)
};

}  // namespace

QString scopeName(Scope::Of of)
{
    switch (of) {
    case Scope::Of::repeated:
        return ScopeText::tr("Repeating part");
    case Scope::Of::visible:
        return ScopeText::tr("Visible");
    case Scope::Of::selected:
        return ScopeText::tr("Selection");
    case Scope::Of::all:
        break;
    }
    return ScopeText::tr("All");
}

QString scopeText(const Scope& scope, std::size_t recordings)
{
    const auto length = [](Interval range) { return formatTime(range.end - range.start); };
    const auto& [a, b] = scope.ranges;
    const QString lengths = recordings < 2 || a.end - a.start == b.end - b.start
        ? length(a)
        : ScopeText::tr("A %1, B %2").arg(length(a), length(b));
    switch (scope.of) {
    case Scope::Of::repeated:
        return (scope.isIteration ? ScopeText::tr("In one iteration, %1") : ScopeText::tr("In the repeating part, %1"))
            .arg(lengths);
    case Scope::Of::visible:
        return ScopeText::tr("In view, %1").arg(lengths);
    case Scope::Of::selected:
        return ScopeText::tr("In the selection, %1").arg(lengths);
    case Scope::Of::all:
        break;
    }
    return ScopeText::tr("Of all, %1").arg(lengths);
}

QString scopeLengths(const Ranges& ranges, std::size_t recordings)
{
    const QString a = formatTime(length(ranges[0])), b = formatTime(length(ranges[1]));
    return recordings < 2 || a == b ? a : QStringLiteral("%1 | %2").arg(a, b);
}

QString scopeTextOf(const Scope& scope, int side)
{
    return scopeText({scope.of, {scope.ranges[side == 1 ? 1 : 0], {}}, scope.isIteration}, 1);
}

}  // namespace lanes::gui
