// SPDX-License-Identifier: MIT
#include "engine/trace/names/demangle.h"
#include "engine/trace/names/kernel_name.h"
#include "engine/trace/trace_builder.h"

#include <cxxabi.h>
#include <memory>
#include <QTest>

using namespace lanes;

class tst_KernelName : public QObject {
    Q_OBJECT

private slots:
    void shortNames_data();
    void shortNames();
    void mangledNames_data();
    void mangledNames();
    void namesOfMoreThanAThousandCharacters();
    void hostileNamesStayAsTheyAre_data();
    void hostileNamesStayAsTheyAre();
    void aTraceDemangles();
};

void tst_KernelName::shortNames_data()
{
    QTest::addColumn<QString>("full");
    QTest::addColumn<QString>("brief");
    QTest::newRow("c") << "matmul"
                       << "matmul";
    QTest::newRow("template") << "void at::native::add<4, at::f<float (*)(int)> >(int, float*)"
                              << "add";
    QTest::newRow("anonymous") << "void (anonymous namespace)::softmax<float>(float*)"
                               << "softmax";
    QTest::newRow("anonymous inside") << "void at::(anonymous namespace)::softmax(float*)"
                                      << "softmax";
    QTest::newRow("parameters") << "gemm(float const*, int)"
                                << "gemm";
    QTest::newRow("operator()") << "void f::g::operator()(int)"
                                << "operator()";
    QTest::newRow("lambda") << "void run<f()::{lambda(int)#1}>(int)"
                            << "run";
    QTest::newRow("const") << "void f::g<int>(int) const"
                           << "g";
    QTest::newRow("cutlass") << "void cutlass::Kernel2<cutlass_80_simt_sgemm_64x64_8x5_tn_align1>(cutlass_80_simt_"
                                "sgemm_64x64_8x5_tn_align1::Params)"
                             << "gemm f32 64×64 TN simt";
    QTest::newRow("cutlass, nested") << "void cutlass_cudnn_train::Kernel<cutlass_cudnn_train::reduction::kernel::"
                                        "ReduceSplitK<cutlass_cudnn_train::MatrixShape<4, 128>, float> >(int)"
                                     << "ReduceSplitK";
    QTest::newRow("somebody's Kernel") << "void mine::Kernel<mine::Work>(int)"
                                       << "mine";
    QTest::newRow("fused") << "triton_poi_fused_add_rms_norm_3"
                           << "add rmsnorm #3";
    QTest::newRow("fused, split scan") << "triton_spl_fused_cumsum_add_2"
                                       << "cumsum add #2";
    QTest::newRow("functor") << "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, "
                                "at::detail::Array<char*, 3> >(int, at::native::AddFunctor<float>)"
                             << "add";
    QTest::newRow("functor, wrapped") << "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<"
                                         "float, float, float, at::native::binary_internal::MulFunctor<float> > >(int)"
                                      << "mul";
    QTest::newRow("lambda of a function") << "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
                                             "namespace)::launch_clamp_scalar(at::TensorIteratorBase&, "
                                             "c10::Scalar)::{lambda()#1}::operator()() const::{lambda()#7}>(int)"
                                          << "clamp";
    QTest::newRow("cast") << "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native"
                             "::CUDAFunctor_add<float> >(at::TensorIteratorBase&)::{lambda(int)#1}>(int, float)"
                          << "add";
    QTest::newRow("reduction") << "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::"
                                  "func_wrapper_t<float, at::native::sum_functor<float, float, float>::operator()("
                                  "at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, float, 4, 4> >(int)"
                               << "sum";
    QTest::newRow("many tensors") << "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::("
                                     "anonymous namespace)::TensorListMetadata<2>, at::native::(anonymous namespace)::"
                                     "BinaryOpListAlphaFunctor<float, 2, 2, 0>, std::plus<float>, float>(int)"
                                  << "foreach add";
    QTest::newRow("arguments that say nothing") << "void at::native::reduce_kernel<512, 1, float>(int)"
                                                << "reduce";
    QTest::newRow("words") << "CUDA graph 1"
                           << "CUDA graph 1";
    QTest::newRow("unbalanced") << "a<b"
                                << "a";
    QTest::newRow("nothing left") << "<>"
                                  << "<>";
    QTest::newRow("empty") << ""
                           << "";
}

void tst_KernelName::shortNames()
{
    QFETCH(QString, full);
    QFETCH(QString, brief);
    QCOMPARE(QString::fromStdString(short_kernel_name(full.toStdString())), brief);
}

void tst_KernelName::mangledNames_data()
{
    QTest::addColumn<QByteArray>("mangled");
    QTest::addColumn<QString>("brief");
    QTest::newRow("function") << QByteArray("_Z7add_onePKfPfi") << "add_one";
    QTest::newRow("fill") << QByteArray(
        "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPc"
        "Lm1EEEEviT0_T1_") << "fill";
    QTest::newRow("reduction, lambda") << QByteArray(
        "_ZN2at6native13reduce_kernelILi512ELi1ENS0_8ReduceOpIfNS0_14func_"
        "wrapper_tIfZNS0_11sum_functorIfffEclERNS_14TensorIteratorEEUlffE_E"
        "EjfLi4EEEEEvT1_") << "sum";
    QTest::newRow("pack") << QByteArray("_Z6kernelIiJfdEEvT_DpT0_") << "kernel";
    QTest::newRow("unnamed") << QByteArray("_ZN12_GLOBAL__N_17softmaxIfEEvPT_") << "softmax";
}

/// As GCC's own run-time library has them.
void tst_KernelName::mangledNames()
{
    QFETCH(const QByteArray, mangled);
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(mangled.constData(), nullptr, nullptr, nullptr), std::free);
    QVERIFY(plain != nullptr);
    const auto found = demangled(mangled.toStdString());
    QVERIFY(found);
    QCOMPARE(QString::fromStdString(*found), QString(plain.get()));
    QTEST(QString::fromStdString(short_kernel_name(*found)), "brief");
}

void tst_KernelName::namesOfMoreThanAThousandCharacters()
{
    std::string mangled = "_ZN7cutlass6KernelINS_4GemmI", plain = "void cutlass::Kernel<cutlass::Gemm<";
    for (int i = 0; i < 200; ++i) {
        mangled += "NS_4TileILi128EEE";
        plain += std::string(i == 0 ? "" : ", ") + "cutlass::Tile<128>";
    }
    const auto found = demangled(mangled + "EEEEvT_");
    QVERIFY(found);
    QCOMPARE(found->substr(0, plain.size()), plain);
    QCOMPARE(short_kernel_name(*found), std::string("Gemm"));
}

void tst_KernelName::hostileNamesStayAsTheyAre_data()
{
    // pair<int, int>, then forty times the pair of the previous one, as separate parameters or nested.
    const auto before = [](int number) {
        const QByteArray digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        const int high = number / 36;
        return "S" + (high == 0 ? QByteArray() : QByteArray(1, digits[high])) + QByteArray(1, digits[number % 36])
            + "_";
    };
    QByteArray beside = "_Z1fSt4pairIiiE", inside = "_Z1fDpSt4pairI" + QByteArray("S_I").repeated(39) + "ii";
    for (int i = 0; i < 40; ++i) {
        beside += "S_I" + before(i) + before(i) + "E";
        inside += i == 39 ? QByteArray("E") : "E" + before(i);
    }
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("doubles at each parameter") << beside;
    QTest::newRow("doubles inside a pack") << inside;
    QTest::newRow("deep") << "_Z1f" + QByteArray("P").repeated(12'000) + "i";
    QTest::newRow("unfinished") << "_Z" + QByteArray("1fI").repeated(5000);
    QTest::newRow("long") << "_Z1f" + QByteArray("i").repeated(20'000);
    QTest::newRow("cut") << QByteArray("_ZN2at6nat");
    QTest::newRow("of C") << QByteArray("matmul");
    QTest::newRow("demangled") << QByteArray("f(int)");
    QTest::newRow("empty") << QByteArray();
}

void tst_KernelName::hostileNamesStayAsTheyAre()
{
    QFETCH(const QByteArray, name);
    QVERIFY(!demangled(name.toStdString()));
}

/// Whatever a source calls a kernel, its full name is readable, and the short one is shown.
void tst_KernelName::aTraceDemangles()
{
    TraceBuilder builder;
    const auto mangled
        = builder.intern("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1"
                         "EEEEviT0_T1_");
    const auto as_nsight = builder.intern("vectorized_elementwise_kernel");
    const auto as_once
        = builder.intern("vectorized_elementwise_kernel<FillFunctor>");  // as versions before 1.0 wrote it
    const auto of_somebody = builder.intern("fill with zeros");
    Ns time = 0;
    for (const auto shown : {StringId {0}, mangled, as_nsight, as_once, of_somebody}) {
        KernelRecord kernel {};
        kernel.start = time += 10;
        kernel.end = time + 5;
        kernel.name = mangled;
        kernel.shown_name = shown;
        builder.write(kernel);
    }
    const auto trace = builder.finish(Source::cupti);
    QCOMPARE(trace.operations.size(), 5U);
    for (Row row = 0; row < 5; ++row) {
        const auto full = trace.text(trace.kernels[trace.operations.detail[row]].full_name);
        QVERIFY2(full.starts_with("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "),
            std::string(full).c_str());
        QCOMPARE(
            std::string(trace.text(trace.operations.name[row])), std::string(row == 4 ? "fill with zeros" : "fill"));
    }
}

QTEST_GUILESS_MAIN(tst_KernelName)
#include "tst_kernel_name.moc"
