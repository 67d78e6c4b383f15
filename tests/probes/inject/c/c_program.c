/* SPDX-License-Identifier: MIT
 * A program in C that uses lanescope.h as a stranger would: loads the probe named first, and does what its further
 * arguments say, in order:
 *   start=SPOOL  stop  recording  push=NAME  pop  mark=NAME  name=NAME  flush
 *   cuda         as libcuda does when the program first uses it
 *   count=NAME   the values 1, 2.5 and no number of NAME: of the process, of its device 1 in bytes, of no known unit
 *   npush=TEXT   nvtxRangePushA, and npop nvtxRangePop, through NVTX's own headers
 *   xpush=TEXT   nvtxRangePushEx
 *   dpush=TEXT   nvtxDomainRangePushEx in a domain, dpop nvtxDomainRangePop; vpush nvtxRangePushPayload and vpop
 *                nvtxRangePopPayload, both with a value
 *   nccl=HASH    ncclAllReduce as NCCL 2.28 says it, of 4096 bytes by sum on communicator HASH, begun and ended
 *   ninit=HASH   ncclCommInitRankConfig, whose values come with its end
 *   thread=TEXT  a thread that pushes and pops TEXT through NVTX
 *   pushing=NAME a thread that pushes and pops NAME from here on, to the end
 *   fork         the rest happens in a child, for which the parent waits
 *   _exit        end without exit handlers
 * Prints what each start and stop returned and lanescope_error() where it failed. */
#include "probes/lanescope.h"

#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void* library;

static void* function(const char* name)
{
    void* found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(3);
    }
    return found;
}

#define LANESCOPE(name) ((__typeof__(&name))function(#name))

static int said(const char* what, int result)
{
    printf("%s: %d%s%s\n", what, result, result == 0 ? "" : " ", result == 0 ? "" : LANESCOPE(lanescope_error)());
    fflush(stdout);
    return result;
}

static nvtxEventAttributes_t called(const char* text)
{
    nvtxEventAttributes_t attributes = {0};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = text;
    return attributes;
}

/* As src/include/nvtx_payload_schemas.h of NCCL has them: static ids in its domain, offsets, an enumeration. */
enum { schema_of_reduce = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 3, schema_of_init, enum_of_operation };

static uint64_t registered(nvtxDomainHandle_t nccl, const nvtxPayloadSchemaEntry_t* entries, size_t count, size_t size,
    uint64_t id)
{
    nvtxPayloadSchemaAttr_t schema = {0};
    schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES
        | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE
        | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.entries = entries;
    schema.numEntries = count;
    schema.payloadStaticSize = size;
    schema.schemaId = id;
    return nvtxPayloadSchemaRegister(nccl, &schema);
}

static void reduce(nvtxDomainHandle_t nccl, uint64_t hash)
{
    struct {
        uint64_t communicator;
        size_t bytes;
        int operation;
    } given = {hash, 4096, 0};
    const nvtxPayloadEnum_t operations[] = {{"Sum", 0, 0}, {"Product", 1, 0}};
    nvtxPayloadEnumAttr_t named = {0};
    named.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES
        | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
    named.entries = operations;
    named.numEntries = 2;
    named.sizeOfEnum = sizeof given.operation;
    named.schemaId = enum_of_operation;
    nvtxPayloadEnumRegister(nccl, &named);
    const nvtxPayloadSchemaEntry_t entries[] = {{0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "NCCL communicator ID", NULL, 0, 0},
        {0, NVTX_PAYLOAD_ENTRY_TYPE_SIZE, "Message size [bytes]", NULL, 0, 8},
        {0, enum_of_operation, "Reduction operation", NULL, 0, 16}};
    registered(nccl, entries, 3, sizeof given, schema_of_reduce);
    const nvtxPayloadData_t payload = {schema_of_reduce, sizeof given, &given};
    nvtxEventAttributes_t attributes = called("ncclAllReduce");
    attributes.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    attributes.reserved0 = 1;
    attributes.payload.ullValue = (uint64_t)(uintptr_t)&payload;
    nvtxDomainRangePushEx(nccl, &attributes);
    nvtxDomainRangePop(nccl);
}

/* Schemas and payloads whose pointers and sizes lead nowhere. */
static void mislead(nvtxDomainHandle_t nccl)
{
    char* const page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page + 4096, 4096, PROT_NONE); /* a hole could be filled */
    const char* const nowhere = page + 4096;
    memset(page, 'x', 4096);
    const nvtxPayloadSchemaEntry_t entries[] = {{0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, nowhere, NULL, 0, 0},
        {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, page + 4090, NULL, 0, ~0ULL},
        {NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, NVTX_PAYLOAD_ENTRY_TYPE_CHAR, "text", NULL, ~0ULL, 0}};
    registered(nccl, entries, 3, ~0ULL, schema_of_reduce + 10);
    registered(nccl, (const nvtxPayloadSchemaEntry_t*)nowhere, 3, 8, schema_of_reduce + 11);
    registered(nccl, (const nvtxPayloadSchemaEntry_t*)(page + 4096 - 2 * sizeof entries[0]), 3, 8, schema_of_reduce + 12);
    const nvtxPayloadData_t payloads[] = {{schema_of_reduce + 10, 8, nowhere}, {schema_of_reduce + 10, 1ULL << 40U, page},
        {schema_of_reduce + 11, 8, page}, {99, 8, page}, {schema_of_reduce + 10, 16, page + 4088},
        {schema_of_reduce + 10, 8, page}};
    nvtxEventAttributes_t attributes = called("misled");
    attributes.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    for (int i = 0; i < 3; ++i) {
        attributes.reserved0 = i == 0 ? -1 : 6;
        attributes.payload.ullValue = i == 1 ? (uint64_t)(uintptr_t)nowhere : (uint64_t)(uintptr_t)payloads;
        if (i == 0) {
            attributes.payload.ullValue = (uint64_t)(uintptr_t)(page + 4096 - sizeof payloads[0]);
        }
        nvtxDomainRangePushEx(nccl, &attributes);
        nvtxDomainRangePop(nccl);
    }
}

static void make_communicator(nvtxDomainHandle_t nccl, uint64_t hash)
{
    struct {
        uint64_t communicator;
        int ranks, rank, device;
    } given = {hash, 2, 1, 0};
    const nvtxEventAttributes_t attributes = called("ncclCommInitRankConfig");
    nvtxDomainRangePushEx(nccl, &attributes);
    const nvtxPayloadSchemaEntry_t entries[] = {{0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "NCCL communicator ID", NULL, 0, 0},
        {0, NVTX_PAYLOAD_ENTRY_TYPE_INT, "No. of ranks", NULL, 0, 0}, {0, NVTX_PAYLOAD_ENTRY_TYPE_INT, "Rank", NULL, 0, 0},
        {0, NVTX_PAYLOAD_ENTRY_TYPE_INT, "CUDA device", NULL, 0, 0}};
    registered(nccl, entries, 4, sizeof given, schema_of_init);
    const nvtxPayloadData_t payload = {schema_of_init, sizeof given, &given};
    nvtxRangePopPayload(nccl, &payload, 1);
}

static nvtxDomainHandle_t domain(void)
{
    static nvtxDomainHandle_t made = NULL;
    if (made == NULL) {
        made = nvtxDomainCreateA("collectives");
    }
    return made;
}

static void* push_and_pop(void* text)
{
    nvtxRangePushA(text);
    nvtxRangePop();
    return NULL;
}

static _Atomic int over = 0;

static void* push_and_pop_on_and_on(void* name)
{
    while (!over) {
        LANESCOPE(lanescope_range_push)(name);
        LANESCOPE(lanescope_range_pop)();
    }
    return NULL;
}

int main(int count, char** words)
{
    pthread_t pushing[8];
    int pushing_count = 0;
    library = dlopen(words[1], RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
    }
    const int number = 7;
    static nvtxDomainHandle_t nccl;
    const nvtxPayloadData_t values = {NVTX_PAYLOAD_ENTRY_TYPE_INT, sizeof number, &number};
    for (int i = 2; i < count; ++i) {
        char* value = strchr(words[i], '=');
        if (value != NULL) {
            *value++ = '\0';
        }
        if (strcmp(words[i], "start") == 0) {
            said("start", LANESCOPE(lanescope_start)(value));
        } else if (strcmp(words[i], "stop") == 0) {
            said("stop", LANESCOPE(lanescope_stop)());
        } else if (strcmp(words[i], "push") == 0) {
            LANESCOPE(lanescope_range_push)(value);
        } else if (strcmp(words[i], "pop") == 0) {
            LANESCOPE(lanescope_range_pop)();
        } else if (strcmp(words[i], "mark") == 0) {
            LANESCOPE(lanescope_mark)(value);
        } else if (strcmp(words[i], "count") == 0) {
            LANESCOPE(lanescope_counter)(value, 1, LANESCOPE_NUMBER, -1);
            LANESCOPE(lanescope_counter)(value, 2.5, LANESCOPE_BYTES, 1);
            LANESCOPE(lanescope_counter)(value, 0.0 / 0.0, 99, 1);
        } else if (strcmp(words[i], "name") == 0) {
            LANESCOPE(lanescope_name_thread)(value);
        } else if (strcmp(words[i], "flush") == 0) {
            LANESCOPE(lanescope_flush)();
        } else if (strcmp(words[i], "cuda") == 0) {
            ((int (*)(void))function("InitializeInjection"))();
        } else if (strcmp(words[i], "recording") == 0) {
            said("recording", LANESCOPE(lanescope_recording)());
        } else if (strcmp(words[i], "npush") == 0) {
            nvtxRangePushA(value);
        } else if (strcmp(words[i], "npop") == 0) {
            nvtxRangePop();
        } else if (strcmp(words[i], "xpush") == 0) {
            const nvtxEventAttributes_t attributes = called(value);
            nvtxRangePushEx(&attributes);
        } else if (strcmp(words[i], "dpush") == 0) {
            const nvtxEventAttributes_t attributes = called(value);
            nvtxDomainRangePushEx(domain(), &attributes);
        } else if (strcmp(words[i], "dpop") == 0) {
            nvtxDomainRangePop(domain());
        } else if (strcmp(words[i], "vpush") == 0) {
            nvtxRangePushPayload(domain(), &values, 1);
        } else if (strcmp(words[i], "vpop") == 0) {
            nvtxRangePopPayload(domain(), &values, 1);
        } else if (strcmp(words[i], "nccl") == 0) {
            nccl = nccl != NULL ? nccl : nvtxDomainCreateA("NCCL");
            reduce(nccl, strtoull(value, NULL, 16));
        } else if (strcmp(words[i], "ninit") == 0) {
            nccl = nccl != NULL ? nccl : nvtxDomainCreateA("NCCL");
            make_communicator(nccl, strtoull(value, NULL, 16));
        } else if (strcmp(words[i], "mislead") == 0) {
            nccl = nccl != NULL ? nccl : nvtxDomainCreateA("NCCL");
            mislead(nccl);
        } else if (strcmp(words[i], "thread") == 0) {
            pthread_t thread;
            pthread_create(&thread, NULL, push_and_pop, value);
            pthread_join(thread, NULL);
        } else if (strcmp(words[i], "pushing") == 0) {
            pthread_create(&pushing[pushing_count++], NULL, push_and_pop_on_and_on, value);
        } else if (strcmp(words[i], "fork") == 0) {
            const pid_t child = fork();
            if (child != 0) {
                int status = -1;
                waitpid(child, &status, 0);
                return status;
            }
        } else if (strcmp(words[i], "_exit") == 0) {
            _exit(0);
        } else {
            fprintf(stderr, "no such word: %s\n", words[i]);
            return 2;
        }
    }
    over = 1;
    while (pushing_count > 0) {
        pthread_join(pushing[--pushing_count], NULL);
    }
    return 0;
}
