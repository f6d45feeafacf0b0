#define _GNU_SOURCE  // dl_iterate_phdr
#include "CProcessMemory.h"

#if defined(__linux__)
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/// Whether the loader wrote into read-only segments. Those pages differ from the file's.
static bool has_changed_code(const struct dl_phdr_info *program) {
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
    if (segment->p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(program->dlpi_addr + segment->p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL) return true;
      if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return true;
    }
  }
  return false;
}

/// Called with the program itself first; the end at 1 leaves libraries out.
static int unmap_pages(struct dl_phdr_info *program, size_t size, void *unused) {
  (void)size;
  (void)unused;
  if (has_changed_code(program)) return 1;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
    // Only whole pages: the edges may be shared with a segment that is written to.
    const uintptr_t start = program->dlpi_addr + segment->p_vaddr;
    const uintptr_t first = (start + page - 1) / page * page;
    const uintptr_t end = (start + segment->p_filesz) / page * page;
    if (end > first) madvise((void *)first, end - first, MADV_DONTNEED);
  }
  return 1;
}
#endif

void cprocessmemory_unmap_startup_pages(void) {
#if defined(__linux__)
  dl_iterate_phdr(unmap_pages, NULL);
#endif
}
