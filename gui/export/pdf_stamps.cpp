// SPDX-License-Identifier: MIT
#include "gui/export/pdf_stamps.h"

#include "engine/ascii.h"

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr qsizetype offset_digits = 10;

/// Adds `by` to the offset of `digits` characters at `at` if it points after `edit`.
void shift(QByteArray& pdf, qsizetype at, qsizetype digits, qsizetype edit, qsizetype by)
{
    const qsizetype offset = pdf.mid(at, digits).toLongLong();
    if (offset > edit) {
        pdf.replace(at, digits, QByteArray::number(offset + by).rightJustified(digits, '0'));
    }
}

/// Puts `stamp` between the brackets that follow `key`, and the table of offsets right. Nothing if either is missing.
void setDate(QByteArray& pdf, const QByteArray& key, const QByteArray& stamp)
{
    const qsizetype from = pdf.indexOf(key) + key.size();
    const qsizetype end = pdf.indexOf(')', from);
    const qsizetype table = pdf.lastIndexOf("\nxref\n");
    const qsizetype start = pdf.lastIndexOf("startxref\n");
    if (from < key.size() || end < 0 || table < end || start < table) {
        return;
    }
    const qsizetype by = stamp.size() - (end - from);
    // From the end to the beginning, so that what is not yet put right stays where it is.
    const qsizetype value = start + 10;
    const qsizetype valueEnd = pdf.indexOf('\n', value);
    pdf.replace(
        value, valueEnd - value, QByteArray::number(pdf.mid(value, valueEnd - value).trimmed().toLongLong() + by));
    const qsizetype firstLine = pdf.indexOf('\n', table + 6) + 1;  // after "0 42"
    for (qsizetype line = firstLine; line + 20 <= start && ascii::is_digit(pdf[line]); line += 20) {
        shift(pdf, line, offset_digits, from, by);
    }
    pdf.replace(from, end - from, stamp);
}

}  // namespace

QByteArray withCreationDate(QByteArray pdf, const QByteArray& date)
{
    QByteArray digits;
    std::copy_if(date.begin(), date.end(), std::back_inserter(digits), ascii::is_digit);
    const QByteArray second = digits.size() >= 14 ? digits.left(14) : QByteArray("20000101000000");
    const QByteArray stamp = "D:" + second + "Z";

    setDate(pdf, "/CreationDate (", stamp);
    // Of Qt 6.8, which also has XMP, where a date is always as long: nothing moves.
    setDate(pdf, "/ModDate (", stamp);
    const QByteArray iso = second.left(4) + '-' + second.mid(4, 2) + '-' + second.mid(6, 2) + 'T' + second.mid(8, 2)
        + ':' + second.mid(10, 2) + ':' + second.mid(12, 2) + "+00:00";
    for (const QByteArray key : {"xmp:CreateDate=\"", "xmp:ModifyDate=\"", "xmp:MetadataDate=\""}) {
        const qsizetype from = pdf.indexOf(key) + key.size();
        if (from >= key.size() && pdf.indexOf('"', from) == from + iso.size()) {
            pdf.replace(from, iso.size(), iso);
        }
    }
    return pdf;
}

}  // namespace lanes::gui
