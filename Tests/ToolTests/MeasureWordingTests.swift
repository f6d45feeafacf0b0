import Foundation
import GeoStore
import Roqua
import TestSupport
import Testing

@testable import roqua_tool

/// Percentages, areas and distances in words.
@Suite struct MeasureWordingTests {
  @Test(arguments: [
    (0, "0"), (0.000_015_764, "0.000016"), (0.002_134_567, "0.0021"), (0.0996, "0.10"),
    (0.361, "0.36"), (1, "1.0"), (3.44, "3.4"), (9.96, "10.0"), (12.34, "12.3"), (99.97, "99.9"),
    (100, "100"),
  ])
  func `a percentage has two significant digits and is 100 only if everything is explored`(
    value: Double, text: String
  ) {
    #expect(Wording.percentageNumber(value, decimals: nil) == text)
  }

  @Test(arguments: Seeds.sample(4))
  func `a percentage of something is never 0, and as posters write it`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let value = pow(10.0, Double.random(in: -12...2, using: &random))
      let text = Wording.percentageNumber(value, decimals: nil)
      #expect(text.contains { "123456789".contains($0) }, "\(value)")
      #expect(text == DecimalText.percentage(value), "\(value)")
    }
  }

  @Test func `the decimals of a percentage can be set`() {
    #expect(Wording.percentage(0.000_015_764, decimals: 5) == "0.00002 %")
    #expect(Wording.percentage(12.34, decimals: 0) == "12 %")
  }

  @Test(arguments: 0...12)
  func `less than 100 % is not shown as 100, whatever the decimals`(decimals: Int) {
    let nines = decimals == 0 ? "99" : "99." + String(repeating: "9", count: decimals)
    #expect(Wording.percentageNumber(100.0.nextDown, decimals: decimals) == nines)
    let zeros = decimals == 0 ? "100" : "100." + String(repeating: "0", count: decimals)
    #expect(Wording.percentageNumber(100, decimals: decimals) == zeros)
  }

  @Test(arguments: [
    (0, "0 km²", "0 sq mi"), (0.000_1, "100 m²", "1,076 sq ft"), (1, "1.00 km²", "0.39 sq mi"),
    (2.589_988_110_336, "2.59 km²", "1.00 sq mi"),
    (510_065_625, "510,065,625 km²", "196,937,439 sq mi"),
  ])
  func `an area is shown in the units of the setting`(
    area: Double, metric: String, imperial: String
  ) {
    #expect(Wording.area(area, .metric) == metric)
    #expect(Wording.area(area, .imperial) == imperial)
  }

  @Test(arguments: [
    (0, "0 m", "0 ft"), (100, "100 m", "328 ft"), (1_609.344, "1.61 km", "1.00 mi"),
    (300_000, "300 km", "186 mi"),
  ])
  func `a distance is shown in the units of the setting`(
    meters: Double, metric: String, imperial: String
  ) {
    #expect(Wording.distance(meters, .metric) == metric)
    #expect(Wording.distance(meters, .imperial) == imperial)
  }

  @Test func `a speed is shown in the units of the setting`() {
    #expect(Wording.speed(metersPerSecond: 350, .metric) == "350 m/s")
    #expect(Wording.speed(metersPerSecond: 350, .imperial) == "783 mph")
  }

  @Test func `a small area in a column keeps two significant digits`() {
    #expect(Wording.areaNumber(0.000_42, .metric) == "0.00042")
    #expect(Wording.areaNumber(0, .metric) == "0" && Wording.areaNumber(12, .metric) == "12.00")
    #expect(Wording.areaNumber(101_753.6, .metric) == "101,754")
  }
}
