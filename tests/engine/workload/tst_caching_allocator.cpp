// SPDX-License-Identifier: MIT
// The caching allocator, request by request: which calls it asks for, and where the blocks lie.
#include "engine/workload/caching_allocator.h"

#include <QFile>
#include <QMap>
#include <QTest>

using namespace lanes;

class tst_CachingAllocator : public QObject {
    Q_OBJECT

private slots:
    void requests_data();
    void requests();
    void asPyTorchDoes_data();
    void asPyTorchDoes();
};

namespace {

constexpr std::uint64_t kib = 1024;

/// Makes one request of an allocator and returns it with the answer: "a+30000 malloc 30720 at 0:0". In "a+30000",
/// buffer a gets 30000 KiB on stream 0, in "a+30000@1" on stream 1; "a-" gives it back.
class Player {
public:
    explicit Player(std::uint64_t limit)
        : m_allocator(limit)
    {
    }

    QString play(const QString& request)
    {
        if (request.endsWith('-')) {
            m_allocator.give_back(m_places.take(request.chopped(1)));
            return request;
        }
        const auto name = request.section('+', 0, 0);
        const auto size = request.section('+', 1);
        const auto answer
            = m_allocator.take(size.section('@', 1).toULongLong(), size.section('@', 0, 0).toULongLong() * kib);
        QString line = request;
        QStringList released;
        for (const auto& [segment, bytes] : answer.released) {
            released.append(QString::number(segment));
        }
        line += released.isEmpty() ? QString() : " free " + released.join(',');
        line += answer.made ? QString(" malloc %1").arg(*answer.made / kib) : QString();
        if (!answer.place) {
            return line + " none";
        }
        m_places[name] = *answer.place;
        return line + QString(" at %1:%2").arg(answer.place->segment).arg(answer.place->offset / kib);
    }

private:
    CachingAllocator m_allocator;
    QMap<QString, CachingAllocator::Place> m_places;
};

}  // namespace

void tst_CachingAllocator::requests_data()
{
    QTest::addColumn<quint64>("limit");
    QTest::addColumn<QString>("said");
    const auto row
        = [](const char* name, quint64 limit, const char* said) { QTest::newRow(name) << limit << QString(said); };
    row("what was freed serves the next of its size", 0, "a+30000 malloc 30720 at 0:0, a-, b+30000 at 0:0");
    row("small ones share 2 MiB", 0, "a+500 malloc 2048 at 0:0, b+1000 at 0:500, c+600 malloc 2048 at 1:0");
    row("those below 10 MiB share 20", 0, "a+5000 malloc 20480 at 0:0, b+9000 at 0:5000, c+7000 malloc 20480 at 1:0");
    row("10 MiB and more have their own, in units of 2", 0, "a+10240 malloc 10240 at 0:0, b+10241 malloc 12288 at 1:0");
    row("small and large ones do not mix", 0, "a+30000 malloc 30720 at 0:0, a-, b+1000 malloc 2048 at 1:0");
    row("the smallest block that is large enough", 0,
        "a+60000 malloc 61440 at 0:0, b+40000 malloc 40960 at 1:0, a-, b-, c+35000 at 1:0");
    row("what is left of a block serves another", 0,
        "a+60000 malloc 61440 at 0:0, a-, b+20000 at 0:0, c+20000 at 0:20000, d+20000 at 0:40000");
    row("what is left is not split off if it is 1 MiB or less", 0,
        "a+30720 malloc 30720 at 0:0, a-, b+29696 at 0:0, c+1025 malloc 20480 at 1:0");
    row("neighbours are joined, in either order", 0,
        "a+60000 malloc 61440 at 0:0, a-, b+20000 at 0:0, c+20000 at 0:20000, b-, c-, d+60000 at 0:0, d-, "
        "e+20000 at 0:0, f+20000 at 0:20000, f-, e-, g+60000 at 0:0");
    row("a block of another stream serves nobody", 0, "a+30000 malloc 30720 at 0:0, a-, b+30000@1 malloc 30720 at 1:0");
    row("at the limit what is unused is freed", 65536,
        "a+30000 malloc 30720 at 0:0, b+20000 malloc 20480 at 1:0, a-, b-, c+40000 free 0,1 malloc 40960 at 2:0");
    row("a segment in use is not", 65536,
        "a+30000 malloc 30720 at 0:0, b+20000 malloc 20480 at 1:0, b-, c+40000 free 1 none, d+20000 malloc 20480 at "
        "2:0");
    row("nor one of which a part is", 40960, "a+40000 malloc 40960 at 0:0, a-, b+20000 at 0:0, c+30000 none");
    row("more than the limit", 40960, "a+50000 none, b+40960 malloc 40960 at 0:0");
}

void tst_CachingAllocator::requests()
{
    QFETCH(quint64, limit);
    QFETCH(QString, said);
    Player player(limit * kib);
    for (const auto& line : said.split(", ")) {
        QCOMPARE(player.play(line.section(' ', 0, 0)), line);
    }
}

void tst_CachingAllocator::asPyTorchDoes_data()
{
    QTest::addColumn<quint64>("limit");
    QTest::addColumn<QStringList>("said");
    QFile file(QFINDTESTDATA("pytorch_allocator.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    lines.removeIf([](const QString& line) { return line.startsWith('#'); });
    for (qsizetype at = 0; at < lines.size();) {
        const auto head = lines[at++];
        QStringList said;
        while (at < lines.size() && !lines[at].contains(" limit ")) {
            said.append(lines[at++]);
        }
        QVERIFY(said.size() >= 50);
        QTest::newRow(qPrintable(head)) << head.section(' ', -1).toULongLong() * kib << said;
    }
}

void tst_CachingAllocator::asPyTorchDoes()
{
    QFETCH(quint64, limit);
    QFETCH(QStringList, said);
    Player player(limit * kib);
    for (const auto& line : said) {
        QCOMPARE(player.play(line.section(' ', 0, 0)), line);
    }
}

QTEST_GUILESS_MAIN(tst_CachingAllocator)
#include "tst_caching_allocator.moc"
