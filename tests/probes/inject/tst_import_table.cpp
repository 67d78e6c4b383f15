// SPDX-License-Identifier: MIT
// Functions of this process that are replaced while another thread loads a module that imports them.
#include "probes/inject/import_table.h"
#include "tests/probes/inject/c/relocating_module.h"

#include <array>
#include <atomic>
#include <csignal>
#include <dlfcn.h>
#include <QTest>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace lanes;

namespace {

int replacement(char*, unsigned long)
{
    return 4711;
}

}  // namespace

class tst_ImportTable : public QObject {
    Q_OBJECT

private slots:
    void moduleThatIsBeingLoaded();
    void childForkedDuringAWalkLoadsModules();
};

/// The linker goes on as if nobody had been there, and the next walk replaces what it filled in.
void tst_ImportTable::moduleThatIsBeingLoaded()
{
    std::array<int, 2> says {}, asks {};
    QVERIFY(::pipe(says.data()) == 0 && ::pipe(asks.data()) == 0);
    QVERIFY(::dup2(says[1], RELOCATING_SAYS) >= 0 && ::dup2(asks[0], RELOCATING_ASKS) >= 0);
    void* original = nullptr;
    const std::array imports {ReplacedImport {"getdomainname", reinterpret_cast<void*>(&replacement), &original}};
    void* module = nullptr;
    std::thread loads([&] { module = ::dlopen(LANES_RELOCATING_MODULE, RTLD_NOW); });
    char text = 0;
    const bool waits = ::read(says[0], &text, 1) == 1;
    replace_imports(imports);
    void* const early = original;
    const bool goes_on = ::write(asks[1], &text, 1) == 1;
    loads.join();
    QVERIFY(waits && goes_on);
    QVERIFY2(module != nullptr, module == nullptr ? ::dlerror() : "");
    QVERIFY(early == nullptr);
    const auto slot = [&] { return *static_cast<imported_function**>(::dlsym(module, "imported")); };
    auto* const call = reinterpret_cast<imported_function*>(::dlsym(module, "call_imported"));
    auto* const real = reinterpret_cast<imported_function*>(::dlsym(RTLD_DEFAULT, "getdomainname"));
    QVERIFY(slot() == real);

    replace_imports(imports);
    QVERIFY(slot() == &replacement);
    std::array<char, 100> name {};
    QCOMPARE(call(name.data(), name.size()), 4711);
    QVERIFY(reinterpret_cast<imported_function*>(original) == real);
}

/// The loader's list, which a walk locks, is not locked in a child.
void tst_ImportTable::childForkedDuringAWalkLoadsModules()
{
    void* original = nullptr;
    const std::array imports {ReplacedImport {"getdomainname", reinterpret_cast<void*>(&replacement), &original}};
    std::atomic<bool> ends {false};
    std::thread walks([&] {
        while (!ends) {
            replace_imports(imports);
        }
    });
    int failed = 0;
    for (int i = 0; i < 200 && failed == 0; ++i) {
        // The walker looks at everything again.
        if (void* const module = ::dlopen("libanl.so.1", RTLD_NOW); module != nullptr) {
            ::dlclose(module);
        }
        const auto child = ::fork();
        if (child == 0) {
            ::alarm(20);
            ::_exit(::dlopen("libBrokenLocale.so.1", RTLD_NOW) == nullptr ? 1 : 0);
        }
        int status = 0;
        failed = child > 0 && ::waitpid(child, &status, 0) == child ? status : -1;
    }
    ends = true;
    walks.join();
    QVERIFY2(!WIFSIGNALED(failed) || WTERMSIG(failed) != SIGALRM, "the child's dlopen() waits for ever");
    QCOMPARE(failed, 0);
}

QTEST_GUILESS_MAIN(tst_ImportTable)
#include "tst_import_table.moc"
