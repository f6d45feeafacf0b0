import Geodesy
import SQLiteLayer
import TestSupport
import Testing

@testable import GeoStore

@Suite struct PlaceWriterTests {
  /// Few names, so that places often repeat; one differs from another only in how an accent is
  /// encoded, and one is empty.
  private static let names: [String?] = [nil, "", "A", "B", "e\u{301}", "\u{e9}"]

  private static func place(using random: inout SplitMix64) -> PlaceNames {
    func name() -> String? { names.randomElement(using: &random) ?? nil }
    return PlaceNames(country: name(), region: name(), city: name())
  }

  private static func key(_ names: PlaceNames) -> [[UInt8]?] {
    [names.city, names.region, names.country].map { $0.map { Array($0.utf8) } }
  }

  /// The first names of a writer are looked up in the table, the others in its cache.
  @Test(arguments: Seeds.sample(20))
  func `each place has one row, whichever writer and however many names it is asked for`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.roqua"), creating: true)
    var known: [[[UInt8]?]: Int64] = [:]
    for _ in 0..<12 {
      try store.write { session in
        let writer = try PlaceWriter(session.connection)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let place = Self.place(using: &random)
          let id = try writer.id(of: place)
          guard !place.isEmpty else {
            #expect(id == nil)
            continue
          }
          let expected = known[Self.key(place)] ?? Int64(known.count + 1)
          #expect(id == expected, "\(place)")
          known[Self.key(place)] = id
        }
      }
    }
    let rows = try store.withReader { (reader) throws(DatabaseError) in
      try reader.integer("SELECT count(*) FROM places")
    }
    #expect(rows == Int64(known.count))
  }
}
