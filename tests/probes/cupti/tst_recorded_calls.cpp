// SPDX-License-Identifier: MIT
#include "probes/cupti/recorded_calls.h"

#include <QTest>

using namespace lanes;

class tst_RecordedCalls : public QObject {
    Q_OBJECT

private slots:
    void letsIn_data();
    void letsIn();
};

void tst_RecordedCalls::letsIn_data()
{
    QTest::addColumn<bool>("recorded");
    for (const char* name : {"cudaLaunchKernel_v7000", "cudaLaunchKernel_ptsz_v7000", "cudaLaunchKernelExC_v11060",
             "cuLaunchKernelEx", "cuLaunchKernelEx_ptsz", "cudaLaunchHostFunc_v10000", "cudaGraphLaunch_v10000",
             "cudaGraphInstantiate_v12000", "cudaGraphExecUpdate_v10020", "cuGraphUpload", "cudaMemcpyAsync_v3020",
             "cuMemcpyHtoDAsync_v2", "cudaMemcpyToSymbol_v3020", "cudaMemcpyBatchAsync_v13000", "cudaMemsetAsync_v3020",
             "cuMemsetD32Async", "cudaMemPrefetchAsync_v8000", "cudaDeviceSynchronize_v3020", "cuCtxSynchronize",
             "cudaStreamSynchronize_v3020", "cudaEventSynchronize_v3020", "cudaEventQuery_v3020",
             "cudaStreamQuery_v3020", "cudaEventRecord_v3020", "cudaStreamWaitEvent_v3020", "cuStreamWaitValue32",
             "cudaStreamAddCallback_v5000", "cudaMalloc_v3020", "cudaMallocAsync_v11020", "cudaFree_v3020",
             "cudaHostAlloc_v3020", "cudaHostRegister_v4000", "cuMemHostAlloc", "cuMemCreate", "cuMemSetAccess",
             "cuMemMap", "cudaMemPoolTrimTo_v11020", "cuArrayCreate_v2", "cudaStreamBeginCapture_v10000",
             "cudaStreamEndCapture_v10000", "cuModuleLoadData", "cuModuleGetFunction", "cuLibraryLoadData",
             "cuLibraryGetKernel", "cudaSetDevice_v3020", "cudaDeviceReset_v3020", "cuDevicePrimaryCtxRetain",
             "cudaProfilerStart_v4000", "cuInit", "cudaWaitExternalSemaphoresAsync_v10000"}) {
        QTest::newRow(name) << true;
    }
    for (const char* name : {"cudaGetDevice_v3020", "cudaGetLastError_v3020", "cudaPeekAtLastError_v3020",
             "cuKernelGetName", "cuKernelGetAttribute", "cuKernelGetFunction", "cuFuncGetAttribute",
             "cudaStreamIsCapturing_v10000", "cudaStreamGetCaptureInfo_v2_v11030", "cudaStreamGetPriority_v5050",
             "cudaThreadExchangeStreamCaptureMode_v10010", "cudaGetDeviceCount_v3020", "cudaDeviceGetAttribute_v5000",
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor_v6050", "cudaGetDriverEntryPoint_v11030",
             "cuGetProcAddress_v2", "cuCtxGetCurrent", "cuCtxSetCurrent", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2",
             "cuDeviceGetAttribute", "cuDevicePrimaryCtxGetState", "cuPointerGetAttribute", "cudaMemGetInfo_v3020",
             "cudaFuncSetAttribute_v9000", "cudaGraphKernelNodeGetParams_v10000", "cudaFuncGetAttributes_v3020", "nvtx",
             "cu", "cuda", ""}) {
        QTest::newRow(*name == '\0' ? "nothing" : name) << false;
    }
}

void tst_RecordedCalls::letsIn()
{
    QFETCH(bool, recorded);
    const std::string name = QTest::currentDataTag();
    QCOMPARE(is_recorded_call(name == "nothing" ? "" : name), recorded);
}

QTEST_GUILESS_MAIN(tst_RecordedCalls)
#include "tst_recorded_calls.moc"
