import SQLiteLayer

extension Connection {
  /// Returns all sources, in the order of import.
  func sources() throws(DatabaseError) -> [StoredSource] {
    try sources(where: "1", isForgiving: false) { _ in }
  }

  /// Returns the one source identified by a number, a path, or at least eight leading digits of a
  /// SHA-256, tried in this order. A source's number therefore always identifies it, whatever the
  /// paths of other sources are.
  ///
  /// Counts that are damaged read as 0.
  /// - Throws: ``StoreError/noSuchSource(path:selector:)`` and
  ///   ``StoreError/ambiguousSource(path:selector:ids:)``.
  func source(matching selector: String) throws -> StoredSource {
    // Only the canonical text of a number counts: `007` is not a source.
    if let id = Int64(selector), String(id) == selector,
      let source = try self.source(id: id)
    {
      return source
    }
    var found = try sources(where: "path = ?1") { $0.bind(selector, at: 1) }
    let digits = selector.lowercased()
    let isHash =
      (8...64).contains(digits.utf8.count) && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    if found.isEmpty, isHash {
      found = try sources(where: "sha256 >= ?1 AND sha256 < ?2") {
        $0.bind(digits, at: 1)
        // `g` follows `f`, so every hash that begins with the digits lies in between.
        $0.bind(digits + "g", at: 2)
      }
    }
    guard let source = found.first else {
      throw StoreError.noSuchSource(path: path, selector: selector)
    }
    guard found.count == 1 else {
      throw StoreError.ambiguousSource(path: path, selector: selector, ids: found.map(\.id))
    }
    return source
  }

  /// Returns the source with this number; nil if there is none. Damaged counts read as 0.
  func source(id: StoredSource.ID) throws(DatabaseError) -> StoredSource? {
    try sources(where: "id = ?1") { $0.bind(id, at: 1) }.first
  }

  private func sources(
    where condition: String, isForgiving: Bool = true, bind: (borrowing Statement) -> Void
  ) throws(DatabaseError) -> [StoredSource] {
    let select = try cached(
      "SELECT \(StoredSource.columns) FROM sources WHERE \(condition) ORDER BY id")
    bind(select)
    var sources: [StoredSource] = []
    while try select.step() {
      sources.append(try StoredSource(row: select, isForgiving: isForgiving))
    }
    return sources
  }
}
