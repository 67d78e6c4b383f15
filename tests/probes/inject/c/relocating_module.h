/* SPDX-License-Identifier: MIT */
/* What tst_import_table and its module have in common. */
#ifndef LANES_RELOCATING_MODULE_H
#define LANES_RELOCATING_MODULE_H

enum { RELOCATING_SAYS = 200, RELOCATING_ASKS = 201 }; /* descriptors */

typedef int imported_function(char*, unsigned long); /* getdomainname */

#endif
