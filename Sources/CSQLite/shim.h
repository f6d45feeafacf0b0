#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies the bytes before the call
   returns. */
static inline sqlite3_destructor_type roqua_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* sqlite3_config takes variable arguments, which Swift does not import. Works only before SQLite's
   first use. */
static inline int roqua_sqlite_forgo_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* sqlite3_db_config takes variable arguments, too. Sets an option of one integer and returns
   SQLite's result code. */
static inline int roqua_sqlite_set_option(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/* Reads the value of such an option. */
static inline int roqua_sqlite_option(sqlite3 *database, int option, int *value) {
  return sqlite3_db_config(database, option, -1, value);
}
