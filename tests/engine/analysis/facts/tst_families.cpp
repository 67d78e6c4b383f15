// SPDX-License-Identifier: MIT
#include "engine/analysis/facts/communication.h"
#include "engine/analysis/facts/families.h"
#include "engine/trace/names/kernel_name.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/workload.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

QString family_word(std::string_view kernel)
{
    const auto word = word_of(family_of(kernel));
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

}  // namespace

class tst_Families : public QObject {
    Q_OBJECT

private slots:
    void words_data();
    void words();
    void patterns_data();
    void patterns();
    void labelledNames();
    void shortNames();
    void traps_data();
    void traps();
    void mistakesAreSaid_data();
    void mistakesAreSaid();
    void ownRulesComeFirst();
    void ofATrace();
    void hostileNamesEnd();
};

void tst_Families::words_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected");
    const auto row
        = [](const char* name, const char* words) { QTest::newRow(name) << QByteArray(name) << QByteArray(words); };
    row("s16816gemm", "s 16816 gemm");
    row("CatArrayBatchedCopy", "cat array batched copy");
    row("conv2d", "conv 2 d");
    row("CUDAFunctor_add", "cuda functor add");
    row("__nv_bfloat16", "nv bfloat 16");
    row("FMHA", "fmha");
    row("aBC", "a bc");
    row("", "");
}

void tst_Families::words()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(words_of(name.toStdString())), expected);
}

void tst_Families::patterns_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<bool>("fits");
    const auto row = [](const char* pattern, const char* words, bool fits) {
        QTest::addRow("%s in %s", pattern, words) << QByteArray(pattern) << QByteArray(words) << fits;
    };
    row("all reduce", "nccl all reduce ring", true);
    row("all reduce", "allreduce", true);
    row("all reduce", "small reduce", false);
    row("all reduce", "all reducer", false);
    row("all reduce*", "all reducer", true);
    row("*all reduce", "mscclpp small reduce", true);
    row("cat", "scatter", false);
    row("cat", "concat", false);
    row("conv", "convert", false);
    row("?gemm", "s 16816 sgemm", true);
    row("?gemm", "fbgemm", false);
    row("?gemm", "gemm", false);
    row("^triton poi", "triton poi fused add", true);
    row("^triton poi", "my triton poi", false);
    row("^triton tem * attention", "triton tem fused flex attention", true);
    row("^triton tem * attention", "triton tem attention", true);
    row("^triton tem * attention", "triton tem fused attentions", false);
    row("scan *", "scan", true);
    row("scan *", "scanner", false);
    row("fp * to *", "fp 8 e 4 m 3 to bf 16", true);
    row("gemm*", "gemmk 1 kernel", true);
}

void tst_Families::patterns()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, words);
    QFETCH(bool, fits);
    QCOMPARE(NamePattern::mistake_in(pattern.toStdString()), std::string());
    QCOMPARE(NamePattern(pattern.toStdString()).fits(words.toStdString()), fits);
}

/// At least 99 of 100; each mistake is said.
void tst_Families::labelledNames()
{
    QFile file(qEnvironmentVariable("LANES_SOURCE") + "/tests/engine/analysis/facts/family_names.tsv");
    QVERIFY(file.open(QIODevice::ReadOnly));
    int names = 0, right = 0;
    while (!file.atEnd()) {
        const auto fields = file.readLine().trimmed().split('\t');
        if (fields.size() < 2 || fields[0].startsWith('#')) {
            continue;
        }
        ++names;
        const auto found = family_word(fields[0].toStdString()).toUtf8();
        right += found == fields[1] ? 1 : 0;
        if (found != fields[1]) {
            qInfo() << fields[1] << "is called" << found << fields[0].left(100);
        }
    }
    QVERIFY(names > 500);
    QVERIFY2(right * 100 >= names * 99, qPrintable(QStringLiteral("%1 of %2").arg(right).arg(names)));
}

/// What lanes, tables and findings call the same kernels.
void tst_Families::shortNames()
{
    QFile file(qEnvironmentVariable("LANES_SOURCE") + "/tests/engine/analysis/facts/family_names.tsv");
    QVERIFY(file.open(QIODevice::ReadOnly));
    int names = 0;
    while (!file.atEnd()) {
        const auto fields = file.readLine().trimmed().split('\t');
        if (fields.size() == 3 && !fields[0].startsWith('#')) {
            ++names;
            QCOMPARE(QString::fromStdString(short_kernel_name(fields[0].toStdString())), QString::fromUtf8(fields[2]));
        }
    }
    QVERIFY(names > 500);
}

void tst_Families::traps_data()
{
    QTest::addColumn<QByteArray>("kernel");
    QTest::addColumn<QString>("family");
    const auto row = [](const char* kernel, const char* family) {
        QTest::newRow(kernel) << QByteArray(kernel) << QString(family);
    };
    row("void flashinfer::norm::RMSNormKernel<8u, half>(half*)", "norm");
    row("void fbgemm_gpu::permute_2D_lengths_kernel<int>(int)", "index");
    row("void cub::DeviceScanKernel<f()::{lambda(int)#1}>(int)", "index");
    row("residualKernel", "elementwise");
    row("void solver::residual_norm(int)", "norm");
    row("pooled_embedding_kernel", "index");
    row("void at::native::vectorized_elementwise_kernel<4, at::native::index_copy_impl>(int)", "elementwise");
    row("void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index>(int)", "index");
    row("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<TensorListMetadata<1>, "
        "LpNormFunctor<float>>(int)",
        "norm");
    row("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<TensorListMetadata<1>, "
        "AddFunctor<float>>(int)",
        "optimizer");
    row("split_embedding_backward_codegen_rowwise_adagrad_unweighted_kernel_cta_per_row_1", "index");
    row("triton_poi_fused_add_all_reduce_3", "elementwise");
    row("void deep_ep::layout::get_dispatch_layout<256>(long const*)", "index");
    row("void dpsk::ep::internode::combine<true, __nv_bfloat16, 8>(int)", "communication");
    row("void dpsk::ep::intranode::dispatch<8>(int)", "communication");
    row("rope_norm", "elementwise");
    row("mul_mat_vec_q", "matmul");
    row("moe_sum_kernel", "norm");
    row("moe_align_block_size_kernel", "index");
    row("selective_scan_fwd_kernel", "attention");
    row("void nchwToNhwcKernel<float>(float*)", "elementwise");
    row("triton__0d1d2d", "other");
    row("spin", "other");
    row("", "other");
}

void tst_Families::traps()
{
    QFETCH(QByteArray, kernel);
    QTEST(family_word(kernel.toStdString()), "family");
}

void tst_Families::mistakesAreSaid_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("said");
    const auto row
        = [](const char* text, const char* said) { QTest::newRow(said) << QByteArray(text) << QByteArray(said); };
    row("rules: [{family: matmull, name: [a]}]",
        "f.yaml:1:18: unknown family 'matmull', expected communication, attention, matmul, convolution, norm, "
        "optimizer, index, elementwise, copy, memset or other; did you mean 'matmul'?");
    row("rule: []",
        "f.yaml:1:1: unknown key 'rule', expected version, families, default or rules; did you mean 'rules'?");
    row("rules:\n- {family: norm, names: [a]}",
        "f.yaml:2:18: unknown key 'names', expected family, name, path or whole; did you mean 'name'?");
    row("rules:\n- {family: norm}", "f.yaml:2:3: expected a 'family' and one list of patterns: name, path or whole");
    row("rules:\n- {family: norm, name: sum}", "f.yaml:2:24: found 'sum', expected a list of patterns");
    row("rules:\n- {family: norm, name: [AllReduce]}",
        "f.yaml:2:25: found 'A', expected words of small letters and digits, * and ? between single spaces");
    row("rules:\n- {family: norm, name: [conv2d]}",
        "f.yaml:2:25: found 'conv2d', expected a space between letters and digits, where names are cut");
    row("rules:\n- {family: norm, name: ['*']}", "f.yaml:2:25: found '*', expected one or more words");
    row("rules:\n- {family: norm, name: ['a*b*c*d*e*']}",
        "f.yaml:2:25: found 'a*b*c*d*e*', expected at most 4 stars in a pattern");
    row("families: {norm: {colour: red}}", "f.yaml:1:27: found 'red', expected a colour such as \"#6da5f0\"");
    row("families: {norm: {colour: '#ffffff', band: 2}}", "f.yaml:1:44: found '2', expected a number from 0 to 0.2");
    row("version: 2", "f.yaml:1:10: found version '2', expected 1, the only one that is known");
}

void tst_Families::mistakesAreSaid()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, said);
    try {
        FamilyRules::read(text.toStdString(), "f.yaml");
        QFAIL("nothing was said");
    } catch (const WorkloadError& error) {
        QCOMPARE(QByteArray(error.what()), said);
    }
}

void tst_Families::ownRulesComeFirst()
{
    const QTemporaryDir folder;
    const auto own = std::filesystem::path(folder.filePath("families.yaml").toStdString());
    const auto write = [&](const char* text) { std::ofstream(own) << text; };
    use_own_families(own);  // does not exist
    QCOMPARE(family_word("my_gemm"), QString("matmul"));
    write("families: {matmul: {colour: '#102030', band: 0.1}}\nrules:\n- {family: norm, name: ['my *']}\n");
    use_own_families(own);
    QCOMPARE(family_word("my_gemm"), QString("norm"));
    QCOMPARE(family_word("other_gemm"), QString("matmul"));
    QCOMPARE(colour_of(Family::matmul).rgb, 0x102030U);
    QVERIFY(colour_of(Family::attention).rgb != 0x102030U);
    write("rules: 3");
    QVERIFY_THROWS_EXCEPTION(InputError, use_own_families(own));
    QCOMPARE(family_word("my_gemm"), QString("norm"));  // as before
    use_own_families({});
    QCOMPARE(family_word("my_gemm"), QString("matmul"));
}

/// By the full name; by the one that a workload gave where that one says more.
void tst_Families::ofATrace()
{
    TraceBuilder builder;
    struct Kernel {
        const char *full, *shown;
        Family family;
    };
    const std::array kernels {
        Kernel {"void dpsk::ep::internode::combine<int>(int)", "", Family::communication},
        Kernel {"triton_poi_fused_all_reduce_0", "", Family::elementwise},
        Kernel {"void lanes_work<1>(int)", "gemm of layer 3", Family::matmul},
        Kernel {"void lanes_work<2>(int)", "nccl all_reduce", Family::communication},
        Kernel {"void sgemm<1>(int)", "softmax", Family::matmul},
    };
    Ns time = 0;
    for (const auto& each : kernels) {
        KernelRecord kernel {};
        kernel.start = time += 10;
        kernel.end = time + 5;
        kernel.name = builder.intern(each.full);
        kernel.shown_name = *each.shown == 0 ? 0 : builder.intern(each.shown);
        builder.write(kernel);
    }
    const auto trace = builder.finish(Source::cupti);
    const OperationFamilies families(trace);
    const CommunicationKernels communicates(trace);
    for (Row row = 0; row < kernels.size(); ++row) {
        QCOMPARE(families.of(trace, row), kernels[row].family);
        QCOMPARE(family_of(trace, row), kernels[row].family);
        QCOMPARE(communicates.has(trace, row), kernels[row].family == Family::communication);
    }
}

void tst_Families::hostileNamesEnd()
{
    const auto rules = FamilyRules::read("rules: [{family: norm, whole: ['a*a*a*a*b']}]", "f.yaml");
    QCOMPARE(rules.family_of("f<" + std::string(200, 'a') + ">"), Family::other);
    QCOMPARE(family_of(std::string(100'000, '<')), Family::other);
    QCOMPARE(family_of("f<" + std::string(100'000, 'a') + ">"), Family::other);
}

QTEST_GUILESS_MAIN(tst_Families)
#include "tst_families.moc"
