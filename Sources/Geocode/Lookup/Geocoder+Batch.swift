import Dispatch
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
    let positions = Array(coordinates)
    let parts = (positions.count + Self.positionsInPart - 1) / Self.positionsInPart
    guard parts > 1 else { return positions.map(place(at:)) }
    // Sound: each part initializes places of its own, all of them before `concurrentPerform`
    // returns.
    return Array(unsafeUninitializedCapacity: positions.count) { places, count in
      guard let start = places.baseAddress else { return }
      nonisolated(unsafe) let room = start
      DispatchQueue.concurrentPerform(iterations: parts) { part in
        let first = part * Self.positionsInPart
        for index in first..<min(first + Self.positionsInPart, positions.count) {
          (room + index).initialize(to: place(at: positions[index]))
        }
      }
      count = positions.count
    }
  }

  /// The number of positions that a core takes at a time: about a millisecond of work.
  static let positionsInPart = 1_024
}
