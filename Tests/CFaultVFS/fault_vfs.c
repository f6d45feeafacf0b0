#include "CFaultVFS.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

static sqlite3_vfs *usual;
static sqlite3_vfs vfs;
static atomic_int kind;
static atomic_long chosen;
static atomic_long operations;
static atomic_int failed;

/* Our file, followed by the default VFS's file. */
typedef struct {
  sqlite3_file base;
} FaultFile;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((FaultFile *)file + 1); }

/* The kinds of operations. */
enum { OPENS, ASKS, READS, WRITES, SYNCS };

/* Counts an operation and returns whether it fails. */
static int fails(int action) {
  int now = atomic_load(&kind);
  if (now == FAULT_READ_FROM && action != READS) return 0;
  if (now == FAULT_SYNC_FROM && action != SYNCS) return 0;
  long n = atomic_fetch_add(&operations, 1) + 1;
  long at = atomic_load(&chosen);
  if (at == 0 || n < at) return 0;
  int is_later = n > at;
  int writes = action == WRITES || action == SYNCS;
  int result = now == FAULT_ERROR_FROM || (now == FAULT_FULL_FROM && writes) ||
               now == FAULT_READ_FROM || now == FAULT_SYNC_FROM ||
               (!is_later && (now == FAULT_ERROR_ONCE || now == FAULT_SHORT_WRITE));
  if (result) atomic_store(&failed, 1);
  return result;
}

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (fails(READS)) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (fails(WRITES)) {
    if (atomic_load(&kind) == FAULT_SHORT_WRITE && count > 1) {
      real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    }
    return atomic_load(&kind) == FAULT_FULL_FROM ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  }
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (fails(WRITES)) return SQLITE_IOERR_TRUNCATE;
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  if (fails(SYNCS)) return SQLITE_IOERR_FSYNC;
  return real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  if (fails(ASKS)) return SQLITE_IOERR_FSTAT;
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_check(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int file_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int file_device(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}


static int file_shm_map(
    sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  if (fails(WRITES)) return SQLITE_IOERR_SHMSIZE;
  return real(file)->pMethods->xShmMap(real(file), region, size, extends, memory);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int file_shm_unmap(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}
/* Disables memory mapping, so that file_read, which can fail, reads every byte. */
static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **bytes) {
  (void)file, (void)offset, (void)count;
  *bytes = 0;
  return SQLITE_OK;
}
static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *bytes) {
  (void)file, (void)offset, (void)bytes;
  return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    3, file_close, file_read, file_write, file_truncate, file_sync, file_size,
    file_lock, file_unlock, file_check, file_control, file_sector, file_device,
    file_shm_map, file_shm_lock, file_shm_barrier, file_shm_unmap, file_fetch, file_unfetch};

static int vfs_open(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *out) {
  (void)self;
  file->pMethods = 0;
  if (fails(OPENS)) return SQLITE_CANTOPEN;
  memset(real(file), 0, (size_t)usual->szOsFile);
  int code = usual->xOpen(usual, name, real(file), flags, out);
  if (real(file)->pMethods) file->pMethods = &methods;
  return code;
}

static int vfs_delete(sqlite3_vfs *self, const char *name, int sync) {
  (void)self;
  if (fails(WRITES)) return SQLITE_IOERR_DELETE;
  return usual->xDelete(usual, name, sync);
}

/* The system's error code of a failure: ENOSPC if the disk is full. */
static int vfs_last_error(sqlite3_vfs *self, int count, char *text) {
  (void)self;
  if (atomic_load(&failed) && atomic_load(&kind) == FAULT_FULL_FROM) return ENOSPC;
  return usual->xGetLastError ? usual->xGetLastError(usual, count, text) : 0;
}

int fault_vfs_register(void) {
  if (usual) return 0;
  sqlite3_vfs *found = sqlite3_vfs_find(0);
  if (!found) return 1;
  vfs = *found;
  vfs.zName = "fault";
  vfs.pNext = 0;
  vfs.szOsFile = (int)sizeof(FaultFile) + found->szOsFile;
  vfs.xOpen = vfs_open;
  vfs.xDelete = vfs_delete;
  vfs.xGetLastError = vfs_last_error;
  usual = found;
  return sqlite3_vfs_register(&vfs, 0);
}

void fault_vfs_arm(int new_kind, long n) {
  atomic_store(&chosen, 0);
  atomic_store(&operations, 0);
  atomic_store(&failed, 0);
  atomic_store(&kind, new_kind);
  atomic_store(&chosen, n);
}

long fault_vfs_operations(void) { return atomic_load(&operations); }

int fault_vfs_has_failed(void) { return atomic_load(&failed); }

static pthread_mutex_t user = PTHREAD_MUTEX_INITIALIZER;

void fault_vfs_lock(void) { pthread_mutex_lock(&user); }

void fault_vfs_unlock(void) {
  fault_vfs_arm(0, 0);
  pthread_mutex_unlock(&user);
}
