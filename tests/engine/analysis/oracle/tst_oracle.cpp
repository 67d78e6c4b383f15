// SPDX-License-Identifier: MIT
// The figures of reports against a second, slow and plain computation of them that shares nothing with the engine but
// the definitions: it reads the files by itself and compares to the nanosecond.
#include "tests/engine/analysis/oracle/engine_figures.h"

#include <QDirIterator>
#include <QTest>

using namespace oracle;

namespace {

/// The whole, and pieces that cut through whatever lies at their ends.
std::vector<std::optional<std::pair<Ns, Ns>>> pieces(Ns duration)
{
    return {std::nullopt, std::make_pair(duration / 3, duration * 2 / 3), std::make_pair(Ns {0}, duration / 7),
        std::make_pair(duration * 5 / 9, duration)};
}

/// What differs between the engine's figures of a file and the oracle's; empty: nothing.
std::string compared(const std::string& path)
{
    const auto recorded = read_file(path);
    const auto held = held_in(recorded);
    for (const auto& piece : pieces(recorded.duration)) {
        const auto differs = difference(engine_figures(path, piece), figures_of(recorded, held, piece));
        if (!differs.empty()) {
            const auto where = piece ? std::to_string(piece->first) + ":" + std::to_string(piece->second) : "the whole";
            return path + ", " + where + ":\n" + differs;
        }
    }
    return {};
}

}  // namespace

class tst_Oracle : public QObject {
    Q_OBJECT

private slots:
    void shippedRecordings_data();
    void shippedRecordings();
};

void tst_Oracle::shippedRecordings_data()
{
    QTest::addColumn<QString>("path");
    const auto folder = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings";
    for (QDirIterator files(folder, {"*.sqlite"}, QDir::Files, QDirIterator::Subdirectories); files.hasNext();) {
        const auto path = files.next();
        QTest::newRow(qPrintable(path.mid(folder.size() + 1))) << path;
    }
}

void tst_Oracle::shippedRecordings()
{
    QFETCH(QString, path);
    QCOMPARE(QString::fromStdString(compared(path.toStdString())), QString());
}

QTEST_GUILESS_MAIN(tst_Oracle)
#include "tst_oracle.moc"
