import ConcurrentMap
import Geodesy

extension Geocoder {
  /// The places at many positions, in the same order: the same as ``place(at:)`` of each, but with
  /// more than 1,024 positions all cores work. It returns when all are found.
  ///
  /// ```swift
  /// let track = [here, try Coordinate(latitudeDegrees: 41.0256, longitudeDegrees: 28.9742)]
  /// let cities = Set(geocoder.places(at: track).compactMap(\.city))
  /// ```
  ///
  /// - Complexity: as ``place(at:)`` for each position. A place takes 224 bytes, besides its longer
  ///   names.
  public func places(at coordinates: some Sequence<Coordinate>) -> [Place] {
    concurrentMap(Array(coordinates), chunk: Self.positionsInPart, state: ()) { _, position in
      place(at: position)
    }
  }

  /// The number of positions that a core takes at a time: about a millisecond of work.
  static let positionsInPart = 1_024
}
