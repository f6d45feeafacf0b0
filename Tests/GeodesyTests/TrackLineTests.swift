import Geodesy
import TestSupport
import Testing

/// Steps across ±180°.
@Suite struct TrackLineTests {
  @Test func `a step crosses the meridian where its longitudes say`() throws {
    let east = try #require(
      TrackLine.Crossing(from: Coordinate(10, 179.9), to: Coordinate(11, -179.7)))
    #expect(east.edgeDegrees == 180 && east.share == 0.25 && east.latitudeDegrees == 10.25)
    let west = try #require(
      TrackLine.Crossing(from: Coordinate(11, -179.7), to: Coordinate(10, 179.9)))
    #expect(west.edgeDegrees == -180 && west.share == 0.75 && west.latitudeDegrees == 10.25)
    #expect(TrackLine.Crossing(from: Coordinate(0, -90), to: Coordinate(0, 90)) == nil)
    #expect(TrackLine.Crossing(from: Coordinate(0, -180), to: Coordinate(0, -179)) == nil)
  }

  @Test(arguments: Seeds.sample(20))
  func `a step that begins or ends on the meridian crosses it there`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let meridian = Coordinate(.random(in: -80...80, using: &random), 180)
    let other = Coordinate(
      .random(in: -80...80, using: &random), .random(in: 0.1...179.9, using: &random))
    #expect(try #require(TrackLine.Crossing(from: meridian, to: other)).share == 0)
    #expect(try #require(TrackLine.Crossing(from: other, to: meridian)).share == 1)
  }
}
