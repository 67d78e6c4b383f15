// SPDX-License-Identifier: MIT
// Draws short texts quickly and where they fit. On a raster they are laid out once
// and kept as QStaticText; in vector files they are text, as every reader expects.
//
// Cost: 1 us a text that was drawn before, about 10 us one that was not. The cache is
// emptied when it holds more than a screen could ever show.
#pragma once

#include "gui/timeline/theme.h"

#include <QHash>
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
    void draw(QPainter& painter, double x, double y, const QString& text, Style style, const QColor& color, bool vector);
    /// The first of `texts` that is at most `room` wide; empty if none is.
    QString fitting(const QStringList& texts, double room, Style style);
    /// `text` cut to `room` between two words, with an ellipsis; inside of a word only where there is but one.
    /// For the names of lanes, never for items. Not cached: 10 us and more.
    QString elided(const QString& text, double room, Style style);

private:
    struct Entry {
        QStaticText text;
        double width;
    };
    struct Face {
        Style style;
        QFont font;
        double middle;  // of the capital letters, above the baseline
        double ascent;
        QHash<QString, Entry> entries;
    };
    Face& face(Style style);
    Entry& entry(Face& face, const QString& text);

    std::vector<Face> m_faces;
};

}  // namespace lanes::gui
