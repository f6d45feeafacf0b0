import Geodesy

/// A description of a source, complete once its last byte was read.
///
/// ```swift
/// func description(of track: TrackReport, sha256: String, bytes: Int) -> SourceDescription {
///   SourceDescription(
///     sha256: sha256, path: "walk.gpx", format: "gpx", bytes: bytes, points: track.points,
///     firstTime: track.firstTime, lastTime: track.lastTime, report: "{}")
/// }
/// ```
public struct SourceDescription: Hashable, Sendable {
  /// SHA-256 of the source's (decompressed) bytes, 64 lowercase hexadecimal digits.
  public var sha256: String
  /// The path from which it was imported.
  public var path: String
  /// The name of its format, as in the report.
  public var format: String
  /// Number of its (decompressed) bytes.
  public var bytes: Int
  /// Track points with a valid position.
  public var points: Int
  /// First time of its points; nil if no point has one.
  public var firstTime: Timestamp?
  /// Last time of its points; nil if no point has one.
  public var lastTime: Timestamp?
  /// Whether the source stayed near its last kept fix until ``lastTime``: the filter dropped fixes
  /// only for being too close to a kept fix, and the times never ran backwards.
  public var staysAtEnd: Bool
  /// Whether a privacy zone kept data of the source out of the store. Importing its file again
  /// replaces the source once a zone was removed.
  public var isWithheld: Bool
  /// Whether privacy zones were changed while the source was read, so that importing its file again
  /// replaces the source.
  package var isIncomplete = false
  /// The heights of its kept fixes; nil if unknown.
  package var heights: HeightProfile?
  /// The report of its import. The store keeps the text unchanged and never reads it.
  public var report: String

  /// Creates a description.
  public init(
    sha256: String, path: String, format: String, bytes: Int, points: Int, firstTime: Timestamp?,
    lastTime: Timestamp?, staysAtEnd: Bool = false, isWithheld: Bool = false, report: String
  ) {
    self.sha256 = sha256
    self.path = path
    self.format = format
    self.bytes = bytes
    self.points = points
    self.firstTime = firstTime
    self.lastTime = lastTime
    self.staysAtEnd = staysAtEnd
    self.isWithheld = isWithheld
    self.report = report
  }
}

extension SourceDescription {
  /// The report of a recording in progress, and of a source from which a privacy zone deleted
  /// fixes.
  static let noReport = "{}"
}

/// The changes that importing a source made in the store.
///
/// ```swift
/// let changes = try await explorer.importTracks(at: tracks).changes
/// print("\(changes.regionsAdded) new regions, +\(changes.areaAddedSquareKilometers) km²")
/// ```
public struct SourceChanges: Hashable, Sendable {
  /// Number of kept fixes stored.
  public var kept = 0
  /// Number of fixes, cells or regions that were not stored because they lie in a privacy zone. A
  /// filter that knows the zones drops such fixes before, so that they are not counted here.
  public var withheld = 0
  /// Number of regions added.
  public var regionsAdded = 0
  /// Number of existing regions that took at least one of the fixes.
  public var regionsRevisited = 0
  /// Number of cells that no earlier source had explored.
  public var cellsAdded = 0
  /// Area of those cells, in square kilometers.
  public var areaAddedSquareKilometers = 0.0
  /// The places reached for the first time, large ones first, if the writer was asked to note them.
  package var reached: [ReachedPlace] = []

  /// Creates an empty set of changes.
  public init() {}

  /// The sum of two, field by field.
  public static func + (left: SourceChanges, right: SourceChanges) -> SourceChanges {
    var sum = left
    sum.kept += right.kept
    sum.withheld += right.withheld
    sum.regionsAdded += right.regionsAdded
    sum.regionsRevisited += right.regionsRevisited
    sum.cellsAdded += right.cellsAdded
    sum.areaAddedSquareKilometers += right.areaAddedSquareKilometers
    sum.reached += right.reached
    return sum
  }
}
