import GeoStore

/// The overlaps of an import in words:
/// `ride.fit and ride.gpx cover the same 1 h 2 min, which counts once`.
struct OverlapLines {
  private let overlaps: SourceOverlaps

  /// The number of overlaps that get a line.
  private static let shownAtMost = 5
  /// The shortest overlap that gets a line, in seconds. Two rides that follow each other may share
  /// the seconds in which one device was switched off and the other on.
  private static let shortestSeconds = 60.0

  init(_ overlaps: SourceOverlaps) { self.overlaps = overlaps }

  /// A line for each of the longest overlaps, and one for the others.
  var lines: [String] {
    let long = overlaps.list.prefix { $0.seconds >= Self.shortestSeconds }
    var lines = long.prefix(Self.shownAtMost).map(Self.line)
    let longCount = overlaps.seconds.prefix { $0 >= Self.shortestSeconds }.count
    if longCount > lines.count {
      lines.append(
        "and \(Wording.count(longCount - lines.count, "more overlap")); "
          + "roqua sources --overlaps lists all")
    } else if !overlaps.isComplete {
      lines.append("there may be more overlaps; roqua sources --overlaps lists all")
    }
    return lines
  }

  private static func line(_ overlap: SourceOverlap) -> String {
    "\(overlap.first.path) and \(overlap.second.path) cover the same "
      + Wording.exactDuration(overlap.seconds)
      + (overlap.sharedPlace < 0.5 ? " in different places" : ", which counts once")
  }
}
