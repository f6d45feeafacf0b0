import Geodesy

/// A source as the store lists it: one row of `sources`.
public struct StoredSource: Hashable, Sendable, Identifiable {
  /// Its number, in the order of import. A number is never given twice.
  public let id: Int64
  /// SHA-256 of its (decompressed) bytes, 64 hexadecimal digits in lower case.
  public let sha256: String
  /// The path it was imported by.
  public let path: String
  /// Its format, by the name of the report.
  public let format: String
  /// Number of its (decompressed) bytes.
  public let bytes: Int
  /// Track points with a valid position, when it was imported.
  public let points: Int
  /// Its fixes that are in the store: those that passed every filter, less those that a privacy zone took out since.
  public let kept: Int
  /// Regions that it brought itself; 0 for a track.
  public let regions: Int
  /// Cells of the grid that it brought itself; 0 for a track.
  public let cells: Int
  /// First time of its points; nil where no point has one.
  public let firstTime: Timestamp?
  /// Last time of its points; nil where no point has one.
  public let lastTime: Timestamp?
  /// When it was imported; nil where the store does not say so in a form that can be read.
  public let importedAt: Timestamp?
}

extension StoredSource {
  /// The columns that ``init(row:isForgiving:)`` reads, in order, of `sources`. Where a tile's
  /// number of cells is impossible, so is `cells`.
  static let columns = """
    id, sha256, path, format, bytes, points, kept, first_time, last_time, imported_at, \
    (SELECT CASE WHEN count(*) = count(CASE WHEN \(isPossible) THEN 1 END) \
      THEN coalesce(sum(CASE WHEN \(isPossible) THEN cells END), 0) ELSE -1 END \
      FROM source_tiles WHERE source_id = sources.id) AS cells, \
    (SELECT count(*) FROM source_regions WHERE source_id = sources.id)
    """

  private static let isPossible = Connection.condition("cells", StoredRange.tileCells)

  /// - Parameter isForgiving: whether numbers that cannot be read as 0, so that a damaged source
  ///   can be forgotten.
  /// - Throws: ``StoreError/damaged(path:detail:cause:)`` for such numbers otherwise.
  init(row: borrowing Statement, isForgiving: Bool = false) throws(StoreError) {
    let id = row.int64(at: 0)
    func count(
      _ column: Int32, _ range: ClosedRange<Int64> = StoredRange.sourceCount
    ) throws(StoreError) -> Int {
      if isForgiving, !range.contains(row.int64(at: column)) { return 0 }
      return try row.int(at: column, in: range, of: "sources, row \(id)")
    }
    self.id = isForgiving ? id : try row.rowID(at: 0, of: "sources")
    sha256 = row.text(at: 1) ?? ""
    path = row.text(at: 2) ?? ""
    format = row.text(at: 3) ?? ""
    bytes = try count(4, StoredRange.byteCount)
    points = try count(5)
    kept = try count(6)
    firstTime = row.text(at: 7).flatMap(Timestamp.init(iso8601:))
    lastTime = row.text(at: 8).flatMap(Timestamp.init(iso8601:))
    importedAt = row.text(at: 9).flatMap(Timestamp.init(iso8601:))
    // Names the tile and not the source.
    if row.int64(at: 10) < 0, !isForgiving { throw try row.connection.damageOfSourceTile() }
    cells = try count(10)
    regions = try count(11)
  }
}

extension Connection {
  /// All sources, in the order of import.
  func sources() throws(StoreError) -> [StoredSource] {
    try sources(where: "1", isForgiving: false) { _ in }
  }

  /// The one source that a person means by its number, its path, or the first digits of its
  /// SHA-256, at least eight: the first of these by which there is one. So a source's number always
  /// names it, whatever other sources' paths are.
  ///
  /// Its counts are 0 where they are damaged.
  /// - Throws: ``StoreError/noSuchSource(path:selector:)`` and ``StoreError/ambiguousSource(path:selector:ids:)``.
  func source(matching selector: String) throws(StoreError) -> StoredSource {
    // The text of a number is its only one: `007` is no source.
    if let id = Int64(selector), String(id) == selector,
      let source = try sources(where: "id = ?1", bind: { $0.bind(id, at: 1) }).first
    {
      return source
    }
    var found = try sources(where: "path = ?1") { $0.bind(selector, at: 1) }
    let digits = selector.lowercased()
    let isHash = (8...64).contains(digits.utf8.count) && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    if found.isEmpty, isHash {
      found = try sources(where: "sha256 >= ?1 AND sha256 < ?2") {
        $0.bind(digits, at: 1)
        // `g` follows `f`: what begins with the digits lies between.
        $0.bind(digits + "g", at: 2)
      }
    }
    guard let source = found.first else { throw .noSuchSource(path: path, selector: selector) }
    guard found.count == 1 else {
      throw .ambiguousSource(path: path, selector: selector, ids: found.map(\.id))
    }
    return source
  }

  private func sources(
    where condition: String, isForgiving: Bool = true, bind: (borrowing Statement) -> Void
  ) throws(StoreError) -> [StoredSource] {
    let select = try cached("SELECT \(StoredSource.columns) FROM sources WHERE \(condition) ORDER BY id")
    bind(select)
    var sources: [StoredSource] = []
    while try select.step() {
      sources.append(try StoredSource(row: select, isForgiving: isForgiving))
    }
    return sources
  }
}

extension Snapshot {
  /// All sources, in the order of import.
  ///
  /// - Complexity: O(sources), and O(tiles) of those that brought cells.
  public func sources() throws(StoreError) -> [StoredSource] { try connection.sources() }
}
