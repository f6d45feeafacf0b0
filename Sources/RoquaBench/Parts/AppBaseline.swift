import Foundation
import Geodesy

/// The app baseline: how the Roqua app marks a disc without this library.
///
/// A set of hashes `"row_column"`; around a fix, each cell of a square is tested by the haversine
/// formula. It handles neither poles nor ±180°.
///
/// The benchmark package compiles this file too, through a symbolic link in
/// `Benchmarks/Sources/coverage-benchmark`, because RoquaBench is not a product.
struct AppBaseline {
  private(set) var hashes: Set<String> = []
  private let radiusMeters = 150.0
  private let step = 75.0 / 111_000
  /// The radius of the sphere whose surface equals the Earth's.
  private static let earthRadiusMeters = 6_371_007.2

  /// Marks the disc around a fix.
  mutating func mark(_ coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitudeDegrees, coordinate.longitudeDegrees)
    let latitudeReach = radiusMeters / 111_000 + step
    let longitudeReach = radiusMeters / (111_000 * cos(latitude * .pi / 180)) + step
    let rows = range(latitude + 90, latitudeReach)
    let columns = range(longitude + 180, longitudeReach)
    for row in rows {
      let centerLatitude = (Double(row) + 0.5) * step - 90
      for column in columns {
        let centerLongitude = (Double(column) + 0.5) * step - 180
        let meters = Self.haversine(latitude, longitude, centerLatitude, centerLongitude)
        if meters <= radiusMeters { hashes.insert("\(row)_\(column)") }
      }
    }
  }

  private func range(_ middle: Double, _ reach: Double) -> ClosedRange<Int> {
    Int((middle - reach) / step)...Int((middle + reach) / step)
  }

  private static func haversine(
    _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
  ) -> Double {
    let (a, b) = (latitude1 * .pi / 180, latitude2 * .pi / 180)
    let dLatitude = sin((b - a) / 2)
    let dLongitude = sin((longitude2 - longitude1) * .pi / 360)
    let h = dLatitude * dLatitude + cos(a) * cos(b) * dLongitude * dLongitude
    return 2 * earthRadiusMeters * asin(min(1, h.squareRoot()))
  }
}
