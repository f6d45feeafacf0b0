#ifndef ROQUA_ALLOCATION_COUNT_H
#define ROQUA_ALLOCATION_COUNT_H

/// How often this thread has asked for memory so far, or -1 where that is not counted: on other
/// systems than Linux with glibc, and under a sanitizer, which has an allocator of its own.
long roqua_allocation_count(void);

#endif
