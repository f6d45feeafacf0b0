import GeoStore
import Geodesy

/// The rules of estimated positions (`docs/where-was-i.md`).
struct WhereaboutsRules: Sendable {
  /// Accuracy in meters of a fix that states none.
  static let unknownAccuracyMeters = 20.0
  /// A person who moves more slowly than this between fixes that are near each other stays: slower
  /// than anybody walks. Meters per second.
  static let fastestStayMetersPerSecond = 0.5
  /// Walking speed in meters per second: how far a person may be from the line between two fixes.
  static let walkingMetersPerSecond = 1.4
  /// Speed in meters per second at which a person may have moved while nothing was recorded:
  /// 54 km/h.
  static let unrecordedMetersPerSecond = 15.0
  /// The longest pause between two sources that counts as a stay, and the longest time before the
  /// first or after the last fix that gets an answer: a day.
  static let longestPauseMilliseconds: Int64 = 86_400_000
  /// How far in meters from a privacy zone the last fix before it and the first one after it may
  /// be: fixes of a fast or coarse track are far apart.
  static let zoneReachMeters = 1_000.0
  /// No two points of the Earth are farther apart, in meters.
  static let halfTheEarthMeters = 20_003_931.5

  /// The longest time between two fixes of a segment that are joined.
  let longestLegMilliseconds: Int64
  /// Two fixes are in one region if they are at most this far apart.
  let regionDiameterMeters: Double
  /// A fix nearer than this to the last kept one was dropped.
  let trackingDistanceMeters: Double
  /// The privacy zones, whose fixes are missing.
  let zones: PrivacyZones

  init(_ settings: StoreSettings, zones: PrivacyZones) {
    self.init(
      visitGapMinutes: settings.visitGapMinutes,
      explorationRadiusMeters: settings.explorationRadiusMeters,
      trackingDistanceMeters: settings.trackingDistanceMeters, zones: zones)
  }

  init(
    visitGapMinutes: Double = 30, explorationRadiusMeters: Double = 150,
    trackingDistanceMeters: Double = 50, zones: PrivacyZones = PrivacyZones()
  ) {
    self.zones = zones
    longestLegMilliseconds = Int64((visitGapMinutes * 60_000).rounded())
    regionDiameterMeters = 2 * explorationRadiusMeters
    self.trackingDistanceMeters = trackingDistanceMeters
  }

  /// Returns true if a person who was recorded at the ends of a pause stayed where they were.
  func isStay(meters: Double, milliseconds: Int64) -> Bool {
    meters <= regionDiameterMeters
      && meters <= Self.fastestStayMetersPerSecond * Double(milliseconds) / 1_000
  }

  /// Returns true if a track that was interrupted between two positions may have led into a privacy
  /// zone: both are near the same one. The same position twice is a stay that a file states, with
  /// its start and its end.
  func mayHide(_ first: Coordinate, _ last: Coordinate) -> Bool {
    first != last
      && zones.zones.contains { zone in
        let reach = zone.radiusMeters + Self.zoneReachMeters
        return zone.center.distanceMeters(to: first) <= reach
          && zone.center.distanceMeters(to: last) <= reach
      }
  }

  /// How far in meters a person who stays may be from the fix where the stay began.
  ///
  /// - Parameter seconds: the time since then.
  func stayDrift(meters: Double, seconds: Double) -> Double {
    min(max(trackingDistanceMeters, meters), Self.walkingMetersPerSecond * seconds)
  }

  /// How far in meters a person may be from the line between two fixes of a segment.
  ///
  /// - Parameters:
  ///   - meters: the distance between the fixes.
  ///   - seconds: the time between them.
  ///   - nearestSeconds: the time to the nearer one.
  func legDrift(meters: Double, seconds: Double, nearestSeconds: Double) -> Double {
    min(
      max(meters / seconds, Self.walkingMetersPerSecond) * nearestSeconds,
      max(meters / 2, trackingDistanceMeters))
  }

  /// How far in meters a person may be from the nearest known position while nothing was recorded.
  func gapDrift(meters: Double, seconds: Double, nearestSeconds: Double) -> Double {
    let speed = seconds > 0 ? meters / seconds : 0
    return min(
      max(speed, Self.unrecordedMetersPerSecond) * nearestSeconds, Self.halfTheEarthMeters)
  }
}
