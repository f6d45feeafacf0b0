#ifndef BARE_ROWS_H
#define BARE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/// A position and its time, as much as a row of the bare table has.
typedef struct {
  int64_t milliseconds;
  int32_t latitude_e7;
  int32_t longitude_e7;
} bare_row;

/// Creates a database with a bare table in WAL mode with synchronous = FULL, and writes the rows,
/// `batch` of them in each transaction.
///
/// Returns the seconds of the wall clock without opening and closing, or a negative number if
/// SQLite fails; `message` then says why.
double bare_rows_write(
    const char *path, const bare_row *rows, size_t count, size_t batch, const char **message);

/// Overwrites pages of a file and waits for the disk after each of them, as a transaction that must
/// survive a power failure does at least.
///
/// Returns the seconds of the wall clock, or a negative number if the file cannot be written.
double bare_syncs(const char *path, size_t count);

#endif
