// SPDX-License-Identifier: MIT
#include "gui/paint/even_labels.h"

#include <algorithm>
#include <tuple>

namespace lanes::gui {

namespace {

QString withoutDigits(QString text)
{
    text.removeIf([](QChar c) { return c.isDigit(); });
    return text;
}

}  // namespace

std::vector<QString> evenTexts(const std::vector<LabelWish>& wishes, const std::function<double(const QString&)>& width)
{
    std::vector<QString> texts(wishes.size());
    struct Place {
        std::size_t wish;
        QString name;
    };
    std::vector<Place> places;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        if (!wishes[i].texts.isEmpty() && wishes[i].room > 0) {
            places.push_back({i, withoutDigits(wishes[i].texts.front())});
        }
    }
    const auto rank = [&](const Place& place) {
        const LabelWish& wish = wishes[place.wish];
        return std::tuple(wish.row, place.name, wish.cut ? place.wish + 1 : 0, wish.room);
    };
    std::sort(places.begin(), places.end(), [&](const Place& a, const Place& b) { return rank(a) < rank(b); });
    for (std::size_t from = 0; from < places.size();) {
        const LabelWish& first = wishes[places[from].wish];
        qsizetype forms = first.texts.size();
        std::size_t to = from;
        for (; to < places.size(); ++to) {
            const LabelWish& wish = wishes[places[to].wish];
            const bool alike = wish.row == first.row && places[to].name == places[from].name
                && wish.room <= first.room * about_equal && (to == from || !(first.cut || wish.cut));
            if (!alike) {
                break;
            }
            forms = std::min(forms, wish.texts.size());
        }
        for (qsizetype form = 0; form < forms; ++form) {
            const auto fits = [&](const Place& place) {
                const LabelWish& wish = wishes[place.wish];
                return !wish.texts[form].isEmpty() && width(wish.texts[form]) <= wish.room;
            };
            const auto begin = places.begin() + static_cast<std::ptrdiff_t>(from);
            const auto end = places.begin() + static_cast<std::ptrdiff_t>(to);
            if (std::all_of(begin, end, fits)) {
                std::for_each(
                    begin, end, [&](const Place& place) { texts[place.wish] = wishes[place.wish].texts[form]; });
                break;
            }
        }
        from = to;
    }
    return texts;
}

}  // namespace lanes::gui
