import Geodesy

/// A feature, as far as it has been read: its positions wait for their type and their times, which
/// may come before or after them.
struct GeoJSONFeature {
  /// A position that waits.
  struct Position {
    var latitudeE7: Int32 = 0
    var longitudeE7: Int32 = 0
    /// In meters; not a number if unknown.
    var elevation = Double.nan
    var place = JSONPlace()
    /// Nil until the type of its geometry is known.
    var shape: GeoJSONShape?
    var startsLine = false
    /// The reason why it is not valid: 0 if it is, 1 if an axis is missing, 2 otherwise.
    var flaw: UInt8 = 0
  }

  /// Positions in the order of the file, invalid ones too: each has its place among the times.
  var positions: [Position] = []
  /// The times of the positions, ``noTime`` for those that are not times.
  var times: [Int64] = []
  var accuracies: [Double] = []
  /// The time and accuracy of the feature.
  var time: Int64?
  var hasTime = false
  /// True if it is a saved or reviewed place, so that its time is not that of a visit.
  var isSavedPlace = false
  var accuracy: Double?
  var hdop: Double?
  var speed: Double?
  /// True if the feature has too many positions: they are reported at once, without times.
  var isStreaming = false
  /// True if a point was reported before a time of the feature was read.
  var hasUndatedPoints = false
  /// True if there were more times than are kept.
  var hasTooManyTimes = false

  static let noTime = Int64.min

  /// The number of positions, times and accuracies that are kept.
  let limit: Int

  /// An empty feature.
  init(limit: Int) { self.limit = limit }

  /// Forgets everything except memory that small features use again.
  mutating func reset() {
    let keepsCapacity = positions.capacity < 4_096
    positions.removeAll(keepingCapacity: keepsCapacity)
    times.removeAll(keepingCapacity: keepsCapacity)
    accuracies.removeAll(keepingCapacity: keepsCapacity)
    (time, hasTime, accuracy, hdop, speed) = (nil, false, nil, nil, nil)
    (isStreaming, hasUndatedPoints) = (false, false)
    (hasTooManyTimes, isSavedPlace) = (false, false)
  }

  /// Adds the time of one position.
  mutating func addTime(_ time: Int64?) {
    if times.count < limit {
      times.append(time ?? Self.noTime)
    } else {
      hasTooManyTimes = true
    }
  }

  /// Adds the accuracy of one position.
  mutating func addAccuracy(_ accuracy: Double?) {
    if accuracies.count < limit { accuracies.append(accuracy ?? .nan) }
  }

  /// A position as a point with what the feature says of all of them.
  func point(_ position: Position) -> JSONPoint {
    var point = JSONPoint()
    point.place = position.place
    if position.flaw == 0 {
      point.latitude = .value(position.latitudeE7)
      point.longitude = .value(position.longitudeE7)
    } else if position.flaw == 2 {
      (point.latitude, point.longitude) = (.invalid, .invalid)
    }
    if !position.elevation.isNaN { point.elevation = position.elevation }
    point.speed = speed
    point.accuracy = accuracy ?? hdop.flatMap { $0 > 0 ? $0 * Fix.metersPerHDOP : nil }
    return point
  }
}
