#define _POSIX_C_SOURCE 200809L
#include "bare_rows.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

double bare_rows_write(
    const char *path, const bare_row *rows, size_t count, size_t batch, const char **message) {
  sqlite3 *database = NULL;
  sqlite3_stmt *begin = NULL, *insert = NULL, *commit = NULL;
  double seconds = -1;
  int code = sqlite3_open(path, &database);
  if (!code) {
    // The checkpoints are those of a store, so that both write their pages back as often.
    code = sqlite3_exec(
        database,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;"
        "CREATE TABLE fixes (id INTEGER PRIMARY KEY, time INTEGER, latitude INTEGER,"
        " longitude INTEGER)",
        NULL, NULL, NULL);
  }
  if (!code) code = sqlite3_prepare_v2(database, "BEGIN IMMEDIATE", -1, &begin, NULL);
  if (!code) code = sqlite3_prepare_v2(database, "COMMIT", -1, &commit, NULL);
  if (!code) {
    code = sqlite3_prepare_v2(
        database, "INSERT INTO fixes (time, latitude, longitude) VALUES (?1, ?2, ?3)", -1, &insert,
        NULL);
  }
  double start = now();
  for (size_t index = 0; !code && index < count; index++) {
    if (index % batch == 0) code = run(begin);
    sqlite3_bind_int64(insert, 1, rows[index].milliseconds);
    sqlite3_bind_int64(insert, 2, rows[index].latitude_e7);
    sqlite3_bind_int64(insert, 3, rows[index].longitude_e7);
    if (!code) code = run(insert);
    if (!code && (index % batch == batch - 1 || index == count - 1)) code = run(commit);
  }
  if (!code) seconds = now() - start;
  *message = sqlite3_errstr(code);
  sqlite3_finalize(begin);
  sqlite3_finalize(insert);
  sqlite3_finalize(commit);
  sqlite3_close(database);
  return seconds;
}

double bare_syncs(const char *path, size_t count) {
  enum { page_bytes = 4096, pages = 256 };
  static const char page[page_bytes] = "page";
  int file = open(path, O_CREAT | O_RDWR, 0600);
  if (file < 0) return -1;
  int is_written = 1;
  for (int index = 0; index < pages; index++) {
    is_written &= pwrite(file, page, page_bytes, (off_t)index * page_bytes) == page_bytes;
  }
  is_written &= fsync(file) == 0;
  double start = now();
  for (size_t index = 0; is_written && index < count; index++) {
    off_t offset = (off_t)(index % pages) * page_bytes;
    is_written &= pwrite(file, page, page_bytes, offset) == page_bytes;
#ifdef __APPLE__
    is_written &= fsync(file) == 0;
#else
    is_written &= fdatasync(file) == 0;
#endif
  }
  double seconds = now() - start;
  close(file);
  return is_written ? seconds : -1;
}
