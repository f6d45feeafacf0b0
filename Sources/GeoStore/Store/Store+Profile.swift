import SQLiteLayer

/// The profile to which a store belongs. The store carries the identification of the profile, so
/// that a file that was copied from one profile to another is noticed.
extension Store {
  /// The identification of the profile to which the store belongs; nil if it belongs to none.
  ///
  /// - Throws: `DatabaseError`.
  package func profileID() throws(DatabaseError) -> String? {
    try withReader { (reader) throws(DatabaseError) in try Self.profileID(in: reader) }
  }

  /// Checks that a store belongs to the profile that opens it. A store that belongs to none is
  /// given to the profile.
  ///
  /// If that cannot be written now, because another process is writing or the disk is full, the
  /// next opening does it: it must not keep anybody from reading.
  ///
  /// - Throws: `DatabaseError.refused` with `DatabaseRefusal.otherProfile`, or the reason why the
  ///   store cannot be read.
  static func claim(_ writer: Connection, options: StoreOptions) throws(DatabaseError) {
    guard let id = options.profileID else { return }
    if try !belongs(writer, to: id, options) { return }
    if try profileID(in: writer) != nil { return }
    writer.busyTimeoutMilliseconds = 1_000
    defer { writer.busyTimeoutMilliseconds = Pragmas.busyTimeoutMilliseconds }
    do throws(DatabaseError) {
      try writer.writeTransaction { () throws(DatabaseError) in
        let insert = try writer.cached("INSERT OR IGNORE INTO profile VALUES (1, ?)")
        insert.bind(id, at: 1)
        _ = try insert.step()
      }
    } catch {
      return
    }
    // Another process may have been first.
    _ = try belongs(writer, to: id, options)
  }

  /// Checks a store that can only be read.
  ///
  /// - Throws: as ``claim(_:options:)`` does.
  func checkProfile() throws(DatabaseError) {
    guard let id = options.profileID else { return }
    try withReader { (reader) throws(DatabaseError) in
      _ = try Self.belongs(reader, to: id, options)
    }
  }

  /// Whether the store may be given to a profile, or belongs to it; false if its tables were
  /// altered, so that this is unknown, and it is opened for repair.
  private static func belongs(
    _ connection: Connection, to id: String, _ options: StoreOptions
  ) throws(DatabaseError) -> Bool {
    let found: String?
    do throws(DatabaseError) {
      found = try profileID(in: connection)
    } catch {
      guard options.acceptsAlteredSchema else { throw error }
      return false
    }
    guard found == nil || found == id else {
      throw .refused(path: connection.path, .otherProfile)
    }
    return true
  }

  private static func profileID(in connection: Connection) throws(DatabaseError) -> String? {
    let select = try connection.cached("SELECT id FROM profile")
    return try select.step() ? select.text(at: 0) ?? "" : nil
  }
}
