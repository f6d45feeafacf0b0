// Links the SQL files into the program. `#embed` is C23; clang 19 and later support it in every
// mode.
#include "CPostgresSQL.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char schema[] = {
#embed "sql/schema.sql"
, 0};

static const unsigned char partitions[] = {
#embed "sql/partitions.sql"
, 0};

static const unsigned char citus[] = {
#embed "sql/citus.sql"
, 0};

static const unsigned char servers[] = {
#embed "sql/servers.sql"
, 0};

static const unsigned char questions[] = {
#embed "sql/questions.sql"
, 0};

const char *roqua_postgres_schema(void) { return (const char *)schema; }
const char *roqua_postgres_partitions(void) { return (const char *)partitions; }
const char *roqua_postgres_citus(void) { return (const char *)citus; }
const char *roqua_postgres_servers(void) { return (const char *)servers; }
const char *roqua_postgres_questions(void) { return (const char *)questions; }
