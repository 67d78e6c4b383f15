// SPDX-License-Identifier: MIT
#include "gui/session/milestones.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr std::size_t looked_through = 4000;  // what has not happened by then is not what the lesson is about

/// The sentence without its figures.
QString kindOf(QString sentence)
{
    static const QRegularExpression figures(
        QStringLiteral("[0-9]+([.,][0-9]+)*( (ns|[\u00B5\u03BC]s|ms|s|B|KiB|MiB|GiB)\\b)?"));
    return sentence.remove(figures);
}

}  // namespace

std::vector<std::size_t> milestones(const RunSteps& steps, std::size_t most)
{
    std::vector<std::size_t> found;
    QSet<QString> kinds;
    for (std::size_t i = 0; i < std::min(steps.size(), looked_through); ++i) {
        const QString kind = kindOf(steps.text(i));
        if (!kinds.contains(kind)) {
            kinds.insert(kind);
            found.push_back(i);
        }
    }
    if (!found.empty() && found.back() + 1 != steps.size()) {
        found.push_back(steps.size() - 1);
    }
    if (found.size() > most && most > 2) {
        std::stable_sort(found.begin() + 1, found.end() - 1,
            [&](std::size_t one, std::size_t other) { return steps.duration(one) > steps.duration(other); });
        found.erase(found.begin() + static_cast<std::ptrdiff_t>(most - 1), found.end() - 1);
        std::sort(found.begin(), found.end());
    }
    return found;
}

}  // namespace lanes::gui
