// SPDX-License-Identifier: MIT
// As on a machine that has no more threads to give: a limit of memory with room for the large stacks of a few.
#pragma once

#include <cstdio>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace lanes::gui {

class FewThreads {
public:
    /// While it lives only this many more threads can be started.
    explicit FewThreads(rlim_t count)
    {
        unsigned long pages = 0;
        if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
            m_isKnown = std::fscanf(file, "%lu", &pages) == 1;
            std::fclose(file);
        }
        pthread_getattr_default_np(&m_before);
        pthread_attr_t large = m_before;
        pthread_attr_setstacksize(&large, stack);
        pthread_setattr_default_np(&large);
        getrlimit(RLIMIT_AS, &m_limit);
        rlimit limit = m_limit;
        limit.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + count * stack + stack / 2;
        m_isKnown = m_isKnown && setrlimit(RLIMIT_AS, &limit) == 0;
    }
    ~FewThreads()
    {
        setrlimit(RLIMIT_AS, &m_limit);
        pthread_setattr_default_np(&m_before);
    }
    FewThreads(const FewThreads&) = delete;
    FewThreads& operator=(const FewThreads&) = delete;

    bool isKnown() const { return m_isKnown; }

private:
    static constexpr rlim_t stack = rlim_t {256} << 20U;  // bytes
    pthread_attr_t m_before {};
    rlimit m_limit {};
    bool m_isKnown = false;
};

}  // namespace lanes::gui
