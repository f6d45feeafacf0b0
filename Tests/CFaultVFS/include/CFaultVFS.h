#ifndef CFAULTVFS_H
#define CFAULTVFS_H

/* A SQLite file system for tests, "fault", that passes everything on to the usual one until it is
   told to fail. One test at a time may arm it; it counts the operations of all files that were
   opened by its name. */

/* What happens at the chosen operation. */
enum {
  FAULT_ERROR_ONCE = 0,    /* it fails with an I/O error, later ones work */
  FAULT_ERROR_FROM = 1,    /* it and all later ones fail with an I/O error */
  FAULT_FULL_FROM = 2,     /* it and all later ones that write fail: the disk is full. As
                              SQLite's own does, only a write to a file says so; the rest are
                              I/O errors */
  FAULT_SHORT_WRITE = 3,   /* it writes half, where it writes, and fails; later ones work */
  FAULT_READ_FROM = 4,     /* all reads from it on fail; only reads are counted */
  FAULT_SYNC_FROM = 5,     /* all syncs from it on fail; only syncs are counted */
  FAULT_KINDS = 6
};

/* Makes "fault" known to SQLite; 0 where that worked. May be called again. */
int fault_vfs_register(void);

/* One user at a time: the file system is one for the whole process. Unlocking lets nothing fail. */
void fault_vfs_lock(void);
void fault_vfs_unlock(void);

/* Lets the n-th operation from now on fail (from 1); 0 lets none fail and starts counting anew. */
void fault_vfs_arm(int kind, long n);

/* Operations since the last call of fault_vfs_arm. */
long fault_vfs_operations(void);

/* Whether an operation has failed since then. */
int fault_vfs_has_failed(void);

#endif
