#ifndef CSQLITECALLS_H
#define CSQLITECALLS_H

#include <sqlite3.h>

/* The functions of SQLite that Roqua's SQL functions call, as pointers: a program that loads them
   as an extension may have an SQLite of its own, whose functions only it knows. */
struct roqua_sqlite_calls {
  int (*create_function)(sqlite3 *, const char *, int, int, void *,
                         void (*)(sqlite3_context *, int, sqlite3_value **),
                         void (*)(sqlite3_context *, int, sqlite3_value **),
                         void (*)(sqlite3_context *), void (*)(void *));
  int (*create_module)(sqlite3 *, const char *, const sqlite3_module *, void *, void (*)(void *));
  int (*declare_vtab)(sqlite3 *, const char *);
  int (*vtab_config)(sqlite3 *, int, ...);
  char *(*mprintf)(const char *, ...);
  void (*free)(void *);
  const char *(*errmsg)(sqlite3 *);
  int (*file_control)(sqlite3 *, const char *, int, void *);

  int (*prepare)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
  int (*step)(sqlite3_stmt *);
  int (*finalize)(sqlite3_stmt *);
  int (*bind_int64)(sqlite3_stmt *, int, sqlite3_int64);
  sqlite3_int64 (*column_int64)(sqlite3_stmt *, int);
  double (*column_double)(sqlite3_stmt *, int);
  const void *(*column_blob)(sqlite3_stmt *, int);
  int (*column_bytes)(sqlite3_stmt *, int);

  sqlite3 *(*context_database)(sqlite3_context *);
  void *(*user_data)(sqlite3_context *);
  int (*value_type)(sqlite3_value *);
  int (*value_numeric_type)(sqlite3_value *);
  double (*value_double)(sqlite3_value *);
  sqlite3_int64 (*value_int64)(sqlite3_value *);
  const unsigned char *(*value_text)(sqlite3_value *);
  int (*value_bytes)(sqlite3_value *);
  void (*result_null)(sqlite3_context *);
  void (*result_int64)(sqlite3_context *, sqlite3_int64);
  void (*result_double)(sqlite3_context *, double);
  void (*result_text)(sqlite3_context *, const char *, int, void (*)(void *));
  void (*result_blob)(sqlite3_context *, const void *, sqlite3_uint64, void (*)(void *));
  void (*result_error)(sqlite3_context *, const char *, int);
};

/* The functions in use, set before the first function is registered. As in every extension, there
   is one set for the process: that of the program that loaded it last. */
extern const struct roqua_sqlite_calls *roqua_sqlite;

/* Uses the functions of the program that loads an extension, which SQLite passes to its entry
   point as `const sqlite3_api_routines *`. Returns 0 if that SQLite is older than 3.31. */
int roqua_sqlite_use_routines(const void *routines);

/* Uses the functions of the SQLite that this program is linked with. Inline, so that only a program
   that calls it refers to them. */
static inline void roqua_sqlite_use_linked(void) {
  static const struct roqua_sqlite_calls linked = {
    sqlite3_create_function_v2, sqlite3_create_module_v2, sqlite3_declare_vtab,
    sqlite3_vtab_config, sqlite3_mprintf, sqlite3_free, sqlite3_errmsg, sqlite3_file_control,
    sqlite3_prepare_v2, sqlite3_step, sqlite3_finalize, sqlite3_bind_int64, sqlite3_column_int64,
    sqlite3_column_double, sqlite3_column_blob, sqlite3_column_bytes, sqlite3_context_db_handle,
    sqlite3_user_data, sqlite3_value_type, sqlite3_value_numeric_type, sqlite3_value_double,
    sqlite3_value_int64, sqlite3_value_text, sqlite3_value_bytes, sqlite3_result_null,
    sqlite3_result_int64, sqlite3_result_double, sqlite3_result_text, sqlite3_result_blob64,
    sqlite3_result_error,
  };
  roqua_sqlite = &linked;
}

/* The calls themselves. */

static inline int roqua_create_function(
    sqlite3 *database, const char *name, int count, int flags, void *data,
    void (*function)(sqlite3_context *, int, sqlite3_value **), void (*release)(void *)) {
  return roqua_sqlite->create_function(database, name, count, SQLITE_UTF8 | flags, data, function,
                                       0, 0, release);
}

static inline int roqua_create_module(sqlite3 *database, const char *name,
                                      const sqlite3_module *module, void *data,
                                      void (*release)(void *)) {
  return roqua_sqlite->create_module(database, name, module, data, release);
}

/* Declares the columns of a virtual table that is harmless in any schema. */
static inline int roqua_declare_table(sqlite3 *database, const char *schema) {
  int code = roqua_sqlite->declare_vtab(database, schema);
  return code == SQLITE_OK ? roqua_sqlite->vtab_config(database, SQLITE_VTAB_INNOCUOUS) : code;
}

/* Replaces the message of a virtual table, which SQLite frees. */
static inline void roqua_set_message(char **place, const char *message) {
  roqua_sqlite->free(*place);
  *place = roqua_sqlite->mprintf("%s", message);
}

static inline const char *roqua_message(sqlite3 *database) {
  return roqua_sqlite->errmsg(database);
}

/* A number that changes when the main database does; 0 if it cannot be read. */
static inline unsigned roqua_data_version(sqlite3 *database) {
  unsigned version = 0;
  int code = roqua_sqlite->file_control(database, "main", SQLITE_FCNTL_DATA_VERSION, &version);
  return code == SQLITE_OK ? version : 0;
}

static inline int roqua_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
  return roqua_sqlite->prepare(database, sql, -1, statement, 0);
}
static inline int roqua_step(sqlite3_stmt *statement) { return roqua_sqlite->step(statement); }
static inline void roqua_finalize(sqlite3_stmt *statement) { roqua_sqlite->finalize(statement); }
static inline int roqua_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 value) {
  return roqua_sqlite->bind_int64(statement, index, value);
}
static inline sqlite3_int64 roqua_column_int64(sqlite3_stmt *statement, int column) {
  return roqua_sqlite->column_int64(statement, column);
}
static inline double roqua_column_double(sqlite3_stmt *statement, int column) {
  return roqua_sqlite->column_double(statement, column);
}
static inline const void *roqua_column_blob(sqlite3_stmt *statement, int column) {
  return roqua_sqlite->column_blob(statement, column);
}
static inline int roqua_column_bytes(sqlite3_stmt *statement, int column) {
  return roqua_sqlite->column_bytes(statement, column);
}

static inline sqlite3 *roqua_database(sqlite3_context *context) {
  return roqua_sqlite->context_database(context);
}
static inline void *roqua_user_data(sqlite3_context *context) {
  return roqua_sqlite->user_data(context);
}
static inline int roqua_value_type(sqlite3_value *value) {
  return roqua_sqlite->value_type(value);
}
static inline int roqua_value_numeric_type(sqlite3_value *value) {
  return roqua_sqlite->value_numeric_type(value);
}
static inline double roqua_value_double(sqlite3_value *value) {
  return roqua_sqlite->value_double(value);
}
static inline sqlite3_int64 roqua_value_int64(sqlite3_value *value) {
  return roqua_sqlite->value_int64(value);
}
static inline const unsigned char *roqua_value_text(sqlite3_value *value) {
  return roqua_sqlite->value_text(value);
}
static inline int roqua_value_bytes(sqlite3_value *value) {
  return roqua_sqlite->value_bytes(value);
}
static inline void roqua_result_null(sqlite3_context *context) {
  roqua_sqlite->result_null(context);
}
static inline void roqua_result_int64(sqlite3_context *context, sqlite3_int64 value) {
  roqua_sqlite->result_int64(context, value);
}
static inline void roqua_result_double(sqlite3_context *context, double value) {
  roqua_sqlite->result_double(context, value);
}
/* The text is copied. */
static inline void roqua_result_text(sqlite3_context *context, const char *text, int bytes) {
  roqua_sqlite->result_text(context, text, bytes, SQLITE_TRANSIENT);
}
/* The bytes are copied. */
static inline void roqua_result_blob(sqlite3_context *context, const void *bytes,
                                     sqlite3_uint64 count) {
  roqua_sqlite->result_blob(context, bytes, count, SQLITE_TRANSIENT);
}
static inline void roqua_result_error(sqlite3_context *context, const char *message) {
  roqua_sqlite->result_error(context, message, -1);
}

#endif
