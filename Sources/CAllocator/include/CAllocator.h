#ifndef CALLOCATOR_H
#define CALLOCATOR_H

/// Makes glibc's allocator keep up to 4 MB of freed memory for the next allocation, instead of
/// returning it to the system whenever 128 kB are free at its end. Call it first. Does nothing with
/// other C libraries.
///
/// Reading a store allocates and frees the same arrays of 100 to 300 kB for each chunk of fixes;
/// returning them made `roqua places` for five million fixes a fifth slower.
void callocator_keep_freed_memory(void);

#endif
