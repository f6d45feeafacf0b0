/// The number of different days on which something happened.
struct DayCount: Hashable, Sendable {
  /// The number of days; 0 if it only happened at unknown times.
  var days: Int32 = 0
  /// The latest of them.
  var last: Int32 = .min

  /// Counts a day. A day before the latest one, as after a flight westwards across the date line,
  /// does not count again.
  ///
  /// - Returns: whether the day counts.
  mutating func count(_ day: Int32) -> Bool {
    guard day > last else { return false }
    (days, last) = (days + 1, day)
    return true
  }
}

/// What happened on one of the last days.
struct DayTally: Hashable, Sendable {
  let day: Int32
  var meters = 0.0
  var footMeters = 0.0
  var dawnMeters = 0.0
  var countries: Set<UInt16> = []
  var cities: Set<UInt32> = []
  /// Bit n stands for continent n.
  var continents: UInt8 = 0

  init(day: Int32) { self.day = day }
}

/// The countries of one of the last calendar years.
struct YearTally: Hashable, Sendable {
  let year: Int32
  var countries: Set<UInt16> = []
}

/// The last fix of a source.
struct SourceEnd: Hashable, Sendable {
  var time: Int64
  var order: UInt32
  var latitudeE7: Int32
  var longitudeE7: Int32
  var country: UInt16
  /// The meters at walking pace up to the fix, without a break.
  var slowMeters = 0.0
  /// Those of them that do not yet count, since they are too few.
  var waitingMeters = 0.0
}
