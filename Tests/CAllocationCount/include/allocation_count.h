#ifndef ROQUA_ALLOCATION_COUNT_H
#define ROQUA_ALLOCATION_COUNT_H

/// The number of allocations by this thread so far, or -1 if they are not counted: on systems other
/// than Linux with glibc, and under a sanitizer, which has its own allocator.
long roqua_allocation_count(void);

#endif
