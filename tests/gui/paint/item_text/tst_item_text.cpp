// SPDX-License-Identifier: MIT
// Labels of everything in every shipped recording, at 40 widths. The recordings hold 48,000 items but a hundred or so
// different lists of labels: each list is made for every item and drawn once a width, so that the test is cheap enough
// for the sanitizers, too.
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"
#include "gui/lanes/family_role.h"
#include "gui/lanes/wait_role.h"
#include "gui/paint/label_painter.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/label_forms.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/range_figures.h"
#include "gui/paint/words/role_text.h"
#include "gui/paint/words/time_format.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QDir>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr LabelPainter::Style style {12, TextStyle::regular};
constexpr int widths = 40;
constexpr int step = 9;  // pixels between two widths: to 360, longer than most names
constexpr int beyond = 24;

QString utf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QStringList shippedRecordings()
{
    const QDir folder(qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings"));
    QStringList files;
    for (const QString& machine : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir of(folder.filePath(machine));
        for (const QString& name : of.entryList({QStringLiteral("*.sqlite")}, QDir::Files)) {
            files << of.filePath(name);
        }
    }
    return files;
}

/// True if there is ink right of `room` pixels.
bool reachesBeyond(const QImage& image, int room, QRgb ground)
{
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = room; x < image.width(); ++x) {
            if (line[x] != ground) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

class tst_ItemText : public QObject {
    Q_OBJECT

private slots:
    void theLegendIsInOneOrder();
    void familiesAreCalledAsTheirColours();
    void everyLabelOfEveryShippedRecording();
    void namesAreCutWhereTheyStillSaySomething();
    void clausesAreLeftOutWhole();
    void labels();
    void waitsSayWhatTheyCost();
    void longNamesAreShortened();
    void formsOfNames_data();
    void formsOfNames();
    void rangeFigures();
    void kernelNames_data();
    void kernelNames();
    void printableText_data();
    void printableText();
};

void tst_ItemText::namesAreCutWhereTheyStillSaySomething()
{
    LabelPainter labels;
    const double room = labels.width(QStringLiteral("CPU  NetworkChangeNo"), style);
    QVERIFY(
        labels.elided(QStringLiteral("CPU  NetworkChangeNotifier"), room, style).contains(QLatin1String("Network")));
    QCOMPARE(labels.elided(QStringLiteral("CPU  NetworkCha of the browser"), room, style),
        QStringLiteral("CPU  NetworkCha of \u2026"));
}

void tst_ItemText::clausesAreLeftOutWhole()
{
    LabelPainter painter;
    const QString all = QStringLiteral("overlapped: copies hidden 88 % \u00B7 2.9 times as fast");
    const auto shown = [&](const QString& widest) { return painter.clauses(all, painter.width(widest, style), style); };
    QCOMPARE(shown(all), all);
    QCOMPARE(shown(all.chopped(1)), QStringLiteral("overlapped: copies hidden 88 %"));
    QCOMPARE(shown(QStringLiteral("overlapped: copies hidden")), QStringLiteral("overlapped"));
    QVERIFY(shown(QStringLiteral("overlap")).endsWith(QChar(0x2026)));
}

/// But for what is drawn as one of the other kernels: one operation is none of several.
void tst_ItemText::familiesAreCalledAsTheirColours()
{
    for (std::size_t i = 0; i < family_count; ++i) {
        const auto family = static_cast<Family>(i);
        const QString own = family == Family::copy ? QStringLiteral("copy")
            : family == Family::memset             ? QStringLiteral("memset")
            : family == Family::other              ? QStringLiteral("kernel")
                                                   : roleText(roleOf(family));
        QCOMPARE(familyText(family), own);
        QVERIFY(!own.isEmpty());
    }
}

void tst_ItemText::everyLabelOfEveryShippedRecording()
{
    QSet<QStringList> different;
    std::size_t items = 0;
    const QStringList files = shippedRecordings();
    QVERIFY(files.size() > 90);
    for (const QString& file : files) {
        const auto recording = ShownRecording::of(open_recording(file.toStdString()));
        const Trace& trace = *recording->trace;
        const auto take = [&](ItemKind kind, std::size_t count) {
            for (std::size_t row = 0; row < count; ++row) {
                const QStringList labels = labelsOf(*recording, {kind, static_cast<Row>(row)});
                items += 1;
                if (kind == ItemKind::operation && trace.operations.kind[row] == OperationKind::kernel) {
                    const QString name = utf8(trace.text(trace.operations.name[row]));
                    for (const QString& label : labels) {  // the name or parts of it
                        for (const QString& part : label.split(QRegularExpression(QStringLiteral("[\u2026 _]")))) {
                            QVERIFY2(name.contains(part), qPrintable(file + QLatin1Char(' ') + label));
                        }
                    }
                }
                different.insert(labels);
            }
        };
        take(ItemKind::operation, trace.operations.size());
        take(ItemKind::call, trace.calls.size());
        take(ItemKind::blocked, recording->blocking->calls.size());
        take(ItemKind::range, trace.ranges.size());
        take(ItemKind::hostSpan, trace.host_spans.size());
        take(ItemKind::read, trace.reads.size());
    }
    QVERIFY(items > 20'000);
    QVERIFY2(different.size() > 50, qPrintable(QString::number(different.size())));

    LabelPainter labels;
    QImage image(widths * step + beyond, 20, QImage::Format_RGB32);
    const QColor ground(Qt::white);
    std::size_t drawn = 0;
    for (const QStringList& list : different) {
        for (const QString& label : list) {
            QCOMPARE(printable(label), label);
        }
        for (int width = step; width <= widths * step; width += step) {
            const QString text = labels.fitting(list, width, style);
            const auto fits
                = [&](const QString& label) { return !label.isEmpty() && labels.width(label, style) <= width; };
            const auto first = std::find_if(list.begin(), list.end(), fits);
            QCOMPARE(text, first == list.end() ? QString() : *first);
            if (text.isEmpty()) {
                continue;
            }
            image.fill(ground);
            QPainter painter(&image);
            labels.drawOn(painter, 0, image.height() / 2.0, text, style, Qt::black, ground, false);
            painter.end();
            QVERIFY2(!reachesBeyond(image, width + 1, ground.rgb()), qPrintable(text));
            ++drawn;
        }
    }
    QVERIFY2(drawn > 2000, qPrintable(QString::number(drawn)));
}

void tst_ItemText::rangeFigures()
{
    const auto recording = samples::copyResultsBack({.copy = 1'180'000, .blocking = false});
    const auto all = figuresOf(*recording, {0, recording->trace->duration});
    QVERIFY(all.summary);
    QCOMPARE(all.summary->of(OperationKind::kernel).count, 8);
    QCOMPARE(all.summary->copies.count, 8);
    QCOMPARE(all.summary->copies.bytes, 8ULL * (64 << 20));
    QCOMPARE(all.summary->copies.busy, 8 * 1'180'000);
    QCOMPARE(all.summary->at_least[0], recording->report->gpu_busy);
    QCOMPARE(all.summary->at_least[1], recording->report->overlap);
    QCOMPARE(all.blocked, recording->report->first_thread()->blocked);
    QCOMPARE(linesOf(all).back(), QString::fromUtf8("512 MiB D2H at 56.9 GB/s · 8 kernels · 8 copies"));
    const auto firstKernel = figuresOf(*recording, {100'000, 200'000});
    QCOMPARE(firstKernel.summary->at_least[0], 100'000);
    QCOMPARE(firstKernel.summary->at_least[1], 0);
    QCOMPARE(linesOf(firstKernel),
        QStringList({QString::fromUtf8("ΔT 100 µs · GPU busy 100 % · overlap 0 % · CPU waits 0 ms"),
            QStringLiteral("1 kernel")}));
    // Half of a copy is half of its bytes, at the same bandwidth.
    const auto& operations = recording->trace->operations;
    for (Row row = 0; row < operations.size(); ++row) {
        if (operations.kind[row] == OperationKind::d2h) {
            const auto half = figuresOf(*recording, {operations.start[row], operations.start[row] + 590'000});
            QCOMPARE(half.summary->of(OperationKind::d2h).bytes, 32ULL << 20);
            QVERIFY2(linesOf(half).back().startsWith(QStringLiteral("32 MiB D2H at 56.9 GB/s")),
                qPrintable(linesOf(half).back()));
            break;
        }
    }
    // Nothing is known about a recording that was not measured.
    Recording unmeasured;
    unmeasured.trace = recording->trace;
    QCOMPARE(linesOf(figuresOf(unmeasured, {0, 5000})), QStringList(QString::fromUtf8("ΔT 5.00 µs")));
}

void tst_ItemText::labels()
{
    const auto recording = samples::copyResultsBack({});
    QCOMPARE(labelsOf(*recording, {ItemKind::operation, 1}), QStringList({"D2H 64 MiB", "D2H"}));
    QCOMPARE(labelsOf(*recording, {ItemKind::call, 1}), QStringList({"cudaMemcpyAsync", "MemcpyAsync"}));
    const QString cost = formatTime(heldCost(*recording, 0));
    QCOMPARE(labelsOf(*recording, {ItemKind::blocked, 0}),
        QStringList({QString::fromUtf8("waits for D2H 64 MiB, costs %1 · cudaMemcpyAsync").arg(cost),
            QStringLiteral("waits for D2H 64 MiB, costs %1").arg(cost), "waits for D2H 64 MiB", "waits for D2H",
            QStringLiteral("costs %1").arg(cost), "waits"}));
    const auto tip = tooltipOf(*recording, {ItemKind::operation, 1});
    QVERIFY(tip.join('\n').contains("17.2 GB/s, device to pageable"));
    QVERIFY(tip.join('\n').contains("issued by cudaMemcpyAsync"));
    const Interval span = spanOf(*recording, {ItemKind::operation, 1});
    const auto fromTo = [](Ns from, Ns to) {
        return QStringLiteral(" long, from %1 to %2").arg(formatTick(from, 10, to), formatTick(to, 10, to));
    };
    QVERIFY2(tip[1].endsWith(fromTo(span.start, span.end)), qPrintable(tip[1]));
    const auto ofRank = tooltipOf(*recording, {ItemKind::operation, 1}, -7'000'000);
    QVERIFY2(ofRank[1].endsWith(fromTo(span.start + 7'000'000, span.end + 7'000'000)), qPrintable(ofRank[1]));
    QCOMPARE(bandwidthText(8, 1500), QStringLiteral("5.33 MB/s"));
    QCOMPARE(bandwidthText(8, 800'000), QStringLiteral("10 kB/s"));
    QCOMPARE(bandwidthText(100, 1000), QStringLiteral("0.1 GB/s"));
    QCOMPARE(bandwidthText(0, 1000), QString());
    QCOMPARE(bandwidthText(100, 0), QString());
}

void tst_ItemText::waitsSayWhatTheyCost()
{
    auto recording = std::make_shared<ShownRecording>(*samples::copyResultsBack({}));
    QCOMPARE(waitRole(*recording, 0), ItemRole::held);
    QVERIFY(heldCost(*recording, 0) > 0);
    WaitCosts costs = *recording->waits;
    costs.waits[costs.wait_of[0]].kind = WaitKind::for_busy_gpu;
    recording->waits = std::make_shared<WaitCosts>(costs);
    QCOMPARE(waitRole(*recording, 0), ItemRole::freeWait);
    QCOMPARE(heldCost(*recording, 0), 0);
    QCOMPARE(labelsOf(*recording, {ItemKind::blocked, 0}).value(1), "waits for D2H 64 MiB, costs nothing");
    QVERIFY(tooltipOf(*recording, {ItemKind::blocked, 0}).join('\n').contains("would have waited as long for a GPU"));
    costs.waits[costs.wait_of[0]].kind = WaitKind::for_result;
    recording->waits = std::make_shared<WaitCosts>(costs);
    QVERIFY(tooltipOf(*recording, {ItemKind::blocked, 0}).join('\n').contains("nothing left to issue"));
    recording->waits.reset();
    QCOMPARE(waitRole(*recording, 0), ItemRole::unknownWait);
    QCOMPARE(labelsOf(*recording, {ItemKind::blocked, 0}).value(1), "waits for D2H 64 MiB, cost not recorded");
}

/// A name that does not fit shows its last part, then what tells that from others.
void tst_ItemText::longNamesAreShortened()
{
    TraceBuilder builder;
    const auto range = [&](std::uint64_t id, const char* name) {
        const auto time = static_cast<Ns>(id) * 1000;
        builder.write(RangeRecord {time, id, 1, 1, builder.intern(name), 0, 0, RangeRecord::begin});
        builder.write(RangeRecord {time + 500, id, 1, 1, 0, 0, 0, RangeRecord::finish});
    };
    range(1, "autograd::engine::evaluate_function: AddmmBackward0");
    range(2, "aten::_scaled_dot_product_flash_attention");
    range(3, "batch 3");
    range(4, "ends::");
    Recording recording;
    recording.trace = std::make_shared<Trace>(builder.finish(Source::cupti));
    const auto labels = [&](Row row) { return labelsOf(recording, {ItemKind::range, row}); };
    QCOMPARE(
        labels(0).mid(0, 2), QStringList({"autograd::engine::evaluate_function: AddmmBackward0", "AddmmBackward0"}));
    QCOMPARE(labels(1).mid(0, 4),
        QStringList({"aten::_scaled_dot_product_flash_attention", "_scaled_dot_product_flash_attention",
            QString::fromUtf8("scaled\u2026attention"), "flash"}));
    QCOMPARE(labels(2), QStringList {"batch 3"});
    QCOMPARE(labels(3), QStringList {"ends::"});
}

void tst_ItemText::formsOfNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("forms");  // those after the name, with | between them
    const auto row = [](const char* name, const char* forms) {
        QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(forms);
    };
    row("", "");
    row("batch 3", "");
    row("matmul kernel", "matmul");
    row("kernel number 12", "number 12|number");
    row("fused_gemm_kernel_a", "gemm");
    row("FlashAttnBwd", "");
    row("internode combine", "combine|internode|com…ne");
    row("FlashAttnBackward", "FlashAt…ckward|FlashA…kward|Flash…ward|Flas…ard|Fla…rd");
    row("fp8_ptp128c_grouped_acc", "fp8…acc|fp8|ptp128c|ptp…8c");
    row("nvjet 64×128 bias TNT", "nvjet…TNT|nvjet");
    row("compute internal gradients", "internal gradients|gradients|grad…nts|gra…ts");
    row("_scaled_dot_product_flash_attention", "scaled…attention|flash|attention|atte…ion|att…on");
    row("void impl device kernel", "void…kernel|device");
    row("add rmsnorm of all #3", "add…all|rmsnorm|rms…rm");
    row("矩阵乘法的一个很长的名字叫做甲乙丙丁",
        "矩阵乘法的一个…叫做甲乙丙丁|矩阵乘法的一…做甲乙丙丁|矩阵乘法的…甲乙丙丁|矩阵乘法…乙丙丁|矩阵乘…丙丁");
}

/// The first that fits is drawn: each is shorter than the name, and none is empty.
void tst_ItemText::formsOfNames()
{
    QFETCH(QString, name);
    QFETCH(QString, forms);
    const QStringList found = labelForms(name);
    QCOMPARE(found.front(), name);
    QCOMPARE(found.mid(1).join(QLatin1Char('|')), forms);
    for (const QString& form : found.mid(1)) {
        QVERIFY(!form.isEmpty() && form.size() < name.size());
    }
}

void tst_ItemText::kernelNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("brief");
    QTest::newRow("given by a person") << "my kernel 3"
                                       << "my kernel 3";
    QTest::newRow("plain") << "sgemm_128x64"
                           << "sgemm_128x64";
    QTest::newRow("template") << "void at::native::add<4, at::Functor<float> >(int, float*)"
                              << "add";
    QTest::newRow("anonymous namespace") << "void (anonymous namespace)::softmax<float>(float*)"
                                         << "softmax";
    QTest::newRow("namespace only") << "cub::DeviceScan"
                                    << "DeviceScan";
}

void tst_ItemText::kernelNames()
{
    QFETCH(QString, name);
    QFETCH(QString, brief);
    QCOMPARE(shortKernelName(name), brief);
}

void tst_ItemText::printableText_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    const QString wrong(QChar {unprintable});
    const auto row
        = [](const char* name, const QString& text, const QString& shown) { QTest::newRow(name) << text << shown; };
    row("nothing", {}, {});
    row("plain", QStringLiteral("D2H 64 MiB \u00B7 \u77E9\u9635"), QStringLiteral("D2H 64 MiB \u00B7 \u77E9\u9635"));
    row("NUL", QString(QChar(0)) + QStringLiteral("_reduce"), wrong + QStringLiteral("_reduce"));
    row("escape", QStringLiteral("a\u001B[31mb"), QStringLiteral("a") + wrong + QStringLiteral("[31mb"));
    row("delete and C1", QStringLiteral("a\u007F") + QChar(0x85), QStringLiteral("a") + wrong + wrong);
    row("change of direction", QStringLiteral("a\u202Eb\u2066c"), QStringLiteral("a") + wrong + u'b' + wrong + u'c');
    row("line separator", QStringLiteral("a\u2028b"), QStringLiteral("a b"));
    row("white space", QStringLiteral("a\tb\r\nc"), QStringLiteral("a b  c"));
    row("beyond the first plane", QString::fromUtf8("\xF0\x9F\x94\xA5"), QString::fromUtf8("\xF0\x9F\x94\xA5"));
    row("high surrogate alone", QString(QChar(0xD83D)) + QLatin1Char('x'), wrong + QLatin1Char('x'));
    row("low surrogate alone", QLatin1Char('x') + QString(QChar(0xDD25)), QLatin1Char('x') + wrong);
    row("no characters", QString(QChar(0xFFFD)) + QChar(0xFFFE) + QChar(0xFFFF), wrong + wrong + wrong);
}

void tst_ItemText::printableText()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(printable(text), shown);
}

void tst_ItemText::theLegendIsInOneOrder()
{
    using enum ItemRole;
    std::bitset<itemRoleCount> has;
    for (const ItemRole role : {none, freeWait, cpuFree, held, d2h, communication}) {
        has.set(static_cast<std::size_t>(role));
    }
    QCOMPARE(rolesOfLegend(has), (std::vector<ItemRole> {communication, d2h, held, freeWait, cpuFree}));
    QCOMPARE(rolesOfLegend(std::bitset<itemRoleCount>().set()).size(), itemRoleCount - 1);
}

QTEST_MAIN(tst_ItemText)
#include "tst_item_text.moc"
