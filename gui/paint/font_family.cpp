// SPDX-License-Identifier: MIT
#include "gui/paint/font_family.h"

#include <QtEndian>

namespace lanes::gui {

namespace {

constexpr qsizetype header_size = 12, table_record_size = 16, name_head_size = 6, name_record_size = 12;

/// The big-endian number at `at`; 0 after the end.
template <class Number> qsizetype number(const QByteArray& bytes, qsizetype at)
{
    return at >= 0 && at + qsizetype(sizeof(Number)) <= bytes.size()
        ? static_cast<qsizetype>(qFromBigEndian<Number>(bytes.constData() + at))
        : 0;
}

QByteArray utf16(const QByteArray& ascii)
{
    QByteArray wide;
    for (const char c : ascii) {
        wide += '\0';
        wide += c;
    }
    return wide;
}

}  // namespace

QByteArray withFontFamily(QByteArray font, const QByteArray& from, const QByteArray& to)
{
    const qsizetype tables = number<quint16>(font, 4);
    for (qsizetype t = 0; t < tables; ++t) {
        const qsizetype record = header_size + t * table_record_size;
        if (font.mid(record, 4) != "name") {
            continue;
        }
        const qsizetype table = number<quint32>(font, record + 8);
        const qsizetype texts = table + number<quint16>(font, table + 4);
        for (qsizetype i = 0; i < number<quint16>(font, table + 2); ++i) {
            const qsizetype name = table + name_head_size + i * name_record_size;
            const qsizetype id = number<quint16>(font, name + 6);
            const qsizetype at = texts + number<quint16>(font, name + 10);
            if (id != 1 && id != 16) {  // family, typographic family
                continue;
            }
            for (const auto& [old, fresh] : {std::pair(utf16(from), utf16(to)), std::pair(from, to)}) {
                if (font.mid(at, old.size()) == old) {
                    font.replace(at, old.size(), fresh);
                }
            }
        }
    }
    return font;
}

}  // namespace lanes::gui
