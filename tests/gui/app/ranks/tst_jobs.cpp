// SPDX-License-Identifier: MIT
// A job of many ranks in the window: its map, table and sentence; the lanes of chosen ranks on the common clock; what
// is kept, what is not there, pictures and pages.
#include "engine/job/job_file.h"
#include "engine/store/recording_file.h"
#include "gui/app/frame/stage.h"
#include "gui/app/ranks/job_view.h"
#include "gui/app/ranks/jobs.h"
#include "gui/paint/row_painter.h"
#include "gui/panels/ranks/heat_view.h"
#include "gui/panels/ranks/rank_table.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "tests/engine/job/job_of_ranks.h"
#include "tests/gui/app/window_case.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QWheelEvent>

#include <algorithm>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr Ns ms = RunOfRanks::ms;
constexpr std::uint32_t late_rank = 11;

RunOfRanks runOf20()
{
    RunOfRanks run;
    run.ranks = 20;
    run.says_communicators = true;
    run.late = [](auto rank, int step) {
        // The recording of rank 2 begins later than the others.
        return rank == late_rank && step > 0 ? 5 * ms : rank == 2 && step == 0 ? ms / 5 : 0;
    };
    run.ahead = [](auto rank) { return rank / 8 * 3 * ms; };  // each host's clock is another
    return run;
}

}  // namespace

class tst_Jobs : public WindowCase {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { startAfresh(); }
    void heatKeepsTheWorst();
    void noColumnIsEmpty();
    void oneIsNotSeveral();
    void showsTheJob();
    void clickShowsLanes();
    void oneMomentHasOneTime();
    void headsSayWhoIsLate();
    void lanesSayForWhomARankWaits();
    void whatMattersIsInSight();
    void theFirstCollectiveIsSeenToWait();
    void opensOnTheSteps();
    void zoomsLikeLanes();
    void combLiesOnTheMap();
    void aWaitIsNoCost();
    void sixteenStay();
    void lastClickCounts();
    void recordingIsElsewhere();
    void picturesAndPages_data();
    void picturesAndPages();
    void saysWhatCannotBeWritten();
    void anotherLanguage();

private:
    QString job() const { return m_folder.filePath(QStringLiteral("job.lanes")); }
    static std::unique_ptr<MainWindow> opened(const QString& file);
    static JobView& view(MainWindow& window) { return *window.findChild<JobView*>(); }
    static Jobs& jobs(MainWindow& window) { return *window.findChild<Jobs*>(); }
    static void clickRow(MainWindow& window, std::size_t rank, Qt::KeyboardModifiers with = {});
    static void waitForLanes(MainWindow& window, std::size_t rank, std::size_t second);
};

void tst_Jobs::oneIsNotSeveral()
{
    OpenJob job;
    job.ranks.resize(2);
    for (auto& rank : job.ranks) {
        rank.identity.host = "node0";
    }
    job.report.steps = 1;
    QCOMPARE(job.subtitle(), QStringLiteral("2 ranks on 1 host  ·  1 step judged"));
    job.ranks.back().identity.host = "node1";
    job.report.steps = 39;
    QCOMPARE(job.subtitle(), QStringLiteral("2 ranks on 2 hosts  ·  39 steps judged"));
}

void tst_Jobs::initTestCase()
{
    prepare();
    const auto run = runOf20();
    const auto traces = run.make_each();
    std::vector<RankSummary> ranks;
    for (std::size_t rank = 0; rank < traces.size(); ++rank) {
        const auto file = m_folder.filePath(QStringLiteral("rank%1.sqlite").arg(rank)).toStdString();
        save_recording(traces[rank], file);
        ranks.push_back(summarize(traces[rank], file).front());
        ranks.back().identity.host = "node" + std::to_string(rank / 8);
        ranks.back().identity.clock = "boot of " + ranks.back().identity.host;
    }
    save_ranks(ranks, nullptr, job().toStdString());
}

std::unique_ptr<MainWindow> tst_Jobs::opened(const QString& file)
{
    auto made = window();
    made->openFiles({file});
    [&] { QTRY_VERIFY(view(*made).job() != nullptr && !made->isBusy()); }();
    return made;
}

void tst_Jobs::clickRow(MainWindow& window, std::size_t rank, Qt::KeyboardModifiers with)
{
    HeatView* map = view(window).map();
    const auto shown = view(window).job()->map(view(window).job()->heat(map->measure()));
    const HeatPlaces places(shown, map->box());
    const auto row = places.row(static_cast<std::size_t>(view(window).job()->row_of[rank]));
    QTest::mouseClick(
        map, Qt::LeftButton, with, QPoint(static_cast<int>(row.center().x()), static_cast<int>(row.center().y())));
}

void tst_Jobs::waitForLanes(MainWindow& window, std::size_t rank, std::size_t second)
{
    const auto& workspace = window.workspace();
    const auto named = [&](int side, std::size_t of) {
        return workspace.at(side)
            && workspace.at(side)->title == "rank " + std::to_string(of) + " · node" + std::to_string(of / 8);
    };
    QTRY_VERIFY(!window.isBusy() && workspace.count() == 2);
    QVERIFY2(named(0, rank), workspace.at(0)->title.c_str());
    QVERIFY2(named(1, second), workspace.at(1)->title.c_str());
}

/// One late step of many is a cell of its own height, however many steps share a column.
void tst_Jobs::heatKeepsTheWorst()
{
    RunOfRanks run;
    run.ranks = 2;
    run.steps = 2000;
    run.late = [](auto rank, int step) { return rank == 1 && step == 1234 ? 40 * ms : 0; };
    auto ranks = summaries_of(run);
    settle_ranks(ranks);
    const auto meetings = meet(ranks);
    const auto heats = heats_of(heat_parts_of(ranks, meetings, waits_of(meetings)));
    const auto& heat = heats[static_cast<std::size_t>(HeatMeasure::waited)];
    std::vector<std::size_t> high;
    for (std::size_t column = 0; column < heat_columns; ++column) {
        if (heat.at(0, column) > 30 * ms) {
            high.push_back(column);
        }
        QVERIFY(heat.at(1, column) < ms);  // who is late waits for nobody
    }
    QVERIFY(!high.empty() && high.size() < 10);
    HeatMap map;
    map.cells = &heat.cells;
    map.columns = heat_columns;
    map.lines = {0, 1};
    map.names = {QStringLiteral("0"), QStringLiteral("1")};
    map.groups = {{QString(), 0, 2}};
    map.time = heat.time;
    map.top = 40 * ms;
    // Four columns a pixel: that one is seen.
    QImage image(static_cast<int>(HeatPlaces::group_width + HeatPlaces::name_width) + 128, 60, QImage::Format_RGB32);
    QPainter painter(&image);
    const auto& theme = Theme::named(QStringLiteral("light"));
    LabelPainter labels;
    HeatPainter().paint(painter, QRectF(image.rect()), map, {}, theme, labels, false);
    painter.end();
    const HeatPlaces places(map, QRectF(image.rect()));
    const auto x = static_cast<int>(places.plot().left()) + static_cast<int>(high[high.size() / 2] / 4);
    const auto y = static_cast<int>(places.row(0).center().y());
    QVERIFY2(QColor(image.pixel(x, y)).lightness() < 160, qPrintable(QColor(image.pixel(x, y)).name()));
    QVERIFY(QColor(image.pixel(x - 12, y)).lightness() > 220);
}

/// Of what a job does not have, steps or hosts, neither the window nor a page or a picture has a column.
void tst_Jobs::noColumnIsEmpty()
{
    using enum RankFigure;
    OpenJob job;
    job.ranks.resize(1);
    job.report.ranks.resize(1);
    const auto figures = [&] {
        std::vector<RankFigure> all;
        for (const RankColumn& column : rankColumns(job)) {
            all.push_back(column.figure);
        }
        return all;
    };
    const auto titleOfIdle = [&] {
        const auto columns = rankColumns(job);
        const auto at = std::find_if(
            columns.begin(), columns.end(), [](const RankColumn& column) { return column.figure == idle; });
        return at->title;
    };
    QCOMPARE(titleOfIdle(), QStringLiteral("Idle between"));  // not what the verdict over its lanes calls idle
    QCOMPARE(figures(), (std::vector {rank, compute, exposed, idle, waited, caused, last, clock}));
    job.ranks[0].identity.host = "node0";
    QCOMPARE(figures(), (std::vector {rank, host, compute, exposed, idle, waited, caused, last, clock}));
    job.report.steps = 3;
    QCOMPARE(figures(), (std::vector {rank, host, step, p95, compute, exposed, idle, waited, caused, last, clock}));
    QCOMPARE(titleOfIdle(), QStringLiteral("Idle"));
    QCOMPARE(rankText(job, job.report.ranks[0], host), QStringLiteral("node0"));
    QCOMPARE(rankText(job, job.report.ranks[0], last), QStringLiteral("–"));  // nothing could be compared
    QVERIFY(!rankValue(job, job.report.ranks[0], last).isValid());
}

void tst_Jobs::showsTheJob()
{
    auto window = opened(job());
    QVERIFY(view(*window).isVisible());
    const QString sentence = window->findChild<QLabel*>(QStringLiteral("jobSentence"))->text();
    QVERIFY2(sentence.startsWith(QStringLiteral("Rank 11 is late")), qPrintable(sentence));
    auto* table = window->findChild<RankTable*>();
    QCOMPARE(table->model()->rowCount(), 20);
    QCOMPARE(table->model()->index(0, static_cast<int>(RankFigure::rank)).data().toString(), QStringLiteral("11"));
    QCOMPARE(table->model()->index(0, static_cast<int>(RankFigure::last)).data().toString(), QStringLiteral("19 / 20"));
    QCOMPARE(window->workspace().count(), 0);  // nothing is read that nobody asked for
    const auto& comb = window->findChild<CombView*>()->comb();
    QVERIFY(comb && comb->teeth.size() == 20);
    QCOMPARE(comb->teeth.back().name, QStringLiteral("rank 11"));
    QVERIFY(comb->wait > 4 * ms && comb->wait < 6 * ms);
    QCOMPARE(view(*window).map()->accessibleDescription().section(QLatin1Char(' '), 0, 1), QStringLiteral("rank 11"));
    QVERIFY(!view(*window).shown().chosen);  // it is marked; nobody has chosen it
    // The button of the bar exports what is shown.
    const auto exports = [&window] {
        const auto buttons = window->findChildren<QPushButton*>();
        const auto found = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* button) {
            return button->isVisible() && button->text() == QStringLiteral("Export…");
        });
        return found != buttons.end() && (*found)->isEnabled();
    };
    QVERIFY(exports());
    // Closed, the window is as it was.
    window->action("job.close")->trigger();
    QVERIFY(!exports());
    QVERIFY(!view(*window).isVisible() && !view(*window).job());
    QVERIFY(!window->action("job.export")->isEnabled());
}

/// Both sides show one step, at one place of the window, though their clocks differ by 3 ms.
void tst_Jobs::clickShowsLanes()
{
    auto window = opened(job());
    clickRow(*window, late_rank);
    const auto median = view(*window).job()->medianBeside(late_rank);
    QVERIFY(median != late_rank);
    waitForLanes(*window, late_rank, median);
    clickRow(*window, 2, Qt::ShiftModifier);
    waitForLanes(*window, late_rank, 2);
    const auto& pair = window->timeline().pair();
    const auto offset = [&](int side) { return window->workspace().at(side)->trace->origin; };
    const Ns apart = (offset(1) + pair.alignment().anchor[1]) - (offset(0) + pair.alignment().anchor[0]);
    QVERIFY2(std::abs(apart + 3 * ms) < 100'000, qPrintable(QString::number(apart)));
    const auto visible = pair.visible()[0];
    QVERIFY(visible.end - visible.start < 30 * ms);
    // How well the clocks of both hosts are known is on the rulers; ranks of one host have one clock.
    const auto uncertainty = [&](int side) { return window->timeline().side(side).frame().uncertainty; };
    const auto between = view(*window).job()->clocksApart(late_rank, 2, *view(*window).shown().moment);
    QVERIFY(between && *between > 0 && *between < ms);
    QVERIFY(uncertainty(0) == *between && uncertainty(1) == *between);
    QVERIFY(std::abs(apart + 3 * ms) <= *between);
    jobs(*window).choose(late_rank, 12, *view(*window).shown().moment);
    waitForLanes(*window, late_rank, 12);
    QCOMPARE(uncertainty(0), 0);
    QVERIFY(pair.alignment().name == QStringLiteral("one clock"));
    // The keys do the same.
    const auto before = view(*window).shown();
    QTest::keyClick(view(*window).map(), Qt::Key_Down);
    QCOMPARE(*view(*window).shown().chosen, *before.chosen + 1);
    QTest::keyClick(view(*window).map(), Qt::Key_Right);
    QVERIFY(*view(*window).shown().moment > *before.moment);
    window->findChild<RankTable*>()->selectRow(0);
    QCOMPARE(*view(*window).shown().chosen, std::size_t {late_rank});
    QTRY_VERIFY(!window->isBusy());
}

/// The moment that is chosen on the map has the map's time on the rulers of both ranks, whose recordings began at
/// others.
void tst_Jobs::oneMomentHasOneTime()
{
    auto window = opened(job());
    const OpenJobPtr job = view(*window).job();
    const Ns onMap = 41 * ms;
    jobs(*window).choose(late_rank, 2, job->parts.time.start + onMap);
    waitForLanes(*window, late_rank, 2);
    auto& pair = window->timeline().pair();
    const auto onRuler = [&](int side) {
        const Ns anchor = pair.alignment().anchor[static_cast<std::size_t>(side)];
        return anchor - pair.side(side).frame().origin();
    };
    QVERIFY(std::abs(pair.alignment().anchor[0] - pair.alignment().anchor[1]) > ms / 10);
    QCOMPARE(onRuler(0), onMap);
    QCOMPARE(onRuler(1), onMap);
    // It is so for both when they change places, and for none when the job is closed.
    const auto shown = pair.recordings();
    pair.open({shown[1], shown[0]});
    QVERIFY(onRuler(0) == onMap && onRuler(1) == onMap);
    window->action("job.close")->trigger();
    QVERIFY(pair.parts().empty());
}

/// Over the lanes of the late rank is why it is late, over those of the median one that it is that and for whom it
/// waits. Nothing compares them as runs.
void tst_Jobs::headsSayWhoIsLate()
{
    auto window = opened(job());
    jobs(*window).choose(late_rank, view(*window).job()->firstMoment());
    waitForLanes(*window, late_rank, view(*window).job()->medianBeside(late_rank));
    const auto part = [&](int side) { return window->timeline().side(side).frame().part.value_or(PartOfRun {}); };
    const QString why = QStringLiteral("late (its CPU issues the work later): last in ");
    QVERIFY2(part(0).said.startsWith(why), qPrintable(part(0).said));
    QVERIFY(part(0).isLate && !part(1).isLate);
    QVERIFY2(part(1).said.startsWith(QStringLiteral("median rank · waits ")), qPrintable(part(1).said));
    QVERIFY2(part(1).said.contains(QStringLiteral(" for rank 11 in AllReduce ")), qPrintable(part(1).said));
    // Of two that somebody chose neither is the median.
    const auto second = view(*window).job()->medianBeside(late_rank) == 3 ? std::size_t {4} : std::size_t {3};
    jobs(*window).choose(late_rank, second, *view(*window).shown().moment);
    waitForLanes(*window, late_rank, second);
    QVERIFY2(part(1).said.startsWith(QStringLiteral("waits ")), qPrintable(part(1).said));
}

/// The waits of the map are on the lanes: a collective of the rank beside the late one is pale until that one comes.
void tst_Jobs::lanesSayForWhomARankWaits()
{
    auto window = opened(job());
    const OpenJobPtr job = view(*window).job();
    jobs(*window).choose(late_rank, 2, job->firstMoment());
    waitForLanes(*window, late_rank, 2);
    const auto& waiting = *window->workspace().at(1);
    const auto& ops = waiting.trace->operations;
    QVERIFY(waiting.awaited->size() >= 15);
    for (const auto& [operation, awaited] : *waiting.awaited) {
        QCOMPARE(awaited.rank, std::int64_t {late_rank});
        const Ns waited = awaited.until - ops.start[operation];
        QVERIFY2(waited > 3 * ms && waited < 6 * ms, qPrintable(QString::number(waited)));
        QVERIFY(awaited.until < ops.end[operation]);
    }
    QVERIFY(window->workspace().at(0)->awaited->size() < 3);
    const TimelineFrame frame = window->timeline().side(1).frame();
    LabelPainter labels;
    QImage image((QSizeF(frame.geometry.size) * frame.ratio).toSize(), QImage::Format_RGB32);
    RowPainter rows;
    rows.find(frame, RulerTicks::of(frame, labels));
    rows.paint(frame, ImageRowCanvas(frame.theme, image, frame.ratio));
    QVERIFY(!rows.early().empty());
}

/// In a window of 1920 x 1080 the lanes of both ranks are in sight down to their first thread.
void tst_Jobs::whatMattersIsInSight()
{
    auto window = opened(job());
    window->resize(1920, 1080);
    jobs(*window).choose(late_rank, 2, view(*window).job()->firstMoment());
    waitForLanes(*window, late_rank, 2);
    const auto inSight = [&](int side, LaneKind kind) {
        const TimelineFrame frame = window->timeline().side(side).frame();
        const auto& lanes = frame.layout.lanes();
        const auto found = std::find_if(lanes.begin(), lanes.end(),
            [&](const PlacedLane& lane) { return frame.model.lanes()[lane.lane].key.kind == kind; });
        return found != lanes.end() && frame.yOf(*found) + found->height <= frame.geometry.size.height();
    };
    for (const int side : {0, 1}) {
        QTRY_VERIFY(inSight(side, LaneKind::gpuTime) && inSight(side, LaneKind::thread));
    }
    // 20 rows need less than half of the window; the lanes have the rest.
    QVERIFY2(view(*window).height() < 430, qPrintable(QString::number(view(*window).height())));
}

/// What lies under the mouse stays there; the map shows the steps themselves; a double click and Home show all again.
/// It counts for nothing, as ranks start up there; but its kernel is seen to wait.
void tst_Jobs::theFirstCollectiveIsSeenToWait()
{
    RunOfRanks run;
    run.ranks = 2;
    run.late = [](auto rank, int step) { return rank == 1 && step == 0 ? 7 * ms : 0; };
    const auto traces = run.make_each();
    const QString file = m_folder.filePath(QStringLiteral("starts.lanes"));
    save_ranks(summaries_of(run), nullptr, file.toStdString());
    const OpenJobPtr job = openJob(file);
    QVERIFY(std::none_of(job->waits.begin(), job->waits.end(), [](Ns wait) { return wait > ms; }));
    const AwaitedRanks awaited = job->awaitedIn(0, traces[0]);
    QVERIFY(!awaited.empty());
    const auto first = std::min_element(
        awaited.begin(), awaited.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const Ns waited = first->second.until - traces[0].operations.start[first->first];
    QVERIFY2(waited > 6 * ms && waited < 8 * ms, qPrintable(QString::number(waited)));
    QCOMPARE(first->second.rank, std::int64_t {1});
}

/// A long start-up is beside the steps, out of sight.
void tst_Jobs::opensOnTheSteps()
{
    auto ranks = load_ranks(job().toStdString());
    for (auto& rank : ranks) {
        rank.start -= 9 * (rank.end - rank.start);
    }
    const QString late = m_folder.filePath(QStringLiteral("late.lanes"));
    save_ranks(ranks, nullptr, late.toStdString());
    auto window = opened(late);
    HeatView* map = view(*window).map();
    const HeatParts& parts = view(*window).job()->parts;
    const Ns all = parts.time.end - parts.time.start;
    const Ns shown = map->time().end - map->time().start;
    QVERIFY2(shown > all / 12 && shown < all / 5, qPrintable(QString::number(shown)));
    QVERIFY(view(*window).shown().time.has_value());  // a picture shows the same
    for (const auto& of : parts.of_rank) {
        const Interval steps {of.front().start - parts.time.start, of.back().end - parts.time.start};
        const Interval seen {map->time().start - parts.time.start, map->time().end - parts.time.start};
        QVERIFY2(seen.start <= steps.start && steps.end <= seen.end + shown / 100,
            qPrintable(QStringLiteral("%1 to %2, not %3 to %4")
                           .arg(seen.start)
                           .arg(seen.end)
                           .arg(steps.start)
                           .arg(steps.end)));
    }
    map->showAll();
    QVERIFY(map->showsAll());
    QCOMPARE(map->time().start, parts.time.start);
    window->findChild<Jobs*>()->open(late);  // in the place of the same
    QTRY_VERIFY(!window->isBusy() && !map->showsAll());
    QVERIFY(view(*window).shown().time.has_value());
}

void tst_Jobs::zoomsLikeLanes()
{
    auto window = opened(job());
    HeatView* map = view(*window).map();
    const OpenJobPtr job = view(*window).job();
    const auto shown = [&] { return map->time(); };
    const auto length = [&] { return shown().end - shown().start; };
    const Interval all = job->parts.time;
    const auto atMouse = [&](double x) {
        HeatMap axis;
        axis.time = shown();
        return HeatPlaces(axis, map->box()).timeAt(x);
    };
    const QPointF mouse(map->box().right() - map->box().width() / 4, map->box().center().y());
    const auto wheel = [&](int turn, Qt::KeyboardModifiers with) {
        QWheelEvent event(mouse, map->mapToGlobal(mouse), {}, {0, turn}, Qt::NoButton, with, Qt::NoScrollPhase, false);
        QApplication::sendEvent(map, &event);
        return event.isAccepted();
    };
    QCOMPARE(shown().start, all.start);
    QCOMPARE(shown().end, all.end);
    const Ns under = atMouse(mouse.x());
    for (int i = 0; i < 8; ++i) {
        QVERIFY(wheel(120, Qt::ControlModifier));
    }
    QVERIFY2(length() < (all.end - all.start) / 5, qPrintable(QString::number(length())));
    QVERIFY(std::abs(atMouse(mouse.x()) - under) < length() / 50);
    QVERIFY(!map->showsAll());
    // A column is a part of a step now: it has the value of that step.
    const auto heat = job->heat(HeatMeasure::step, shown());
    const auto& steps = job->parts.of_rank[0];
    const Ns middle = shown().start + length() / 2;
    const auto step = std::find_if(
        steps.begin(), steps.end(), [&](const HeatPart& each) { return each.start <= middle && middle < each.end; });
    QVERIFY(step != steps.end());
    QCOMPARE(heat.at(0, heat.column_of(middle)), step->values[static_cast<std::size_t>(HeatMeasure::step)]);
    // Shift and the wheel pan; so do keys, which do not choose; the wheel alone is not the map's.
    const Ns start = shown().start;
    QVERIFY(wheel(120, Qt::ShiftModifier) && shown().start < start);
    QTest::keyClick(map, Qt::Key_D);
    QTest::keyClick(map, Qt::Key_D);
    QVERIFY(shown().start > start);
    QVERIFY(!wheel(120, Qt::NoModifier));
    QVERIFY(!view(*window).shown().chosen);
    const Ns before = length();
    QTest::keyClick(map, Qt::Key_W);
    QVERIFY(length() < before);
    QTest::qWait(500);  // else all of it is one step of the history
    QTest::keyClick(map, Qt::Key_Home);
    QVERIFY(map->showsAll());
    QTest::keyClick(map, Qt::Key_Backspace);
    QVERIFY(!map->showsAll());
    QTest::mouseDClick(map, Qt::LeftButton, {}, QPoint(0, 0));
    QVERIFY(map->showsAll());
    // Ctrl and a drag zoom to the box, Shift and a drag pan and choose no second rank.
    const QPoint from = map->box().center().toPoint();
    QTest::mousePress(map, Qt::LeftButton, Qt::ControlModifier, from);
    QTest::mouseMove(map, from + QPoint(60, 0));
    QTest::mouseRelease(map, Qt::LeftButton, Qt::ControlModifier, from + QPoint(60, 0));
    QVERIFY(length() < (all.end - all.start) / 4);
    const Ns zoomed = shown().start;
    QTest::mousePress(map, Qt::LeftButton, Qt::ShiftModifier, from);
    QTest::mouseMove(map, from - QPoint(40, 0));
    QTest::mouseRelease(map, Qt::LeftButton, Qt::ShiftModifier, from - QPoint(40, 0));
    QVERIFY(shown().start > zoomed);
    QVERIFY(!view(*window).shown().second);
    // A picture shows the same.
    QVERIFY(view(*window).shown().time && view(*window).shown().time->start == shown().start);
}

/// One axis: a tooth lies at the place of its time on the map, and F shows the collective large.
void tst_Jobs::combLiesOnTheMap()
{
    auto window = opened(job());
    HeatView* map = view(*window).map();
    auto* comb = window->findChild<CombView*>();
    const OpenJobPtr job = view(*window).job();
    jobs(*window).choose(late_rank, job->firstMoment());
    QTRY_VERIFY(!window->isBusy());
    const auto& shown = *comb->comb();
    const Interval all = map->time();
    map->setFocus();
    QTest::keyClick(map, Qt::Key_F);
    QVERIFY(map->time().start < shown.teeth.front().at && map->time().end > shown.end);
    QVERIFY(map->time().end - map->time().start < 2 * (shown.end - shown.teeth.front().at));
    const auto toothAt = [&] {
        HeatMap axis;
        axis.time = map->time();
        const double x = HeatPlaces(axis, map->box()).xOf(shown.teeth.back().at);
        const QImage image = comb->grab().toImage();
        const double ratio = image.devicePixelRatio();
        // The last tooth reaches further up than the others.
        const auto pixel = [&](double beside) {
            return image.pixel(
                static_cast<int>((x + beside) * ratio), static_cast<int>((comb->height() / 2 - 9) * ratio));
        };
        return pixel(0) != pixel(-6) || pixel(1) != pixel(-6);
    };
    QVERIFY(toothAt());
    map->showAll();
    QCOMPARE(map->time().start, all.start);
    QVERIFY(toothAt());
    QTest::mouseDClick(comb, Qt::LeftButton, {}, comb->rect().center());
    QVERIFY(map->time().end - map->time().start < 2 * (shown.end - shown.teeth.front().at));
    // What is chosen elsewhere comes into sight.
    const Ns last = job->parts.time.end - ms;
    jobs(*window).choose(late_rank, last);
    QVERIFY(map->time().start <= last && last <= map->time().end);
    QTRY_VERIFY(!window->isBusy());
}

/// What ranks wait at one moment has the colour of a cost only if the table says that its rank costs the others time.
void tst_Jobs::aWaitIsNoCost()
{
    const auto open = openJob(job());
    const auto collective = open->collectiveAt(late_rank, open->firstMoment());
    QVERIFY(collective);
    const Theme& theme = Theme::named(QStringLiteral("light"));
    const auto drawn = [&](const OpenJob& of) {
        QImage image(1200, 44, QImage::Format_RGB32);
        image.fill(theme.background);
        QPainter painter(&image);
        LabelPainter labels;
        const ArrivalComb comb = of.comb(*collective);
        const Ns all = comb.end - comb.teeth.front().at;
        paintComb(
            painter, QRectF(image.rect()), comb, {comb.teeth.front().at - all, comb.end + all}, theme, labels, false);
        painter.end();
        bool hasCost = false;
        for (int x = 0; x < image.width(); ++x) {
            hasCost = hasCost || image.pixelColor(x, 14) == theme.hatches[0].line;  // over the text
        }
        return hasCost;
    };
    QVERIFY(drawn(*open));
    OpenJob calm = *open;
    for (JobRank& row : calm.report.ranks) {
        row.caused = 0;
    }
    QCOMPARE(calm.comb(*collective).said, open->comb(*collective).said);
    QVERIFY(!drawn(calm));
}

void tst_Jobs::sixteenStay()
{
    auto window = opened(job());
    for (std::size_t rank = 0; rank < 20; ++rank) {
        jobs(*window).choose(rank, view(*window).job()->firstMoment());
        QTRY_VERIFY(!window->isBusy());
    }
    QCOMPARE(jobs(*window).attached(), Jobs::most_attached);
}

/// Of many clicks one after the other, what is being read comes to its end, and then what the last one wants is read.
void tst_Jobs::lastClickCounts()
{
    auto window = opened(job());
    const Ns moment = view(*window).job()->firstMoment();
    for (std::size_t rank = 0; rank < 18; ++rank) {
        jobs(*window).choose(rank, rank + 1, moment);
    }
    jobs(*window).choose(0, 17, moment);  // 0 is being read
    waitForLanes(*window, 0, 17);
    QCOMPARE(jobs(*window).attached(), std::size_t {2});
}

void tst_Jobs::recordingIsElsewhere()
{
    auto ranks = load_ranks(job().toStdString());
    for (auto& rank : ranks) {
        rank.file = "node1:/tmp/run/x" + std::to_string(rank.identity.rank) + ".sqlite";
    }
    const QString other = m_folder.filePath(QStringLiteral("other.lanes"));
    save_ranks(ranks, nullptr, other.toStdString());
    auto window = opened(other);
    clickRow(*window, late_rank);
    const QString command = QStringLiteral("lanes gather %1 --full 11,").arg(other);
    QTRY_VERIFY(notice(*window).contains(command));
    QVERIFY2(notice(*window).endsWith(QStringLiteral(" -o ") + other), qPrintable(notice(*window)));
    window->findChild<QPushButton*>(QStringLiteral("noticeOffer"))->click();
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(command));
    QVERIFY(!QGuiApplication::clipboard()->text().contains(QLatin1Char('\n')));
    QCOMPARE(window->workspace().count(), 0);
    // What was fetched lies beside it.
    QVERIFY(QDir().mkpath(other + QStringLiteral(".full")));
    for (const int rank : {11, 4}) {
        QVERIFY(QFile::copy(m_folder.filePath(QStringLiteral("rank%1.sqlite").arg(rank)),
            other + QStringLiteral(".full/rank%1.sqlite").arg(rank, 4, 10, QLatin1Char('0'))));
    }
    jobs(*window).choose(late_rank, 4, view(*window).job()->firstMoment());
    waitForLanes(*window, late_rank, 4);
}

void tst_Jobs::picturesAndPages_data()
{
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("has");
    QTest::newRow("png") << QStringLiteral("png") << QByteArray("\x89PNG") << QByteArray();
    QTest::newRow("svg") << QStringLiteral("svg") << QByteArray("<?xml") << QByteArray("Rank 11 is late");
    QTest::newRow("pdf") << QStringLiteral("pdf") << QByteArray("%PDF") << QByteArray();
    QTest::newRow("html") << QStringLiteral("html") << QByteArray("<!DOCTYPE html>") << QByteArray("Rank 11 is late");
    QTest::newRow("no such ending") << QStringLiteral("gif") << QByteArray() << QByteArray();
}

void tst_Jobs::picturesAndPages()
{
    QFETCH(const QString, ending);
    QFETCH(const QByteArray, begin);
    QFETCH(const QByteArray, has);
    auto window = opened(job());
    const QString path = m_folder.filePath(QStringLiteral("out.") + ending);
    jobs(*window).save(path);
    QFile file(path);
    if (begin.isEmpty()) {
        QVERIFY(!file.exists());
        QVERIFY(notice(*window).contains(QStringLiteral("unknown ending")));
        return;
    }
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY2(bytes.startsWith(begin), bytes.left(40));
    QVERIFY(bytes.contains(has));
    jobs(*window).save(path);
    file.seek(0);
    QCOMPARE(QFile(path).size(), static_cast<qint64>(bytes.size()));
    if (ending == QLatin1String("png")) {
        QCOMPARE(QImage(path).size(), QSize(1600, 900) * QImage(path).width() / 1600);
    }
}

void tst_Jobs::saysWhatCannotBeWritten()
{
    auto window = opened(job());
    const QString path = job() + QStringLiteral("/out.svg");  // under a file, where nobody can write, root included
    jobs(*window).save(path);
    const QString said = notice(*window);
    QVERIFY2(said.startsWith(path + QStringLiteral(" cannot be written: ")), qPrintable(said));
}

void tst_Jobs::anotherLanguage()
{
    auto window = opened(job());
    view(*window).setMeasure(HeatMeasure::idle);
    MainWindow other;
    other.show();
    other.continueFrom(*window);
    QCOMPARE(view(other).job(), view(*window).job());
    QCOMPARE(view(other).shown().measure, HeatMeasure::idle);
}

QTEST_MAIN(tst_Jobs)
#include "tst_jobs.moc"
