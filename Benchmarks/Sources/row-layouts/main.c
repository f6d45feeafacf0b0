// Compares layouts of the table of regions: SQLite alone writes the regions of a store of simulated
// tracks, in the same transactions, one per source, and reads them back.
//
//   row-layouts STORE FOLDER [LAYOUT ...]
//
//   clustered     a row for each region, the geohash of its center as rowid
//   without-rowid the same columns and key, WITHOUT ROWID
//   sequence      rows numbered as they are made, with a covering index on the geohash
//   packed        a row for each geohash of six characters, with its regions in one blob
//   searched      as clustered; before each source, also reads the regions in the geohashes of six
//                 characters that it touches, without which an import cannot tell which fixes make
//                 a region and which visit one
//
// A region is inserted by the source of its first visit, and updated by each source of a later one,
// as in the original store. All data is in memory before the clock starts.
//
// Prints a line of JSON for each layout: bytes per region, and processor seconds to write all
// regions, to add one visit to each of 2,000 regions in one transaction each, and to read the
// regions in 200 cells of 20 km.

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// `key` is the region id.
typedef struct { int64_t key; int32_t latitude, longitude, place, accuracy; } Region;
typedef struct { int64_t region, start, end; int32_t source; } Visit;
typedef struct { int64_t first, last; int32_t count; const Visit *only; } State;

static Region *regions;  // sorted by id, from index 1
static int64_t region_count, visit_count, source_count;
static Visit *visits;    // in order of time
static int64_t *ends;    // last time of each source
static State *states;    // what has been written of each region so far

static void fail(sqlite3 *database, const char *what) {
  fprintf(stderr, "row-layouts: %s: %s\n", what, database ? sqlite3_errmsg(database) : "no memory");
  exit(1);
}
static void *allocate(int64_t count, size_t size) {
  void *memory = calloc((size_t)(count > 0 ? count : 1), size);
  if (!memory) fail(NULL, "memory");
  return memory;
}
static void run(sqlite3 *database, const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(database, sql);
}
static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail(database, sql);
  return statement;
}
static int64_t integer(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement = prepare(database, sql);
  if (sqlite3_step(statement) != SQLITE_ROW) fail(database, sql);
  int64_t value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return value;
}
static void step(sqlite3 *database, sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail(database, sqlite3_sql(statement));
  sqlite3_reset(statement);
}
static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// The index of the region with an id; the regions are sorted by id.
static int64_t place_of(int64_t id) {
  int64_t low = 1, high = region_count;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (regions[middle].key < id) low = middle + 1; else high = middle;
  }
  return low;
}

static int by_source(const void *left, const void *right) {
  const Visit *a = left, *b = right;
  if (a->source != b->source) return a->source < b->source ? -1 : 1;
  int64_t first = regions[a->region].key, second = regions[b->region].key;
  if (first != second) return first < second ? -1 : 1;
  return a->start < b->start ? -1 : a->start > b->start;
}

static void read_store(const char *path) {
  sqlite3 *store = NULL;
  if (sqlite3_open_v2(path, &store, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail(store, path);
  region_count = integer(store, "SELECT count(*) FROM visited_regions");
  visit_count = integer(store, "SELECT count(*) FROM visits");
  source_count = integer(store, "SELECT count(*) FROM sources");
  regions = allocate(region_count + 1, sizeof(Region));
  states = allocate(region_count + 1, sizeof(State));
  visits = allocate(visit_count, sizeof(Visit));
  ends = allocate(source_count, sizeof(int64_t));
  sqlite3_stmt *select = prepare(store,
    "SELECT id, latitude_e7, longitude_e7, place_id, accuracy FROM regions ORDER BY id");
  for (int64_t i = 1; i <= region_count && sqlite3_step(select) == SQLITE_ROW; i++) {
    Region *region = &regions[i];
    region->key = sqlite3_column_int64(select, 0);
    region->latitude = sqlite3_column_int(select, 1);
    region->longitude = sqlite3_column_int(select, 2);
    region->place = sqlite3_column_int(select, 3);
    region->accuracy = sqlite3_column_int(select, 4);
  }
  sqlite3_finalize(select);
  select = prepare(store,
    "SELECT CAST(round((julianday(last_time) - 2440587.5) * 86400000.0) AS INTEGER)"
    " FROM sources ORDER BY id");
  for (int64_t i = 0; i < source_count && sqlite3_step(select) == SQLITE_ROW; i++)
    ends[i] = sqlite3_column_int64(select, 0);
  sqlite3_finalize(select);
  select = prepare(store, "SELECT region_id, start_ms, end_ms FROM visits ORDER BY start_ms");
  int32_t source = 0;
  for (int64_t i = 0; i < visit_count && sqlite3_step(select) == SQLITE_ROW; i++) {
    visits[i] = (Visit){place_of(sqlite3_column_int64(select, 0)), sqlite3_column_int64(select, 1),
                        sqlite3_column_int64(select, 2), 0};
    while (source + 1 < source_count && visits[i].end > ends[source]) source++;
    visits[i].source = source;
  }
  sqlite3_finalize(select);
  sqlite3_close(store);
}

// Layouts

// The columns of the store's table, without its number.
#define COLUMNS " latitude_e7 INTEGER NOT NULL, longitude_e7 INTEGER NOT NULL, place_id INTEGER,"  \
  " accuracy ANY, radius INTEGER NOT NULL, start_ms INTEGER, end_ms INTEGER,"                      \
  " visit_count INTEGER NOT NULL, made_by INTEGER NOT NULL, changed_by INTEGER NOT NULL"
#define REPEATS "CREATE TABLE repeat_visits (region_id INTEGER NOT NULL,"                          \
  " start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL,"                                           \
  " PRIMARY KEY (region_id, start_ms)) STRICT, WITHOUT ROWID;"

typedef struct {
  const char *name, *schema, *insert;
  int is_packed, is_sequence, is_searched;
} Layout;

#define CLUSTERED "CREATE TABLE regions (id INTEGER PRIMARY KEY," COLUMNS ") STRICT;" REPEATS
#define INSERT "INSERT INTO regions SELECT c0,c1,c2,c3,c4,150,c5,c6,c7,c8,c8 FROM rows"
#define SELECT "SELECT id, latitude_e7, longitude_e7 FROM regions WHERE id >= ?1 AND id < ?2"

static const Layout LAYOUTS[] = {
  {"clustered", CLUSTERED, INSERT, 0, 0, 0},
  {"without-rowid",
   "CREATE TABLE regions (id INTEGER PRIMARY KEY," COLUMNS ") STRICT, WITHOUT ROWID;" REPEATS,
   INSERT, 0, 0, 0},
  {"sequence",
   "CREATE TABLE regions (id INTEGER PRIMARY KEY," COLUMNS ", cell INTEGER NOT NULL) STRICT;"
   "CREATE INDEX by_cell ON regions (cell, latitude_e7, longitude_e7);" REPEATS,
   "INSERT INTO regions SELECT c9,c1,c2,c3,c4,150,c5,c6,c7,c8,c8,c0 >> 8 FROM rows", 0, 1, 0},
  {"packed", "CREATE TABLE regions (cell INTEGER PRIMARY KEY, regions BLOB NOT NULL)", NULL, 1, 0,
   0},
  {"searched", CLUSTERED, INSERT, 0, 0, 1},
};

// The rows that the running statement reads.
static int64_t *row_regions, row_count;
static const Visit **row_visits;  // if not NULL, visits are read instead
static int64_t row_source;

typedef struct { sqlite3_vtab_cursor base; int64_t row; } Cursor;
static int connect_table(sqlite3 *database, void *context, int count, const char *const *arguments,
                         sqlite3_vtab **table, char **message) {
  (void)context, (void)count, (void)arguments, (void)message;
  *table = allocate(1, sizeof(sqlite3_vtab));
  return sqlite3_declare_vtab(database, "CREATE TABLE rows (c0,c1,c2,c3,c4,c5,c6,c7,c8,c9)");
}
static int disconnect_table(sqlite3_vtab *table) { return free(table), SQLITE_OK; }
static int best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  info->estimatedCost = 1;
  return SQLITE_OK;
}
static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
  (void)table;
  *cursor = allocate(1, sizeof(Cursor));
  return SQLITE_OK;
}
static int close_cursor(sqlite3_vtab_cursor *cursor) { return free(cursor), SQLITE_OK; }
static int filter(sqlite3_vtab_cursor *cursor, int index, const char *text, int count,
                  sqlite3_value **values) {
  (void)index, (void)text, (void)count, (void)values;
  ((Cursor *)cursor)->row = 0;
  return SQLITE_OK;
}
static int next(sqlite3_vtab_cursor *cursor) { return ((Cursor *)cursor)->row++, SQLITE_OK; }
static int is_at_end(sqlite3_vtab_cursor *cursor) { return ((Cursor *)cursor)->row >= row_count; }
static int row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number) {
  *number = ((Cursor *)cursor)->row;
  return SQLITE_OK;
}
static int is_sequence;
static int64_t number_of(int64_t region) {
  return is_sequence ? region : regions[region].key;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int number) {
  int64_t row = ((Cursor *)cursor)->row;
  if (row_visits) {
    const Visit *visit = row_visits[row];
    int64_t values[] = {number_of(visit->region), visit->start, visit->end};
    sqlite3_result_int64(context, values[number]);
    return SQLITE_OK;
  }
  const Region *region = &regions[row_regions[row]];
  const State *state = &states[row_regions[row]];
  int64_t values[] = {region->key, region->latitude, region->longitude, region->place,
                      region->accuracy, state->first, state->last, state->count, row_source,
                      row_regions[row]};
  sqlite3_result_int64(context, values[number]);
  return SQLITE_OK;
}
static const sqlite3_module ROWS = {
  .xConnect = connect_table, .xBestIndex = best_index, .xDisconnect = disconnect_table,
  .xOpen = open_cursor, .xClose = close_cursor, .xFilter = filter, .xNext = next,
  .xEof = is_at_end, .xColumn = column, .xRowid = row_number,
};

static int put_varint(uint8_t *to, uint64_t value) {
  int count = 0;
  while (value >= 128) to[count++] = (uint8_t)(value | 128), value >>= 7;
  to[count++] = (uint8_t)value;
  return count;
}

// One region of a blob: its key in the cell, place, accuracy, first time, and visits.
static int pack(uint8_t *to, const Region *region, const State *state) {
  int count = 0;
  count += put_varint(to + count, (uint64_t)region->key & ((1ull << 23) - 1));
  uint32_t rest[2] = {(uint32_t)region->latitude, (uint32_t)region->longitude};
  memcpy(to + count, rest, 8);
  count += 8;
  count += put_varint(to + count, (uint64_t)region->place);
  count += put_varint(to + count, (uint64_t)region->accuracy);
  count += put_varint(to + count, (uint64_t)state->first);
  count += put_varint(to + count, (uint64_t)(state->last - state->first));
  for (int i = 1; i < state->count; i++) count += put_varint(to + count, 1u << 20);
  count += put_varint(to + count, 0);
  return count;
}

static double write_packed(sqlite3 *database, const Visit *its, int64_t count) {
  static sqlite3_stmt *select = NULL, *write = NULL;
  static uint8_t *blob = NULL;
  if (!its) return sqlite3_finalize(select), sqlite3_finalize(write), select = write = NULL, 0;
  if (!select) {
    select = prepare(database, "SELECT regions FROM regions WHERE cell = ?1");
    write = prepare(database, "REPLACE INTO regions VALUES (?1, ?2)");
  }
  if (!blob) blob = allocate(16 << 20, 1);
  for (int64_t i = 0; i < count;) {
    int64_t cell = regions[its[i].region].key >> 23;
    sqlite3_bind_int64(select, 1, cell);
    int length = 0;
    if (sqlite3_step(select) == SQLITE_ROW) {
      length = sqlite3_column_bytes(select, 0);
      memcpy(blob, sqlite3_column_blob(select, 0), (size_t)length);
    }
    sqlite3_reset(select);
    for (; i < count && regions[its[i].region].key >> 23 == cell; i++) {
      State *state = &states[its[i].region];
      if (state->count++ == 0) state->first = its[i].start;
      state->last = its[i].end;
      // A later visit is also appended: as many bytes move as if it were inserted in order.
      if (state->count == 1) length += pack(blob + length, &regions[its[i].region], state);
      else length += put_varint(blob + length, 1u << 20);
    }
    sqlite3_bind_int64(write, 1, cell);
    sqlite3_bind_blob(write, 2, blob, length, SQLITE_STATIC);
    step(database, write);
  }
  return 0;
}

// Reads the centers of the stored regions in each geohash of six characters that visits touch. The
// visits are by region, so those of a geohash follow each other.
static int64_t read_around(sqlite3_stmt *select, const Visit *its, int64_t count) {
  int64_t sum = 0, last = -1;
  for (int64_t i = 0; i < count; i++) {
    int64_t cell = regions[its[i].region].key >> 23;
    if (cell == last) continue;
    last = cell;
    sqlite3_bind_int64(select, 1, cell << 23);
    sqlite3_bind_int64(select, 2, (cell + 1) << 23);
    while (sqlite3_step(select) == SQLITE_ROW)
      sum += sqlite3_column_int64(select, 0) + sqlite3_column_int(select, 1)
             + sqlite3_column_int(select, 2);
    sqlite3_reset(select);
  }
  return sum;
}

static void write_rows(sqlite3_stmt *insert, sqlite3_stmt *change, sqlite3_stmt *repeats,
                       sqlite3 *database, const Visit *its, int64_t count) {
  // The visits are by region, in the order of the numbers. A region with its first visit is new.
  static const Visit **added = NULL;
  static int64_t *changed = NULL;
  if (!added) {
    added = allocate(2 * visit_count, sizeof *added);
    changed = allocate(visit_count, sizeof *changed);
  }
  int64_t added_count = 0, changed_count = 0;
  row_count = 0;
  row_source = its[0].source + 1;
  for (int64_t i = 0; i < count;) {
    int64_t region = its[i].region, end = i;
    State *state = &states[region];
    int is_new = state->count == 0;
    if (is_new) {
      state->first = its[i].start;
      row_regions[row_count++] = region;
    } else {
      changed[changed_count++] = region;
    }
    while (end < count && its[end].region == region) end++;
    int64_t total = state->count + end - i;
    if (total > 1) {
      // The second visit also creates a row for the first one.
      if (state->count == 1) added[added_count++] = state->only;
      for (int64_t k = i; k < end; k++) added[added_count++] = &its[k];
    }
    if (is_new) state->only = &its[i];
    state->last = its[end - 1].end;
    state->count = (int32_t)total;
    i = end;
  }
  row_visits = NULL;
  if (row_count) step(database, insert);
  for (int64_t i = 0; i < changed_count; i++) {
    const State *state = &states[changed[i]];
    sqlite3_bind_int64(change, 1, number_of(changed[i]));
    sqlite3_bind_int64(change, 2, state->first);
    sqlite3_bind_int64(change, 3, state->last);
    sqlite3_bind_int(change, 4, state->count);
    sqlite3_bind_int64(change, 5, row_source);
    step(database, change);
  }
  row_visits = added;
  row_count = added_count;
  if (row_count) step(database, repeats);
}

static void measure(const Layout *layout, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.sqlite", folder, layout->name);
  sqlite3 *database = NULL;
  if (sqlite3_open(path, &database) != SQLITE_OK) fail(database, path);
  run(database,
      "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
      "PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = 10000;");
  run(database, layout->schema);
  sqlite3_create_module(database, "rows", &ROWS, NULL);
  memset(states, 0, (size_t)(region_count + 1) * sizeof(State));
  sqlite3_stmt *insert = layout->insert ? prepare(database, layout->insert) : NULL;
  sqlite3_stmt *change = layout->is_packed ? NULL : prepare(database,
    "UPDATE regions SET start_ms = ?2, end_ms = ?3, visit_count = ?4, changed_by = ?5"
    " WHERE id = ?1");
  sqlite3_stmt *repeats = layout->is_packed ? NULL : prepare(database,
    "INSERT INTO repeat_visits SELECT c0, c1, c2 FROM rows");
  sqlite3_stmt *around = layout->is_searched ? prepare(database, SELECT) : NULL;
  is_sequence = layout->is_sequence;
  int64_t around_sum = 0;
  double start = processor_seconds();
  for (int64_t first = 0; first < visit_count;) {
    int64_t end = first;
    while (end < visit_count && visits[end].source == visits[first].source) end++;
    run(database, "BEGIN IMMEDIATE");
    if (around) around_sum += read_around(around, visits + first, end - first);
    if (layout->is_packed) write_packed(database, visits + first, end - first);
    else write_rows(insert, change, repeats, database, visits + first, end - first);
    run(database, "COMMIT");
    first = end;
  }
  double written = processor_seconds() - start;
  run(database, "PRAGMA wal_checkpoint(TRUNCATE)");
  int64_t bytes = integer(database, "SELECT page_count * page_size FROM pragma_page_count,"
                                    " pragma_page_size");
  int64_t single_count = region_count < 2000 ? region_count : 2000;
  start = processor_seconds();
  for (int64_t i = 0; i < single_count; i++) {
    Visit visit = {1 + i * (region_count / single_count), 1LL << 42, (1LL << 42) + 1000,
                   (int32_t)source_count};
    run(database, "BEGIN IMMEDIATE");
    if (layout->is_packed) write_packed(database, &visit, 1);
    else write_rows(insert, change, repeats, database, &visit, 1);
    run(database, "COMMIT");
  }
  double single = processor_seconds() - start;
  // Reads whole cells of 20 bits, around regions, with a cache that was warmed by the first round.
  double seconds = 0;
  int64_t read = 0;
  sqlite3_stmt *select = prepare(database, layout->is_packed
    ? "SELECT cell, regions FROM regions WHERE cell >= ?1 >> 23 AND cell < ?2 >> 23"
    : layout->is_sequence
    ? "SELECT id, latitude_e7, longitude_e7 FROM regions WHERE cell >= ?1 >> 8 AND cell < ?2 >> 8"
    : SELECT);
  for (int round = 0; round < 2; round++) {
    read = 0;
    start = processor_seconds();
    for (int64_t i = 0; i < 200; i++) {
      int64_t first = regions[1 + i * (region_count / 200)].key >> 33 << 33;
      sqlite3_bind_int64(select, 1, first);
      sqlite3_bind_int64(select, 2, first + (1ll << 33));
      while (sqlite3_step(select) == SQLITE_ROW) {
        if (layout->is_packed) read += sqlite3_column_bytes(select, 1);
        else read += sqlite3_column_int(select, 1) != sqlite3_column_int64(select, 2);
      }
      sqlite3_reset(select);
    }
    seconds = processor_seconds() - start;
  }
  sqlite3_finalize(select);
  int64_t count = layout->is_packed ? region_count
                                    : integer(database, "SELECT count(*) FROM regions");
  printf("{\"layout\":\"%s\",\"regions\":%lld,\"bytesPerRegion\":%.1f,\"writeSeconds\":%.3f,"
         "\"singleSeconds\":%.4f,\"readSeconds\":%.4f,\"%s\":%lld}\n",
         layout->name, (long long)count, (double)bytes / (double)region_count, written,
         single, seconds, layout->is_packed ? "bytesRead" : "rowsRead", (long long)read);
  if (around && around_sum == 0) fail(NULL, "nothing was read around the fixes");
  fflush(stdout);
  if (layout->is_packed) write_packed(NULL, NULL, 0);
  sqlite3_finalize(around);
  sqlite3_finalize(insert);
  sqlite3_finalize(change);
  sqlite3_finalize(repeats);
  sqlite3_close(database);
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: row-layouts STORE FOLDER [LAYOUT ...]\n");
    return 64;
  }
  read_store(arguments[1]);
  qsort(visits, (size_t)visit_count, sizeof(Visit), by_source);
  row_regions = allocate(visit_count, sizeof(int64_t));
  for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; i++) {
    int wanted = count == 3;
    for (int k = 3; k < count; k++) wanted |= strcmp(arguments[k], LAYOUTS[i].name) == 0;
    if (wanted) measure(&LAYOUTS[i], arguments[2]);
  }
}
