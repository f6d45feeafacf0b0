import Achievements
import Foundation
import Geocode
import Geodesy
import Roqua
import TrackIngest

/// What happens while a receiver is recorded, as a line of JSON has it (`docs/live.md`).
enum LiveEvent {
  /// The receiver was opened.
  case connected
  /// It was lost, or could not be opened.
  case lost(reason: String, retrySeconds: Double)
  /// The program that sends the reports.
  case program(String)
  /// The devices of gpsd.
  case devices([String])
  /// The satellites.
  case satellites(used: Int?, seen: Int?)
  /// The sender reports an error.
  case error(String)
  /// Something is not as it should be, but the recording goes on.
  case warning(String)
  /// There is no fix any more.
  case noFix(SkipReason)
  /// The filter has decided about a fix.
  case fix(JudgedFix)
  /// A kept fix is in another place than the one before.
  case place(Coordinate, Place)
  /// Kept fixes were stored that added regions or cells, or visited a region again.
  case explored(SourceChanges)
  /// A country, region, district or city was reached for the first time.
  case reached(ReachedPlace)
  /// A tier of an achievement was reached for the first time.
  case unlocked(AchievementUnlock)
  /// An achievement came closer to its next tier.
  case progressed(AchievementProgress)

  /// The line.
  var json: JSONValue {
    switch self {
    case .connected: ["event": "connected"]
    case .lost(let reason, let seconds):
      ["event": "lost", "reason": .string(reason), "retrySeconds": .number(Self.rounded(seconds))]
    case .program(let name): ["event": "program", "name": .string(name)]
    case .devices(let paths):
      ["event": "devices", "paths": .array(paths.map { .string($0) })]
    case .satellites(let used, let seen):
      ["event": "satellites", "used": .integer(used), "seen": .integer(seen)]
    case .error(let text): ["event": "error", "message": .string(text)]
    case .warning(let text): ["event": "warning", "message": .string(text)]
    case .noFix(let reason): ["event": "noFix", "reason": .string(reason.rawValue)]
    case .fix(let judged): LiveEventLines.fix(judged)
    case .place(let coordinate, let place):
      if case .object(let members) = place.json(at: coordinate) {
        .object([.init("event", "place")] + members)
      } else {
        ["event": "place"]
      }
    case .explored(let changes):
      [
        "event": "explored", "kept": .integer(changes.kept),
        "regionsAdded": .integer(changes.regionsAdded),
        "regionsRevisited": .integer(changes.regionsRevisited),
        "cellsAdded": .integer(changes.cellsAdded),
        "areaAddedSquareKilometers": .number(changes.areaAddedSquareKilometers),
      ]
    case .reached(let reached): LiveEventLines.reached(reached)
    case .unlocked(let unlock): .object([.init("event", "unlocked")] + unlock.jsonMembers)
    case .progressed(let progress):
      [
        "event": "progressed", "achievement": .string(progress.achievementID),
        "value": .number(progress.value), "nextTier": .number(progress.nextTier),
        "share": .number(progress.share),
      ]
    }
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }
}

/// Lines of JSON that have more members.
enum LiveEventLines {
  static func fix(_ judged: JudgedFix) -> JSONValue {
    let fix = judged.fix
    var reason: DropReason?
    if case .dropped(let dropped) = judged.verdict { reason = dropped }
    if reason == .privacyZone {
      // Of a fix in a privacy zone, nothing leaves the tool.
      return [
        "event": "fix", "kept": .bool(false), "reason": .string(DropReason.privacyZone.rawValue),
      ]
    }
    return [
      "event": "fix", "kept": .bool(reason == nil), "reason": .string(reason?.rawValue),
      "time": .string(fix.time?.iso8601), "latitude": .number(fix.coordinate.latitudeDegrees),
      "longitude": .number(fix.coordinate.longitudeDegrees),
      "accuracyMeters": .number(fix.horizontalAccuracyMeters),
      "elevationMeters": .number(fix.elevationMeters),
      "speedMetersPerSecond": .number(fix.speedMetersPerSecond),
      "isInFlight": .bool(judged.isInFlight),
    ]
  }

  static func reached(_ reached: ReachedPlace) -> JSONValue {
    let place = reached.place
    return [
      "event": "reached", "level": .string(reached.level.rawValue),
      "countryCode": .string(place.countryCode), "country": .string(place.country),
      "regionCode": .string(place.regionCode), "region": .string(place.region),
      "district": .string(place.district), "city": .string(place.city),
    ]
  }

  static func finished(_ report: TrackReport) -> JSONValue {
    [
      "event": "finished", "points": .integer(report.points), "kept": .integer(report.kept),
      "dropped": .object(
        DropReason.allCases.map { .init($0.rawValue, .integer(report.dropped[$0])) }),
      "flights": .integer(report.flights), "firstTime": .string(report.firstTime?.iso8601),
      "lastTime": .string(report.lastTime?.iso8601),
    ]
  }
}
