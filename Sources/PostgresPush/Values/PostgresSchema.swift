import CPostgresSQL

/// The tables, views and functions of a database for many people.
package enum PostgresSchema {
  /// The version of the tables that this program reads and writes.
  package static let version = 1

  /// The statements that make everything, in one transaction. They need PostGIS, and a database
  /// without a schema `roqua`. A push runs those of ``PostgresLayout/plain`` if there is none.
  package static func sql(for layout: PostgresLayout) -> String {
    // Sound: the functions return texts that are part of the program and end with a zero byte.
    let texts = [
      roqua_postgres_schema(),
      layout == .citus ? roqua_postgres_citus() : roqua_postgres_partitions(),
      roqua_postgres_servers(), roqua_postgres_questions(),
    ].map { String(cString: $0) }
    let settings = layout.settings.map { "SET LOCAL roqua.\($0.name) = '\($0.value)';" }
    return (settings + texts).joined(separator: "\n")
  }
}
