import Roqua
import TrackIngest

/// The explanation of an import in words.
struct ExplanationLines {
  private let filter: FilterSettings
  private let extras: Set<ExtraPoints>

  init(_ filter: FilterSettings, extras: Set<ExtraPoints>) {
    self.filter = filter
    self.extras = extras
  }

  /// The lines for a part of a file.
  func lines(of step: ImportExplanation) -> [String] {
    switch step {
    case .archive(let path, let format, let evidence):
      ["\(path): \(format) archive\(Self.text(evidence, before: ", recognized by "))"]
    case .archiveEnd(let path, let warnings): warnings.map { "\(path): \($0.message)" }
    case .leftOut(let path, let position):
      ["\(path): \(Self.place(position)): \(explanation(position.reason))"]
    case .source(let source):
      [heading(source)] + (source.outcome == .read ? contents(source) : [])
    }
  }

  // MARK: What it is

  /// `ride.gpx.gz: GPX in UTF-8, recognized by <gpx at byte 38; in gzip, recognized by …`.
  private func heading(_ source: SourceExplanation) -> String {
    let compression = Self.text(source.compression, before: "; in gzip, recognized by ")
    let evidence = Self.text(source.evidence, before: ", recognized by ")
    guard source.outcome != .read else {
      let encoding = source.evidence?.encoding.map { " in \($0)" } ?? ""
      return "\(source.path): \(source.track.format?.name ?? "track")\(encoding)\(evidence)"
        + compression
    }
    let verb = source.outcome == .unsupported ? "not read" : source.outcome.rawValue
    let line = source.track.error?.line.map { "line \($0): " } ?? ""
    return "\(source.path): \(verb)\(evidence)\(compression): \(line)\(source.reason ?? "")"
  }

  /// `, recognized by .FIT at byte 8`.
  private static func text(_ evidence: ContentEvidence?, before start: String) -> String {
    guard let evidence else { return "" }
    return start + evidence.signature
      + (evidence.byte.map { " at byte \(Wording.count($0))" } ?? "")
  }

  // MARK: What became of it

  private func contents(_ source: SourceExplanation) -> [String] {
    let track = source.track
    if track.format == .fogOfWorld {
      let result = CellWording.result(
        pixels: track.pixels, cells: source.cells, withheld: source.withheldCells)
      return ([result] + Self.warnings(track)).map { "  " + $0 }
    }
    var parts = [
      Wording.count(track.tracks, "track"), Wording.count(track.segments, "segment"),
      Wording.count(track.points, "point"),
    ]
    if track.waypoints > 0 { parts.append(Wording.count(track.waypoints, "waypoint")) }
    if track.routePoints > 0 { parts.append(Wording.count(track.routePoints, "route point")) }
    var lines = [
      parts.joined(separator: ", "),
      "\(Wording.count(track.kept, "point")) kept"
        + (track.firstTime == nil ? "" : ", \(Wording.days(track.firstTime, track.lastTime))"),
    ]
    lines += source.leftOut.entries.map { entry in
      let noun = if case .dropped = entry.reason { "point" } else { "position" }
      let count = "\(Wording.count(entry.count, noun)) \(explanation(entry.reason))"
      return entry.first.isEmpty ? count : "\(count): \(Self.places(entry))"
    }
    let others = [
      extras.contains(.waypoints) || track.waypoints == 0 ? nil : "waypoints",
      extras.contains(.routes) || track.routePoints == 0 ? nil : "routes",
    ].compactMap { $0 }
    if !others.isEmpty {
      lines.append("\(others.joined(separator: " and ")) not imported (see --include)")
    }
    if track.points > 0, track.undated > 0 {
      lines.append("\(Wording.count(track.undated, "point")) without a time")
    }
    if track.flights > 0 {
      lines.append(
        "\(Wording.count(track.flights, "flight")) with "
          + "\(Wording.count(track.flightPoints, "point")) in the air (see roqua settings "
          + "flightsExplore)")
    }
    return (lines + Self.warnings(track)).map { "  " + $0 }
  }

  private static func warnings(_ track: TrackReport) -> [String] {
    track.warnings.map { ($0.line.map { "line \($0): " } ?? "") + $0.message }
  }

  private func explanation(_ reason: LeftOutPosition.Reason) -> String {
    switch reason {
    case .skipped(let reason): reason.explanation
    case .dropped(let reason): reason.explanation(filter)
    }
  }

  // MARK: Where

  /// `lines 12, 13 and 40`, `bytes 120 and 160, and 12 more`; the number of the position if its
  /// line holds several.
  private static func places(_ entry: LeftOutSummary.Entry) -> String {
    let first = entry.first
    let lines = first.compactMap(\.line)
    let bytes = first.compactMap(\.byte)
    let (unit, numbers): (String, [Int]) =
      if lines.count == first.count, Set(lines).count == lines.count,
        bytes.isEmpty || lines != [1]
      {
        ("line", lines)
      } else if bytes.count == first.count {
        ("byte", bytes)
      } else {
        ("position", first.map(\.number))
      }
    let rest = entry.count - first.count
    return list(unit, numbers, isCut: rest > 0)
      + (rest > 0 ? ", and \(Wording.count(rest)) more" : "")
  }

  private static func list(_ unit: String, _ numbers: [Int], isCut: Bool) -> String {
    let texts = numbers.map(String.init)
    guard let last = texts.last, texts.count > 1 else { return "\(unit) \(texts.joined())" }
    if isCut { return "\(unit)s \(texts.joined(separator: ", "))" }
    return "\(unit)s \(texts.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// `position 12, line 1, byte 480`.
  private static func place(_ position: LeftOutPosition) -> String {
    "position \(position.number)" + (position.line.map { ", line \($0)" } ?? "")
      + (position.byte.map { ", byte \($0)" } ?? "")
  }
}
