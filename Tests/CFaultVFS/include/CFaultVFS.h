#ifndef CFAULTVFS_H
#define CFAULTVFS_H

/* A SQLite VFS for tests, named "fault", that forwards all operations to the default VFS until it
   is armed to fail. Only one test at a time may arm it; it counts the operations on all files that
   were opened through it. */

/* The effect on the chosen operation. */
enum {
  FAULT_ERROR_ONCE = 0,    /* it fails with an I/O error, later ones work */
  FAULT_ERROR_FROM = 1,    /* it and all later ones fail with an I/O error */
  FAULT_FULL_FROM = 2,     /* it and all later ones that write fail: the disk is full. As
                              in SQLite's own VFS, only a write to a file reports that; the
                              others fail with an I/O error */
  FAULT_SHORT_WRITE = 3,   /* it fails, after writing half if it is a write; later ones work */
  FAULT_READ_FROM = 4,     /* it and all later reads fail; only reads are counted */
  FAULT_SYNC_FROM = 5,     /* it and all later syncs fail; only syncs are counted */
  FAULT_KINDS = 6
};

/* Registers "fault" with SQLite; returns 0 on success. May be called repeatedly. */
int fault_vfs_register(void);

/* Locks and unlocks the VFS, which is shared by the whole process. Unlocking disarms it. */
void fault_vfs_lock(void);
void fault_vfs_unlock(void);

/* Makes the n-th operation from now fail, counted from 1; 0 disarms and resets the count. */
void fault_vfs_arm(int kind, long n);

/* The number of operations since the last call of fault_vfs_arm. */
long fault_vfs_operations(void);

/* Whether an operation has failed since then. */
int fault_vfs_has_failed(void);

#endif
