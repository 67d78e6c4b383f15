// SPDX-License-Identifier: MIT
// Panels whose workers run out of memory say so in place of their figures, and show these once there is enough.
// Here large pieces of memory are refused to workers; small ones are Qt's own, between the threads.
#include "gui/panels/events_panel.h"
#include "gui/panels/statistics_panel.h"
#include "gui/panels/summary/summary_panel.h"
#include "gui/session/workspace.h"
#include "tests/gui/panels/model_recording.h"

#include <atomic>
#include <cstdlib>
#include <new>
#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr std::size_t large_piece = 16'384;  // bytes
thread_local bool isWindowThread = false;
std::atomic<bool> isShort = false;

struct ShortOfMemory {
    ShortOfMemory() { isShort = true; }
    ~ShortOfMemory() { isShort = false; }
    ShortOfMemory(const ShortOfMemory&) = delete;
    ShortOfMemory& operator=(const ShortOfMemory&) = delete;
};

}  // namespace

void* operator new(std::size_t size)
{
    void* const piece = isShort && !isWindowThread && size >= large_piece ? nullptr : std::malloc(size > 0 ? size : 1);
    if (piece == nullptr) {
        throw std::bad_alloc();
    }
    return piece;
}

/// A sanitizer's operators would return pieces that the operator below does not know.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept
{
    return std::malloc(size > 0 ? size : 1);
}

void operator delete(void* piece) noexcept
{
    std::free(piece);
}

void operator delete(void* piece, std::size_t /*size*/) noexcept
{
    std::free(piece);
}

class tst_short_of_memory : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { isWindowThread = true; }
    void panelsSaySo_data();
    void panelsSaySo();

private:
    using Make = std::unique_ptr<QWidget> (*)(Workspace*);
    template <class Panel> static std::unique_ptr<QWidget> made(Workspace* workspace)
    {
        auto panel = std::make_unique<Panel>();
        panel->observe(workspace);
        return panel;
    }
    /// A picture whose texts can be read.
    static QString drawn(QWidget& panel)
    {
        QBuffer picture;
        QSvgGenerator svg;
        svg.setOutputDevice(&picture);
        svg.setSize(panel.size());
        QPainter painter(&svg);
        panel.render(&painter);
        painter.end();
        return QString::fromUtf8(picture.data());
    }
};

Q_DECLARE_METATYPE(std::unique_ptr<QWidget> (*)(Workspace*))

void tst_short_of_memory::panelsSaySo_data()
{
    QTest::addColumn<Make>("make");
    QTest::addColumn<QString>("figure");
    QTest::newRow("events") << Make(made<EventsPanel>) << "matmul";
    QTest::newRow("summary") << Make(made<SummaryPanel>) << "matmul";
    QTest::newRow("statistics") << Make(made<StatisticsPanel>) << "GPU busy";
}

void tst_short_of_memory::panelsSaySo()
{
    QFETCH(Make, make);
    QFETCH(QString, figure);
    const QString said = QStringLiteral("There is not enough memory for it.");
    const OpenRecordingPtr recording = modelRecording("overlapped", {{"copies", "10000"}, {"bytes", "4 KiB"}});
    QVERIFY(recording->trace->operations.size() >= 20'000);
    Workspace workspace;
    const auto panel = make(&workspace);
    panel->resize(900, 400);
    panel->show();
    const auto open = [&] {
        workspace.set({recording});
        workspace.selectRange(0, Interval {0, recording->trace->duration / 2});
    };
    {
        const ShortOfMemory now;
        open();
        QTRY_VERIFY2(drawn(*panel).contains(said), qPrintable(drawn(*panel)));
        QVERIFY(!drawn(*panel).contains(figure));
    }
    workspace.set({});
    open();
    QTRY_VERIFY2(drawn(*panel).contains(figure), qPrintable(drawn(*panel)));
    QVERIFY(!drawn(*panel).contains(said));
}

QTEST_MAIN(tst_short_of_memory)
#include "tst_short_of_memory.moc"
