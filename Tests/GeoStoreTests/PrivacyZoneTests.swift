import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Forgetting data around a point.
@Suite struct PrivacyZoneTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String = "s.sqlite") throws -> Store {
    try Store(path: folder.file(name), creating: true)
  }

  /// The rest of a track outside a zone, by the plain rule. After a cut a new segment starts.
  private func rest(of track: [KeptFix], outside zone: PrivacyZone) -> [KeptFix] {
    var (left, isCut): ([KeptFix], Bool) = ([], false)
    for fix in track {
      if zone.center.distanceMeters(to: fix.coordinate) <= zone.radiusMeters {
        isCut = true
      } else {
        var fix = fix
        fix.startsSegment = fix.startsSegment || isCut
        left.append(fix)
        isCut = false
      }
    }
    return left
  }

  @Test(arguments: Seeds.sample(10))
  func `after forgetting a zone the store equals one built from the remaining fixes`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let homes = Array(awkwardHomes.shuffled(using: &random).prefix(2))
    let tracks = (0..<3).map { _ in wanderingTrack(count: 200, homes: homes, using: &random) }
    let zone = PrivacyZone(
      center: homes[0].randomNeighbor(within: 100, using: &random),
      radiusMeters: .random(in: 50...600, using: &random))
    let (store, fresh) = (try store(), try store("fresh.sqlite"))
    for (index, track) in tracks.enumerated() { try store.add(track, as: "\(index)") }
    let result = try store.forget(in: zone)
    var forgotten = 0
    for (index, track) in tracks.enumerated() {
      let left = rest(of: track, outside: zone)
      forgotten += track.count - left.count
      try fresh.add(left, as: "\(index)")
    }
    #expect(forgotten > 0)
    #expect(result.fixes == forgotten && result.isErased)
    #expect(result.sources.allSatisfy { !$0.isForgotten })
    try #expect(StoreContents(store) == StoreContents(fresh))
    #expect(try store.check().isSound)
    // Now there is nothing left to forget.
    let again = try store.forget(in: zone)
    #expect(again.sources.isEmpty && again.before == result.after && again.after == result.after)
    // The sources are still known: their SHA-256 values cannot be imported again.
    #expect(
      try store.read { snapshot in
        try snapshot.hasSource(sha256: SourceDescription.sampleHash("1"))
      })
  }

  @Test func `a segment cut at the end of a chunk starts a new segment in the next chunk`() throws {
    let store = try store()
    // One segment with 4 096 fixes in the first chunk; the last ten of these are in the zone.
    let fixes = (0..<4_200).map { index in
      KeptFix(
        coordinate: Coordinate((4_086..<4_096).contains(index) ? 1 : 40, Double(index % 50) / 500),
        time: nil, accuracyMeters: nil, startsSegment: index == 0)
    }
    try store.add(fixes, as: "one")
    try store.add(Array(fixes.prefix(50).dropFirst()), as: "two")  // does not begin with a start
    _ = try store.forget(in: PrivacyZone(center: Coordinate(1, 0.05), radiusMeters: 20_000))
    let kept = try StoreContents(store).keptFixes
    #expect(kept.indices.filter { kept[$0].startsSegment } == [0, 4_086])
  }

  @Test(arguments: Seeds.sample(10))
  func `a cut in a recording starts a segment, even with imports between chunks`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let home = awkwardHomes[1]
    func track(_ count: Int) -> [KeptFix] {
      let offset = Int64.random(in: 0..<1_000_000, using: &random)
      return (0..<count).map { index in
        KeptFix(
          coordinate: home.randomNeighbor(within: 400, using: &random),
          time: Timestamp(millisecondsSince1970: 1_700_000_000_000 + offset + Int64(index) * 9_000),
          accuracyMeters: nil, startsSegment: index == 0)
      }
    }
    let (recorded, imported) = (track(120), (0..<6).map { _ in track(5) })
    let zone = PrivacyZone(center: home, radiusMeters: .random(in: 100...300, using: &random))
    let (store, fresh) = (try store(), try store("fresh.sqlite"))
    func fill(_ store: Store, outside zone: PrivacyZone?) throws {
      let live = try store.beginRecording(
        identifier: SourceDescription.sampleHash("live"), name: "live", format: "live")
      let left = zone.map { rest(of: recorded, outside: $0) } ?? recorded
      // The times at which the imports come in, given as times of recorded fixes.
      let steps = (0..<6).map { recorded[$0 * 20].time }
      for (index, start) in steps.enumerated() {
        let end = index + 1 < steps.count ? steps[index + 1] : nil
        let part = left.filter { fix in
          guard let time = fix.time, let start else { return false }
          return time >= start && (end.map { time < $0 } ?? true)
        }
        _ = try live.append(part, points: part.count)
        let track = imported[index]
        try store.add(zone.map { rest(of: track, outside: $0) } ?? track, as: "\(index)")
      }
    }
    try fill(store, outside: nil)
    try fill(fresh, outside: zone)
    #expect(try store.forget(in: zone).fixes > 0)
    func fixes(_ store: Store) throws -> [Int64: [KeptFix]] {
      try store.read { snapshot in
        var fixes: [Int64: [KeptFix]] = [:]
        for chunk in try snapshot.connection.chunkIDs() {
          fixes[chunk.source, default: []] += try snapshot.connection.keptFixes(inChunk: chunk.id)
        }
        return fixes
      }
    }
    try #expect(fixes(store) == fixes(fresh))
    #expect(try store.check().isSound)
  }

  @Test func `the radius of a zone is inclusive, and distances are on the ellipsoid`() throws {
    let (center, fix) = (Coordinate(52, 13), Coordinate(52.002, 13.003))
    let distance = center.distanceMeters(to: fix)
    #expect(PrivacyZone(center: center, radiusMeters: distance).contains(fix))
    #expect(!PrivacyZone(center: center, radiusMeters: distance.nextDown).contains(fix))
    #expect(!PrivacyZone(center: center, radiusMeters: -1).contains(center))
    #expect(
      PrivacyZone(center: Coordinate(0, 180), radiusMeters: 30).contains(Coordinate(0, -179.999_9)))
  }

  @Test(arguments: [0, 1, 2, 3, 5])
  func `cells of sources are forgotten where a fix in the zone could have explored them`(home: Int)
    throws
  {
    var random = SplitMix64(seed: UInt64(home + 1))
    let center = awkwardHomes[home]
    var cells = Coverage()
    for _ in 0..<200 {
      cells.mark(discAround: center.randomNeighbor(within: 1_500, using: &random))
    }
    let store = try store()
    try store.add(cells, as: "cells")
    let zone = PrivacyZone(center: center, radiusMeters: 400)
    let result = try store.forget(in: zone)
    let left = try StoreContents(store).ownCells
    #expect(left == (try store.coverage()) && !left.isEmpty)
    #expect(result.cells == cells.count - left.count && result.sources.map(\.cells) == [left.count])
    #expect(left.subtracting(cells).isEmpty)
    // The haversine formula on the sphere differs from the store's formula by 0.6 % at most.
    for (key, tile) in cells.tiles {
      let first = cells.grid.firstCell(ofTile: key)
      for (row, column) in (0..<64).flatMap({ row in (0..<64).map { (row, $0) } })
      where tile[row: row] >> UInt64(column) & 1 == 1 {
        let cell = Cell(row: first.row + Int32(row), column: first.column + Int32(column))
        let middle = cells.grid.center(of: cell)
        let meters = haversine(center, middle.latitudeDegrees, middle.longitudeDegrees)
        if left.contains(cell) {
          #expect(meters > 550 * 0.994)
        } else {
          #expect(meters < 551.5 * 1.006)
        }
      }
    }
    #expect(try store.check().isSound)
  }

  private func haversine(_ from: Coordinate, _ latitude: Double, _ longitude: Double) -> Double {
    let radians = Double.pi / 180
    let north = sin((latitude - from.latitudeDegrees) * radians / 2)
    let east = sin((longitude - from.longitudeDegrees) * radians / 2)
    let cosines = cos(from.latitudeRadians) * cos(latitude * radians)
    return 2 * 6_371_007.2 * asin((north * north + cosines * east * east).squareRoot())
  }

  @Test
  func `the report of a source no longer contains its bounds after a zone is forgotten`() throws {
    let store = try store()
    for (name, report) in ["one": #"{"path":"a","kept":3,"bounds":{"south":1}}"#, "two": "no JSON"]
      .sorted(
        by: <)
    {
      try store.write { session in
        var description = SourceDescription.sample(name, points: 7)
        description.report = report
        let writer = try session.beginSource()
        try writer.append(
          [10, 20, 30].map {
            KeptFix(
              coordinate: Coordinate($0, 1), time: nil, accuracyMeters: nil, startsSegment: true)
          })
        _ = try writer.finish(description)
      }
    }
    for latitude in [10.0, 20] {
      _ = try store.forget(in: PrivacyZone(center: Coordinate(latitude, 1), radiusMeters: 10))
    }
    let sources = try store.read { snapshot in try snapshot.sources() }
    #expect(sources.map(\.kept) == [1, 1])
    #expect(sources.map(\.points) == [7, 7])
    let reports = try store.read { snapshot in
      try (1...2).map {
        try snapshot.connection.text(
          "SELECT report || ' ' || forgotten FROM sources WHERE id = \($0)")
      }
    }
    #expect(reports == ["{} 2", "{} 2"])
  }
}
