import CSQLite

@testable import GeoStore
@testable import SQLiteLayer

extension Store {
  /// The value of a pragma on the writer and on a reader.
  func pragma(_ name: String) throws -> (writer: String?, reader: String?) {
    let reader = try withReader { (reader) throws(DatabaseError) in
      try reader.text("PRAGMA \(name)")
    }
    let writer = try withWriter { (writer) throws(DatabaseError) in
      try writer.text("PRAGMA \(name)")
    }
    return (writer, reader)
  }

  /// The stored report of the source `recording`.
  func recordingReport() throws -> String? {
    try read { try $0.connection.text("SELECT report FROM sources WHERE path = 'recording'") }
  }
}

extension Connection {
  /// Allows triggers and views of the database.
  func soften() {
    for option in [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW] {
      _ = roqua_sqlite_set_option(handle, option, 1)
    }
  }
}
