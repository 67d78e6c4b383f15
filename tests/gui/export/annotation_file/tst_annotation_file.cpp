// SPDX-License-Identifier: MIT
#include "engine/workload/workload.h"
#include "gui/export/annotation_file.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

const std::vector<std::vector<std::string>> two_lanes {{"main", "compute"}, {"main", "copy"}};

}  // namespace

class tst_AnnotationFile : public QObject {
    Q_OBJECT

private slots:
    void isRead();
    void comesBackAsItWas();
    void lanesAreThoseOfAnyGrouping();
    void errorsNameTheirPlace_data();
    void errorsNameTheirPlace();
    void asManyAsCanBePlacedAreRead();
};

void tst_AnnotationFile::isRead()
{
    const auto all = parseAnnotations(R"(annotations:
  - text:    {at: 12.3 ms, lane: compute, says: idle, height: 0.25}
  - bracket: {from: 2 ms, to: 6.6 ms, lane: copy, recording: B}
  - arrow:   {from: 2 us, from_lane: main, to: 1 us, to_lane: compute, to_height: 1}
  - frame:   {from: 0 ms, to: 4 ns}
)",
        "a.yaml", two_lanes);
    using Kind = Annotation::Kind;
    const AnnotationSpot idle {12'300'000, "compute", 0.25};
    QCOMPARE(all.size(), 4u);
    QVERIFY(all[0] == (Annotation {Kind::text, 0, idle, idle, "idle"}));
    QVERIFY(all[1] == (Annotation {Kind::bracket, 1, {2'000'000, "copy", 0.5}, {6'600'000, "copy", 0.5}, ""}));
    QVERIFY(all[2] == (Annotation {Kind::arrow, 0, {2'000, "main", 0.5}, {1'000, "compute", 1}, ""}));
    QVERIFY(all[3] == (Annotation {Kind::frame, 0, {0, "", 0.5}, {4, "", 0.5}, ""}));
    QVERIFY(parseAnnotations("annotations: []\n", "").empty());
}

void tst_AnnotationFile::comesBackAsItWas()
{
    using Kind = Annotation::Kind;
    const AnnotationSpot spot {1'234'567, "a: \"lane\"", 0.125};
    const std::vector<Annotation> all {{Kind::text, 0, spot, spot, "two\nlines, 中文, # \\ {}"},
        {Kind::bracket, 1, {1, "copy", 0.5}, {2'000'000'001, "copy", 0.5}, ""},
        {Kind::arrow, 0, {7, "x", 0}, {3, "y", 1}, "why"}, {Kind::frame, 0, {0, "", 0.5}, {9, "", 0.5}, "all"}};
    const std::string text = annotationText(all);
    QVERIFY2(parseAnnotations(text, "") == all, text.c_str());
    QVERIFY(parseAnnotations(annotationText({}), "").empty());
}

void tst_AnnotationFile::lanesAreThoseOfAnyGrouping()
{
    const std::vector<RecordingPtr> both {samples::copyResultsBack({}), samples::everything()};
    const auto in = [](const std::string& lane, const std::string& side) {
        return "annotations:\n  - text: {at: 1 ms, lane: " + lane + ", says: y, recording: " + side + "}\n";
    };
    for (const auto* lane : {"overlap", "compute", "GPU 0 SMs", "GPU 0 D2H"}) {
        QCOMPARE(parseAnnotationsOf(both, in(lane, "A"), "").front().from.lane, std::string(lane));
    }
    QCOMPARE(parseAnnotationsOf(both, in("GPU 0 H2D", "B"), "").size(), std::size_t(1));
    QVERIFY_THROWS_EXCEPTION(WorkloadError, parseAnnotationsOf(both, in("GPU 0 H2D", "A"), ""));  // it has none
    QVERIFY_THROWS_EXCEPTION(WorkloadError, parseAnnotationsOf({both[0]}, in("compute", "B"), ""));
}

void tst_AnnotationFile::errorsNameTheirPlace_data()
{
    QTest::addColumn<QString>("item");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("message");
    QTest::newRow("kind") << "txt: {at: 1 ms}" << 5 << "unknown annotation 'txt'";
    QTest::newRow("key") << "text: {at: 1 ms, line: x, says: y}" << 22 << "unknown key 'line'";
    QTest::newRow("no time") << "text: {lane: main, says: y}" << 11 << "'at' is missing";
    QTest::newRow("unit") << "text: {at: 1 MiB, lane: main, says: y}" << 16 << "expected a time such as 2.5 ms";
    QTest::newRow("below zero") << "text: {at: -1 ms, lane: main, says: y}" << 16 << "expected a time such as 2.5 ms";
    QTest::newRow("lane") << "text: {at: 1 ms, lane: mian, says: y}" << 28 << "did you mean 'main'?";
    QTest::newRow("lane of the other") << "text: {at: 1 ms, lane: copy, says: y}" << 28 << "unknown lane 'copy'";
    QTest::newRow("backwards") << "bracket: {from: 2 ms, to: 1 ms, lane: main}" << 31 << "an end before the start";
    QTest::newRow("height") << "text: {at: 1 ms, lane: main, height: 2, says: y}" << 42 << "a number from 0";
    QTest::newRow("recording") << "frame: {from: 1 ms, to: 2 ms, recording: C}" << 46 << "expected A or B";
    QTest::newRow("nothing said") << "text: {at: 1 ms, lane: main}" << 11 << "'says' is missing";
    QTest::newRow("too much said") << "text: {at: 1 ms, lane: main, says: " + QString(501, 'x') + "}" << 40
                                   << "found 501 bytes, expected at most 500";
}

void tst_AnnotationFile::errorsNameTheirPlace()
{
    QFETCH(QString, item);
    QFETCH(int, column);
    QFETCH(QString, message);
    try {
        parseAnnotations("annotations:\n  - " + item.toStdString() + "\n", "a.yaml", two_lanes);
        QFAIL("it was taken");
    } catch (const WorkloadError& error) {
        QCOMPARE(int(error.line()), 2);
        QCOMPARE(int(error.column()), column);
        QVERIFY2(QString::fromUtf8(error.what()).contains(message), error.what());
    }
}

void tst_AnnotationFile::asManyAsCanBePlacedAreRead()
{
    std::vector<Annotation> all(
        most_annotations, {Annotation::Kind::frame, 0, {1'000, {}, 0.5}, {2'000, {}, 0.5}, "one"});
    all.resize(2 * most_annotations, {Annotation::Kind::frame, 1, {1'000, {}, 0.5}, {2'000, {}, 0.5}, "one"});
    QCOMPARE(parseAnnotations(annotationText(all), "a.yaml", two_lanes).size(), all.size());
    all.push_back(all.front());
    QVERIFY_THROWS_EXCEPTION(WorkloadError, parseAnnotations(annotationText(all), "a.yaml", two_lanes));
}

QTEST_APPLESS_MAIN(tst_AnnotationFile)
#include "tst_annotation_file.moc"
