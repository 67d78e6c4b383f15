// SPDX-License-Identifier: MIT
/* A module in the middle of whose relocation the linker waits: it calls a function of the module's to find which one is
   meant by a name, and that one says so through a pipe and waits for an answer. Functions of others cannot be called
   then. */
#include "relocating_module.h"

#include <sys/syscall.h>
#include <unistd.h>

static long system_call(long number, long a, const void* b, long c)
{
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = (long)b;
    register long x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#endif
}

static void nothing(void) { }

__attribute__((used)) static void (*wait_in_linker(void))(void)
{
    char text = 'x';
    system_call(SYS_write, RELOCATING_SAYS, &text, 1);
    system_call(SYS_read, RELOCATING_ASKS, &text, 1);
    return nothing;
}

void found_by_linker(void) __attribute__((ifunc("wait_in_linker")));

/* Both are read-only once the linker is done. */
void (*const found[])(void) = {found_by_linker};
imported_function* const imported[] = {getdomainname};

int call_imported(char* name, unsigned long size)
{
    return getdomainname(name, size);
}
