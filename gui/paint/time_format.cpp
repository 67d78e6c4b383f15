// SPDX-License-Identifier: MIT
#include "gui/paint/time_format.h"

#include <array>
#include <cmath>
#include <cstdlib>

namespace lanes::gui {

namespace {

struct Unit {
    const char* name;
    Ns ns;
};
constexpr std::array units{Unit{"s", 1'000'000'000}, Unit{"ms", 1'000'000}, Unit{"\xC2\xB5s", 1000}, Unit{"ns", 1}};

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

QString formatTime(Ns t)
{
    if (t == 0) {
        return QStringLiteral("0 ms");
    }
    const Unit* unit = &unitOf(std::llabs(t));
    double value = static_cast<double>(t) / static_cast<double>(unit->ns);
    int decimals = std::fabs(value) < 9.995 ? 2 : std::fabs(value) < 99.95 ? 1 : 0;
    if (std::fabs(value) >= 999.5 && unit != units.data()) {
        --unit;
        value = static_cast<double>(t) / static_cast<double>(unit->ns);
        decimals = 2;
    }
    if (unit->ns == 1) {
        decimals = 0;
    }
    return QString::number(value, 'f', decimals) + QLatin1Char(' ') + QString::fromUtf8(unit->name);
}

QString formatTick(Ns t, Ns step, Ns reference)
{
    const Unit& unit = unitOf(std::llabs(reference));
    if (t == 0) {
        return QLatin1String("0 ") + QString::fromUtf8(unit.name);
    }
    int decimals = 0;
    for (Ns smallest = unit.ns; smallest > 1 && step % smallest != 0; smallest /= 10) {
        ++decimals;
    }
    const Ns whole = std::llabs(t) / unit.ns;
    QString text = QString::number(whole);
    if (decimals > 0) {
        Ns fraction = std::llabs(t) % unit.ns;
        Ns scale = unit.ns;
        for (int i = 0; i < decimals; ++i) {
            scale /= 10;
        }
        fraction /= scale;
        text += QLatin1Char('.') + QString::number(fraction).rightJustified(decimals, QLatin1Char('0'));
    }
    return (t < 0 ? QStringLiteral("-") : QString()) + text + QLatin1Char(' ') + QString::fromUtf8(unit.name);
}

QString formatBytes(std::uint64_t bytes)
{
    static constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < names.size()) {
        value /= 1024;
        ++unit;
    }
    const int decimals = value == std::floor(value) || value >= 99.95 ? 0 : 1;
    return QString::number(value, 'f', decimals) + QLatin1Char(' ') + QLatin1String(names[unit]);
}

QString formatShare(double fraction)
{
    if (fraction > 0 && fraction < 0.005) {
        return QStringLiteral("< 1 %");
    }
    if (fraction < 1 && fraction >= 0.995) {
        return QStringLiteral("> 99 %");
    }
    return QStringLiteral("%1 %").arg(std::lround(fraction * 100));
}

Ns niceStep(double least)
{
    for (Ns power = 1; power < 1'000'000'000'000'000'000; power *= 10) {
        for (const Ns digit : {1, 2, 5}) {
            if (static_cast<double>(digit * power) >= least) {
                return digit * power;
            }
        }
    }
    return 1'000'000'000'000'000'000;
}

}  // namespace lanes::gui
