// SPDX-License-Identifier: MIT
// The figures of reports against a second, slow and plain computation of them that shares nothing with the engine but
// the definitions: it reads the files itself and compares to the nanosecond.
#include "tests/effort.h"
#include "tests/engine/analysis/oracle/crafted.h"
#include "tests/engine/analysis/oracle/engine_figures.h"
#include "tests/engine/analysis/oracle/random_recording.h"

#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

using namespace oracle;

namespace {

/// The whole, and ranges that cut through whatever is at their ends.
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
    const EngineReports engine(path);
    for (const auto& piece : pieces(recorded.duration)) {
        const auto differs = difference(engine.figures(piece), figures_of(recorded, held, piece));
        if (!differs.empty()) {
            const auto where = piece ? std::to_string(piece->first) + ":" + std::to_string(piece->second) : "the whole";
            return path + ", " + where + ":\n" + differs;
        }
    }
    return {};
}

std::vector<Crafted> all_crafted()
{
    auto cases = crafted_waits();
    for (const auto& more : crafted_figures()) {
        cases.push_back(more);
    }
    return cases;
}

}  // namespace

class tst_Oracle : public QObject {
    Q_OBJECT

private slots:
    void shippedRecordings_data();
    void shippedRecordings();
    void exportsOfNsight_data();
    void exportsOfNsight();
    void crafted_data();
    void crafted();
    void randomRecordings();

private:
    QTemporaryDir m_folder;
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

void tst_Oracle::exportsOfNsight_data()
{
    QTest::addColumn<QString>("path");
    const QDir folder(qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/nsys");
    const auto names = folder.entryList({"*.sqlite"});
    if (names.empty()) {
        QSKIP("no real exports of Nsight Systems here");
    }
    for (const auto& name : names) {
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
}

void tst_Oracle::exportsOfNsight()
{
    QFETCH(QString, path);
    QCOMPARE(QString::fromStdString(compared(path.toStdString())), QString());
}

void tst_Oracle::crafted_data()
{
    QTest::addColumn<int>("index");
    const auto cases = all_crafted();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        QTest::newRow(cases[i].name.c_str()) << static_cast<int>(i);
    }
}

/// Both give the figures worked out by hand, and agree in all others.
void tst_Oracle::crafted()
{
    QFETCH(int, index);
    const auto one = all_crafted()[static_cast<std::size_t>(index)];
    const auto path = m_folder.filePath("crafted" + QString::number(index) + ".sqlite").toStdString();
    one.script.save(path);
    const auto recorded = read_file(path);
    const auto engine = EngineReports(path).figures();
    const auto own = figures_of(recorded, held_in(recorded));
    QString wrong;
    for (const auto& [key, value] : one.expected) {
        const auto of = [&key = key](const Figures& figures) {
            return figures.count(key) != 0 ? QString::fromStdString(figures.at(key)) : QString("nothing");
        };
        if (of(engine) != QString::fromStdString(value) || of(own) != of(engine)) {
            wrong += QString("%1: %2 expected, engine %3, oracle %4\n")
                         .arg(QString::fromStdString(key), QString::fromStdString(value), of(engine), of(own));
        }
    }
    QCOMPARE(wrong, QString());
    QCOMPARE(QString::fromStdString(compared(path)), QString());
}

/// LANES_ORACLE_SEED=n looks at one of them, and leaves its file.
void tst_Oracle::randomRecordings()
{
    const bool one = qEnvironmentVariableIsSet("LANES_ORACLE_SEED");
    const auto first = one ? qEnvironmentVariableIntValue("LANES_ORACLE_SEED") : 1;
    const auto last = one ? first : 500;
    m_folder.setAutoRemove(!one);
    int differing = 0;
    for (int seed = first; seed <= last; seed += lanes::one_trial_in) {
        const auto path = m_folder.filePath(QString::number(seed) + ".sqlite").toStdString();
        write_random(static_cast<std::uint32_t>(seed), path);
        const auto differs = compared(path);
        if (!differs.empty()) {
            qWarning("seed %d: %s", seed, differs.c_str());
            ++differing;
        }
    }
    QCOMPARE(differing, 0);
}

QTEST_GUILESS_MAIN(tst_Oracle)
#include "tst_oracle.moc"
