import Foundation
import GeoStore
import Geodesy

/// Comparing answers, region by region, before they are timed.
extension SearchBenchmark {
  /// Places around which every region is scanned, which takes up to a second for millions of them.
  private static let checkedPlaces = 10
  /// Returns true if two distances agree: the fast distance is within 2 mm and 1e-9 of the
  /// ellipsoid's.
  private static func isNear(_ meters: Double, _ expected: Double) -> Bool {
    abs(meters - expected) <= 0.002 + 1e-9 * expected
  }

  /// Compares answers around some places with a scan of every region.
  func check(_ question: Question, _ snapshot: Snapshot) throws {
    for center in centers.prefix(Self.checkedPlaces) {
      let expected = Answer(name: question.name, center: center, rows: scanAll(question, center))
      switch question {
      case .near(let meters): try checkNear(meters, expected, snapshot)
      case .box(let meters):
        let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
        try expected.compare("Roqua", snapshot.regions(in: box).map(\.id))
        for competitor in competitors {
          try expected.compare(competitor.name, competitor.rows(in: box).map(\.id))
        }
      case .nearest(let count): try checkNearest(count, expected, snapshot)
      }
      if !competitors.isEmpty {
        let scanned = scan(question, center)
        if case .nearest = question {
          try expected.compareDistances(
            "The scan of every region", distances(of: scanned, from: center))
        } else {
          try expected.compare("The scan of every region", scanned)
        }
      }
    }
  }

  private func checkNear(_ meters: Double, _ expected: Answer, _ snapshot: Snapshot) throws {
    let center = expected.center
    let hits = try snapshot.hits(near: center, radiusMeters: meters)
    try expected.compare("Roqua", hits.map(\.id))
    try expected.compareDistances("Roqua", hits.map(\.distanceMeters))
    guard
      try snapshot.regions(near: center, radiusMeters: meters).map(\.region.id) == hits.map(\.id)
    else {
      throw expected.error("Roqua", "regions and hits in different orders")
    }
    var unsorted: [Int64] = []
    try snapshot.forEachBatch(near: center, radiusMeters: meters) { unsorted += $0.map(\.id) }
    try expected.compare("Roqua, unsorted,", unsorted)

    let flat = lowerBound.search(around: center, radiusMeters: meters)
    let near = Set(try snapshot.hits(near: center, radiusMeters: meters * 1.01 + 1).map(\.id))
    guard try isRightOnFlatEarth(flat, around: center, radiusMeters: meters, snapshot),
      lowerBound.found(flat).allSatisfy(near.contains)
        || !Self.isFlat(around: center, radiusMeters: meters)
    else { throw expected.error("The lower bound", "\(flat) regions") }

    for competitor in competitors {
      let found = try competitor.rows(near: center, radiusMeters: meters)
      // Another formula may place a region near the edge on the other side of it.
      if !competitor.measuresItself || found.count == expected.rows.count {
        try expected.compare(competitor.name, found.map(\.id))
        try expected.compareDistances(competitor.name, found.map(\.meters))
      } else if abs(found.count - expected.rows.count) > 1 {
        throw expected.error(competitor.name, "\(found.count) regions")
      }
    }
  }

  private func checkNearest(_ count: Int, _ expected: Answer, _ snapshot: Snapshot) throws {
    let center = expected.center
    let hits = try snapshot.nearestHits(to: center, count: count)
    try expected.compare("Roqua", hits.map(\.id))
    try expected.compareDistances("Roqua", hits.map(\.distanceMeters))
    guard try snapshot.nearestRegions(to: center, count: count).map(\.region.id) == hits.map(\.id)
    else {
      throw expected.error("Roqua", "regions and hits in different orders")
    }
    for competitor in competitors {
      let found = try Self.nearest(count, to: center, of: competitor)
      try expected.compareDistances(competitor.name, found.map(\.meters))
      try expected.compareDistances(competitor.name, distances(of: found.map(\.id), from: center))
    }
  }

  private func distances(of ids: [Int64], from center: Coordinate) -> [Double] {
    let wanted = Set(ids)
    return all.filter { wanted.contains($0.id) }.map { center.distanceMeters(to: $0.coordinate) }
      .sorted()
  }

  /// Returns true if the lower bound's flat Earth is good enough there, away from ±180° and the
  /// poles.
  private static func isFlat(around center: Coordinate, radiusMeters: Double) -> Bool {
    // Across a circle of 10 km the length of a degree of longitude changes by
    // tan φ × 10 km ÷ the Earth's radius: by less than 1 % up to 80°, where the tangent is 5.7.
    abs(center.latitudeDegrees) <= 80
      && BoundingBox(around: LocalFrame(center: center), radiusMeters: radiusMeters)
        .longitudeRangesE7.count
        == 1
  }

  /// Returns true if a count on a flat Earth lies between those of circles that are 1 % and 1 m
  /// smaller and larger.
  func isRightOnFlatEarth(
    _ count: Int, around center: Coordinate, radiusMeters: Double, _ snapshot: Snapshot
  ) throws -> Bool {
    guard Self.isFlat(around: center, radiusMeters: radiusMeters) else { return true }
    let least = try snapshot.hitCount(near: center, radiusMeters: max(0, radiusMeters * 0.99 - 1))
    let most = try snapshot.hitCount(near: center, radiusMeters: radiusMeters * 1.01 + 1)
    return (least...most).contains(count)
  }

  /// The oracle: scans all regions; nearest first, or by id in a box.
  private func scanAll(_ question: Question, _ center: Coordinate) -> [Answer.Row] {
    func row(_ region: VisitedRegion) -> Answer.Row {
      Answer.Row(id: region.id, meters: center.distanceMeters(to: region.coordinate))
    }
    switch question {
    case .near(let meters):
      let frame = LocalFrame(center: center)
      return all.filter { frame.isNearer(than: meters + 1, to: $0.coordinate) }.map(row)
        .filter { $0.meters <= meters }.sorted()
    case .box(let meters):
      let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
      return all.filter { box.contains($0.coordinate) }.map(row)
    case .nearest(let count): return Array(all.map(row).sorted().prefix(count))
    }
  }

  /// The answer that every contender must give.
  private struct Answer {
    struct Row: Comparable {
      let id: Int64
      let meters: Double
      static func < (a: Row, b: Row) -> Bool { (a.meters, a.id) < (b.meters, b.id) }
    }

    let name: String
    let center: Coordinate
    let rows: [Row]

    func compare(_ contender: String, _ found: [Int64]) throws {
      guard found.count == rows.count, Set(found) == Set(rows.map(\.id)) else {
        throw error(contender, "\(found.count) regions")
      }
    }

    /// Compares distances in order, nearest first.
    func compareDistances(_ contender: String, _ found: [Double]) throws {
      guard found.count == rows.count, zip(found, rows).allSatisfy({ isNear($0, $1.meters) }) else {
        throw error(contender, "wrong distances")
      }
    }

    func error(_ contender: String, _ what: String) -> BenchmarkError {
      BenchmarkError(
        "\(contender) returns \(what) for \(name) of \(center); the right answer is "
          + "\(rows.count) regions.")
    }
  }
}
