// The lower bound of filling a store: SQLite alone writes the final rows of a store of simulated
// tracks.
//
//   bare-rows STORE COPY
//
// The same tables and indexes, the same pragmas and the same transactions, one per source; the
// rows come from a virtual table that reads memory, as Roqua's do. Nothing is searched, measured,
// packed, named or marked: regions, visits and the counts of regions are known before the clock
// starts. The time that remains is that of B-trees and the write-ahead log.
//
// Prints {"regions":…,"visits":…,"seconds":…}, in processor seconds. Takes about 80 bytes of memory
// per region.

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MAXIMUM_PLACES = 4096, HASH_CHARACTERS = 9, TIME_CHARACTERS = 24, ROWS_IN_STATEMENT = 512,
       CHECKPOINT_PAGES = 4000, CACHE_PAGES = 10000 };

typedef struct { char *city, *district, *country, *code, *region; } Place;
typedef struct {
  double latitude, longitude, accuracy;
  int32_t place, visits;
  char geohash[HASH_CHARACTERS];
} Region;
typedef struct { int64_t region, start, end; } Visit;

static Region *regions;  // by number, which starts at 1
static int64_t region_count;
static Place places[MAXIMUM_PLACES];
static int place_count;
static Visit *visits;  // in order of time
static int64_t visit_count;
static int64_t *ends;  // the last time of each source, in the order of their import
static int64_t source_count;

// The rows that the running statement reads: regions first...last, or these visits.
static int64_t first_row, last_row;  // by number
static const Visit *visit_rows;
static int64_t visit_row_count;
static int radius;
static const char *const NOW = "2026-01-01T00:00:00.123Z";

static void fail(sqlite3 *database, const char *what) {
  const char *why = database ? sqlite3_errmsg(database) : "out of memory";
  fprintf(stderr, "bare-rows: %s: %s\n", what, why);
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

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Reading the final rows of the store

static int is_same(const char *left, const char *right) {
  return left == right || (left && right && strcmp(left, right) == 0);
}

static char *copy(sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  return text ? strdup(text) : NULL;
}

static int32_t place_of(sqlite3_stmt *statement, int column) {
  static int last = 0;
  const char *texts[5];
  for (int i = 0; i < 5; i++) texts[i] = (const char *)sqlite3_column_text(statement, column + i);
  for (int i = 0; i < place_count; i++) {
    Place *place = &places[(last + i) % place_count];
    if (is_same(place->city, texts[0]) && is_same(place->district, texts[1])
        && is_same(place->country, texts[2]) && is_same(place->code, texts[3])
        && is_same(place->region, texts[4])) {
      last = (int)(place - places);
      return last;
    }
  }
  if (place_count == MAXIMUM_PLACES) {
    fprintf(stderr, "bare-rows: more than %d places: not a store of simulated tracks\n",
            MAXIMUM_PLACES);
    exit(1);
  }
  places[place_count] = (Place){copy(statement, column), copy(statement, column + 1),
                                copy(statement, column + 2), copy(statement, column + 3),
                                copy(statement, column + 4)};
  last = place_count++;
  return last;
}

static void read_store(const char *path) {
  sqlite3 *store = NULL;
  if (sqlite3_open_v2(path, &store, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail(store, path);
  region_count = integer(store, "SELECT coalesce(max(id), 0) FROM visited_regions");
  visit_count = integer(store, "SELECT count(*) FROM visits");
  source_count = integer(store, "SELECT count(*) FROM sources");
  radius = (int)integer(store, "SELECT coalesce(max(radius), 0) FROM visited_regions");
  regions = allocate(region_count + 1, sizeof(Region));
  visits = allocate(visit_count, sizeof(Visit));
  ends = allocate(source_count, sizeof(int64_t));

  sqlite3_stmt *select = prepare(store,
    "SELECT id, latitude, longitude, accuracy, geohash, city, district, country, country_code,"
    " region FROM visited_regions");
  while (sqlite3_step(select) == SQLITE_ROW) {
    Region *region = &regions[sqlite3_column_int64(select, 0)];
    region->latitude = sqlite3_column_double(select, 1);
    region->longitude = sqlite3_column_double(select, 2);
    region->accuracy = sqlite3_column_double(select, 3);
    if (sqlite3_column_bytes(select, 4) == HASH_CHARACTERS)
      memcpy(region->geohash, sqlite3_column_text(select, 4), HASH_CHARACTERS);
    region->place = place_of(select, 5);
  }
  sqlite3_finalize(select);

  // Sources are made in the order of their times: a visit belongs to the first that ends after it.
  select = prepare(store, "SELECT region_id, start_ms, end_ms FROM visits ORDER BY start_ms");
  for (int64_t i = 0; i < visit_count && sqlite3_step(select) == SQLITE_ROW; i++)
    visits[i] = (Visit){sqlite3_column_int64(select, 0), sqlite3_column_int64(select, 1),
                        sqlite3_column_int64(select, 2)};
  sqlite3_finalize(select);
  select = prepare(store,
    "SELECT CAST(round((julianday(last_time) - 2440587.5) * 86400000.0) AS INTEGER)"
    " FROM sources ORDER BY id");
  for (int64_t i = 0; i < source_count && sqlite3_step(select) == SQLITE_ROW; i++)
    ends[i] = sqlite3_column_int64(select, 0);
  sqlite3_finalize(select);
  sqlite3_close(store);
}

// The virtual table

typedef struct { sqlite3_vtab_cursor base; int64_t row; } Cursor;

static int connect_table(sqlite3 *database, void *context, int count, const char *const *arguments,
                         sqlite3_vtab **table, char **message) {
  (void)context, (void)count, (void)arguments, (void)message;
  *table = allocate(1, sizeof(sqlite3_vtab));
  return sqlite3_declare_vtab(database,
    "CREATE TABLE bare_rows (c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14)");
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
  ((Cursor *)cursor)->row = visit_rows ? 0 : first_row;
  return SQLITE_OK;
}
static int next(sqlite3_vtab_cursor *cursor) { return ((Cursor *)cursor)->row++, SQLITE_OK; }
static int is_at_end(sqlite3_vtab_cursor *cursor) {
  int64_t row = ((Cursor *)cursor)->row;
  return visit_rows ? row >= visit_row_count : row > last_row;
}
static int row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number) {
  *number = ((Cursor *)cursor)->row;
  return SQLITE_OK;
}

// First and last times of the regions that the running transaction makes, from made_from on.
typedef struct {
  int64_t start, end;
  char start_text[TIME_CHARACTERS + 1], end_text[TIME_CHARACTERS + 1];
} Made;
static Made *made;
static int64_t made_from;

// 2024-05-01T10:00:00.123Z; the longest that ISO 8601 takes here.
static void put_time(int64_t milliseconds, char text[TIME_CHARACTERS + 1]) {
  time_t seconds = (time_t)(milliseconds / 1000);
  struct tm day;
  gmtime_r(&seconds, &day);
  strftime(text, TIME_CHARACTERS + 1, "%Y-%m-%dT%H:%M:%S.", &day);
  snprintf(text + 20, 5, "%03uZ", (unsigned)(milliseconds % 1000));
}

static void result_time(sqlite3_context *context, const char *text) {
  sqlite3_result_text(context, text, TIME_CHARACTERS, SQLITE_STATIC);
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int number) {
  int64_t row = ((Cursor *)cursor)->row;
  if (visit_rows) {
    const Visit *visit = &visit_rows[row];
    int64_t values[] = {visit->region, visit->start, visit->end};
    sqlite3_result_int64(context, values[number]);
    return SQLITE_OK;
  }
  const Region *region = &regions[row];
  const Place *place = &places[region->place];
  switch (number) {
    case 0: sqlite3_result_int64(context, row); break;
    case 1: sqlite3_result_double(context, region->latitude); break;
    case 2: sqlite3_result_double(context, region->longitude); break;
    case 3: sqlite3_result_int(context, radius); break;
    case 4: result_time(context, made[row - made_from].start_text); break;
    case 5: result_time(context, made[row - made_from].end_text); break;
    case 6: sqlite3_result_int(context, region->visits); break;
    case 7: sqlite3_result_text(context, place->city, -1, SQLITE_STATIC); break;
    case 8: sqlite3_result_text(context, place->district, -1, SQLITE_STATIC); break;
    case 9: sqlite3_result_text(context, place->country, -1, SQLITE_STATIC); break;
    case 10: sqlite3_result_text(context, place->code, -1, SQLITE_STATIC); break;
    case 11: sqlite3_result_text(context, region->geohash, HASH_CHARACTERS, SQLITE_STATIC); break;
    case 12: sqlite3_result_double(context, region->accuracy); break;
    case 13: sqlite3_result_text(context, NOW, -1, SQLITE_STATIC); break;
    case 14: sqlite3_result_text(context, place->region, -1, SQLITE_STATIC); break;
  }
  return SQLITE_OK;
}

static const sqlite3_module BARE_ROWS = {
  .xConnect = connect_table, .xBestIndex = best_index, .xDisconnect = disconnect_table,
  .xOpen = open_cursor, .xClose = close_cursor, .xFilter = filter, .xNext = next,
  .xEof = is_at_end, .xColumn = column, .xRowid = row_number,
};

// Writing

static sqlite3 *open_copy(const char *store, const char *path) {
  sqlite3 *database = NULL;
  if (sqlite3_open(path, &database) != SQLITE_OK) fail(database, path);
  if (integer(database, "SELECT count(*) FROM sqlite_schema") != 0) {
    fprintf(stderr, "bare-rows: %s already exists\n", path);
    exit(1);
  }
  // The pragmas of Sources/GeoStore/Connection/Pragmas.swift.
  char pragmas[300];
  snprintf(pragmas, sizeof pragmas,
           "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
           "PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = %d; PRAGMA cache_size = %d;"
           "PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON;",
           CHECKPOINT_PAGES, CACHE_PAGES);
  run(database, pragmas);
  // The store's own SQL for both tables and their indexes.
  sqlite3 *from = NULL;
  if (sqlite3_open_v2(store, &from, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail(from, store);
  sqlite3_stmt *select = prepare(from,
    "SELECT sql FROM sqlite_schema WHERE tbl_name IN ('visited_regions', 'visits')"
    " AND type IN ('table', 'index') AND sql NOTNULL ORDER BY type DESC, rowid");
  while (sqlite3_step(select) == SQLITE_ROW) {
    run(database, (const char *)sqlite3_column_text(select, 0));
  }
  sqlite3_finalize(select);
  sqlite3_close(from);
  sqlite3_create_module(database, "bare_rows", &BARE_ROWS, NULL);
  return database;
}

static void step(sqlite3 *database, sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail(database, sqlite3_sql(statement));
  sqlite3_reset(statement);
}

static int by_region(const void *left, const void *right) {
  const Visit *a = left, *b = right;
  if (a->region != b->region) return a->region < b->region ? -1 : 1;
  return a->start < b->start ? -1 : a->start > b->start;
}

// Rows of old regions that the running transaction changes.
typedef struct { int64_t region; int visits; char end_text[TIME_CHARACTERS + 1]; } Change;
static Change *changes;

// Writes one source with these visits; returns the seconds of writing, without the preparation.
static double write_source(sqlite3 *database, sqlite3_stmt *insert, sqlite3_stmt *update,
                           sqlite3_stmt *insert_visits, Visit *its, int64_t count) {
  qsort(its, (size_t)count, sizeof(Visit), by_region);
  int64_t change_count = 0, last = made_from - 1;
  for (int64_t i = 0; i < count; i++) {
    int64_t region = its[i].region;
    regions[region].visits++;
    int is_last = i + 1 == count || its[i + 1].region != region;
    if (region >= made_from) {
      Made *row = &made[region - made_from];
      if (regions[region].visits == 1) row->start = its[i].start;
      row->end = its[i].end;
      if (region > last) last = region;
    } else if (is_last) {
      changes[change_count].region = region;
      changes[change_count].visits = regions[region].visits;
      put_time(its[i].end, changes[change_count++].end_text);
    }
  }
  for (int64_t region = made_from; region <= last; region++) {
    put_time(made[region - made_from].start, made[region - made_from].start_text);
    put_time(made[region - made_from].end, made[region - made_from].end_text);
  }

  double start = processor_seconds();
  run(database, "BEGIN IMMEDIATE");
  visit_rows = NULL;
  for (first_row = made_from; first_row <= last; first_row = last_row + 1) {
    last_row = first_row + ROWS_IN_STATEMENT - 1 < last ? first_row + ROWS_IN_STATEMENT - 1 : last;
    step(database, insert);
  }
  for (int64_t i = 0; i < change_count; i++) {
    sqlite3_bind_int64(update, 1, changes[i].region);
    sqlite3_bind_text(update, 2, changes[i].end_text, TIME_CHARACTERS, SQLITE_STATIC);
    sqlite3_bind_int(update, 3, changes[i].visits);
    sqlite3_bind_text(update, 4, NOW, TIME_CHARACTERS, SQLITE_STATIC);
    step(database, update);
  }
  for (int64_t i = 0; i < count; i += ROWS_IN_STATEMENT) {
    visit_rows = its + i;
    visit_row_count = count - i < ROWS_IN_STATEMENT ? count - i : ROWS_IN_STATEMENT;
    step(database, insert_visits);
  }
  run(database, "COMMIT");
  double seconds = processor_seconds() - start;
  made_from = last + 1;
  return seconds;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: bare-rows STORE COPY\n");
    return 64;
  }
  read_store(arguments[1]);
  sqlite3 *database = open_copy(arguments[1], arguments[2]);
  sqlite3_stmt *insert = prepare(database,
    "INSERT INTO visited_regions (id, latitude, longitude, radius, timestamp_start, timestamp_end,"
    " visit_count, city, district, country, country_code, geohash, accuracy,"
    " created_at, updated_at, region)"
    " SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c13, c14 FROM bare_rows");
  sqlite3_stmt *update = prepare(database,
    "UPDATE visited_regions SET timestamp_end = ?2, visit_count = ?3, updated_at = ?4"
    " WHERE id = ?1");
  sqlite3_stmt *insert_visits = prepare(database,
    "INSERT INTO visits (region_id, start_ms, end_ms) SELECT c0, c1, c2 FROM bare_rows");
  int64_t done = 0, most = 0;
  for (int64_t source = 0; source < source_count; source++) {
    int64_t first = done;
    while (done < visit_count && visits[done].start <= ends[source]) done++;
    if (done - first > most) most = done - first;
  }
  // A source makes and changes no more regions than it has visits.
  made = allocate(most, sizeof(Made));
  changes = allocate(most, sizeof(Change));
  made_from = 1;
  double seconds = 0;
  done = 0;
  for (int64_t source = 0; source < source_count; source++) {
    int64_t first = done;
    while (done < visit_count && visits[done].start <= ends[source]) done++;
    seconds += write_source(database, insert, update, insert_visits, visits + first, done - first);
  }
  int64_t written = integer(database, "SELECT count(*) FROM visited_regions");
  int64_t written_visits = integer(database, "SELECT count(*) FROM visits");
  sqlite3_finalize(insert), sqlite3_finalize(update), sqlite3_finalize(insert_visits);
  sqlite3_close(database);
  if (written_visits != visit_count) {
    fprintf(stderr,
            "bare-rows: %lld of %lld visits were written: sources are not in the order of times\n",
            (long long)written_visits, (long long)visit_count);
    return 1;
  }
  printf("{\"regions\":%lld,\"visits\":%lld,\"seconds\":%.2f}\n", (long long)written,
         (long long)written_visits, seconds);
  return 0;
}
