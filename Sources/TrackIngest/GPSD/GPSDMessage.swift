/// A message of gpsd: one line of its JSON protocol, version 3.
///
/// Source: gpsd_json(5). `docs/formats/gpsd.md` lists what is read of each message.
package enum GPSDMessage: Hashable, Sendable {
  /// VERSION: the release, and the major number of the protocol.
  case version(release: String?, protocolMajor: Int?)
  /// DEVICES: the paths of all devices, in the order of the message.
  case devices([String])
  /// DEVICE: a device was added, or removed if it is not active.
  case device(path: String?, isActive: Bool)
  /// WATCH: the reports that gpsd sends.
  case watch(isEnabled: Bool)
  /// TPV: a position report.
  case report(GPSDReport)
  /// SKY: the satellites, as numbers; nil if unknown.
  case sky(used: Int?, seen: Int?)
  /// GST: the standard deviations of a position.
  case deviation(GPSDDeviation)
  /// ERROR: what gpsd could not do.
  case error(String)
  /// A message of another class, or one without a class.
  case other
}

/// A TPV message: time, position and velocity.
package struct GPSDReport: Hashable, Sendable {
  /// The path of the device; nil if the message has none.
  package var device: String?
  /// True if the receiver has a fix: mode 2 or 3, and neither a simulator nor a lost position.
  package var hasFix = false
  /// The fix; nil if there is none, or if the position is missing or impossible.
  package var fix: Fix?
  /// The stated time of the fix in milliseconds since 1970, also one that is impossible, which the
  /// fix does not have; nil if none is stated, or if it cannot be read.
  package var statedTime: Int64?
  /// True if a time is stated that is impossible or cannot be read.
  package var hasImpossibleTime = false

  /// True if a time is stated, also an impossible one.
  var statesTime: Bool { statedTime != nil || hasImpossibleTime || fix?.time != nil }
}

/// A GST message: the standard deviations of a position in meters.
package struct GPSDDeviation: Hashable, Sendable {
  /// The path of the device; nil if the message has none.
  package var device: String?
  /// Milliseconds since 1970; nil if unknown.
  package var time: Int64?
  /// √(σ_lat² + σ_lon²) in meters, as in an NMEA sentence GST.
  package var meters: Double
}

/// The confidence levels of gpsd's error estimates.
enum GPSDAccuracy {
  /// The radius that contains 68 % of positions, in units of the one that contains 95 %, if both
  /// errors are normal and equal: √(ln 0.32 / ln 0.05).
  static let radiusOf68In95 = 0.616_727_255_666_3

  /// The same for estimates along each axis: an axis' 95 % is 1.959964 standard deviations, and the
  /// radius of 68 % is √(−2 ln 0.32) of them.
  static let radiusOf68InAxis = 1.509_592_185_451_7 / 1.959_963_984_540_1

  /// The 68 % radius of `eph`, a radius of 95 %.
  static func meters(eph: Double) -> Double { eph * radiusOf68In95 }

  /// The 68 % radius of `epx` and `epy`, each of 95 %. Unequal errors count by their mean variance.
  static func meters(epx: Double, epy: Double) -> Double {
    ((epx * epx + epy * epy) / 2).squareRoot() * radiusOf68InAxis
  }
}
