/// Whose a database is, by the beginning of its first page
/// (https://www.sqlite.org/fileformat.html, sections 1.3 and 1.6).
package struct FirstPage: Equatable {
  /// The header of the file, and behind it that of the page's tree.
  package static let bytes = 108

  /// `PRAGMA application_id`.
  package let applicationID: Int64
  /// `PRAGMA user_version`.
  package let version: Int
  /// Whether the table of tables is a leaf (type 13) of no rows. A tree of no rows is never
  /// anything else.
  package let hasNoTables: Bool

  /// Nil where these are fewer than ``bytes`` bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(Self.bytes))
    guard bytes.count == Self.bytes else { return nil }
    applicationID = Int64(Int32(bitPattern: bytes.bigEndian(at: 68)))
    version = Int(Int32(bitPattern: bytes.bigEndian(at: 60)))
    hasNoTables = bytes[100] == 13 && bytes[103] == 0 && bytes[104] == 0
  }

  /// The version of a database of a format, 0 for one without tables.
  ///
  /// - Throws: ``DatabaseError``: another program's, of a newer version, or of one that never
  ///   existed.
  package func version(of format: DatabaseFormat, path: String) throws(DatabaseError) -> Int {
    try format.version(
      applicationID: applicationID, version: version, hasNoTables: hasNoTables, path: path)
  }

  /// Whether ``version(of:path:)`` does not throw.
  func isUsable(by format: DatabaseFormat) -> Bool { (try? version(of: format, path: "")) != nil }
}

extension [UInt8] {
  /// The 4 bytes at an offset, most significant first.
  package func bigEndian(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
