/// An accuracy as stored in the column `accuracy` of `regions`: whole decimeters as an integer,
/// which takes one or two bytes; any other value as a real number of meters, without loss.
enum StoredAccuracy: Equatable {
  case decimeters(Int64)
  case meters(Double)

  /// Converts an accuracy in meters; nil for nil.
  init?(meters: Double?) {
    guard let meters else { return nil }
    let decimeters = (meters * 10).rounded()
    if let value = Int64(exactly: decimeters), StoredRange.accuracyDecimeters.contains(value),
      Double(value) / 10 == meters
    {
      self = .decimeters(value)
    } else {
      self = .meters(meters)
    }
  }
}
