// The SQL with which a database for many people is made. Each text ends with a zero byte.
#ifndef CPOSTGRESSQL_H
#define CPOSTGRESSQL_H

// The tables.
const char *roqua_postgres_schema(void);
// The division of the tables by person, for settings that say how.
const char *roqua_postgres_partitions(void);
// The distribution of the tables over the workers of Citus.
const char *roqua_postgres_citus(void);
// Views of what each server says about its own people.
const char *roqua_postgres_servers(void);
// Functions for questions.
const char *roqua_postgres_questions(void);

#endif
