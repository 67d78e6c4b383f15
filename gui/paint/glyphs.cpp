// SPDX-License-Identifier: MIT
#include "gui/paint/glyphs.h"

#include "gui/paint/theme.h"

#include <QGlyphRun>
#include <QTextLayout>

namespace lanes::gui {

bool hasGlyphsFor(const QString& text)
{
    QTextLayout layout(text, bundledFont(13));
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    for (const QGlyphRun& run : layout.glyphRuns()) {
        if (run.glyphIndexes().contains(0)) {  // the box in place of a missing one
            return false;
        }
    }
    return !layout.glyphRuns().isEmpty();
}

QString missingGlyphs(const QString& language)
{
    if (!language.startsWith(QLatin1String("zh"))
        || hasGlyphsFor(QStringLiteral("\u5185\u6838\u62F7\u8D1D\u963B\u585E"))) {  // 内核拷贝阻塞
        return {};
    }
    return QStringLiteral("This machine has no font with Chinese characters. On Debian and Ubuntu the package "
                          "fonts-noto-cjk brings one: sudo apt install fonts-noto-cjk, then start Lanescope again.");
}

}  // namespace lanes::gui
