#ifndef CPROCESSMEMORY_H
#define CPROCESSMEMORY_H

/// Makes glibc's allocator keep up to 4 MB of freed memory at the end of the heap for the next
/// allocation, where it would begin with 128 kB. Call it first. Does nothing with other C
/// libraries.
///
/// Reading a store allocates and frees the same arrays, some hundred kilobytes, for each chunk of
/// fixes. Returning them to the system and getting them back empty takes longer than decoding.
void cprocessmemory_keep_freed(void);

/// Gives the read-only pages of the program file back to the system, which maps them again from
/// its cache as they are used. Call it once between starting and long work. Any thread may run
/// meanwhile. Pages that differ from the file stay, such as those with a debugger's breakpoints.
/// Does nothing on systems other than Linux, and where `/proc` cannot be read.
///
/// Loading a program and reading its arguments touch relocations, symbols and code, megabytes of
/// roqua, that are not needed again. `docs/decisions/pragmas.md` has the measurement.
void cprocessmemory_unmap_startup_pages(void);

#endif
