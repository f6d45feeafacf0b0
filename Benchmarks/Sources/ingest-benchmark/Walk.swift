import BenchmarkSupport

/// The values that a generator wrote for one point, to compare with the decoded ones.
struct Written: Equatable {
  var latitudeE7: Int32
  var longitudeE7: Int32
  var timeMilliseconds: Int64
  /// In units of 0.1; HDOP in GPX. Nil if none was written.
  var hdopTenths: Int?
}

/// A person on the move: one fix per second, from standing still to motorway speed, with turns and
/// stops.
struct Walk {
  private var random: SplitMix64
  /// Units of 1e-7 degree; away from the poles and from ±180°.
  private(set) var latitudeE7: Int
  private(set) var longitudeE7: Int
  private(set) var seconds: Int
  private(set) var elevationDecimeters = 2_500
  private(set) var hdopTenths = 10
  private(set) var satellites = 9
  /// Speed north and east, in units per second.
  private var north = 0
  private var east = 0
  private var legLeft = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    latitudeE7 = Int.random(in: -600_000_000...600_000_000, using: &random)
    longitudeE7 = Int.random(in: -1_700_000_000...1_700_000_000, using: &random)
    seconds = 1_577_836_800 + Int.random(in: 0..<40_000_000, using: &random)  // 2020 on
  }

  mutating func step() {
    seconds += 1
    if legLeft == 0 {
      legLeft = Int.random(in: 5...120, using: &random)
      // 90 units are 1 m.
      let fastest = [0, 150, 600, 1_500, 3_000].randomElement(using: &random) ?? 0
      north = Int.random(in: -fastest...fastest, using: &random)
      east = Int.random(in: -fastest...fastest, using: &random)
    }
    legLeft -= 1
    latitudeE7 += north + Int.random(in: -20...20, using: &random)
    longitudeE7 += east + Int.random(in: -20...20, using: &random)
    if abs(latitudeE7) > 650_000_000 { north = -latitudeE7.signum() * abs(north) }
    if abs(longitudeE7) > 1_750_000_000 { east = -longitudeE7.signum() * abs(east) }
    elevationDecimeters = max(0, elevationDecimeters + Int.random(in: -3...3, using: &random))
    hdopTenths = min(60, max(6, hdopTenths + Int.random(in: -1...1, using: &random)))
    satellites = min(12, max(4, satellites + Int.random(in: -1...1, using: &random)))
  }

  /// Appends digits beyond a receiver's precision, as watches write them.
  mutating func digits(_ count: Int, into text: inout TextBuilder) {
    for _ in 0..<count { text.append(digit: Int.random(in: 0...9, using: &random)) }
  }

  mutating func digit() -> Int { Int.random(in: 0...9, using: &random) }
}
