/// The centers of discs of one radius on the ground, for maps that clear circles in the fog.
///
/// - Memory: 8 bytes a disc.
package struct DiscIndex: Sendable {
  /// The radius of each disc in meters.
  package let radiusMeters: Double
  /// For each center, ascending: the number of its row of 0.01° (15 bits), its longitude (32 bits)
  /// and its latitude in the row (17 bits), the last two in units of 1e-7 degree.
  private let keys: [UInt64]

  /// The height of a row in units of 1e-7 degree: below 2^17.
  private static let rowE7 = 100_000
  private static let (northE7, eastE7) = (900_000_000, 1_800_000_000)

  /// Creates an index.
  ///
  /// - Parameter centers: latitudes, -90...90 degrees, and longitudes, -180...180 degrees, in units
  ///   of 1e-7 degree.
  /// - Complexity: O(n log n).
  package init(
    radiusMeters: Double, centers: some Sequence<(latitudeE7: Int32, longitudeE7: Int32)>
  ) {
    self.radiusMeters = radiusMeters
    keys = centers.map { center in
      let latitude = Int(center.latitudeE7) + Self.northE7
      let (row, rest) = latitude.quotientAndRemainder(dividingBy: Self.rowE7)
      return Self.key(row: row, longitude: Int(center.longitudeE7) + Self.eastE7) | UInt64(rest)
    }.sorted()
  }

  /// The number of discs.
  package var count: Int { keys.count }

  /// Calls `body` with the center in degrees of each disc in a box: latitudes and longitudes of
  /// -180...180 degrees, edges included. Some beyond the northern and southern edge may be among
  /// them, by less than 0.01°.
  ///
  /// - Complexity: O(rows × log n + discs found).
  func forEach(
    latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>,
    _ body: (_ latitude: Double, _ longitude: Double) -> Void
  ) {
    func row(_ degrees: Double) -> Int {
      Int((max(-90, min(90, degrees)) + 90) * 1e7) / Self.rowE7
    }
    func longitude(_ degrees: Double) -> Int {
      Int(((max(-180, min(180, degrees)) + 180) * 1e7).rounded())
    }
    let (west, east) = (longitude(longitudes.lowerBound), longitude(longitudes.upperBound))
    for row in row(latitudes.lowerBound)...row(latitudes.upperBound) {
      let end = Self.key(row: row, longitude: east + 1)
      var index = firstIndex(from: Self.key(row: row, longitude: west))
      while index < keys.count, keys[index] < end {
        let latitude = Int(keys[index] & (1 << 17 - 1)) + row * Self.rowE7 - Self.northE7
        let longitude = Int(keys[index] >> 17 & 0xFFFF_FFFF) - Self.eastE7
        body(Double(latitude) / 1e7, Double(longitude) / 1e7)
        index += 1
      }
    }
  }

  private static func key(row: Int, longitude: Int) -> UInt64 {
    UInt64(row) << 49 | UInt64(longitude) << 17
  }

  private func firstIndex(from wanted: UInt64) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
