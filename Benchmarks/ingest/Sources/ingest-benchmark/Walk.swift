/// What a generator wrote at one point, to compare with what was read.
struct Written: Equatable {
  var latitudeE7: Int32
  var longitudeE7: Int32
  var timeMilliseconds: Int64
  /// In units of 0.1; HDOP in GPX. Nil where none was written.
  var hdopTenths: Int?
}

/// Random bits whose whole state is a seed (Steele, Lea, Flood 2014).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// Someone who moves about: a fix each second, at speeds from standing to a motorway's, with turns and stops.
struct Walk {
  private var random: SplitMix64
  /// Units of 1e-7 degree; away from the poles and from ±180°, where nobody drives for hours.
  private(set) var latitudeE7: Int
  private(set) var longitudeE7: Int
  private(set) var seconds: Int
  private(set) var elevationDecimeters = 2_500
  private(set) var hdopTenths = 10
  private(set) var satellites = 9
  /// Speed north and east, units a second.
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
      let fastest = [0, 150, 600, 1_500, 3_000].randomElement(using: &random) ?? 0  // 90 units are 1 m
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

  /// Digits beyond what a receiver knows, as watches write them.
  mutating func digits(_ count: Int, into text: inout TextBuilder) {
    for _ in 0..<count { text.append(digit: Int.random(in: 0...9, using: &random)) }
  }

  mutating func digit() -> Int { Int.random(in: 0...9, using: &random) }
}
