// SPDX-License-Identifier: MIT
// Which process of a job this one is, from the environment of each launcher, with their traps; and file names made of
// it.
#include "probes/inject/process_identity.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace lanes;

namespace {

using Set = std::map<std::string, std::string>;

Variables of(const Set& variables)
{
    return [&variables](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    };
}

}  // namespace

Q_DECLARE_METATYPE(Set)

class tst_ProcessIdentity : public QObject {
    Q_OBJECT

private slots:
    void launchers_data();
    void launchers();
    void onlyTheListIsKept();
    void asTextAndBack();
    void wantedRanks_data();
    void wantedRanks();
    void names_data();
    void names();
};

void tst_ProcessIdentity::launchers_data()
{
    QTest::addColumn<Set>("variables");
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<QByteArray>("rank");
    QTest::addColumn<QByteArray>("world");
    QTest::addColumn<QByteArray>("restarts");
    const auto row = [](const char* name, const Set& variables, const char* rule, const char* rank, const char* world,
                         const char* restarts = "") {
        QTest::newRow(name) << variables << QByteArray(rule) << QByteArray(rank) << QByteArray(world)
                            << QByteArray(restarts);
    };
    const Set torchrun {{"RANK", "11"}, {"WORLD_SIZE", "16"}, {"LOCAL_RANK", "3"}, {"LOCAL_WORLD_SIZE", "8"},
        {"GROUP_RANK", "1"}, {"TORCHELASTIC_RUN_ID", "none"}, {"TORCHELASTIC_RESTART_COUNT", "2"}};
    row("torchrun", torchrun, "torchrun", "11", "16", "2");
    const Set slurm {{"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "8"}, {"SLURM_LOCALID", "1"}, {"SLURM_NODEID", "2"},
        {"SLURMD_NODENAME", "node2"}, {"SLURM_JOB_ID", "77"}, {"SLURM_STEP_ID", "0"}};
    row("srun", slurm, "slurm", "5", "8");
    Set both = torchrun;
    both.insert(slurm.begin(), slurm.end());
    row("srun starts one torchrun a node: its PROCID is the node", both, "torchrun", "11", "16", "2");
    row("Open MPI",
        {{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
            {"PMIX_RANK", "3"}, {"PMIX_NAMESPACE", "prterun-1"}},
        "ompi", "3", "4");
    row("Open MPI under srun --mpi=pmix",
        {{"PMIX_RANK", "6"}, {"PMIX_NAMESPACE", "slurm.pmix.9.0"}, {"SLURM_PROCID", "6"}, {"SLURM_NTASKS", "8"}},
        "pmix", "6", "");
    row("MPICH", {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}}, "pmi", "1",
        "2");
    row("an older PMI", {{"PMI_ID", "1"}, {"PMI_SIZE", "2"}}, "pmi", "1", "2");
    row("PyTorchJob: the number of the pod", {{"RANK", "2"}, {"WORLD_SIZE", "4"}}, "pod", "2", "4");
    row("torchrun in a pod of PyTorchJob", torchrun, "torchrun", "11", "16", "2");
    row("a script of mpirun that sets RANK for itself", {{"RANK", "9"}, {"OMPI_COMM_WORLD_RANK", "1"}}, "ompi", "1",
        "");
    Set told = both;
    told["LANES_RANK"] = "40";
    row("somebody said it", told, "LANES_RANK", "40", "16", "2");
    row("Ray before its worker knows, Dask, none", {{"RAY_JOB_ID", "01000000"}, {"CUDA_VISIBLE_DEVICES", "1,0"}}, "",
        "", "");
    row("no number", {{"RANK", "first"}, {"LOCAL_RANK", "0"}, {"SLURM_PROCID", "4"}}, "slurm", "4", "");
    row("empty", {{"RANK", ""}, {"LOCAL_RANK", "0"}}, "", "", "");
    row("too long", {{"SLURM_PROCID", "12345678901"}}, "", "", "");
}

void tst_ProcessIdentity::launchers()
{
    QFETCH(const Set, variables);
    QFETCH(const QByteArray, rule);
    QFETCH(const QByteArray, rank);
    QFETCH(const QByteArray, world);
    QFETCH(const QByteArray, restarts);
    const auto found = identity_of(of(variables));
    QCOMPARE(found.rule.c_str(), rule.constData());
    QCOMPARE(found.rank.c_str(), rank.constData());
    QCOMPARE(found.world.c_str(), world.constData());
    QCOMPARE(found.restarts.c_str(), restarts.constData());
    QCOMPARE(found.told.size(), variables.size());
    for (const auto& [name, value] : found.told) {
        QCOMPARE(value, variables.at(name));
    }
}

void tst_ProcessIdentity::onlyTheListIsKept()
{
    const Set variables {{"AWS_SECRET_ACCESS_KEY", "secret"}, {"HOME", "/root"}, {"RANK", "1"}, {"LOCAL_RANK", "1\nx"}};
    const auto found = identity_of(of(variables));
    QCOMPARE(found.told, (std::vector<std::pair<std::string, std::string>> {{"RANK", "1"}, {"LOCAL_RANK", "1 x"}}));
    const Set lengthy {{"CUDA_VISIBLE_DEVICES", std::string(5000, '7')}};
    QCOMPARE(identity_of(of(lengthy)).told.front().second.size(), std::size_t {200});
}

void tst_ProcessIdentity::asTextAndBack()
{
    const Set variables {{"RANK", "11"}, {"WORLD_SIZE", "16"}, {"LOCAL_RANK", "3"}, {"TORCHELASTIC_RUN_ID", "a=b c"}};
    const auto identity = identity_of(of(variables));
    QVERIFY(identity_of_text(to_text(identity)) == identity);
    QVERIFY(identity_of_text(to_text({})) == ProcessIdentity {});
    QVERIFY(identity_of_text("nonsense\nrank x\n\nrule") == ProcessIdentity {});
}

void tst_ProcessIdentity::wantedRanks_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("wanted");  // of 0 to 9
    QTest::addColumn<bool>("is_list");
    QTest::newRow("all") << QByteArray("all") << QByteArray("0123456789") << true;
    QTest::newRow("one") << QByteArray("3") << QByteArray("3") << true;
    QTest::newRow("a span and one") << QByteArray("0-2,7") << QByteArray("0127") << true;
    QTest::newRow("every fourth") << QByteArray("every:4") << QByteArray("048") << true;
    QTest::newRow("every none") << QByteArray("every:0") << QByteArray("0123456789") << false;
    QTest::newRow("backwards") << QByteArray("5-2") << QByteArray("0123456789") << false;
    QTest::newRow("words") << QByteArray("the first") << QByteArray("0123456789") << false;
    QTest::newRow("a comma too many") << QByteArray("1,") << QByteArray("0123456789") << false;
    QTest::newRow("nothing") << QByteArray("") << QByteArray("0123456789") << false;
}

void tst_ProcessIdentity::wantedRanks()
{
    QFETCH(const QByteArray, list);
    QFETCH(const QByteArray, wanted);
    QFETCH(const bool, is_list);
    QByteArray found;
    for (char rank = '0'; rank <= '9'; ++rank) {
        found += wants_rank(list.constData(), std::string(1, rank)) ? QByteArray(1, rank) : QByteArray();
    }
    QCOMPARE(found, wanted);
    QCOMPARE(is_rank_list(list.constData()), is_list);
    QVERIFY(wants_rank(list.constData(), ""));  // who is not known is recorded
}

void tst_ProcessIdentity::names_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("wrong");
    const auto row = [](const char* pattern, const char* name, int wrong = -1) {
        QTest::newRow(pattern) << QByteArray(pattern) << QByteArray(name) << wrong;
    };
    row("/tmp/run/%h.%p.spool", "/tmp/run/node1.4711.spool");
    row("%r", "3");
    row("%q{SLURM_JOB_ID}/%q{NOT_SET}x", "77/x");
    row("%q{PATHS}", "_a_b");
    row("100%%", "100%");
    row("%%h", "%h");
    row("a%z", "a%z", 1);
    row("%q{open", "%q{open", 0);
    row("%", "%", 0);
    row("", "");
}

void tst_ProcessIdentity::names()
{
    QFETCH(const QByteArray, pattern);
    QFETCH(const QByteArray, name);
    QFETCH(const int, wrong);
    const Set variables {{"SLURM_JOB_ID", "77"}, {"PATHS", "/a/b"}};
    std::size_t at = 0;
    QCOMPARE(expand_name(pattern.constData(), {"node1", "3", 4711, of(variables)}, &at).c_str(), name.constData());
    QCOMPARE(at == std::string_view::npos ? -1 : static_cast<int>(at), wrong);
    QCOMPARE(expand_name(pattern_of_name(pattern.constData()), {"node1", "3", 4711}).c_str(), pattern.constData());
}

QTEST_GUILESS_MAIN(tst_ProcessIdentity)
#include "tst_process_identity.moc"
