// SPDX-License-Identifier: MIT
// What is drawn over the lanes: the line is under what is on the critical path, which keeps its colour, and all
// else is paler. The chain's arrows are drawn for what is in sight.
#include "engine/store/recording_file.h"
#include "engine/trace/event.h"
#include "gui/paint/drawn_texts.h"
#include "gui/paint/item_box.h"
#include "gui/paint/over/chain_painter.h"
#include "gui/paint/over/path_painter.h"
#include "gui/paint/timeline_painter.h"
#include "gui/timeline/view_state.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <limits>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr Interval everything {0, std::numeric_limits<Ns>::max()};

int distance(QRgb a, QRgb b)
{
    return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
}

/// A recording drawn without and with the path over it.
struct Drawn {
    ViewState view;
    FrameGeometry geometry;
    LaneLayout layout;
    const Theme& theme;
    TimeScale scale;
    QImage plain, over;

    Drawn(const char* name, const QString& themeName, std::optional<Interval> range, LaneGrouping grouping)
        : view(ViewState::of(ShownRecording::of(open_recording(qEnvironmentVariable("LANES_SOURCE").toStdString()
                                 + "/resources/recordings/h200/" + name + ".sqlite")),
            {grouping, {}}))
        , geometry {.size = {1200, 500}}
        , layout(view.model->lanes(), view.arranged(), geometry.lanesHeight())
        , theme(Theme::named(themeName))
        , scale(TimeScale::showing(
              range ? range->start : 0, range ? range->end : view.model->duration(), geometry.plotWidth()))
        , plain(geometry.size, QImage::Format_RGB32)
    {
        TimelinePainter().paint(frame(), plain);
        over = plain;
    }
    TimelineFrame frame() const { return {*view.model, layout, theme, scale, geometry, 1, {}, {}}; }
    const ShownRecording& recording() const { return view.model->recording(); }
};

}  // namespace

class tst_PathPainter : public QObject {
    Q_OBJECT

private slots:
    void outlinesWhatIsOnThePath_data();
    void outlinesWhatIsOnThePath();
    void textsAreVeiledWholly();
    void theChainIsDrawnWhereItIsSeen();
    void numbersKeepOffTexts();
    void numbersKeepOffTags();
    void numbersLieOnNoBar();
    void stepsThatRepeatAreNamedOnce();
    void platesOnTheRulerCoverWholeFigures();
    void wordsOfSteps();
};

void tst_PathPainter::outlinesWhatIsOnThePath_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("theme");
    QTest::addColumn<bool>("byEngine");
    for (const char* theme : {"light", "dark", "print"}) {
        QTest::addRow("overlapped, %s", theme) << QByteArray("copy-results-back.overlapped") << theme << false;
        QTest::addRow("overlapped, engines, %s", theme) << QByteArray("copy-results-back.overlapped") << theme << true;
        QTest::addRow("two GPUs, %s", theme) << QByteArray("two-gpus.both") << theme << false;
    }
}

void tst_PathPainter::outlinesWhatIsOnThePath()
{
    QFETCH(QByteArray, name);
    QFETCH(QString, theme);
    QFETCH(bool, byEngine);
    Drawn drawn(name.constData(), theme, {}, byEngine ? LaneGrouping::engine : LaneGrouping::stream);
    const TimelineFrame frame = drawn.frame();
    const ShownPath path(*drawn.recording().graph, everything);
    QPainter painter(&drawn.over);
    paintPath(frame, path, painter, {});
    painter.end();
    std::vector<bool> isOn(drawn.recording().trace->operations.size());
    for (const PathPart& part : path.parts()) {
        if (part.kind == PathPart::operation && part.span == span_of(*drawn.recording().trace, part.event)) {
            isOn[part.event.row] = true;
        }
    }
    const QRgb ground = drawn.theme.background.rgb();
    std::size_t on = 0;
    std::size_t off = 0;
    for (Row row = 0; row < isOn.size(); ++row) {
        const auto box = boxOf(frame, {ItemKind::operation, row});
        if (!box || box->width() < 12) {
            continue;
        }
        const QPoint inside(static_cast<int>(box->right()) - 4, static_cast<int>(box->top()) + 3);
        const QPoint foot(static_cast<int>(box->center().x()), static_cast<int>(box->bottom()) - 2);
        const int before = distance(drawn.plain.pixel(inside), ground);
        const int after = distance(drawn.over.pixel(inside), ground);
        if (isOn[row]) {
            ++on;
            QCOMPARE(drawn.over.pixel(foot), drawn.theme.text.rgb());
            QCOMPARE(after, before);
        } else {
            ++off;
            QVERIFY(drawn.over.pixel(foot) != drawn.theme.text.rgb());
            QVERIFY2(
                after < before * 2 / 3, qPrintable(QStringLiteral("%1: %2 of %3").arg(row).arg(after).arg(before)));
        }
    }
    QVERIFY(on > 0);
    QVERIFY(off > 0);
    // The ribbon, the names and the head are as they were.
    const QRect names(0, 0, frame.geometry.labelWidth, frame.geometry.size.height());
    QCOMPARE(drawn.over.copy(names), drawn.plain.copy(names));
    const QRect head(0, 0, frame.geometry.size.width(), frame.geometry.lanesTop());
    QCOMPARE(drawn.over.copy(head), drawn.plain.copy(head));
}

/// A text on something that is partly on the path was half dark and half pale.
void tst_PathPainter::textsAreVeiledWholly()
{
    Drawn drawn("copy-results-back.overlapped", QStringLiteral("light"), {}, LaneGrouping::stream);
    const TimelineFrame frame = drawn.frame();
    const ShownPath path(*drawn.recording().graph, everything);
    std::vector<QRectF> bars, texts;
    for (const PathPart& part : path.parts()) {
        const auto box = part.kind == PathPart::operation ? boxOf(frame, part.event) : std::nullopt;
        if (box && box->width() > 60 && part.span == span_of(*drawn.recording().trace, part.event)) {
            bars.push_back(*box);
            texts.emplace_back(box->left() - 10, box->center().y() - 6, 30, 12);  // a third on what is before it
        }
    }
    QVERIFY(!bars.empty());
    QPainter painter(&drawn.over);
    paintPath(frame, path, painter, texts);
    painter.end();
    for (const QRectF& bar : bars) {
        const auto isVeiled = [&](double x) {
            const QPoint at(static_cast<int>(bar.left() + x), static_cast<int>(bar.top()) + 4);
            return drawn.over.pixel(at) != drawn.plain.pixel(at);
        };
        QVERIFY(isVeiled(12));
        QVERIFY(!isVeiled(26));
        // No upright line crosses the text.
        const QPoint edge(static_cast<int>(bar.left()), static_cast<int>(bar.center().y()));
        QVERIFY(drawn.over.pixel(edge) != drawn.theme.text.rgb());
    }
}

void tst_PathPainter::theChainIsDrawnWhereItIsSeen()
{
    Drawn drawn("copy-results-back.overlapped", QStringLiteral("light"), {}, LaneGrouping::stream);
    LabelPainter labels;
    const Row last = static_cast<Row>(drawn.recording().trace->operations.size()) - 1;
    const auto chain = chainOf(drawn.recording(), {ItemKind::operation, last});
    QVERIFY(chain.size() > 2);
    const auto painted = [&](const TimelineFrame& frame, const std::vector<ChainStep>& steps) {
        QImage image = drawn.plain;
        QPainter painter(&image);
        paintChain(frame, steps, {}, painter, labels, {});
        painter.end();
        return image;
    };
    QVERIFY(painted(drawn.frame(), chain) != drawn.plain);
    QCOMPARE(painted(drawn.frame(), {}), drawn.plain);
    // Long before anything of it.
    TimelineFrame before = drawn.frame();
    before.scale = before.scale.startingAt(-10 * before.columns());
    QCOMPARE(painted(before, chain), drawn.plain);
}

void tst_PathPainter::numbersKeepOffTexts()
{
    Drawn drawn("data-loader.workers-2-pinned", QStringLiteral("light"), {}, LaneGrouping::stream);
    TimelinePainter painter;
    QImage image = drawn.plain;
    painter.paint(drawn.frame(), image);
    const std::vector<QRectF>& texts = painter.textBoxes();
    QVERIFY(texts.size() > 20);
    std::size_t numbers = 0;
    for (Row row = 0; row < drawn.recording().trace->operations.size(); row += 5) {
        const auto chain = chainOf(drawn.recording(), {ItemKind::operation, row});
        const DrawnTexts plates;
        QPainter over(&image);
        paintChain(drawn.frame(), chain, {}, over, painter.labels(), texts);
        for (const DrawnText& plate : plates.texts) {
            ++numbers;
            QVERIFY2(plate.text.toInt() > 0, qPrintable(plate.text));  // words are on the card
            QVERIFY2(
                std::none_of(texts.begin(), texts.end(), [&](const QRectF& box) { return box.intersects(plate.ink); }),
                qPrintable(plate.text));
        }
    }
    QVERIFY2(numbers > 10, qPrintable(QString::number(numbers)));
}

/// The numbers covered the tags of ends that are out of sight.
void tst_PathPainter::numbersKeepOffTags()
{
    const Drawn drawn("copy-results-back.overlapped", QStringLiteral("light"), {}, LaneGrouping::stream);
    LabelPainter labels;
    const Row last = static_cast<Row>(drawn.recording().trace->operations.size()) - 1;
    const auto chain = chainOf(drawn.recording(), {ItemKind::operation, last});
    QImage image = drawn.plain;
    std::vector<QRectF> tags;
    for (int round = 0; round < 2; ++round) {  // their places, then with tags there
        const DrawnTexts plates;
        QPainter over(&image);
        paintChain(drawn.frame(), chain, {}, over, labels, {}, tags);
        QVERIFY(!plates.texts.empty());
        for (const DrawnText& plate : plates.texts) {
            QVERIFY2(
                std::none_of(tags.begin(), tags.end(), [&](const QRectF& tag) { return tag.intersects(plate.ink); }),
                qPrintable(plate.text));
            tags.push_back(plate.ink);
        }
    }
}

void tst_PathPainter::numbersLieOnNoBar()
{
    const Drawn drawn("copy-results-back.blocking", QStringLiteral("light"), {}, LaneGrouping::stream);
    const TimelineFrame frame = drawn.frame();
    LabelPainter labels;
    std::size_t numbers = 0;
    QImage image = drawn.plain;
    for (Row row = 0; row < drawn.recording().trace->operations.size(); ++row) {
        const DrawnTexts plates;
        QPainter over(&image);
        paintChain(frame, chainOf(drawn.recording(), {ItemKind::operation, row}), {}, over, labels, {});
        for (const DrawnText& plate : plates.texts) {
            ++numbers;
            QVERIFY2(barsUnder(frame, plate.ink) == 0, qPrintable(plate.text));
        }
    }
    QVERIFY2(numbers > 10, qPrintable(QString::number(numbers)));
}

/// A loop's chain is the same steps over and over: they are named once, with how often they come.
void tst_PathPainter::stepsThatRepeatAreNamedOnce()
{
    const Drawn drawn("item-every-batch.every", QStringLiteral("light"), {}, LaneGrouping::stream);
    LabelPainter labels;
    const Row last = static_cast<Row>(drawn.recording().trace->operations.size()) - 1;
    const auto chain = chainOf(drawn.recording(), {ItemKind::operation, last});
    QVERIFY(chain.size() > 12);
    QImage image = drawn.plain;
    const DrawnTexts plates;
    QPainter over(&image);
    paintChain(drawn.frame(), chain, {}, over, labels, {});
    QStringList all;
    for (const DrawnText& plate : plates.texts) {
        all << plate.text;
    }
    QVERIFY2(!all.isEmpty() && all.size() <= 8, qPrintable(all.join(u'|')));
}

void tst_PathPainter::platesOnTheRulerCoverWholeFigures()
{
    const Drawn drawn("copy-results-back.overlapped", QStringLiteral("light"), {}, LaneGrouping::stream);
    const TimelineFrame frame = drawn.frame();
    LabelPainter labels;
    const auto figures = rulerFigures(frame, RulerTicks::of(frame, labels), labels);
    QVERIFY(figures.size() > 4);
    for (const RulerFigure& figure : figures) {
        for (const double x : {figure.box.left() - 20, figure.box.center().x() - 20, figure.box.right() - 5}) {
            const QRectF plate(x, figure.box.top(), 40, figure.box.height());
            const QRectF all = overFigures(frame, plate, labels);
            QVERIFY(all.contains(plate));
            QVERIFY(all.left() <= figure.box.left() && all.right() >= figure.box.right());
        }
        const QRectF beside(figure.box.right() + 3, figure.box.top(), 4, figure.box.height());
        QCOMPARE(overFigures(frame, beside, labels), beside);
    }
}

void tst_PathPainter::wordsOfSteps()
{
    QStringList all;
    for (int why = 0; why <= ChainStep::handover; ++why) {
        const QString words = chainWords({static_cast<ChainStep::Why>(why), {}, {}, 0, 3'200'000});
        QVERIFY(!words.isEmpty());
        QVERIFY2(!all.contains(words), qPrintable(words));
        all << words;
    }
    QCOMPARE(chainWords({ChainStep::thread, {}, {}, 1'000'000, 4'200'000}), QStringLiteral("CPU 3.20 ms"));
}

QTEST_MAIN(tst_PathPainter)
#include "tst_path_painter.moc"
