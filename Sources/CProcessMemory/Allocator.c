#include "CProcessMemory.h"

#include <stdlib.h>  // defines __GLIBC__ where it is glibc

#if defined(__GLIBC__)
#include <malloc.h>
#endif

void cprocessmemory_keep_freed(void) {
#if defined(__GLIBC__)
  // Setting one of the two ends the automatic choice of the other, so both are set.
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}
