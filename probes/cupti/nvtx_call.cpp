// SPDX-License-Identifier: MIT
#include "probes/cupti/nvtx_call.h"
#include "probes/utf8_letter.h"

#include <generated_nvtx_meta.h>

namespace lanes {

namespace {

constexpr CUpti_CallbackId understood[] = {
    CUPTI_CBID_NVTX_nvtxRangeStartA,
    CUPTI_CBID_NVTX_nvtxRangeStartW,
    CUPTI_CBID_NVTX_nvtxRangeStartEx,
    CUPTI_CBID_NVTX_nvtxRangeEnd,
    CUPTI_CBID_NVTX_nvtxRangePushA,
    CUPTI_CBID_NVTX_nvtxRangePushW,
    CUPTI_CBID_NVTX_nvtxRangePushEx,
    CUPTI_CBID_NVTX_nvtxRangePop,
    CUPTI_CBID_NVTX_nvtxDomainRangeStartEx,
    CUPTI_CBID_NVTX_nvtxDomainRangeEnd,
    CUPTI_CBID_NVTX_nvtxDomainRangePushEx,
    CUPTI_CBID_NVTX_nvtxDomainRangePop,
    CUPTI_CBID_NVTX_nvtxDomainRegisterStringA,
    CUPTI_CBID_NVTX_nvtxDomainRegisterStringW,
};

std::uint64_t number_of(const void* handle)
{
    return reinterpret_cast<std::uintptr_t>(handle);
}

NvtxCall named(NvtxCall::Kind kind, std::string name)
{
    NvtxCall call;
    call.kind = kind;
    call.name = std::move(name);
    return call;
}

NvtxCall named(NvtxCall::Kind kind, const nvtxEventAttributes_t* attributes)
{
    auto call = named(kind, std::string());
    if (attributes != nullptr && attributes->messageType == NVTX_MESSAGE_TYPE_ASCII) {
        call.name = utf8_of(attributes->message.ascii);
    } else if (attributes != nullptr && attributes->messageType == NVTX_MESSAGE_TYPE_UNICODE) {
        call.name = utf8_of(attributes->message.unicode);
    } else if (attributes != nullptr && attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED) {
        call.handle = attributes->message.registered;
    }
    return call;
}

NvtxCall of(std::uint64_t domain, NvtxCall call)
{
    call.domain = domain;
    return call;
}

}  // namespace

std::span<const CUpti_CallbackId> nvtx_calls()
{
    return understood;
}

NvtxCall read_nvtx_call(CUpti_CallbackId id, const CUpti_NvtxData& data)
{
    const void* const parameters = data.functionParams;
    const auto result = [&]<class T>(T otherwise) {
        return data.functionReturnValue == nullptr ? otherwise : *static_cast<const T*>(data.functionReturnValue);
    };
    const auto with_id = [&](NvtxCall call) {
        call.id = result(nvtxRangeId_t {0});
        return call;
    };
    const auto as = [parameters]<class T>(const T*) -> const T& { return *static_cast<const T*>(parameters); };
    const auto pop = [](std::uint64_t domain) { return of(domain, named(NvtxCall::pop, std::string())); };
    const auto end = [](nvtxRangeId_t range) {
        auto call = named(NvtxCall::end, std::string());
        call.id = range;
        return call;
    };
    if (parameters == nullptr) {
        return id == CUPTI_CBID_NVTX_nvtxRangePop ? pop(0) : NvtxCall {};
    }
    switch (id) {
    case CUPTI_CBID_NVTX_nvtxRangeStartA:
        return with_id(named(NvtxCall::start, utf8_of(as(static_cast<nvtxRangeStartA_params*>(nullptr)).message)));
    case CUPTI_CBID_NVTX_nvtxRangeStartW:
        return with_id(named(NvtxCall::start, utf8_of(as(static_cast<nvtxRangeStartW_params*>(nullptr)).message)));
    case CUPTI_CBID_NVTX_nvtxRangeStartEx:
        return with_id(named(NvtxCall::start, as(static_cast<nvtxRangeStartEx_params*>(nullptr)).eventAttrib));
    case CUPTI_CBID_NVTX_nvtxDomainRangeStartEx: {
        const auto& start = as(static_cast<nvtxDomainRangeStartEx_params*>(nullptr));
        return with_id(of(number_of(start.domain), named(NvtxCall::start, start.core.eventAttrib)));
    }
    case CUPTI_CBID_NVTX_nvtxRangeEnd:
        return end(as(static_cast<nvtxRangeEnd_params*>(nullptr)).id);
    case CUPTI_CBID_NVTX_nvtxDomainRangeEnd:
        return end(as(static_cast<nvtxDomainRangeEnd_params*>(nullptr)).core.id);
    case CUPTI_CBID_NVTX_nvtxRangePushA:
        return named(NvtxCall::push, utf8_of(as(static_cast<nvtxRangePushA_params*>(nullptr)).message));
    case CUPTI_CBID_NVTX_nvtxRangePushW:
        return named(NvtxCall::push, utf8_of(as(static_cast<nvtxRangePushW_params*>(nullptr)).message));
    case CUPTI_CBID_NVTX_nvtxRangePushEx:
        return named(NvtxCall::push, as(static_cast<nvtxRangePushEx_params*>(nullptr)).eventAttrib);
    case CUPTI_CBID_NVTX_nvtxDomainRangePushEx: {
        const auto& push = as(static_cast<nvtxDomainRangePushEx_params*>(nullptr));
        return of(number_of(push.domain), named(NvtxCall::push, push.core.eventAttrib));
    }
    case CUPTI_CBID_NVTX_nvtxRangePop:
        return pop(0);
    case CUPTI_CBID_NVTX_nvtxDomainRangePop:
        return pop(number_of(as(static_cast<nvtxDomainRangePop_params*>(nullptr)).domain));
    case CUPTI_CBID_NVTX_nvtxDomainRegisterStringA:
    case CUPTI_CBID_NVTX_nvtxDomainRegisterStringW: {
        // The header declares both texts as char.
        const char* text = as(static_cast<nvtxDomainRegisterStringA_params*>(nullptr)).string;
        auto call = named(NvtxCall::registered,
            id == CUPTI_CBID_NVTX_nvtxDomainRegisterStringA ? utf8_of(text)
                                                            : utf8_of(reinterpret_cast<const wchar_t*>(text)));
        call.handle = result(nvtxStringHandle_t {nullptr});
        return call;
    }
    default:
        return {};
    }
}

}  // namespace lanes
