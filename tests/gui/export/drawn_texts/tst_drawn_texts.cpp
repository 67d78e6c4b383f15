// SPDX-License-Identifier: MIT
// No text of a picture is cut off, overlaps another one or is outside, and each leaves a quarter of the
// hatch of a wait in sight: every shipped recording, beside the next one of its workload where there is one, in six
// sizes from a screen to a paper column, three themes and two languages. The plain run takes two of the 36 combinations
// for each recording, different ones in turn; LANES_ALL_PICTURES=1 takes all.
#include "engine/analysis/lesson_texts.h"
#include "engine/store/recording_file.h"
#include "gui/export/picture.h"
#include "gui/export/picture_size.h"
#include "gui/paint/drawn_texts.h"
#include "gui/paint/label_painter.h"
#include "tests/effort.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QLocale>
#include <QTest>
#include <QTranslator>

#include <algorithm>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr const char* sizes[] {"1280x720", "1600x900", "1920x1080", "2560x1440", "85mm", "210x297mm"};
constexpr const char* languages[] {"en", "zh_CN"};
constexpr int combinations = 36;
constexpr int step = 7;  // has no divisor in common with the combinations
constexpr double most_hidden = 0.75;  // of a bar's hatch: its text is on a plain ground
constexpr double touching = 1;  // pixels: letters that reach that far into one another can still be read

RecordingPtr opened(const QString& path, const QString& language)
{
    auto shown = std::make_shared<ShownRecording>(*ShownRecording::of(open_recording(path.toStdString())));
    if (const auto title = recorded_titles(*shown->trace, language.toStdString()).variant; !title.empty()) {
        shown->title = title;
    }
    return shown;
}

QString told(const DrawnText& text)
{
    return QStringLiteral("\"%1\" at %2,%3 to %4,%5")
        .arg(text.text)
        .arg(text.ink.left())
        .arg(text.ink.top())
        .arg(text.ink.right())
        .arg(text.ink.bottom());
}

/// "" or what is wrong with the texts of one picture.
QString complaintOf(const std::vector<DrawnText>& texts)
{
    for (const DrawnText& text : texts) {
        const QRectF cut = text.ink & text.seen;
        if (cut.width() < text.ink.width() - touching || cut.height() < text.ink.height() - touching) {
            return told(text) + QStringLiteral(" is cut off");
        }
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t j = i + 1; j < texts.size(); ++j) {
            const QRectF both = texts[i].ink & texts[j].ink;
            if (both.width() > touching && both.height() > touching) {
                return told(texts[i]) + QStringLiteral(" lies over ") + told(texts[j]);
            }
        }
    }
    return {};
}

/// "" or which bar's hatch is hidden, counting all of a text's box as ink.
QString hiddenHatch(const DrawnTexts& drawn)
{
    for (const QRectF& bar : drawn.hatches) {
        double hidden = 0;
        for (const DrawnText& text : drawn.texts) {
            const QRectF both = text.ink & bar;
            hidden += both.isEmpty() ? 0 : both.width() * both.height();
        }
        if (hidden > most_hidden * bar.width() * bar.height()) {
            return QStringLiteral("%1 % of the hatch at %2,%3 is hidden")
                .arg(100 * hidden / (bar.width() * bar.height()))
                .arg(bar.left())
                .arg(bar.top());
        }
    }
    return {};
}

}  // namespace

class tst_DrawnTexts : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyRecording_data();
    void everyRecording();
    void someOfThemWereHatched();
    void whatIsWrongIsSeen();

private:
    QByteArray m_texts;
    QTranslator m_chinese;
    std::size_t m_hatches = 0;
};

void tst_DrawnTexts::initTestCase()
{
    QFile file(qEnvironmentVariable("LANES_BUILD") + QStringLiteral("/gui/app/lanescope_zh_CN.qm"));
    QVERIFY2(file.open(QIODevice::ReadOnly), "the window's texts are not built");
    m_texts = file.readAll();  // not mapped: a build may rewrite it meanwhile
    QVERIFY(m_chinese.load(reinterpret_cast<const uchar*>(m_texts.constData()), static_cast<int>(m_texts.size())));
}

void tst_DrawnTexts::everyRecording_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<int>("combination");
    const bool all = qEnvironmentVariableIntValue("LANES_ALL_PICTURES") != 0;
    const QDir folder(qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings"));
    int turn = 0;
    int pictures = 0;
    for (const QString& machine : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir of(folder.filePath(machine));
        const QStringList names = of.entryList({QStringLiteral("*.sqlite")}, QDir::Files);
        for (qsizetype i = 0; i < names.size(); ++i) {
            QStringList files {of.filePath(names[i])};
            const auto workload = [&](qsizetype at) { return names[at].section(QLatin1Char('.'), 0, 0); };
            if (i + 1 < names.size() && workload(i) == workload(i + 1)) {
                files += of.filePath(names[i + 1]);
            }
            for (int k = 0; k < (all ? combinations : 2); ++k) {
                if (!all && pictures++ % one_trial_in != 0) {
                    continue;
                }
                const int combination = all ? k : turn % combinations;
                turn += step;
                QTest::addRow("%s, %s, %s, %s", qPrintable(names[i]), sizes[combination % 6],
                    languages[combination / 6 % 2], qPrintable(Theme::names()[combination / 12]))
                    << files << combination;
            }
        }
    }
}

void tst_DrawnTexts::everyRecording()
{
    QFETCH(QStringList, files);
    QFETCH(int, combination);
    PictureOptions options;
    options.theme = Theme::names()[combination / 12];
    options.language = QLatin1String(languages[combination / 6 % 2]);
    const QLocale before;
    QLocale::setDefault(QLocale(options.language));
    if (combination / 6 % 2 == 1) {
        QCoreApplication::installTranslator(&m_chinese);
    }
    const GivenSize size = *givenSize(QLatin1String(sizes[combination % 6]));
    setSize(options, nullptr, size, size.onPaper ? 200 : 0);
    std::vector<ViewState> views;
    for (const QString& file : files) {
        views.push_back(ViewState::of(opened(file, options.language)));
    }
    if (const auto view = recorded_view(views.front().model->trace())) {
        options.range = Interval {view->start, view->end};
    }
    QString complaint;
    std::size_t texts = 0;
    {
        const DrawnTexts drawn;
        pictureImage(views, options);
        texts = drawn.texts.size();
        complaint = complaintOf(drawn.texts);
        complaint += hiddenHatch(drawn);
        m_hatches += drawn.hatches.size();
    }
    QCoreApplication::removeTranslator(&m_chinese);
    QLocale::setDefault(before);
    QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
    QVERIFY(texts > 8);
}

void tst_DrawnTexts::someOfThemWereHatched()
{
    QVERIFY(m_hatches > 100 / one_trial_in);
}

void tst_DrawnTexts::whatIsWrongIsSeen()
{
    const auto complaint = [](double x, double y, double x2) {
        QImage image(200, 60, QImage::Format_RGB32);
        QPainter painter(&image);
        LabelPainter labels;
        const DrawnTexts drawn;
        labels.draw(painter, 10, 30, QStringLiteral("first"), {11, TextStyle::regular}, Qt::black, false);
        labels.drawOn(painter, x, y, QStringLiteral("second"), {11, TextStyle::regular}, Qt::black, Qt::white, false);
        labels.draw(painter, x2, 50, QStringLiteral("third"), {11, TextStyle::regular}, Qt::black, true);
        return complaintOf(drawn.texts);
    };
    QCOMPARE(complaint(80, 30, 10), QString());
    QVERIFY(complaint(20, 32, 10).contains(QStringLiteral("\"first\"")));
    QVERIFY(complaint(20, 32, 10).contains(QStringLiteral("lies over")));
    QVERIFY(complaint(80, 3, 10).contains(QStringLiteral("is cut off")));
    QVERIFY(complaint(80, 30, 190).contains(QStringLiteral("is cut off")));
}

QTEST_MAIN(tst_DrawnTexts)
#include "tst_drawn_texts.moc"
