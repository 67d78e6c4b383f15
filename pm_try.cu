#include <cuda.h>
#include <cuda_runtime.h>
#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>
#include <cstdio>
#include <vector>
#define T(x) do { auto r = (x); const char* s = ""; cuptiGetResultString((CUptiResult)r, &s); std::printf("%s -> %d %s\n", #x, (int)r, s); } while (0)
int main() {
    cudaFree(nullptr);
    CUpti_Profiler_Initialize_Params init = {CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    T(cuptiProfilerInitialize(&init));
    CUpti_Device_GetChipName_Params chip = {CUpti_Device_GetChipName_Params_STRUCT_SIZE};
    chip.deviceIndex = 0;
    T(cuptiDeviceGetChipName(&chip));
    std::printf("chip %s\n", chip.pChipName ? chip.pChipName : "?");
    CUpti_PmSampling_GetCounterAvailability_Params av = {CUpti_PmSampling_GetCounterAvailability_Params_STRUCT_SIZE};
    av.deviceIndex = 0;
    T(cuptiPmSamplingGetCounterAvailability(&av));
    std::printf("size %zu\n", av.counterAvailabilityImageSize);
    CUpti_PmSampling_Enable_Params en = {CUpti_PmSampling_Enable_Params_STRUCT_SIZE};
    en.deviceIndex = 0;
    T(cuptiPmSamplingEnable(&en));
    CUpti_Profiler_DeviceSupported_Params sup = {CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE};
    cuDeviceGet(&sup.cuDevice, 0);
    sup.api = CUPTI_PROFILER_PM_SAMPLING;
    T(cuptiProfilerDeviceSupported(&sup));
    std::printf("supported %d arch %d sli %d vgpu %d conf %d cmp %d wsl %d\n", sup.isSupported, sup.architecture, sup.sli, sup.vGpu, sup.confidentialCompute, sup.cmp, sup.wsl);
}
