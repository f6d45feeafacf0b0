import GeoExport
import GeoStore
import Geodesy
import SQLiteLayer

/// Joins the kept fixes of an export to lines.
///
/// A line ends with its segment, at a step of a flight (unless the setting `flightsExplore` is 1)
/// and at a step of more than ``TrackLine/longestStepMeters``. One that crosses ±180° is divided
/// there, and a long one after ``mostPositions``, where the next line goes on.
struct ExportedTracks {
  /// The most positions of a line: longer ones are too large for some programs.
  static let mostPositions = 100_000

  /// The fixes that are in no line because both neighbors are missing.
  private(set) var loneFixes = 0
  private let feed: ExportFeed
  private let flightsExplore: Bool
  private var last: ExportedFixes.Fix?
  private var geometry = ExportGeometry()
  private var fixes = 0
  private var meters = 0.0
  private var first: Timestamp?
  private var end: Timestamp?

  init(_ feed: ExportFeed, flightsExplore: Bool) {
    (self.feed, self.flightsExplore) = (feed, flightsExplore)
  }

  /// Adds the next fix.
  mutating func add(_ item: ExportedFixes.Fix) throws(DatabaseError) {
    let place = item.fix.coordinate
    if let last {
      let isFlown = item.fix.endsFlightLeg && !flightsExplore
      let step = item.startsSegment || isFlown ? 0 : last.fix.coordinate.distanceMeters(to: place)
      if item.startsSegment || isFlown || step > TrackLine.longestStepMeters {
        try endLine()
      } else {
        try cross(from: last.fix, to: item.fix, of: last, step)
      }
    }
    append(item.fix, x: place.longitudeDegrees)
    fixes += 1
    last = item
    if geometry.count == Self.mostPositions {
      try endLine()
      append(item.fix, x: place.longitudeDegrees)
    }
  }

  /// Ends the last line.
  mutating func finish() throws(DatabaseError) {
    try endLine()
    last = nil
  }

  private mutating func append(_ fix: KeptFix, x: Double) {
    append(x: x, y: fix.coordinate.latitudeDegrees, fix.time)
  }

  private mutating func append(x: Double, y: Double, _ time: Timestamp?) {
    geometry.append(
      x: x, y: y, measure: time.map { Double($0.millisecondsSince1970) / 1000 } ?? .nan)
    if let time { (first, end) = (first.map { min($0, time) } ?? time, max(end ?? time, time)) }
  }

  /// Divides the line where a step crosses ±180°.
  private mutating func cross(
    from start: KeptFix, to fix: KeptFix, of item: ExportedFixes.Fix, _ step: Double
  ) throws(DatabaseError) {
    let (one, other) = (start.coordinate, fix.coordinate)
    guard let crossing = TrackLine.Crossing(from: one, to: other) else {
      meters += step
      return
    }
    let (edge, share) = (crossing.edgeDegrees, crossing.share)
    let y = crossing.latitudeDegrees.roundedForExport
    var time: Timestamp?
    if let from = start.time?.millisecondsSince1970, let to = fix.time?.millisecondsSince1970 {
      time = Timestamp(millisecondsSince1970: from + Int64((Double(to - from) * share).rounded()))
    }
    if share == 0, geometry.count == 1 {
      // The line begins on the meridian: on its other side.
      geometry.coordinates[0] = -edge
      meters += step
      return
    }
    if share > 0 {
      meters += step * share
      append(x: edge, y: y, time)
    }
    try endLine()
    if share < 1 { append(x: -edge, y: y, time) }
    meters = step * (1 - share)
    last = item
  }

  private mutating func endLine() throws(DatabaseError) {
    defer {
      geometry.removeAll()
      (fixes, meters, first, end) = (0, 0, nil, nil)
    }
    guard let last, geometry.hasLength else {
      loneFixes += fixes
      return
    }
    swap(&feed.feature.geometry, &geometry)
    feed.feature.append(last.sourceID)
    feed.feature.append(last.source)
    feed.feature.append(last.segment)
    feed.feature.append(first)
    feed.feature.append(end)
    feed.feature.append(fixes)
    feed.feature.append((meters * 100).rounded() / 100)
    try feed.add()
    swap(&feed.feature.geometry, &geometry)
  }
}

extension ExportGeometry {
  /// Whether two positions differ: a line whose positions are all the same is not valid.
  fileprivate var hasLength: Bool {
    for place in stride(from: 2, to: coordinates.count - 1, by: 2)
    where coordinates[place] != coordinates[0] || coordinates[place + 1] != coordinates[1] {
      return true
    }
    return false
  }
}

extension ExportFeed {
  /// Writes the tracks as lines.
  ///
  /// - Returns: the number of fixes that are in no line.
  func addTracks(
    _ selection: ExportSelection, of snapshot: Snapshot
  ) throws(DatabaseError) -> Int {
    var tracks = ExportedTracks(self, flightsExplore: snapshot.settings.flightsExplore)
    try ExportedFixes.forEach(selection, of: snapshot) { (item) throws(DatabaseError) in
      try tracks.add(item)
    }
    try tracks.finish()
    return tracks.loneFixes
  }
}
