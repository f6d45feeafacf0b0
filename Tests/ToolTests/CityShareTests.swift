import Testing

@testable import GeoStore
@testable import Roqua
@testable import roqua_tool

@Suite struct CityShareTests {
  private func columns(city: String?, land: Double, of total: Double?) -> [String] {
    var ground = ExploredGround()
    (ground.cells, ground.areaSquareKilometers, ground.landAreaSquareKilometers) = (100, 0.5, land)
    let place = PlaceNames(countryCode: "LU", country: "Luxembourg", region: nil, city: city)
    return TotalsTable.columns(
      GroundShare(place: place, ground: ground, totalLandAreaSquareKilometers: total), decimals: 1)
  }

  @Test func `a share says what it is of, or why there is none`() {
    #expect(
      columns(city: "Rumelange", land: 0.05, of: 0.1)
        == ["0.50 km² explored", "0.05 km² of it land", "50.0 %", "of 0.10 km² of land"])
    #expect(
      columns(city: "Rumelange", land: 0, of: 0).dropFirst() == ["no land", "", "size not known"])
    #expect(columns(city: nil, land: 0, of: nil).dropFirst() == ["no land", "", ""])
    #expect(columns(city: nil, land: 0.2, of: nil).dropFirst() == ["0.20 km² of it land", "", ""])
  }
}
