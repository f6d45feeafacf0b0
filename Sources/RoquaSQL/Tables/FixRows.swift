import CSQLiteCalls
import GeoStore
import Geodesy

/// `roqua_fixes(source)`: the kept fixes of a source, or of all sources, in the order of their
/// import; the fixes of each in file order. Memory of one chunk.
final class FixRows: TableRows {
  static let function = TableFunction(
    name: "roqua_fixes",
    columns: [
      "source_id INTEGER", "segment INTEGER", "time TEXT", "time_ms INTEGER", "latitude REAL",
      "longitude REAL", "accuracy REAL", "flight INTEGER",
    ],
    argument: "source", argumentName: "id of a source (SELECT id FROM sources)", orderedColumns: 2,
    makeRows: { FixRows(database: $0) })

  private var query: TableQuery?
  private var fixes: [KeptFix] = []
  private var index = 0
  /// The source of the fix.
  private(set) var sourceID: Int64 = 0
  /// The number of the fix's segment in its source, from 1.
  private(set) var segment: Int64 = 0
  private var number: Int64 = 0

  /// The fix of the row.
  var fix: KeptFix { fixes[index] }

  override func begin(argument: Int64?) throws(FunctionFailure) {
    try begin(argument: argument, for: Self.function)
  }

  /// Goes to the first row for a function, which errors name.
  func begin(argument: Int64?, for function: TableFunction) throws(FunctionFailure) {
    (fixes, index, sourceID, segment, number) = ([], 0, 0, 0, 0)
    query = try StoreTable.query(
      "SELECT id, source_id, payload FROM main.kept_fixes"
        + (argument == nil ? "" : " WHERE source_id = ?1") + " ORDER BY source_id, id",
      for: function, on: database)
    if let argument { query?.bind(argument) }
    try readChunk()
  }

  override func advance() throws(FunctionFailure) {
    index += 1
    number += 1
    if index < fixes.count {
      if fixes[index].startsSegment { segment += 1 }
    } else {
      try readChunk()
    }
  }

  override var isAtEnd: Bool { index >= fixes.count }
  override var rowID: Int64 { number }

  /// Reads the next chunk that has fixes.
  private func readChunk() throws(FunctionFailure) {
    (fixes, index) = ([], 0)
    while let query, fixes.isEmpty {
      guard try query.step() else {
        self.query = nil
        return
      }
      let decoded = query.withBytes(at: 2) { try? FixChunk.decode($0) }
      guard let decoded else {
        throw StoreTable.damage("kept fixes, chunk \(query.int64(at: 0))")
      }
      let source = query.int64(at: 1)
      if source != sourceID { (sourceID, segment) = (source, 0) }
      fixes = decoded
    }
    // The first fix of a source starts a segment, whatever its mark.
    if let first = fixes.first, first.startsSegment || segment == 0 { segment += 1 }
  }

  override func write(column: Int32, to context: OpaquePointer) {
    let fix = fixes[index]
    switch column {
    case 1: roqua_result_int64(context, segment)
    case 2: Self.write(fix.time, to: context)
    case 3:
      guard let time = fix.time else { return roqua_result_null(context) }
      roqua_result_int64(context, time.millisecondsSince1970)
    case 4: roqua_result_double(context, fix.coordinate.latitudeDegrees)
    case 5: roqua_result_double(context, fix.coordinate.longitudeDegrees)
    case 6:
      guard let meters = fix.accuracyMeters else { return roqua_result_null(context) }
      roqua_result_double(context, meters)
    case 7: roqua_result_int64(context, fix.isInFlight ? 1 : 0)
    default: roqua_result_int64(context, sourceID)
    }
  }
}
