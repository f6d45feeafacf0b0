// The SQL with which a database for many people is made. Each text ends with a zero byte.
#ifndef CPOSTGRESSQL_H
#define CPOSTGRESSQL_H

// The tables.
const char *roqua_postgres_schema(void);
// Views and functions for questions.
const char *roqua_postgres_questions(void);

#endif
