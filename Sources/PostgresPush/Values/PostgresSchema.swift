import CPostgresSQL

/// The tables, views and functions of a database for many people.
package enum PostgresSchema {
  /// The version of the tables that this program reads and writes.
  package static let version = 1

  /// The statements that make everything, for `psql` or a migration tool. They need PostGIS, and a
  /// database without a schema `roqua`. A push runs them if there is none.
  package static var sql: String {
    // Sound: both functions return texts that are part of the program and end with a zero byte.
    String(cString: roqua_postgres_schema()) + "\n" + String(cString: roqua_postgres_questions())
  }
}
