// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_arrangement.h"

#include <algorithm>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

using namespace lanes::gui;

namespace {

// Lanes by one letter: R the ribbon, t u v threads, G and H GPUs, the letters after them their streams, P and Q
// processes, the letters after them their threads.
const QString all = QStringLiteral("RtuvGabcHxy");

LaneKey keyOf(QChar letter)
{
    const auto id = static_cast<std::uint32_t>(letter.unicode());
    if (letter == u'R') {
        return {};
    }
    if (letter == u'G' || letter == u'H') {
        return {.kind = LaneKind::gpu, .device = letter == u'G' ? 0U : 1U};
    }
    if (letter == u'P' || letter == u'Q') {
        return {.kind = LaneKind::process, .process = letter == u'P' ? 1U : 2U};
    }
    if (QStringLiteral("klmn").contains(letter)) {
        return {.kind = LaneKind::thread, .process = QStringLiteral("kl").contains(letter) ? 1U : 2U, .id = id};
    }
    if (QStringLiteral("tuv").contains(letter)) {
        return {.kind = LaneKind::thread, .process = 4711, .id = id};
    }
    return {.kind = LaneKind::stream, .device = QStringLiteral("abc").contains(letter) ? 0U : 1U, .id = id};
}

std::vector<Lane> lanesOf(const QString& letters)
{
    std::vector<Lane> lanes;
    for (const QChar letter : letters) {
        lanes.emplace_back().key = keyOf(letter);
    }
    return lanes;
}

/// Letters top to bottom; ' before a pinned one, - after a collapsed one, folded ones in brackets, the number
/// hidden at the end.
QString textOf(const LaneArrangement& arrangement, const QString& letters = all)
{
    const auto lanes = lanesOf(letters);
    const ArrangedLanes arranged = arrangement.arrange(lanes);
    QString text;
    for (const ArrangedLane& lane : arranged.lanes) {
        text += (lane.pinned && letters[qsizetype(lane.lane)] != u'R' ? QStringLiteral("'") : QString())
            + letters[qsizetype(lane.lane)];
        text += lane.collapsed ? QStringLiteral("-") : QString();
        if (!lane.folded.empty()) {
            text += u'(';
            for (const std::size_t folded : lane.folded) {
                text += letters[qsizetype(folded)];
            }
            text += u')';
        }
    }
    return arranged.hidden > 0 ? text + QString::number(arranged.hidden) : text;
}

/// "h t": hide; "p", "P": pin, unpin; "c", "C": collapse, expand; "< ab", "> ab": move a before, after b;
/// "^ a", "_ a": one up, one down; "s": show all; "r": reset. False if a move was refused.
bool apply(LaneArrangement& arrangement, const QString& step, const QString& letters = all)
{
    const auto lanes = lanesOf(letters);
    const auto at = [&](int i) { return static_cast<std::size_t>(letters.indexOf(step[i])); };
    switch (step[0].unicode()) {
    case 'h':
        arrangement.hide(keyOf(step[2]));
        return true;
    case 'p':
    case 'P':
        arrangement.setPinned(keyOf(step[2]), step[0] == u'p');
        return true;
    case 'c':
    case 'C':
        arrangement.setCollapsed(keyOf(step[2]), step[0] == u'c');
        return true;
    case '<':
    case '>':
        return arrangement.move(lanes, at(2), at(3), step[0] == u'>');
    case '^':
    case '_':
        return arrangement.moveBy(lanes, at(2), step[0] == u'^' ? -1 : 1);
    case 's':
        arrangement.showAll();
        return true;
    case 'r':
        arrangement.reset();
        return true;
    }
    return false;
}

}  // namespace

class tst_LaneArrangement : public QObject {
    Q_OBJECT

private slots:
    void arranges_data();
    void arranges();
    void refuses_data();
    void refuses();
    void processesHoldTheirThreads_data();
    void processesHoldTheirThreads();
    void followsAnother();
    void knowsLanesThatComeAndGo();
    void losesNoLane();
    void manyLanes();
};

/// The places of all lanes are found at once: one by one it takes a minute for this many.
void tst_LaneArrangement::manyLanes()
{
    const auto few = lanesOf(QStringLiteral("RtuvGabcHxyPklQmn"));
    const auto heads = headsOf(few);
    for (std::size_t lane = 0; lane < few.size(); ++lane) {
        QCOMPARE(heads[lane], headOf(few, lane));
    }
    std::vector<Lane> lanes = lanesOf(QStringLiteral("RG"));
    constexpr std::uint32_t streams = 100'000;
    for (std::uint32_t id = 0; id < streams; ++id) {
        lanes.emplace_back().key = {.kind = LaneKind::stream, .device = 0, .id = id};
    }
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(LaneArrangement().arrange(lanes).lanes.size(), std::size_t {streams + 2});
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
}

void tst_LaneArrangement::arranges_data()
{
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* steps, const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(steps) << QString::fromLatin1(expected);
    };
    row("as recorded", "", "RtuvGabcHxy");
    row("a hidden thread", "h u", "RtvGabcHxy1");
    row("a hidden GPU takes its streams along", "h G", "RtuvHxy3");
    row("a hidden stream of a hidden GPU counts once", "h G,h a", "RtuvHxy3");
    row("a GPU without streams goes", "h x,h y", "RtuvGabc2");
    row("all shown again", "h x,h y,h R,s", "RtuvGabcHxy");
    row("the ribbon can be hidden", "h R", "tuvGabcHxy1");
    row("pinned ones stand under the ribbon", "p v,p b", "R'v'btuGacHxy");
    row("pinned again: last", "p v,p b,p v", "R'b'vtuGacHxy");
    row("unpinned: back where it was", "p v,p b,P v", "R'btuvGacHxy");
    row("a pinned GPU takes its streams along", "p H", "R'H'x'ytuvGabc");
    row("a pinned stream leaves its pinned GPU", "p H,p y", "R'H'x'ytuvGabc");
    row("a pinned stream before its pinned GPU", "p y,p H", "R'y'H'xtuvGabc");
    row("all streams pinned: no header is left", "p x,p y", "R'x'ytuvGabc");
    row("a hidden one that is pinned is hidden", "p v,h v", "RtuGabcHxy1");
    row("the pinned stream of a hidden GPU is hidden", "p a,h G", "RtuvHxy3");
    row("the ribbon is not pinned", "p R", "RtuvGabcHxy");
    row("collapsed", "c t,c b", "Rt-uvGab-cHxy");
    row("a collapsed GPU folds its streams", "c G", "RtuvG-(abc)Hxy");
    row("but not the hidden and the pinned ones", "c G,h b,p c", "R'ctuvG-(a)Hxy1");
    row("expanded", "c G,c t,C G", "Rt-uvGabcHxy");
    row("the ribbon is not collapsed", "c R", "RtuvGabcHxy");
    row("before another thread", "< vt", "RvtuGabcHxy");
    row("behind another thread", "> tv", "RuvtGabcHxy");
    row("a GPU before a thread", "< Hu", "RtHxyuvGabc");
    row("a thread behind a GPU: behind its streams", "> tG", "RuvGabctHxy");
    row("among streams", "< ca", "RtuvGcabHxy");
    row("one up", "^ c", "RtuvGacbHxy");
    row("two up", "^ c,^ c", "RtuvGcabHxy");
    row("one down over a GPU", "_ v", "RtuGabcvHxy");
    row("past a hidden one", "h u,_ t", "RvtGabcHxy1");
    row("the hidden one stays where it was", "h u,_ t,s", "RuvtGabcHxy");
    row("among the pinned", "p t,p a,p v,^ v", "R't'v'auGbcHxy");
    row("folded lanes in their order", "< ca,c G", "RtuvG-(cab)Hxy");
    row("reset", "h u,p v,c G,< yx,r", "RtuvGabcHxy");
}

void tst_LaneArrangement::arranges()
{
    QFETCH(QString, steps);
    QFETCH(QString, expected);
    LaneArrangement arrangement;
    QVERIFY(arrangement.isEmpty());
    for (const QString& step : steps.split(u',', Qt::SkipEmptyParts)) {
        QVERIFY2(apply(arrangement, step), qPrintable(step));
    }
    QCOMPARE(textOf(arrangement), expected);
}

void tst_LaneArrangement::refuses_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("step");
    const auto row = [](const char* name, const char* before, const char* step) {
        QTest::newRow(name) << QString::fromLatin1(before) << QString::fromLatin1(step);
    };
    row("a stream out of its GPU", "", "< at");
    row("a stream into another GPU", "", "> ax");
    row("a thread among streams", "", "< ta");
    row("anything over the ribbon", "", "< tR");
    row("the ribbon", "", "> Rt");
    row("onto itself", "", "> tt");
    row("a pinned one among the others", "p t", "< tv");
    row("over the first", "", "^ t");
    row("under the last", "", "_ H");
    row("over the first stream", "", "^ a");
    row("under the last stream", "", "_ c");
    row("over the first pinned one", "p t,p a", "^ t");
}

void tst_LaneArrangement::refuses()
{
    QFETCH(QString, before);
    QFETCH(QString, step);
    LaneArrangement arrangement;
    for (const QString& earlier : before.split(u',', Qt::SkipEmptyParts)) {
        QVERIFY(apply(arrangement, earlier));
    }
    const QString text = textOf(arrangement);
    QVERIFY(!apply(arrangement, step));
    QCOMPARE(textOf(arrangement), text);
}

void tst_LaneArrangement::processesHoldTheirThreads_data()
{
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("expected");
    QTest::newRow("as recorded") << ""
                                 << "RPklQmnGabc";
    QTest::newRow("collapsed") << "c P"
                               << "RP-(kl)QmnGabc";
    QTest::newRow("hidden") << "h Q"
                            << "RPklGabc2";
    QTest::newRow("moved with its threads") << "< QP"
                                            << "RQmnPklGabc";
    QTest::newRow("its threads among themselves") << "< lk"
                                                  << "RPlkQmnGabc";
    QTest::newRow("one thread pinned") << "p m"
                                       << "R'mPklQnGabc";
}

void tst_LaneArrangement::processesHoldTheirThreads()
{
    QFETCH(QString, steps);
    const QString letters = QStringLiteral("RPklQmnGabc");
    LaneArrangement arrangement;
    for (const QString& step : steps.split(u',', Qt::SkipEmptyParts)) {
        QVERIFY(apply(arrangement, step, letters));
    }
    QTEST(textOf(arrangement, letters), "expected");
    QVERIFY(!apply(arrangement, QStringLiteral("> km"), letters));  // not into another process
}

/// t is u there, G is H, a is x; b has no counterpart.
void tst_LaneArrangement::followsAnother()
{
    const std::map<LaneKey, LaneKey> same {{keyOf(u'R'), keyOf(u'R')}, {keyOf(u't'), keyOf(u'u')},
        {keyOf(u'G'), keyOf(u'H')}, {keyOf(u'a'), keyOf(u'x')}, {keyOf(u'v'), keyOf(u'v')}};
    LaneArrangement theirs;
    LaneArrangement own;
    for (const char* step : {"p t", "c a", "h b", "< Gv"}) {
        QVERIFY(apply(theirs, QString::fromLatin1(step)));
    }
    for (const char* step : {"h c", "c x", "p v"}) {
        QVERIFY(apply(own, QString::fromLatin1(step)));
    }
    // The arrangement of c stays; v and x follow: v is not pinned there, a is collapsed.
    QCOMPARE(textOf(own.following(theirs, same)), QStringLiteral("R'utHx-yvGab1"));
    QCOMPARE(own.following(theirs, {}), own);
}

void tst_LaneArrangement::knowsLanesThatComeAndGo()
{
    LaneArrangement arrangement;
    QVERIFY(apply(arrangement, QStringLiteral("< ca")));
    QVERIFY(apply(arrangement, QStringLiteral("p u")));
    const QString fewer = QStringLiteral("RtvGabHxy");  // as a filter leaves them
    QCOMPARE(textOf(arrangement, fewer), QStringLiteral("RtvGabHxy"));
    QVERIFY(apply(arrangement, QStringLiteral("< ba"), fewer));
    QCOMPARE(textOf(arrangement, fewer), QStringLiteral("RtvGbaHxy"));
    QVERIFY(textOf(arrangement).startsWith(QStringLiteral("R'utvGba")));
    QVERIFY(textOf(arrangement).contains(u'c'));
}

void tst_LaneArrangement::losesNoLane()
{
    QRandomGenerator random(20261121);
    const auto lanes = lanesOf(all);
    for (int run = 0; run < 200; ++run) {
        LaneArrangement arrangement;
        for (int step = 0; step < 30; ++step) {
            const auto a = static_cast<std::size_t>(random.bounded(int(lanes.size())));
            const auto b = static_cast<std::size_t>(random.bounded(int(lanes.size())));
            switch (random.bounded(6)) {
            case 0:
                arrangement.hide(lanes[a].key);
                break;
            case 1:
                arrangement.setPinned(lanes[a].key, random.bounded(2) == 0);
                break;
            case 2:
                arrangement.setCollapsed(lanes[a].key, random.bounded(2) == 0);
                break;
            case 3:
                arrangement.move(lanes, a, b, random.bounded(2) == 0);
                break;
            case 4:
                arrangement.moveBy(lanes, a, random.bounded(2) == 0 ? -1 : 1);
                break;
            default:
                if (random.bounded(4) == 0) {
                    arrangement.showAll();
                }
            }
            const ArrangedLanes arranged = arrangement.arrange(lanes);
            std::vector<int> seen(lanes.size());
            std::size_t shown = 0;
            bool scrolling = false;
            for (const ArrangedLane& lane : arranged.lanes) {
                ++seen[lane.lane];
                shown += lanes[lane.lane].key.kind != LaneKind::gpu;
                QVERIFY(!lane.pinned || !scrolling);
                scrolling = !lane.pinned;
                for (const std::size_t folded : lane.folded) {
                    ++seen[folded];
                    ++shown;
                }
            }
            QVERIFY(std::all_of(seen.begin(), seen.end(), [](int times) { return times <= 1; }));
            QCOMPARE(shown + arranged.hidden, std::size_t(9));
        }
    }
}

QTEST_APPLESS_MAIN(tst_LaneArrangement)
#include "tst_lane_arrangement.moc"
