import CSQLiteCalls
import GeoStore
import Geodesy

/// `roqua_tracks(source)`: the segments of a source, or of all sources, in their order, with the
/// lines through their kept fixes. Memory of one segment.
final class TrackRows: TableRows {
  static let function = TableFunction(
    name: "roqua_tracks",
    columns: [
      "source_id INTEGER", "segment INTEGER", "fixes INTEGER", "start_time TEXT", "end_time TEXT",
      "flight INTEGER", "geometry BLOB",
    ],
    argument: "source", argumentName: FixRows.function.argumentName, orderedColumns: 2,
    makeRows: { TrackRows(database: $0) })

  /// A segment.
  private struct Track {
    let sourceID: Int64
    let segment: Int64
    var fixes: Int64 = 0
    var start: Timestamp?
    var end: Timestamp?
    /// Whether a part of it is a flight.
    var isInFlight = false
  }

  private let fixes: FixRows
  private var flightsExplore = false
  private var track: Track?
  private var lines = TrackLines()
  private var number: Int64 = -1

  override init(database: OpaquePointer) {
    fixes = FixRows(database: database)
    super.init(database: database)
  }

  override func begin(argument: Int64?) throws(FunctionFailure) {
    number = -1
    try fixes.begin(argument: argument, for: Self.function)
    flightsExplore = try StoreGrid.settings(.flightsExplore, of: database).flightsExplore
    try advance()
  }

  override func advance() throws(FunctionFailure) {
    number += 1
    lines.removeAll()
    guard !fixes.isAtEnd else {
      self.track = nil
      return
    }
    var track = Track(sourceID: fixes.sourceID, segment: fixes.segment)
    repeat {
      let fix = fixes.fix
      track.fixes += 1
      track.isInFlight = track.isInFlight || fix.isInFlight
      if let time = fix.time {
        track.start = track.start.map { min($0, time) } ?? time
        track.end = track.end.map { max($0, time) } ?? time
      }
      lines.add(fix.coordinate, isFlown: fix.endsFlightLeg && !flightsExplore)
      try fixes.advance()
    } while !fixes.isAtEnd && fixes.segment == track.segment && fixes.sourceID == track.sourceID
    lines.endLine()
    self.track = track
  }

  override var isAtEnd: Bool { track == nil }
  override var rowID: Int64 { number }

  override func write(column: Int32, to context: OpaquePointer) {
    guard let track else { return roqua_result_null(context) }
    switch column {
    case 1: roqua_result_int64(context, track.segment)
    case 2: roqua_result_int64(context, track.fixes)
    case 3: Self.write(track.start, to: context)
    case 4: Self.write(track.end, to: context)
    case 5: roqua_result_int64(context, track.isInFlight ? 1 : 0)
    case 6:
      guard let geometry = lines.geometry else { return roqua_result_null(context) }
      // Sound: SQLite copies the bytes.
      geometry.withUnsafeBytes { roqua_result_blob(context, $0.baseAddress, UInt64($0.count)) }
    default: roqua_result_int64(context, track.sourceID)
    }
  }
}
