/// The beginning of a database's first page, which shows what program the database belongs to
/// (https://www.sqlite.org/fileformat.html, sections 1.3 and 1.6).
package struct FirstPage: Equatable {
  /// Size of the file header followed by the header of the page's tree.
  package static let bytes = 108

  /// `PRAGMA application_id`.
  package let applicationID: Int64
  /// `PRAGMA user_version`.
  package let version: Int
  /// Whether the schema table is a leaf (type 13) without rows. A tree without rows never has
  /// another form.
  package let hasNoTables: Bool

  /// Reads the page; nil if there are fewer than ``bytes`` bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(Self.bytes))
    guard bytes.count == Self.bytes else { return nil }
    applicationID = Int64(Int32(bitPattern: bytes.bigEndian(at: 68)))
    version = Int(Int32(bitPattern: bytes.bigEndian(at: 60)))
    hasNoTables = bytes[100] == 13 && bytes[103] == 0 && bytes[104] == 0
  }

  /// Returns the version of a database of a format, 0 if it has no tables.
  ///
  /// - Throws: ``DatabaseError`` if it belongs to another program, or to a version that is newer or
  ///   never existed.
  package func version(of format: DatabaseFormat, path: String) throws(DatabaseError) -> Int {
    try format.version(
      applicationID: applicationID, version: version, hasNoTables: hasNoTables, path: path)
  }

  /// Returns whether ``version(of:path:)`` does not throw.
  func isUsable(by format: DatabaseFormat) -> Bool { (try? version(of: format, path: "")) != nil }
}

extension [UInt8] {
  /// Returns the number in the 4 bytes at an offset, most significant byte first.
  package func bigEndian(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
