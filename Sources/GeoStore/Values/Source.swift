import Geodesy

/// What is known of a source when its last byte was read.
///
/// ```swift
/// func description(of track: TrackReport, sha256: String, bytes: Int) -> SourceDescription {
///   SourceDescription(
///     sha256: sha256, path: "walk.gpx", format: "gpx", bytes: bytes, points: track.points,
///     firstTime: track.firstTime, lastTime: track.lastTime, report: "{}")
/// }
/// ```
public struct SourceDescription: Hashable, Sendable {
  /// SHA-256 of its (decompressed) bytes, 64 hexadecimal digits in lower case.
  public var sha256: String
  /// The path it was imported by.
  public var path: String
  /// Its format, by the name of the report.
  public var format: String
  /// Number of its (decompressed) bytes.
  public var bytes: Int
  /// Track points with a valid position.
  public var points: Int
  /// First and last time of its points; nil where no point has one.
  public var firstTime: Timestamp?
  /// Last time of its points.
  public var lastTime: Timestamp?
  /// Whether it stayed near its last kept fix until ``lastTime``: everything that the filter
  /// dropped was too close to a kept fix, and its times never ran backwards.
  public var staysAtEnd: Bool
  /// The report of its import. The store keeps the text as it is and never reads it.
  public var report: String

  /// A description.
  public init(
    sha256: String, path: String, format: String, bytes: Int, points: Int, firstTime: Timestamp?,
    lastTime: Timestamp?, staysAtEnd: Bool = false, report: String
  ) {
    self.sha256 = sha256
    self.path = path
    self.format = format
    self.bytes = bytes
    self.points = points
    self.firstTime = firstTime
    self.lastTime = lastTime
    self.staysAtEnd = staysAtEnd
    self.report = report
  }
}

extension SourceDescription {
  /// The report of a recording that goes on, and of a source from which a privacy zone deleted
  /// something.
  static let noReport = "{}"
}

/// What importing a source changed in the store.
///
/// ```swift
/// let changes = try await explorer.importTracks(at: tracks).changes
/// print("\(changes.regionsAdded) new regions, +\(changes.areaAddedSquareKilometers) km²")
/// ```
public struct SourceChanges: Hashable, Sendable {
  /// Kept fixes stored.
  public var kept = 0
  /// Regions made.
  public var regionsAdded = 0
  /// Regions that were there before and took at least one of its fixes.
  public var regionsRevisited = 0
  /// Cells that no earlier source had explored.
  public var cellsAdded = 0
  /// Area of those cells in square kilometers.
  public var areaAddedSquareKilometers = 0.0

  /// Nothing changed.
  public init() {}

  /// The sum of two, field by field.
  public static func + (left: SourceChanges, right: SourceChanges) -> SourceChanges {
    var sum = left
    sum.kept += right.kept
    sum.regionsAdded += right.regionsAdded
    sum.regionsRevisited += right.regionsRevisited
    sum.cellsAdded += right.cellsAdded
    sum.areaAddedSquareKilometers += right.areaAddedSquareKilometers
    return sum
  }
}
