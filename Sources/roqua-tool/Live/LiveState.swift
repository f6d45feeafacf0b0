import Achievements
import Foundation
import GeoStore
import Geocode
import Geodesy
import Roqua
import TrackIngest

/// What is known while a receiver is recorded. Pure: its times come from outside.
struct LiveState: Sendable {
  /// The state of the receiver.
  enum Connection: Hashable, Sendable {
    case opening
    case connected
    case lost(String, retrySeconds: Double)
  }

  /// The name of the recording.
  let name: String
  /// The receiver's address.
  let source: String
  private let zones: PrivacyZones
  var connection = Connection.opening
  /// The program that sends reports, such as `gpsd 3.25`.
  var program: String?
  var satellites: (used: Int?, seen: Int?)?
  /// The last error that the sender reported.
  var error: String?
  /// Bytes since the connection was opened, of which none could be read.
  var unreadBytes = 0

  /// The last fix, and whether the receiver still has one.
  var fix: Fix?
  var hasFix = false
  /// True if the last fix is in a privacy zone, so that it is not shown.
  var isHidden = false
  /// The number of fixes received.
  var received = 0

  /// The place of the last kept fix.
  var place: Place?
  /// Number of fixes that were kept, and dropped by reason.
  var kept = 0
  var dropped: [DropReason: Int] = [:]
  /// The sum of all changes to the store.
  var stored = SourceChanges()
  /// The changes of ``today``, with those of the store before the recording; nil until they are
  /// known.
  var earlierToday: (cells: Int, areaSquareKilometers: Double)?
  var newToday = SourceChanges()
  /// The local day that ``newToday`` is about.
  var today: String?
  /// Where and when the last region was added.
  var newestRegion: (place: String, time: Timestamp?)?
  /// The last achievement that was unlocked.
  var latestUnlock: String?
  /// When the last fix was stored.
  var lastStored: Timestamp?

  /// False once the last fix had no time.
  private var hasTime = true
  /// True once the absence of a fix was said.
  private var saidNoFix = false
  /// The number of fixes in each of the last seconds.
  private var arrivals: [(second: Int64, count: Int)] = []
  private var firstArrival: Timestamp?
  /// The period in seconds over which the rate of fixes is measured.
  static let ratePeriodSeconds: Int64 = 10

  /// Creates the state before the receiver is opened.
  ///
  /// - Parameter zones: the privacy zones. The filter knows later ones; these hide a fix on which
  ///   it has not decided yet.
  init(name: String, source: String, zones: PrivacyZones = PrivacyZones([])) {
    (self.name, self.source, self.zones) = (name, source, zones)
  }

  // MARK: The receiver

  mutating func open() -> [LiveEvent] {
    (connection, unreadBytes, error) = (.connected, 0, nil)
    return [.connected]
  }

  mutating func receive(_ bytes: Int, isUnderstood: Bool) {
    unreadBytes = isUnderstood ? 0 : unreadBytes + bytes
  }

  mutating func lose(_ reason: String, retrySeconds: Double) -> [LiveEvent] {
    connection = .lost(reason, retrySeconds: retrySeconds)
    (hasFix, saidNoFix, satellites) = (false, false, nil)
    return [.lost(reason: reason, retrySeconds: retrySeconds)]
  }

  mutating func take(_ event: ReceiverEvent, now: Timestamp = LiveRecorder.now()) -> [LiveEvent] {
    switch event {
    case .fix(let fix):
      (self.fix, hasFix, saidNoFix) = (fix, true, false)
      isHidden = zones.contains(fix.coordinate)
      received += 1
      countArrival(now)
      return noteTime(of: fix)
    case .gap: return []
    case .noFix(let reason):
      hasFix = false
      if saidNoFix { return [] }
      saidNoFix = true
      return [.noFix(reason)]
    case .program(let name):
      program = name
      return [.program(name)]
    case .devices(let paths):
      if paths.isEmpty { error = "gpsd has no device" }
      return [.devices(paths)]
    case .satellites(let used, let seen):
      defer { satellites = (used, seen) }
      let isNew = satellites?.used != used || satellites?.seen != seen
      return isNew ? [.satellites(used: used, seen: seen)] : []
    case .error(let text):
      error = text
      return [.error(text)]
    }
  }

  /// Warns once when fixes have no time.
  private mutating func noteTime(of fix: Fix) -> [LiveEvent] {
    let hadTime = hasTime
    hasTime = fix.time != nil
    if hasTime, error == Self.noTime { error = nil }
    guard hadTime, !hasTime else { return [] }
    error = Self.noTime
    return [.warning(Self.noTime)]
  }

  private static let noTime =
    "Fixes have no time: the receiver gives none, or one more than a day after the clock of this "
    + "computer."

  private mutating func countArrival(_ now: Timestamp) {
    if firstArrival == nil { firstArrival = now }
    let second = now.millisecondsSince1970 / 1_000
    if arrivals.last?.second == second {
      arrivals[arrivals.count - 1].count += 1
    } else {
      arrivals.append((second, 1))
      arrivals.removeAll { $0.second <= second - Self.ratePeriodSeconds }
    }
  }

  /// Fixes per second over the last ``ratePeriodSeconds``.
  func rate(at now: Timestamp) -> Double {
    guard let firstArrival else { return 0 }
    let start = now.millisecondsSince1970 / 1_000 - Self.ratePeriodSeconds
    let count = arrivals.reduce(0) { $0 + ($1.second > start ? $1.count : 0) }
    let seconds = Double(now.millisecondsSince1970 - firstArrival.millisecondsSince1970) / 1_000
    return Double(count) / min(max(1, seconds), Double(Self.ratePeriodSeconds))
  }

  // MARK: The recording

  /// Takes a change of the recording.
  ///
  /// - Parameters:
  ///   - now: the present time.
  ///   - place: finds the place of a position.
  mutating func take(
    _ change: Recording.Change, at now: Timestamp, place find: (Coordinate) -> Place
  ) -> [LiveEvent] {
    var events: [LiveEvent] = []
    var lastKept: Fix?
    for judged in change.verdicts {
      events.append(.fix(judged))
      switch judged.verdict {
      case .kept:
        kept += 1
        lastKept = judged.fix
        isHidden = false
      case .dropped(let reason):
        dropped[reason, default: 0] += 1
        isHidden = reason == .privacyZone
      }
    }
    if let lastKept {
      lastStored = now
      let found = find(lastKept.coordinate)
      if !LivePlace.hasSameNames(found, place) {
        events.append(.place(lastKept.coordinate, found))
      }
      place = found
    }
    let changes = change.stored
    stored = stored + changes
    let day = Self.day(now)
    if today != day {
      if today != nil { earlierToday = (0, 0) }
      (today, newToday) = (day, SourceChanges())
    }
    // A replayed log explores nothing today.
    if let time = lastKept?.time, Self.day(time) == day { newToday = newToday + changes }
    if changes.regionsAdded > 0, let place {
      newestRegion = (LivePlace.text(place), lastKept?.time)
    }
    if changes.regionsAdded > 0 || changes.regionsRevisited > 0 || changes.cellsAdded > 0 {
      events.append(.explored(changes))
    }
    for event in change.events {
      switch event {
      case .placeReached(let reached): events.append(.reached(reached))
      case .achievementUnlocked(let unlock):
        latestUnlock = Self.text(unlock)
        events.append(.unlocked(unlock))
      case .achievementProgressed(let progress): events.append(.progressed(progress))
      default: break
      }
    }
    return events
  }

  /// The title of an achievement and the tier, in the language of the output.
  private static func text(_ unlock: AchievementUnlock) -> String {
    let catalog = AchievementCatalog.bundled
    let language = PlaceWording.current.locale?.language.languageCode?.identifier ?? "en"
    let title = catalog.title(of: unlock.achievementID, in: language)
    let tiers = catalog.achievements.first { $0.id == unlock.achievementID }?.tiers ?? []
    guard tiers.count > 1, let index = tiers.firstIndex(of: unlock.tier) else { return title }
    return "\(title), \(index + 1) of \(tiers.count)"
  }

  /// The local date of a moment.
  static func day(_ time: Timestamp) -> String { LiveClock.text(time, "yyyy-MM-dd") }
}

/// Times as the user's clock has them.
enum LiveClock {
  /// A time in the system's time zone.
  static func text(_ time: Timestamp, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = format
    return formatter.string(from: time.date)
  }
}

/// Places on the screen.
enum LivePlace {
  /// Returns true if two places differ at most by the distance to the city.
  static func hasSameNames(_ one: Place, _ other: Place?) -> Bool {
    var (one, other) = (one, other)
    one.cityDistanceMeters = nil
    other?.cityDistanceMeters = nil
    return one == other
  }

  /// `Strasbourg, Grand Est, France`, or the sea.
  static func text(_ place: Place) -> String {
    let wording = PlaceWording.current
    let names = wording.translated(
      PlaceNames(
        countryCode: place.countryCode, country: place.country, regionCode: place.regionCode,
        region: place.region, district: place.district, city: place.city, quarter: place.quarter))
    let parts = [names.city, names.region, wording.text(names)].compactMap { $0 }
    if parts.isEmpty { return place.sea ?? "at sea or in no country" }
    // A city state has one name.
    return parts.enumerated().filter { $0.offset == 0 || parts[$0.offset - 1] != $0.element }
      .map(\.element).joined(separator: ", ")
  }
}
