#define _GNU_SOURCE  // dl_iterate_phdr
#include "CProcessMemory.h"

#if defined(__linux__)
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/// Bits of an entry of /proc/self/pagemap (Linux, Documentation/admin-guide/mm/pagemap.rst): the
/// page is in memory, and it is that of a file. A page that was changed is not.
static const uint64_t is_present = UINT64_C(1) << 63;
static const uint64_t is_of_file = UINT64_C(1) << 61;

/// Unmaps the pages from `first` to `end` that are those of the file.
static void unmap_range(int pagemap, uintptr_t first, uintptr_t end, uintptr_t page) {
  uint64_t entries[512];
  while (first < end) {
    size_t count = (end - first) / page;
    if (count > sizeof entries / sizeof *entries) count = sizeof entries / sizeof *entries;
    const ssize_t size = (ssize_t)(count * sizeof *entries);
    if (pread(pagemap, entries, (size_t)size, (off_t)(first / page * sizeof *entries)) != size) {
      return;
    }
    for (size_t i = 0; i < count;) {
      size_t last = i;
      while (last < count && (entries[last] & is_present) && (entries[last] & is_of_file)) last++;
      if (last > i) madvise((void *)(first + i * page), (last - i) * page, MADV_DONTNEED);
      i = last + 1;
    }
    first += count * page;
  }
}

/// Called with the program itself first; the end at 1 leaves libraries out.
static int unmap_pages(struct dl_phdr_info *program, size_t size, void *pagemap) {
  (void)size;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
    // Only whole pages: the edges may be shared with a segment that is written to.
    const uintptr_t start = program->dlpi_addr + segment->p_vaddr;
    const uintptr_t first = (start + page - 1) / page * page;
    const uintptr_t end = (start + segment->p_filesz) / page * page;
    if (end > first) unmap_range(*(int *)pagemap, first, end, page);
  }
  return 1;
}
#endif

void cprocessmemory_unmap_startup_pages(void) {
#if defined(__linux__)
  int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (pagemap < 0) return;
  dl_iterate_phdr(unmap_pages, &pagemap);
  close(pagemap);
#endif
}
