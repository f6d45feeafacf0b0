import Foundation
import Geodesy
import GridHash
import TestSupport

@testable import GeoStore
@testable import SQLiteLayer

/// The content of a store, sources and derived data, except row ids and times of writing. Two
/// stores with equal contents return the same answers.
struct StoreContents: Equatable {
  struct Region: Equatable {
    let coordinate: Coordinate
    let radiusMeters: Int
    let start: Timestamp?
    let end: Timestamp?
    let visitCount: Int
    let place: PlaceNames
    let geohash: String?
    let accuracyMeters: Double?
    let visits: [Visit]
  }

  var regions: [Region] = []
  var keptFixes: [KeptFix] = []
  var coverage: Coverage
  var ownCells: Coverage
  var kept: [Int]

  init(_ store: Store) throws {
    (coverage, ownCells, kept) = try store.read { snapshot in
      (
        try snapshot.coverage(), try snapshot.ownCellsOfSources(),
        try snapshot.sources().map(\.kept)
      )
    }
    var (fixes, found): ([KeptFix], [Region]) = ([], [])
    try store.read { snapshot in
      try snapshot.forEachChunkOfKeptFixes { fixes += $0 }
      for region in try snapshot.allRegions() {
        found.append(
          Region(
            coordinate: region.coordinate, radiusMeters: region.radiusMeters,
            start: region.timestampStart,
            end: region.timestampEnd, visitCount: region.visitCount, place: region.place,
            geohash: region.geohash, accuracyMeters: region.accuracyMeters,
            visits: try snapshot.visits(toRegion: region.id)))
      }
    }
    (keptFixes, regions) = (fixes, found)
  }
}

/// The bytes of a store's file and of the files that SQLite keeps next to it.
func rawBytes(ofStore path: String) -> [Data] {
  ["", "-wal", "-shm"].compactMap { suffix in
    // Foundation leaks the buffer that it allocates for an empty file.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix),
      attributes[.size] as? Int != 0
    else { return nil }
    return FileManager.default.contents(atPath: path + suffix)
  }
}

extension Store {
  /// The packed fixes of all sources.
  func payloads() throws -> [[UInt8]] {
    try read { snapshot in
      let select = try Statement(
        "SELECT payload FROM kept_fixes ORDER BY id", on: snapshot.connection)
      var payloads: [[UInt8]] = []
      while try select.step() { payloads.append(try select.bytes(at: 0)) }
      return payloads
    }
  }

  /// Changes tables without the store's knowledge.
  func tamper(_ sql: String) throws {
    try withWriter { (writer) throws(DatabaseError) in try writer.execute(sql) }
  }
}
