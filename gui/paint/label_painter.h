// SPDX-License-Identifier: MIT
// Draws short texts quickly and where they fit. On a raster they are laid out once
// and kept as QStaticText; where one colour lies under them, as small pictures. In vector
// files they are text, as every reader expects. Control characters of names are replaced, see printable_text.h.
//
// Cost: 10 us a text of a few words, which is Qt's blending, and 15 more if it was not drawn before; 0.3 us one
// that is kept as a picture. The caches are emptied when they hold more than a screen could ever show.
#pragma once

#include "gui/paint/theme.h"

#include <QHash>
#include <QImage>
#include <QPainter>
#include <QStaticText>

namespace lanes::gui {

class LabelPainter {
public:
    struct Style {
        int pixels = 12;
        TextStyle weight = TextStyle::regular;
        friend bool operator==(const Style&, const Style&) = default;
    };

    double width(const QString& text, Style style);
    /// Draws `text` with its left edge at x and its middle line at y.
    void draw(
        QPainter& painter, double x, double y, const QString& text, Style style, const QColor& color, bool vector);
    /// The same over nothing but `ground`, as far as the ink reaches: the same pixels, many times as fast.
    void drawOn(QPainter& painter, double x, double y, const QString& text, Style style, const QColor& color,
        const QColor& ground, bool vector);
    /// The first of `texts` that is at most `room` wide; empty if none is.
    QString fitting(const QStringList& texts, double room, Style style);
    /// `text` cut to `room` between two words, with an ellipsis; inside of a word where half of it or more would stay
    /// empty. For the names of lanes, never for items.
    QString elided(const QString& text, double room, Style style);
    /// `text` cut to `room` in its middle, with an ellipsis: names often differ at their ends. One that ends with an
    /// ellipsis has no end that says more; it is cut as elided() does.
    QString cutInTheMiddle(const QString& text, double room, Style style);
    /// Where clauses of `text` end before others (at a dot, a comma, a colon): the best place to cut it first.
    static QList<qsizetype> clauseEnds(const QString& text);
    /// `text` without as many of its last clauses (after a dot, a comma, a colon) as have no room, so that what is
    /// left is said whole; elided where not even the first has room.
    QString clauses(const QString& text, double room, Style style);
    /// `text` in lines of at most `room`, broken where its language allows it; the first line has `first`. One word
    /// that is wider has a line of its own, elided.
    QStringList wrapped(const QString& text, double first, double room, Style style);

private:
    struct Entry {
        QStaticText text;
        double width;
        double ascent;  // of its line: another font, for glyphs that the bundled one lacks, makes it higher
    };
    struct PictureKey {
        QString text;
        QRgb color, ground;
        QPointF fraction;  // of a device pixel: where the text begins
        double scale;
        friend bool operator==(const PictureKey& a, const PictureKey& b)
        {
            return a.text == b.text && a.color == b.color && a.ground == b.ground && a.fraction.x() == b.fraction.x()
                && a.fraction.y() == b.fraction.y() && a.scale == b.scale;
        }
        friend std::size_t qHash(const PictureKey& key, std::size_t seed)
        {
            return qHashMulti(seed, key.text, key.color, key.ground);
        }
    };
    struct Picture {
        QImage image;  // cut to the ink
        QPoint at;  // from the device pixel in which the text begins
    };
    struct Face {
        Style style;
        QFont font;
        double middle;  // of the capital letters, above the baseline
        QHash<QString, Entry> entries;
        QHash<std::pair<QString, double>, QString> elided;  // by text and room
        QHash<PictureKey, Picture> pictures;
    };
    Face& face(Style style);
    Entry& entry(Face& face, const QString& text);
    Picture pictureOf(Face& face, const PictureKey& key);
    static QString cutBetweenWords(const Face& face, const QString& text, double room);

    std::vector<Face> m_faces;
};

}  // namespace lanes::gui
