import Foundation
import GeoStore
import Geodesy
import SQLiteLayer

extension SearchBenchmark {
  /// Writes questions and Roqua's answers, one per line, separated by tabs: kind, number (meters or
  /// rows), latitude, longitude, south, north, west and east of the box, rows, sum of their ids
  /// modulo 2⁵³. Boxes across ±180° are left out.
  func writeAnswers(of questions: [Question], to path: String) throws {
    var text = ""
    try store.read { snapshot in
      for question in questions {
        for center in centers { text += try Self.line(question, center, snapshot) ?? "" }
      }
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private static func line(
    _ question: Question, _ center: Coordinate, _ snapshot: Snapshot
  ) throws(DatabaseError) -> String? {
    let (kind, number, ids): (String, Double, [Int64])
    var reach = 0.0
    switch question {
    case .near(let meters):
      reach = meters
      (kind, number) = ("near", meters)
      ids = try snapshot.regions(near: center, radiusMeters: meters).map(\.region.id)
    case .box(let meters):
      reach = meters
      (kind, number) = ("box", meters)
      let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
      ids = try snapshot.regions(in: box).map(\.id)
    case .nearest(let count):
      (kind, number) = ("nearest", Double(count))
      ids = try snapshot.nearestRegions(to: center, count: count).map(\.region.id)
    }
    let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: reach)
    let ranges = box.longitudeRangesE7
    guard ranges.count == 1, let range = ranges.first else { return nil }
    let numbers = [
      number, center.latitudeDegrees, center.longitudeDegrees, box.south, box.north,
      Double(range.lowerBound) / 1e7, Double(range.upperBound) / 1e7,
    ]
    let sum = ids.reduce(0) { ($0 + $1) & (1 << 53 - 1) }
    let columns = [kind] + numbers.map { "\($0)" } + ["\(ids.count)", "\(sum)"]
    return columns.joined(separator: "\t") + "\n"
  }
}
