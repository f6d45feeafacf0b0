import Geodesy
import GridHash
import TestSupport

@testable import GeoStore

/// Regions and visits by the plain rule: each fix is compared with every region.
struct RegionOracle {
  var centers: [Coordinate] = []
  var lists: [VisitList] = []
  let clusteringRadiusMeters: Double
  let gapMilliseconds: Int64

  init(settings: StoreSettings = StoreSettings()) {
    clusteringRadiusMeters = settings[.clusteringRadiusMeters]
    gapMilliseconds = Int64(settings[.visitGapMinutes] * 60_000)
  }

  mutating func take(_ fix: KeptFix) {
    let distances = centers.map { $0.distanceMeters(to: fix.coordinate) }
    let near = distances.indices.filter { distances[$0] < clusteringRadiusMeters }
    let counted = near.first { index in
      lists[index].visits.contains { visit in
        fix.time.map { visit.start <= $0 && $0 <= visit.end } ?? false
      }
    }
    let index: Int
    if let found = counted ?? near.min(by: { distances[$0] < distances[$1] }) {
      index = found
    } else {
      index = centers.count
      centers.append(fix.coordinate)
      lists.append(VisitList())
    }
    if let time = fix.time { lists[index].take(time, gapMilliseconds: gapMilliseconds) }
  }
}

/// A track that wanders within a few strides of some homes.
func wanderingTrack(
  count: Int, homes: [Coordinate], strideMeters: Double = 120, using random: inout SplitMix64
) -> [KeptFix] {
  let points = wanderingPoints(
    count: count, homes: homes, strideMeters: strideMeters, using: &random)
  return points.enumerated().map { index, point in
    KeptFix(
      coordinate: point.coordinate, time: point.time, accuracyMeters: 5, startsSegment: index == 0)
  }
}

/// Homes at both poles, where a disc contains whole rows of cells. They are slow, so use them only
/// in tests of the poles.
let polarHomes = [Coordinate(89.999_5, 30), Coordinate(-89.999, -120)]

extension SourceDescription {
  /// A description for tests: `name` replaces the hash of the bytes, padded to the length of a
  /// SHA-256.
  static func sample(_ name: String, points: Int = 0) -> SourceDescription {
    SourceDescription(
      sha256: sampleHash(name), path: "\(name).gpx", format: "gpx", bytes: 100, points: points,
      firstTime: nil,
      lastTime: nil, report: "{}")
  }

  /// A description of a source with exactly these fixes.
  static func sample(_ name: String, of fixes: [KeptFix]) -> SourceDescription {
    var description = sample(name, points: fixes.count)
    let times = fixes.compactMap(\.time)
    (description.firstTime, description.lastTime) = (times.min(), times.max())
    return description
  }

  /// 64 hexadecimal digits for a name: the name itself if it has 64 bytes, else its bytes in
  /// hexadecimal followed by zeros.
  static func sampleHash(_ name: String) -> String {
    if name.utf8.count == 64 { return name }
    let digits = name.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return String((digits + String(repeating: "0", count: 64)).prefix(64))
  }
}

extension Store {
  /// Stores fixes as one source.
  @discardableResult
  func add(_ fixes: [KeptFix], as name: String) throws -> SourceChanges {
    try write { session in
      let writer = try session.beginSource()
      try writer.append(fixes)
      return try writer.finish(.sample(name, of: fixes))
    }
  }

  func regions() throws -> [VisitedRegion] {
    try read { snapshot in try snapshot.allRegions() }
  }

  func coverage() throws -> Coverage {
    try read { snapshot in try snapshot.coverage() }
  }
}
