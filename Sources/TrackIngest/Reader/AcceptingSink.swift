import Geodesy

/// Points other than track points that can be read as fixes.
///
/// ```swift
/// var options = ImportOptions()
/// options.extras = [.routes, .waypoints]
/// print(try await explorer.importTracks(at: tracks, options: options).kept)
/// ```
public enum ExtraPoints: String, CaseIterable, Sendable {
  /// Points of routes.
  case routes
  /// Waypoints.
  case waypoints
}

/// Filters the fixes of a decoder, writes the report, and collects the fixes that pass.
struct AcceptingSink: TrackSink {
  /// The output of the filter, separate from it so that both can be changed at once.
  struct Outcome {
    var report = TrackReport()
    var accepted: [AcceptedFix] = []
    var explored: [PixelBlock] = []
    /// True if the next kept fix starts a segment.
    var startsSegment = true
    /// Holds the last kept fixes back. Segments do not end flights.
    fileprivate var flights: FlightRecognizer
    /// Where the positions are; nil unless the source is explained.
    var trace: PositionTrace?

    @inline(__always)
    mutating func take(_ fix: Fix, _ verdict: Verdict) {
      trace?.settle(verdict)
      switch verdict {
      case .kept:
        report.kept += 1
        Self.push(
          AcceptedFix(fix: fix, startsSegment: startsSegment), through: &flights, to: &accepted,
          counting: &report.flightPoints)
        startsSegment = false
      case .dropped(let reason):
        report.dropped.add(reason)
        if reason == .privacyZone { startsSegment = true }
      }
    }

    /// Ends the source.
    mutating func finish() {
      endFlight()
      report.flights = flights.flightCount
    }

    /// Ends a flight that goes on: the next fix is of another journey.
    mutating func endFlight() {
      flights.finish {
        report.flightPoints += $0.isInFlight ? 1 : 0
        accepted.append($0)
      }
    }

    @inline(__always)
    private static func push(
      _ fix: AcceptedFix, through flights: inout FlightRecognizer,
      to accepted: inout [AcceptedFix], counting flightPoints: inout Int
    ) {
      flights.push(fix) {
        flightPoints += $0.isInFlight ? 1 : 0
        accepted.append($0)
      }
    }
  }

  var outcome: Outcome
  private var filter: FixFilter
  private let settings: FilterSettings
  /// True in a track whose fixes were filtered before.
  private var isInKeptTrack = false
  private let includesRoutes: Bool
  private let includesWaypoints: Bool
  private var warnings = WarningList()
  /// True if the next decoded fix starts a segment.
  private var nextStartsSegment = true

  init(settings: FilterSettings, including extras: Set<ExtraPoints>) {
    self.settings = settings
    filter = FixFilter(settings: settings)
    outcome = Outcome(flights: FlightRecognizer(settings: settings))
    includesRoutes = extras.contains(.routes)
    includesWaypoints = extras.contains(.waypoints)
  }

  mutating func beginTrack() {
    outcome.report.tracks += 1
    if isInKeptTrack {
      startJourney(isKept: false)
      filter.changeSettings(to: settings)
    }
  }

  /// Each track of an export was a source: a flight does not go on in the next one, and its kept
  /// fixes have proved to be no glitches, with fixes that the export does not have.
  mutating func markKeptTrack() {
    startJourney(isKept: true)
    var known = settings
    known.maximumSpeedMetersPerSecond = .infinity
    filter.changeSettings(to: known)
  }

  /// Starts a track that no flight enters from the one before.
  private mutating func startJourney(isKept: Bool) {
    startSegment()
    outcome.endFlight()
    isInKeptTrack = isKept
  }

  mutating func beginSegment() {
    outcome.report.segments += 1
    startSegment()
  }

  mutating func beginRoute() { if includesRoutes { startSegment() } }

  mutating func locate(byte: Int) { outcome.trace?.locate(byte: byte) }

  mutating func fix(_ fix: Fix, line: Int) { take(fix, line: line) }

  mutating func skip(_ reason: SkipReason, line: Int) {
    outcome.report.skipped.add(reason)
    outcome.trace?.skip(reason, line: line)
  }

  mutating func waypoint(_ fix: Fix, line: Int) {
    outcome.report.waypoints += 1
    guard includesWaypoints else { return }
    startSegment()  // each waypoint is a segment of its own
    take(fix, line: line)
    startSegment()
  }

  mutating func routePoint(_ fix: Fix, line: Int) {
    outcome.report.routePoints += 1
    if includesRoutes { take(fix, line: line) }
  }

  mutating func explore(_ block: PixelBlock) {
    outcome.report.pixels += block.count
    outcome.explored.append(block)
  }

  mutating func warn(_ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String) {
    warnings.add(code, line: line, message)
  }

  /// Ends the source: collects the last verdicts and the warnings.
  mutating func finish() {
    startSegment()
    outcome.finish()
    outcome.report.warnings = warnings.warnings
  }

  private mutating func startSegment() {
    // Fixes that are still waiting belong to the previous segment.
    Self.empty(&filter, into: &outcome)
    nextStartsSegment = true
    outcome.startsSegment = true
  }

  @inline(__always)
  private mutating func take(_ fix: Fix, line: Int) {
    outcome.trace?.push(line: line)
    outcome.report.points += 1
    if fix.horizontalAccuracyMeters == nil { outcome.report.unknownAccuracy += 1 }
    if fix.time == nil { outcome.report.undated += 1 }
    // Of a fix in a privacy zone, the report contains neither place nor time.
    if !filter.isInZone(fix.coordinate) { note(fix) }
    Self.push(fix, startsSegment: nextStartsSegment, through: &filter, into: &outcome)
    nextStartsSegment = false
  }

  @inline(__always)
  private mutating func note(_ fix: Fix) {
    // Receivers without a position write 0° N 0° E.
    if !fix.coordinate.isNullIsland, outcome.report.extent?.include(fix.coordinate) == nil {
      outcome.report.extent = Extent(fix.coordinate)
    }
    guard let time = fix.time else { return }
    outcome.report.firstTime = outcome.report.firstTime.map { min($0, time) } ?? time
    outcome.report.lastTime = outcome.report.lastTime.map { max($0, time) } ?? time
  }

  @inline(__always)
  private static func push(
    _ fix: Fix, startsSegment: Bool, through filter: inout FixFilter, into outcome: inout Outcome
  ) {
    filter.push(fix, startsSegment: startsSegment) { outcome.take($0, $1) }
  }

  private static func empty(_ filter: inout FixFilter, into outcome: inout Outcome) {
    filter.finish { outcome.take($0, $1) }
  }
}
