import Foundation
import Geodesy

/// What the Roqua app does: a set of hashes `"row_column"`; around a fix, each cell of a square is tested by the
/// haversine formula.
struct AppWay {
  private(set) var hashes: Set<String> = []
  private let radiusMeters = 150.0
  private let step = 75.0 / 111_000

  mutating func mark(_ coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitudeDegrees, coordinate.longitudeDegrees)
    let latitudeReach = radiusMeters / 111_000 + step
    let longitudeReach = radiusMeters / (111_000 * cos(latitude * .pi / 180)) + step
    let rows = Int((latitude - latitudeReach + 90) / step)...Int((latitude + latitudeReach + 90) / step)
    let columns =
      Int((longitude - longitudeReach + 180) / step)...Int((longitude + longitudeReach + 180) / step)
    for row in rows {
      for column in columns {
        let centerLatitude = (Double(row) + 0.5) * step - 90
        let centerLongitude = (Double(column) + 0.5) * step - 180
        if Self.haversine(latitude, longitude, centerLatitude, centerLongitude) <= radiusMeters {
          hashes.insert("\(row)_\(column)")
        }
      }
    }
  }

  private static func haversine(
    _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
  )
    -> Double
  {
    let (a, b) = (latitude1 * .pi / 180, latitude2 * .pi / 180)
    let dLatitude = sin((b - a) / 2)
    let dLongitude = sin((longitude2 - longitude1) * .pi / 360)
    let h = dLatitude * dLatitude + cos(a) * cos(b) * dLongitude * dLongitude
    return 2 * 6_371_007.2 * asin(min(1, h.squareRoot()))
  }
}
