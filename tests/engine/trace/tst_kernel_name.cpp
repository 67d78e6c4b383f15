// SPDX-License-Identifier: MIT
#include "engine/trace/kernel_name.h"

#include <QTest>

using namespace lanes;

class tst_KernelName : public QObject {
    Q_OBJECT

private slots:
    void shortNames_data();
    void shortNames();
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
                             << "cutlass_80_simt_sgemm_64x64_8x5_tn_align1";
    QTest::newRow("cutlass, nested") << "void cutlass_cudnn_train::Kernel<cutlass_cudnn_train::reduction::kernel::"
                                        "ReduceSplitK<cutlass_cudnn_train::MatrixShape<4, 128>, float> >(int)"
                                     << "ReduceSplitK";
    QTest::newRow("somebody's Kernel") << "void mine::Kernel<mine::Work>(int)"
                                       << "Kernel";
    QTest::newRow("functor") << "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, "
                                "at::detail::Array<char*, 3> >(int, at::native::AddFunctor<float>)"
                             << "vectorized_elementwise_kernel<AddFunctor>";
    QTest::newRow("functor, wrapped") << "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<"
                                         "float, float, float, at::native::binary_internal::MulFunctor<float> > >(int)"
                                      << "vectorized_elementwise_kernel<MulFunctor>";
    QTest::newRow("lambda of a function") << "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
                                             "namespace)::launch_clamp_scalar(at::TensorIteratorBase&, "
                                             "c10::Scalar)::{lambda()#1}::operator()() const::{lambda()#7}>(int)"
                                          << "vectorized_elementwise_kernel<launch_clamp_scalar>";
    QTest::newRow("cast") << "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native"
                             "::CUDAFunctor_add<float> >(at::TensorIteratorBase&)::{lambda(int)#1}>(int, float)"
                          << "elementwise_kernel<CUDAFunctor_add>";
    QTest::newRow("reduction") << "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::"
                                  "func_wrapper_t<float, at::native::sum_functor<float, float, float>::operator()("
                                  "at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, float, 4, 4> >(int)"
                               << "reduce_kernel<sum_functor>";
    QTest::newRow("many tensors") << "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::("
                                     "anonymous namespace)::TensorListMetadata<2>, at::native::(anonymous namespace)::"
                                     "BinaryOpListAlphaFunctor<float, 2, 2, 0>, std::plus<float>, float>(int)"
                                  << "multi_tensor_apply_kernel<BinaryOpListAlphaFunctor>";
    QTest::newRow("arguments that say nothing") << "void at::native::reduce_kernel<512, 1, float>(int)"
                                                << "reduce_kernel";
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

QTEST_GUILESS_MAIN(tst_KernelName)
#include "tst_kernel_name.moc"
