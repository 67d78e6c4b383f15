// SPDX-License-Identifier: MIT
// The dialog through its widgets: it writes what it shows, and the same as `lanescope render`.
#include "engine/store/recording_file.h"
#include "gui/app/export/export_dialog.h"
#include "gui/app/export/pictures.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/export/html/html_page.h"
#include "gui/export/render_command.h"
#include "gui/session/open_recording.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/worker_pool.h"
#include "tests/engine/analysis/tape.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <atomic>

using namespace lanes;
using namespace lanes::gui;

class tst_export_dialog : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QSettings().clear(); }
    void writesWhatTheCommandWrites_data();
    void writesWhatTheCommandWrites();
    void showsTheViewAsItIs();
    void offersWhatIsDrawn_data();
    void offersWhatIsDrawn();
    void previewIsThePicture();
    void previewOfAPageIsNoSlide();
    void copies();
    void remembers();
    void saysWhatCannotBeWritten();
    void aPageHoldsNoMoreThanTheCommands();
    void aPageWaitsForTheWorkers();
    void aPictureWaitsForTheLanes_data();
    void aPictureWaitsForTheLanes();

private:
    static QString recording(const char* name)
    {
        return qEnvironmentVariable("LANES_SOURCE")
            + QStringLiteral("/resources/recordings/h200/copy-results-back.%1.sqlite").arg(QLatin1String(name));
    }
    PictureSource source() const { return {m_views, {3'000'000, 9'000'000}, {}, 900, QStringLiteral("light")}; }
    template <class Widget> static Widget* part(const QDialog& dialog, const char* name)
    {
        auto* found = dialog.findChild<Widget*>(QLatin1String(name));
        if (found == nullptr) {
            qFatal("the dialog has no %s", name);
        }
        return found;
    }
    static void choose(const QDialog& dialog, const char* name, const char* value)
    {
        auto* box = part<QComboBox>(dialog, name);
        box->setCurrentIndex(box->findData(QLatin1String(value)));
        QCOMPARE(box->currentData().toString(), QLatin1String(value));
    }
    QByteArray saved(const ExportDialog& dialog, const QString& name) const
    {
        const QString problem = dialog.save(m_folder.filePath(name));
        QFile file(m_folder.filePath(name));
        return problem.isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll() : problem.toUtf8();
    }

    /// Of more events than a page holds, and than have lanes at once.
    static const RecordingPtr& largeRecording()
    {
        static const RecordingPtr large = [] {
            constexpr Ns each = 1000;
            Tape tape(2 * each * static_cast<Ns>(most_page_items));
            for (Ns i = 0; i <= static_cast<Ns>(most_page_items) / 2; ++i) {
                const Ns at = i * each;
                tape.kernel(tape.call("cudaLaunchKernel", at, at + 100), 13, at + 200, at + 900);
            }
            return analysed(tape.finish(), QString());
        }();
        return large;
    }

    QTemporaryDir m_folder;
    std::vector<ViewState> m_views;
};

void tst_export_dialog::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-tests"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_export_dialog"));
    for (const char* name : {"blocking", "overlapped"}) {
        // As in the window: with a note that the command line's recording lacks.
        auto opened = std::make_shared<OpenRecording>(
            *analysed(open_recording(recording(name).toStdString()), recording(name)));
        opened->note = "a note of the window";
        m_views.push_back(ViewState::of(opened));
    }
}

void tst_export_dialog::writesWhatTheCommandWrites_data()
{
    QTest::addColumn<QString>("ending");
    for (const char* ending : {"png", "svg", "pdf"}) {
        QTest::newRow(ending) << QString::fromLatin1(ending);
    }
}

void tst_export_dialog::writesWhatTheCommandWrites()
{
    QFETCH(QString, ending);
    ExportDialog dialog(source());
    choose(dialog, "exportScope", "all");
    choose(dialog, "exportTheme", "dark");
    choose(dialog, "exportAxis", "bar");
    part<QSpinBox>(dialog, "exportWidth")->setValue(1000);
    part<QSpinBox>(dialog, "exportHeight")->setValue(700);
    part<QCheckBox>(dialog, "exportSource")->setChecked(false);
    const QString path = m_folder.filePath(QStringLiteral("command.") + ending);
    QCOMPARE(renderCommand({recording("blocking"), recording("overlapped"), QStringLiteral("-o"), path,
                 QStringLiteral("--size"), QStringLiteral("1000x700"), QStringLiteral("--scale"), QStringLiteral("2"),
                 QStringLiteral("--theme"), QStringLiteral("dark"), QStringLiteral("--time-scale"),
                 QStringLiteral("bar"), QStringLiteral("--no-source"), QStringLiteral("--all")}),
        0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(saved(dialog, QStringLiteral("dialog.") + ending) == file.readAll());
}

void tst_export_dialog::showsTheViewAsItIs()
{
    PictureSource seen = source();
    const auto& lanes = seen.views[0].model->lanes();
    const auto copies = std::find_if(lanes.begin(), lanes.end(),
        [](const Lane& lane) { return lane.work.all == 1U << static_cast<unsigned>(OperationKind::d2h); });
    QVERIFY(copies != lanes.end());
    seen.views[0].arrangement.hide(copies->key);
    seen.views.pop_back();
    seen.selected = Interval {4'000'000, 5'000'000};
    ExportDialog dialog(seen);
    QCOMPARE(*dialog.options().range, *seen.selected);  // a selected range is chosen by itself
    choose(dialog, "exportScope", "view");
    QCOMPARE(*dialog.options().range, seen.visible);
    QCOMPARE(dialog.options().size.width(), seen.width);
    for (const char* scope : {"view", "all", "selection"}) {
        choose(dialog, "exportScope", scope);
        const QByteArray svg = saved(dialog, QStringLiteral("hidden.svg"));
        QVERIFY(svg.contains(">compute</text>"));
        QVERIFY2(!svg.contains(">copy</text>"), scope);
    }
}

void tst_export_dialog::offersWhatIsDrawn_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<int>("width");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QStringList>("absent");
    const QString usual;
    const QStringList strips {QStringLiteral("exportDifferences"), QStringLiteral("exportOverview")};
    const QStringList caption {QStringLiteral("exportShowTitle"), QStringLiteral("exportSource")};
    QTest::newRow("pixels") << "" << 900 << usual << QStringList();
    QTest::newRow("narrow") << "" << 400 << usual << strips;
    QTest::newRow("slide") << "slide" << 900 << usual << strips;
    QTest::newRow("column") << "column" << 900 << usual << strips + caption;
    QTest::newRow("page") << "page" << 900 << usual << caption;
    QTest::newRow("page, own title") << "page" << 900 << "Mine" << QStringList(QStringLiteral("exportSource"));
    QTest::newRow("poster") << "poster" << 900 << usual << QStringList();
}

/// A part that can be ticked is in the picture; one that is not drawn cannot be, and says why.
void tst_export_dialog::offersWhatIsDrawn()
{
    QFETCH(QString, preset);
    QFETCH(int, width);
    QFETCH(QString, title);
    QFETCH(QStringList, absent);
    ExportDialog dialog(source());
    choose(dialog, "exportPreset", qPrintable(preset));
    part<QSpinBox>(dialog, "exportWidth")->setValue(width);
    if (!title.isEmpty()) {
        part<QLineEdit>(dialog, "exportTitle")->setText(title);
    }
    QVERIFY(part<QLineEdit>(dialog, "exportTitle")->isEnabled());
    for (const char* name : {"exportShowTitle", "exportHeads", "exportFigures", "exportDifferences", "exportLegend",
             "exportSource", "exportOverview"}) {
        auto* box = part<QCheckBox>(dialog, name);
        const bool offered = !absent.contains(QLatin1String(name));
        QCOMPARE(box->isChecked(), offered);  // a tick where nothing comes would promise it
        QVERIFY2(box->isEnabled() == offered, name);
        QCOMPARE(box->toolTip().isEmpty(), offered);
        const QByteArray with = saved(dialog, QStringLiteral("part.svg"));
        box->setChecked(false);
        QVERIFY2((saved(dialog, QStringLiteral("part.svg")) != with) == offered, name);
        box->setChecked(true);
    }
}

void tst_export_dialog::previewIsThePicture()
{
    ExportDialog dialog(source());
    dialog.show();
    auto* preview = part<QLabel>(dialog, "exportPreview");
    auto* caption = part<QLabel>(dialog, "exportCaption");
    const auto shown
        = [&] { return preview->pixmap(Qt::ReturnByValue).toImage().convertToFormat(QImage::Format_RGB32); };
    QTRY_VERIFY(caption->text().contains(QLatin1String("KiB")));
    for (const int width : {1600, 700, 320}) {
        part<QSpinBox>(dialog, "exportWidth")->setValue(width);
        const QImage picture = QImage::fromData(saved(dialog, QStringLiteral("preview.png")));
        const QString size = QStringLiteral("%1 × %2").arg(picture.width()).arg(picture.height());
        QTRY_VERIFY2(caption->text().startsWith(size), qPrintable(caption->text()));
        QTRY_VERIFY(caption->text().contains(QLatin1String("KiB")));
        QVERIFY(
            caption->text().contains(QLocale().formattedDataSize(QFile(m_folder.filePath("preview.png")).size(), 0)));
        PictureOptions options = dialog.options();
        options.scale = 1;
        QImage expected = pictureImage(m_views, options);
        if (expected.width() > preview->width() || expected.height() > preview->height()) {
            expected = expected.scaled(preview->size(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
        }
        QCOMPARE(shown(), expected.convertToFormat(QImage::Format_RGB32));
    }
}

/// A preset and the boxes of pictures are off for a page: earlier choices there have no effect.
void tst_export_dialog::previewOfAPageIsNoSlide()
{
    const auto shown
        = [](const ExportDialog& dialog) { return part<QLabel>(dialog, "exportPreview")->pixmap().toImage(); };
    ExportDialog usual(source());
    choose(usual, "exportFormat", "html");
    usual.show();
    QTRY_VERIFY(!shown(usual).isNull());
    ExportDialog slide(source());
    choose(slide, "exportPreset", "slide");
    part<QCheckBox>(slide, "exportLegend")->setChecked(false);
    choose(slide, "exportFormat", "html");
    slide.show();
    QTRY_VERIFY(!shown(slide).isNull());
    QTRY_COMPARE(shown(slide), shown(usual));
    const QString caption = part<QLabel>(slide, "exportCaption")->text();
    QVERIFY2(
        caption.contains(QStringLiteral("browser")) && !caption.contains(QStringLiteral("mm")), qPrintable(caption));
}

void tst_export_dialog::copies()
{
    ExportDialog dialog(source());
    QApplication::clipboard()->clear();
    QTest::mouseClick(part<QPushButton>(dialog, "exportCopy"), Qt::LeftButton);
    const QMimeData* data = QApplication::clipboard()->mimeData();
    QCOMPARE(QApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32),
        pictureImage(m_views, dialog.options()).convertToFormat(QImage::Format_RGB32));
    QCOMPARE(data->data(QStringLiteral("image/svg+xml")), saved(dialog, QStringLiteral("copied.svg")));
}

void tst_export_dialog::remembers()
{
    PictureOptions chosen;
    {
        ExportDialog dialog(source());
        QCOMPARE(dialog.options().theme, QStringLiteral("light"));
        choose(dialog, "exportScope", "all");
        choose(dialog, "exportFormat", "svg");
        choose(dialog, "exportTheme", "print");
        choose(dialog, "exportAxis", "none");
        part<QSpinBox>(dialog, "exportHeight")->setValue(500);
        part<QSpinBox>(dialog, "exportWidth")->setValue(100);  // too small to draw in: automatic
        for (const char* box : {"exportShowTitle", "exportHeads", "exportDifferences", "exportLegend", "exportSource",
                 "exportOverview", "exportSelection"}) {
            part<QCheckBox>(dialog, box)->setChecked(false);
        }
        chosen = dialog.options();
    }
    const ExportDialog again(source());
    const PictureOptions options = again.options();
    QCOMPARE(options.size, QSize(0, 500));
    QVERIFY(!options.range);
    QCOMPARE(options.theme, QStringLiteral("print"));
    QVERIFY(options.axis == TimeAxis::none);
    QVERIFY(!options.showTitle && !options.heads && !options.differences && !options.legend && !options.source
        && !options.overview && !options.selection);
    QCOMPARE(part<QComboBox>(again, "exportFormat")->currentData().toString(), QStringLiteral("svg"));
    QCOMPARE(options.size, chosen.size);
}

void tst_export_dialog::saysWhatCannotBeWritten()
{
    const ExportDialog dialog(source());
    QVERIFY(dialog.save(m_folder.filePath(QStringLiteral("x.jpg"))).contains(QLatin1String(".svg")));
    QVERIFY(dialog.save(m_folder.filePath(QStringLiteral("no/such/folder/x.png")))
                .contains(QLatin1String("cannot be written")));
}

/// Said before anything is saved, too.
void tst_export_dialog::aPageHoldsNoMoreThanTheCommands()
{
    PictureSource many = source();
    many.views = {ViewState::of(largeRecording())};
    QVERIFY(pageItems(many.views) > most_page_items && pageItems(m_views) <= most_page_items);
    ExportDialog dialog(many);
    const QString most = QStringLiteral("%L1").arg(most_page_items);
    choose(dialog, "exportFormat", "html");
    QTRY_VERIFY(part<QLabel>(dialog, "exportMessage")->text().contains(most));
    const QString path = m_folder.filePath(QStringLiteral("many.html"));
    QVERIFY(dialog.save(path).contains(most));
    QVERIFY(!QFile::exists(path));
    choose(dialog, "exportFormat", "png");
    QTRY_VERIFY(part<QLabel>(dialog, "exportMessage")->text().isEmpty());
}

/// What they write would be in two languages.
void tst_export_dialog::aPageWaitsForTheWorkers()
{
    ExportDialog dialog(source());
    std::atomic<bool> reads = true;
    workerPool()->start([&reads] {
        while (reads) {
            QThread::msleep(1);
        }
    });
    const QString path = m_folder.filePath(QStringLiteral("waits.html"));
    dialog.write(path);
    QTest::qWait(50);
    QVERIFY(!QFile::exists(path));
    QVERIFY(part<QLabel>(dialog, "exportMessage")->text().contains(QLatin1String("follows")));
    reads = false;
    QTRY_VERIFY(QFile::exists(path));
    QVERIFY(part<QLabel>(dialog, "exportMessage")->text().contains(QLatin1String("Saved")));
}

void tst_export_dialog::aPictureWaitsForTheLanes_data()
{
    QTest::addColumn<QString>("what");
    QTest::newRow("they come") << "come";
    QTest::newRow("they are cancelled") << "cancelled";
    QTest::newRow("others are opened") << "others";
    QTest::newRow("the same are read again") << "renewed";
}

void tst_export_dialog::aPictureWaitsForTheLanes()
{
    QFETCH(QString, what);
    ComparisonView timeline;
    timeline.resize(900, 500);
    NoticeBar notice;
    Pictures pictures(&timeline, &notice, [] { return Handout(); });
    CommandTable table;
    pictures.addCommands(table);
    timeline.pair().open({m_views[0].model->pointer(), largeRecording()});
    QVERIFY(timeline.pair().isIndexing());
    table.find("file.export")->run();
    const auto dialog = [&timeline] { return timeline.findChild<ExportDialog*>(); };
    QVERIFY(dialog() == nullptr);
    QVERIFY2(notice.text().contains(QLatin1String("still being indexed")), qPrintable(notice.text()));
    if (what == QLatin1String("others")) {
        timeline.pair().open({m_views[0].model->pointer()});
        QTest::qWait(50);
        QVERIFY(dialog() == nullptr && !notice.isVisible());
        return;
    }
    if (what == QLatin1String("renewed")) {
        timeline.pair().renew({m_views[1].model->pointer(), largeRecording()});
    }
    if (what == QLatin1String("cancelled")) {
        timeline.pair().stopIndexing();
        QTRY_VERIFY2(notice.text().contains(QLatin1String("incomplete")), qPrintable(notice.text()));
        QVERIFY(dialog() == nullptr);
        return;
    }
    QTRY_VERIFY(dialog() != nullptr);
    QCOMPARE(dialog()->findChild<QCheckBox*>(QStringLiteral("exportDifferences"))->isHidden(), false);  // of both
    delete dialog();
}

QTEST_MAIN(tst_export_dialog)
#include "tst_export_dialog.moc"
