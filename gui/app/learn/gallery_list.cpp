// SPDX-License-Identifier: MIT
#include "gui/app/learn/gallery_list.h"

#include "gui/app/learn/lesson.h"
#include "gui/paint/label_painter.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/run_titles.h"

#include <QHash>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace lanes::gui {

namespace {

constexpr int least_card = 296;
constexpr int most_columns = 5;
constexpr int gap = 14;  // between cards
constexpr int margin = 12;  // inside of a card
constexpr int caption_height = 18;
constexpr int title_height = 26;
constexpr int chapter_height = 18;
constexpr int line_height = 17;
constexpr int text_lines = 3;
constexpr int source_height = 22;
constexpr int tick_width = 20;
constexpr LabelPainter::Style text_style {13};
constexpr int width_step = 16;  // pictures are not drawn anew for every pixel
constexpr qint64 paint_ms = 8;  // for cards that one paint event draws anew; each takes one or two

/// Where each sentence ends.
std::vector<qsizetype> sentenceEnds(const QString& text)
{
    std::vector<qsizetype> ends;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const bool stop
            = (text[at] == QChar(u'.') || text[at] == QChar(u'?')) && (at + 1 == text.size() || text[at + 1].isSpace());
        if (stop || text[at] == QChar(u'\u3002') || text[at] == QChar(u'\uFF1F')) {
            ends.push_back(at + 1);
        }
    }
    return ends;
}

/// What a lesson asks, so that its card does not give the answer away, without what comes before where that is long; of
/// a workload without questions what it does.
QString teaserOf(const Workload& workload)
{
    if (workload.quiz.empty()) {
        return inLanguage(workload.description);
    }
    QString text = inLanguage(workload.quiz.front().question);
    const qsizetype most = QLocale().language() == QLocale::Chinese ? 55 : 115;
    for (auto ends = sentenceEnds(text); text.size() > most && ends.size() > 1; ends = sentenceEnds(text)) {
        text = text.mid(ends.front()).trimmed();
    }
    return text;
}

QString sourceOf(const CardPicture& picture)
{
    return picture.model ? GalleryList::tr("model device, not measured")
                         : GalleryList::tr("recorded on %1").arg(picture.device);
}

bool fits(const QString& text, const QFont& font, int width, int lines)
{
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    int count = 0;
    for (QTextLine line = layout.createLine(); line.isValid() && count <= lines; line = layout.createLine()) {
        line.setLineWidth(width);
        ++count;
    }
    layout.endLayout();
    return count <= lines;
}

/// As many whole sentences as have room; where that is but a line of text, all of it, to be cut.
QString summaryFor(const QString& all, const QFont& font, int width, int lines)
{
    QString shown = all;
    const std::vector<qsizetype> ends = sentenceEnds(all);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const QString next = all.left(ends[i]);
        if (i > 0 && !fits(next, font, width, lines)) {
            break;
        }
        shown = next;
    }
    return fits(shown, font, width, 1) ? all : shown;
}

/// `text` in at most `lines` lines; the last one is cut with an ellipsis.
QStringList linesOf(const QString& text, const QFont& font, int width, int lines, LabelPainter& labels)
{
    QStringList broken;
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    for (int i = 0; i < lines; ++i) {
        QTextLine line = layout.createLine();
        if (!line.isValid()) {
            break;
        }
        line.setLineWidth(width);
        broken += i + 1 == lines ? labels.elided(text.mid(line.textStart()), width, text_style)
                                 : text.mid(line.textStart(), line.textLength());
    }
    layout.endLayout();
    return broken;
}

/// All that a card's inside is drawn from.
struct CardFace {
    const Workload* workload;
    QString title, text, chapter;
    QSize size;
    double ratio;
    QString theme;
    const CardPicture* picture;
    qint64 strips;  // which images they are
    bool asking, seen;
    friend bool operator==(const CardFace&, const CardFace&) = default;
};

/// Where the parts of a card lie.
struct CardPlaces {
    QRect card, picture, chapter, title, text, source;

    explicit CardPlaces(const QRect& cell)
        : card(cell.adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2))
        , picture(card.adjusted(margin, margin, -margin,
              -(chapter_height + title_height + line_height * text_lines + source_height + margin)))
        , chapter(picture.left(), picture.bottom() + 5, picture.width(), chapter_height)
        , title(picture.left(), chapter.bottom() - 3, picture.width(), title_height)
        , text(picture.left(), title.bottom() + 1, picture.width(), line_height * text_lines)
        , source(picture.left(), text.bottom() + 1, picture.width(), source_height)
    {
    }
};

class CardDelegate : public QStyledItemDelegate {
public:
    explicit CardDelegate(GalleryList* list)
        : QStyledItemDelegate(list)
        , m_list(list)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return m_list->cardSize(); }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto workload = m_list->workloadAt(index.row());
        const CardPicture* picture = m_list->pictureAt(index.row());
        const QPalette& palette = option.palette;
        const Theme& theme = Theme::named(
            palette.color(QPalette::Base).lightness() < 128 ? QStringLiteral("dark") : QStringLiteral("light"));
        const QRect card = CardPlaces(option.rect).card;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
        const bool focused = option.state.testFlag(QStyle::State_Selected) && m_list->hasFocus();
        painter->setPen(QPen(focused ? theme.accent : hovered ? theme.muted : theme.line, focused ? 2 : 1));
        painter->setBrush(theme.panel);
        painter->drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        // At 125 % a corner may lie between the screen's pixels: the kept image begins at one of them.
        const QTransform screen = painter->deviceTransform();
        const QPointF corner = screen.inverted().map(QPointF(screen.map(QPointF(option.rect.topLeft())).toPoint()));
        painter->drawPixmap(corner,
            face(index.row(), option.rect.size(), painter->device()->devicePixelRatioF(), *workload, picture, theme));
        painter->restore();
    }

private:
    /// A card's inside as an image: to lay out its texts takes some milliseconds, and all cards are drawn anew whenever
    /// something above them comes or goes. Where a paint event has drawn enough of them, the image before, or none if
    /// that has another size or shows what is to be guessed.
    QPixmap face(int row, QSize size, double ratio, const Workload& workload, const CardPicture* picture,
        const Theme& theme) const
    {
        CardFace wanted {&workload, titleOf(workload), teaserOf(workload), chapterOf(workload), size, ratio, theme.name,
            picture, picture == nullptr || picture->strips.empty() ? 0 : picture->strips.front().lanes.cacheKey(),
            m_list->isAsking(), m_list->isSeen(workload)};
        auto& [kept, pixels] = m_faces[row];
        const QSize room(
            static_cast<int>(std::ceil(size.width() * ratio)), static_cast<int>(std::ceil(size.height() * ratio)));
        if ((!kept || *kept != wanted) && m_list->mayDraw()) {
            pixels = QPixmap(room);
            pixels.setDevicePixelRatio(ratio);
            pixels.fill(Qt::transparent);
            QPainter painter(&pixels);
            painter.setRenderHint(QPainter::Antialiasing);
            paintInside(painter, QRect(QPoint(), size), workload, picture, theme);
            kept = std::move(wanted);
        }
        return pixels.size() == room && kept->asking == m_list->isAsking() ? pixels : QPixmap();
    }

    void paintInside(QPainter& painter, const QRect& cell, const Workload& workload, const CardPicture* picture,
        const Theme& theme) const
    {
        const CardPlaces places(cell);
        paintPicture(painter, places.picture, workload, picture, theme, m_list->isAsking());
        painter.setFont(bundledFont(11));
        painter.setPen(theme.accent);
        painter.drawText(places.chapter, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(chapterOf(workload), Qt::ElideRight, places.chapter.width()));
        QFont font = bundledFont(15, TextStyle::semiBold);
        painter.setFont(font);
        painter.setPen(theme.text);
        painter.drawText(places.title, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(font).elidedText(titleOf(workload), Qt::ElideRight, places.title.width() - tick_width));
        if (m_list->isSeen(workload)) {
            painter.setPen(theme.accent);
            painter.drawText(places.title, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("✓"));
        }
        painter.setFont(bundledFont(text_style.pixels));
        painter.setPen(theme.muted);
        if (!m_list->isAsking() || !workload.quiz.empty()) {  // what a description says is the answer
            int y = places.text.top();
            for (const QString& line : summaryOf(teaserOf(workload), places.text.width())) {
                painter.drawText(QRect(places.text.left(), y, places.text.width(), line_height),
                    Qt::AlignLeft | Qt::AlignVCenter, line);
                y += line_height;
            }
        }
        if (picture != nullptr && picture->error.isEmpty()) {
            painter.setFont(bundledFont(11));
            painter.setPen(picture->model ? theme.pillCautionText : theme.muted);
            painter.drawText(places.source, Qt::AlignLeft | Qt::AlignBottom,
                painter.fontMetrics().elidedText(sourceOf(*picture), Qt::ElideRight, places.source.width()));
        }
    }

    /// Lines for a card. To break a text takes longer than to draw all else of its card, so they are kept.
    QStringList summaryOf(const QString& text, int width) const
    {
        constexpr qsizetype most = 500;
        if (m_summaries.size() > most) {
            m_summaries.clear();
        }
        QStringList& lines = m_summaries[{text, width}];
        if (lines.isEmpty()) {
            const QFont font = bundledFont(text_style.pixels);
            lines = linesOf(summaryFor(text, font, width, text_lines), font, width, text_lines, m_labels);
        }
        return lines;
    }

    static void paintPicture(QPainter& painter, const QRect& place, const Workload& workload,
        const CardPicture* picture, const Theme& theme, bool asking)
    {
        QPainterPath round;
        round.addRoundedRect(place, 5, 5);
        painter.save();
        painter.setClipPath(round);
        painter.fillRect(place, theme.background);
        painter.setFont(bundledFont(12));
        painter.setPen(theme.muted);
        if (picture == nullptr || !picture->error.isEmpty()) {
            painter.drawText(place.adjusted(margin, 4, -margin, -4), Qt::AlignCenter | Qt::TextWordWrap,
                picture == nullptr ? GalleryList::tr("Drawing its lanes…")
                                   : GalleryList::tr("No picture: %1").arg(picture->error));
            painter.restore();
            return;
        }
        const int each = place.height() / static_cast<int>(picture->strips.size());
        int y = place.top();
        for (const CardStrip& strip : picture->strips) {
            const QString total = formatTime(strip.total);
            const QRect caption(place.left() + 8, y, place.width() - 16, caption_height);
            const int room = caption.width() - painter.fontMetrics().horizontalAdvance(total) - 12;
            painter.setPen(theme.muted);
            painter.drawText(caption, Qt::AlignLeft | Qt::AlignVCenter,
                painter.fontMetrics().elidedText(variantTitle(workload, strip.variant), Qt::ElideRight, room));
            painter.setPen(theme.accent);
            if (asking) {
                painter.drawText(QRect(caption.left(), y, caption.width(), each), Qt::AlignCenter, QStringLiteral("?"));
            } else {
                painter.drawText(caption, Qt::AlignRight | Qt::AlignVCenter, total);
                painter.drawImage(QPointF(place.left() + 8, y + caption_height), strip.lanes);
            }
            y += each;
        }
        painter.restore();
    }

    GalleryList* m_list;
    mutable LabelPainter m_labels;
    mutable QHash<std::pair<QString, int>, QStringList> m_summaries;  // by text and width
    mutable QHash<int, std::pair<std::optional<CardFace>, QPixmap>> m_faces;  // by row
};

}  // namespace

GalleryList::GalleryList(QWidget* parent)
    : QListWidget(parent)
{
    setObjectName(QStringLiteral("gallery"));
    setAccessibleName(tr("Gallery of workloads"));
    setViewMode(QListView::IconMode);
    setMovement(QListView::Static);
    setResizeMode(QListView::Adjust);
    setUniformItemSizes(true);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // or the width would change with what it holds
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalScrollBar()->setSingleStep(40);
    setItemDelegate(new CardDelegate(this));
    viewport()->setAttribute(Qt::WA_Hover);
    viewport()->setCursor(Qt::PointingHandCursor);
    connect(
        this, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { emit opened(workloadAt(row(item))); });
    connect(&CardPictures::shared(), &CardPictures::ready, this, &GalleryList::tellCards);
}

void GalleryList::setWorkloads(
    const std::vector<std::shared_ptr<const Workload>>& workloads, const std::shared_ptr<const Workload>& chosen)
{
    int at = std::max(currentRow(), 0);
    const QSignalBlocker quiet(this);  // while cards are put here nobody chooses one
    clear();
    m_workloads = workloads;
    for (const auto& workload : m_workloads) {
        auto* item = new QListWidgetItem(this);
        item->setToolTip(
            workload->matters.issue.empty() ? inLanguage(workload->description) : inLanguage(workload->matters.text));
    }
    tellCards();
    if (const auto found = std::find(m_workloads.begin(), m_workloads.end(), chosen); found != m_workloads.end()) {
        at = static_cast<int>(found - m_workloads.begin());
    }
    setCurrentRow(std::min(at, count() - 1));
}

void GalleryList::choose(const std::shared_ptr<const Workload>& workload)
{
    for (int row = 0; workload && row < count(); ++row) {
        if (workloadAt(row)->file == workload->file) {
            setCurrentRow(row);
        }
    }
}

void GalleryList::setAsking(bool asking)
{
    m_asking = asking;
    viewport()->update();
}

void GalleryList::setSeen(const QStringList& names)
{
    m_seen = names;
    tellCards();
}

bool GalleryList::isSeen(const Workload& workload) const
{
    return m_seen.contains(QString::fromStdString(workload.name));
}

std::shared_ptr<const Workload> GalleryList::workloadAt(int row) const
{
    return m_workloads[static_cast<std::size_t>(row)];
}

const CardPicture* GalleryList::pictureAt(int row) const
{
    const auto workload = workloadAt(row);
    const QSize picture = CardPlaces(QRect({}, m_card)).picture.size();
    const auto strips = static_cast<int>(lessonVariants(*workload).size());
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    return CardPictures::shared().find(workload,
        {{picture.width() - 16, picture.height() / strips - caption_height - 6}, devicePixelRatioF(),
            dark ? QStringLiteral("dark") : QStringLiteral("light")});
}

/// What a screen reader says of the cards.
void GalleryList::tellCards()
{
    for (int row = 0; row < count(); ++row) {
        QStringList text {titleOf(*workloadAt(row)), chapterOf(*workloadAt(row)), teaserOf(*workloadAt(row))};
        text.removeAll(QString());
        if (const CardPicture* picture = isVisible() ? pictureAt(row) : nullptr;
            picture != nullptr && picture->error.isEmpty()) {
            text += sourceOf(*picture);
        }
        if (isSeen(*workloadAt(row))) {
            text += tr("opened before");
        }
        item(row)->setData(Qt::AccessibleTextRole, text.join(QStringLiteral(". ")));
    }
    viewport()->update();
}

void GalleryList::fillWidth()
{
    const int room = viewport()->width();
    const int columns = std::clamp(room / (least_card + gap), 1, most_columns);
    const int width = std::max(room / columns / width_step * width_step, least_card / 2);
    const int under = chapter_height + title_height + line_height * text_lines + source_height + 2 * margin + gap;
    const QSize card(width, under + std::clamp(width * 2 / 5, 130, 240));
    if (card != m_card) {
        m_card = card;
        setGridSize(card);
    }
}

bool GalleryList::mayDraw()
{
    const bool time = m_drawn == 0 || m_painting.elapsed() < paint_ms;
    (time ? m_drawn : m_waiting)++;
    return time;
}

void GalleryList::paintEvent(QPaintEvent* event)
{
    m_painting.start();
    m_drawn = m_waiting = 0;
    QListWidget::paintEvent(event);
    if (m_waiting > 0) {
        QTimer::singleShot(0, viewport(), qOverload<>(&QWidget::update));
    }
}

void GalleryList::resizeEvent(QResizeEvent* event)
{
    fillWidth();
    QListWidget::resizeEvent(event);
}

void GalleryList::keyPressEvent(QKeyEvent* event)
{
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentRow() >= 0) {
        emit opened(workloadAt(currentRow()));
        event->accept();
        return;
    }
    QListWidget::keyPressEvent(event);
}

}  // namespace lanes::gui
