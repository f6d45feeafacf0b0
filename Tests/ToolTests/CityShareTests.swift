import Geodesy
import Testing

@testable import GeoStore
@testable import Roqua
@testable import roqua_tool

@Suite struct CityShareTests {
  private func columns(city: String?, land: Double, of total: Double?) -> [String] {
    var ground = ExploredGround()
    (ground.cells, ground.areaSquareKilometers, ground.landAreaSquareKilometers) = (100, 0.5, land)
    let place = PlaceNames(countryCode: "LU", country: "Luxembourg", region: nil, city: city)
    return ShareColumns.numbers(
      GroundShare(place: place, ground: ground, totalLandAreaSquareKilometers: total), decimals: 1)
  }

  @Test func `a share shows the land area it refers to, or why there is no percentage`() {
    #expect(
      columns(city: "Rumelange", land: 0.05, of: 0.1) == ["0.50", "0.05", "0.10", "50.0"])
    #expect(columns(city: "Rumelange", land: 0, of: 0) == ["0.50", "0", "unknown", ""])
    #expect(columns(city: nil, land: 0, of: nil) == ["0.50", "0", "", ""])
    #expect(columns(city: nil, land: 0.2, of: nil) == ["0.50", "0.20", "", ""])
  }
}
