// SPDX-License-Identifier: MIT
#include "gui/paint/words/time_format.h"

#include "engine/analysis/words/seams.h"

#include <QLocale>

#include <array>
#include <cstdlib>

namespace lanes::gui {

namespace {

struct Unit {
    const char* name;
    Ns ns;
};
constexpr std::array units {
    Unit {"s", 1'000'000'000}, Unit {"ms", 1'000'000}, Unit {"\xC2\xB5s", 1000}, Unit {"ns", 1}};

const Unit& unitOf(Ns magnitude)
{
    for (const Unit& unit : units) {
        if (magnitude >= unit.ns) {
            return unit;
        }
    }
    return units.back();
}

}  // namespace

static QString inLanguage(const std::string& percents)
{
    return QString::fromStdString(QLocale().language() == QLocale::Chinese ? tight_percents(percents) : percents);
}

QString withPercent(const QString& number)
{
    return inLanguage((number + QStringLiteral(" %")).toStdString());
}

QString formatShare(double fraction)
{
    return inLanguage(shown_share(fraction));
}

QString bandwidthText(std::uint64_t bytes, Ns ns)
{
    if (bytes == 0 || ns <= 0) {
        return {};
    }
    return QString::fromStdString(shown_rate(static_cast<double>(bytes) / static_cast<double>(ns) * 1e9));
}

QString formatTick(Ns t, Ns step, Ns reference)
{
    const Unit& unit = unitOf(std::llabs(reference));
    if (t == 0) {
        return QLatin1String("0 ") + QString::fromUtf8(unit.name);
    }
    int decimals = 0;
    Ns smallest = unit.ns;
    for (; smallest > 1 && step % smallest != 0; smallest /= 10) {
        ++decimals;
    }
    const Ns rounded = (std::llabs(t) + smallest / 2) / smallest * smallest;
    QString text = QString::number(rounded / unit.ns);
    if (decimals > 0) {
        const Ns fraction = rounded % unit.ns / smallest;
        text += QLatin1Char('.') + QString::number(fraction).rightJustified(decimals, QLatin1Char('0'));
    }
    return (t < 0 ? QString(minus_sign) : QString()) + text + QLatin1Char(' ') + QString::fromUtf8(unit.name);
}

QString formatMoment(Ns t, Ns reference)
{
    constexpr Ns finest = 10;
    return formatTick(t, finest, reference);
}

Ns niceStep(double least)
{
    constexpr Ns largest = 1'000'000'000'000'000'000;
    for (Ns power = 1; power <= largest / 10; power *= 10) {
        for (const Ns digit : {1, 2, 5}) {
            if (static_cast<double>(digit * power) >= least) {
                return digit * power;
            }
        }
    }
    return static_cast<double>(largest) >= least    ? largest
        : static_cast<double>(2 * largest) >= least ? 2 * largest
                                                    : 5 * largest;
}

}  // namespace lanes::gui
