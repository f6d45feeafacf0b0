/* sqlite3ext.h would otherwise replace the names of SQLite's functions by its own table. */
#define SQLITE_CORE 1
#include <sqlite3ext.h>

#include "calls.h"

const struct roqua_sqlite_calls *roqua_sqlite;

/* SQLite 3.31 is the first with SQLITE_INNOCUOUS and SQLITE_VTAB_INNOCUOUS. All routines below are
   older, so they are in the table of every SQLite that passes the check. */
enum { OLDEST_VERSION = 3031000 };

int roqua_sqlite_use_routines(const void *pointer) {
  static struct roqua_sqlite_calls loaded;
  const sqlite3_api_routines *routines = pointer;
  if (routines == 0 || routines->libversion_number() < OLDEST_VERSION) return 0;
  loaded.create_function = routines->create_function_v2;
  loaded.create_module = routines->create_module_v2;
  loaded.declare_vtab = routines->declare_vtab;
  loaded.vtab_config = routines->vtab_config;
  loaded.mprintf = routines->mprintf;
  loaded.free = routines->free;
  loaded.errmsg = routines->errmsg;
  loaded.file_control = routines->file_control;
  loaded.prepare = routines->prepare_v2;
  loaded.step = routines->step;
  loaded.finalize = routines->finalize;
  loaded.bind_int64 = routines->bind_int64;
  loaded.column_int64 = routines->column_int64;
  loaded.column_double = routines->column_double;
  loaded.column_blob = routines->column_blob;
  loaded.column_bytes = routines->column_bytes;
  loaded.context_database = routines->context_db_handle;
  loaded.user_data = routines->user_data;
  loaded.value_type = routines->value_type;
  loaded.value_numeric_type = routines->value_numeric_type;
  loaded.value_double = routines->value_double;
  loaded.value_int64 = routines->value_int64;
  loaded.value_text = routines->value_text;
  loaded.value_bytes = routines->value_bytes;
  loaded.result_null = routines->result_null;
  loaded.result_int64 = routines->result_int64;
  loaded.result_double = routines->result_double;
  loaded.result_text = routines->result_text;
  loaded.result_blob = routines->result_blob64;
  loaded.result_error = routines->result_error;
  roqua_sqlite = &loaded;
  return 1;
}
