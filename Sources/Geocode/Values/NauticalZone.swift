import Geodesy

/// A nautical time zone: the time of ships outside of territorial waters.
///
/// A zone is 15° of longitude wide, and its time is that of the meridian in its middle. The zone
/// around 180° has two halves, one on each side of it, 24 hours apart. A meridian between two zones
/// belongs to the eastern one, and so does 180°.
///
/// Source: N. Bowditch, *The American Practical Navigator* (Pub. No. 9, National
/// Geospatial-Intelligence Agency), chapter "Time", section "Zone Time". The names are those of the
/// file `etcetera` in IANA's time zone database, where the sign is that of POSIX: positive to the
/// west of Greenwich.
package struct NauticalZone: Hashable, Sendable {
  /// The hours that clocks are ahead of UTC: -12...12.
  package let hoursEast: Int

  /// The zone of a longitude.
  package init(at coordinate: Coordinate) {
    let fromWest = Int(coordinate.longitudeE7) + 1_875_000_000
    hoursEast = fromWest / 150_000_000 - 12
  }

  /// The IANA name: `Etc/GMT-3` for three hours ahead of UTC, `Etc/GMT` for UTC.
  package var identifier: String {
    if hoursEast == 0 { return "Etc/GMT" }
    return hoursEast < 0 ? "Etc/GMT+\(-hoursEast)" : "Etc/GMT-\(hoursEast)"
  }
}
