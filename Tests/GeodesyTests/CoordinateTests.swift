import TestSupport
import Testing

@testable import Geodesy

@Suite struct CoordinateTests {
  @Test func `180 degrees east is stored as 180 degrees west`() throws {
    #expect(Coordinate(10, 180) == Coordinate(10, -180))
    #expect(Coordinate(latitudeE7: 0, longitudeE7: 1_800_000_000)?.longitudeE7 == -1_800_000_000)
    #expect(Coordinate(10, 179.999_999_99).longitudeDegrees == -180)
    #expect(Coordinate(10, 540).longitudeDegrees == -180)
  }

  @Test func `invalid coordinates are refused with a reason`() {
    #expect(throws: CoordinateError.notFinite) {
      try Coordinate(latitudeDegrees: .nan, longitudeDegrees: 0)
    }
    #expect(throws: CoordinateError.notFinite) {
      try Coordinate(latitudeDegrees: 0, longitudeDegrees: .infinity)
    }
    #expect(throws: CoordinateError.latitudeOutOfRange(degrees: 90.1)) {
      try Coordinate(latitudeDegrees: 90.1, longitudeDegrees: 0)
    }
    #expect(Coordinate(latitudeE7: 900_000_001, longitudeE7: 0) == nil)
    #expect(Coordinate(latitudeE7: 0, longitudeE7: 1_800_000_001) == nil)
  }

  @Test func `the description has all seven decimals`() {
    #expect(Coordinate(-33.924_868_5, 18.424_055_3).description == "-33.9248685,18.4240553")
  }

  @Test func `only exactly 0,0 is null island`() {
    #expect(Coordinate(0, 0).isNullIsland)
    #expect(!Coordinate(0, 0.000_000_1).isNullIsland)
  }
}
