#ifndef CALLOCATOR_H
#define CALLOCATOR_H

/// Makes glibc's allocator keep up to 4 MB of freed memory at the end of the heap for the next
/// allocation, where it would begin with 128 kB. Call it first. Does nothing with other C
/// libraries.
///
/// Reading a store allocates and frees the same arrays, some hundred kilobytes, for each chunk of
/// fixes. Returning them to the system and getting them back empty takes longer than decoding.
void callocator_keep_freed_memory(void);

#endif
