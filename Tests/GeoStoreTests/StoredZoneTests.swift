import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Privacy zones that the store remembers.
@Suite struct StoredZoneTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String = "s.sqlite") throws -> Store {
    try Store(path: folder.file(name), creating: true)
  }

  private func zones(_ seed: UInt64, _ homes: [Coordinate]) -> [PrivacyZone] {
    var random = SplitMix64(seed: seed &+ 99)
    return homes.map { home in
      PrivacyZone(
        center: home.randomNeighbor(within: 100, using: &random),
        radiusMeters: .random(in: 50...400, using: &random))
    }
  }

  @Test(arguments: Seeds.sample(10))
  func `a store whose zones were added first equals one whose zones were added last`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let homes = Array(awkwardHomes.shuffled(using: &random).prefix(2))
    let zones = zones(seed, homes)
    let tracks = (0..<3).map { _ in wanderingTrack(count: 200, homes: homes, using: &random) }
    let regions = (0..<40).map { index in
      SourceRegion(
        center: homes[index % 2].randomNeighbor(within: 900, using: &random), original: "{}")
    }
    var cells = Coverage()
    for home in homes {
      for _ in 0..<50 {
        cells.mark(discAround: home.randomNeighbor(within: 1_200, using: &random))
      }
    }
    func fill(_ store: Store) throws {
      for (index, track) in tracks.enumerated() { try store.add(track, as: "\(index)") }
      let live = try store.beginRecording(
        identifier: SourceDescription.sampleHash("live"), name: "live", format: "live")
      for fix in tracks[0].prefix(60) { _ = try live.append([fix], points: 1) }
      try store.add(regions: regions, as: "regions")
      try store.add(cells, as: "cells")
    }
    let (before, after) = (try store("before.sqlite"), try store("after.sqlite"))
    for zone in zones { _ = try before.addZone(zone, named: nil) }
    try fill(before)
    // One store rebuilds the regions that came with a source at the end, the other before that.
    _ = try before.rebuild()
    try fill(after)
    var deleted = 0
    for zone in zones {
      let report = try after.addZone(zone, named: nil).report
      deleted += report.fixes + report.regions + report.cells
    }
    _ = try after.rebuild()
    #expect(deleted > 0)
    try #expect(StoreContents(before) == StoreContents(after))
    for store in [before, after] {
      #expect(try store.check().isSound)
      for fix in try StoreContents(store).keptFixes {
        #expect(!zones.contains { $0.contains(fix.coordinate) })
      }
    }
  }

  @Test func `a recording drops fixes in a zone that another process adds, and is cut there`()
    throws
  {
    let (store, other) = (try store(), try store())
    let track = (0..<60).map { index in
      KeptFix(
        coordinate: Coordinate(10 + Double(index) * 0.001, 10), time: nil, accuracyMeters: nil,
        startsSegment: index == 0)
    }
    let recording = try store.beginRecording(
      identifier: SourceDescription.sampleHash("live"), name: "live", format: "live")
    for fix in track[..<20] { _ = try recording.append([fix], points: 1) }
    let zone = PrivacyZone(center: track[30].coordinate, radiusMeters: 250)
    _ = try other.addZone(zone, named: "work")
    var withheld = 0
    for fix in track[20...] {
      let appended = try recording.append([fix], points: 1)
      #expect(appended.zones.zones == [zone])
      withheld += appended.changes.withheld
    }
    let kept = try StoreContents(store).keptFixes
    #expect(withheld == 5 && kept.count == 55)
    #expect(kept.indices.filter { kept[$0].startsSegment } == [0, 28])
    #expect(try store.check().isSound)
    try other.removeZone("work")
    #expect(try recording.append([track[30]], points: 1).changes.kept == 1)
  }

  @Test func `after a zone is removed, only sources that lost data to zones can be imported again`()
    throws
  {
    var random = SplitMix64(seed: 5)
    let (home, far) = (Coordinate(47, 8), Coordinate(-33, 18))
    let tracks = [home, far].map { wanderingTrack(count: 100, homes: [$0], using: &random) }
    let (store, plain) = (try store(), try store("plain.sqlite"))
    func known(_ name: String) throws -> Bool {
      try store.read { try $0.hasSource(sha256: SourceDescription.sampleHash(name)) }
    }
    // One source lost data when the zone was added, one when it was imported.
    try store.add(tracks[0], as: "early")
    try store.add(tracks[1], as: "far")
    let zone = try store.addZone(PrivacyZone(center: home, radiusMeters: 500), named: "home").zone
    try store.add(tracks[0], as: "late")
    for name in ["early", "far", "late"] { #expect(try known(name), "\(name)") }
    #expect(try store.read { try $0.privacyZones() } == [zone])
    try store.removeZone("home")
    #expect(try store.read { try $0.privacyZones() }.isEmpty)
    #expect(try !known("early") && known("far") && !known("late"))
    let lost = try StoreContents(store)
    for name in ["early", "late"] {
      try store.write { session in
        let source = SourceDescription.sample(name, of: tracks[0])
        // A source with fewer points was imported without waypoints: the one in the store stays.
        #expect(try !session.replaceIncomplete(sha256: source.sha256, points: 1))
        #expect(try session.replaceIncomplete(sha256: source.sha256, points: tracks[0].count))
        let writer = try session.beginSource()
        try writer.append(tracks[0])
        _ = try writer.finish(source)
      }
      #expect(try known(name))
    }
    // Even before the replaced sources are forgotten, the store is consistent.
    #expect(try store.check().isSound)
    try store.forgetReplaced()
    #expect(try store.read { try $0.sources().count } == 3)
    // The store equals one without a zone, with the sources in the order of their last import.
    try plain.add(tracks[1], as: "far")
    try plain.add(tracks[0], as: "early")
    try plain.add(tracks[0], as: "late")
    _ = try store.rebuild()
    let whole = try StoreContents(store)
    try #expect(whole == StoreContents(plain) && whole != lost)
    #expect(try store.check().isSound)
  }

  @Test func `what was deleted with an area stays deleted when a zone is removed`() throws {
    var random = SplitMix64(seed: 6)
    let (home, office) = (Coordinate(47, 8), Coordinate(47.1, 8))
    let track = wanderingTrack(count: 200, homes: [home, office], using: &random)
    let store = try store()
    try store.add(track, as: "ride")
    #expect(try store.forget(in: PrivacyZone(center: office, radiusMeters: 300)).fixes > 0)
    _ = try store.addZone(PrivacyZone(center: home, radiusMeters: 300), named: "home")
    try store.removeZone("home")
    #expect(try store.read { try $0.hasSource(sha256: SourceDescription.sampleHash("ride")) })
  }

  @Test func `a zone leaves the reports of sources that lose nothing as they are`() throws {
    let store = try store()
    for (name, south) in [("near", 46.999), ("far", 40.0)] {
      try store.write { session in
        var source = SourceDescription.sample(name)
        source.report = #"{"bounds":{"south":\#(south),"north":\#(south + 0.01)},"points":0}"#
        _ = try session.beginSource().finish(source)
      }
    }
    _ = try store.addZone(PrivacyZone(center: Coordinate(47, 8), radiusMeters: 300), named: nil)
    let reports = try store.read { snapshot in
      let select = try Statement("SELECT report FROM sources ORDER BY id", on: snapshot.connection)
      var reports: [String] = []
      while try select.step() { reports.append(select.text(at: 0) ?? "") }
      return reports
    }
    #expect(reports.count == 2 && reports.allSatisfy { $0.contains("bounds") })
  }

  @Test func `zones have numbers and names, and an invalid zone is refused`() throws {
    let store = try store()
    let home = PrivacyZone(center: Coordinate(47, 8), radiusMeters: 300)
    let added = try store.addZone(home, named: "home").zone
    #expect(added.id == 1 && added.name == "home" && added.zone == home && added.addedAt != nil)
    let work = PrivacyZone(center: Coordinate(47.1, 8), radiusMeters: 100)
    #expect(try store.addZone(work, named: nil, isDryRun: true).zone.zone == work)
    let path = store.path
    func refused(_ zone: PrivacyZone, _ name: String?, _ reason: String) {
      #expect(throws: StoreError.invalidZone(path: path, reason: reason)) {
        try store.addZone(zone, named: name)
      }
    }
    refused(work, "home", "privacy zone 1 already has that name")
    refused(home, "other", "privacy zone 1 is the same disc")
    for name in ["", "2", "-7", " ", "\u{3000}\n"] {
      refused(work, name, "the name of a privacy zone cannot be a number or empty")
    }
    refused(
      work, "a\nb",
      "the name of a privacy zone cannot have line breaks or other control characters")
    for radius in [0.99, 100_001, .nan, -1, .infinity] {
      refused(
        PrivacyZone(center: work.center, radiusMeters: radius), nil,
        "the radius of a privacy zone is 1 m to 100 km")
    }
    #expect(throws: StoreError.noSuchZone(path: path, selector: "2")) { try store.removeZone("2") }
    #expect(throws: StoreError.noSuchZone(path: path, selector: "01")) {
      try store.removeZone("01")
    }
    #expect(try store.addZone(work, named: nil).zone.id == 2)
    #expect(try store.removeZone("2") && store.removeZone("home"))
    // Numbers are not reused.
    #expect(try store.addZone(work, named: "work").zone.id == 3)
  }

  @Test func `a removed zone is erased from the store's files`() throws {
    let store = try store()
    let zone = PrivacyZone(center: Coordinate(47.123_456_7, 8.765_432_1), radiusMeters: 300)
    let name = "the name of a hidden place"
    _ = try store.addZone(zone, named: name)
    func isInFiles() -> Bool {
      rawBytes(ofStore: store.path).contains { $0.range(of: Data(name.utf8)) != nil }
    }
    #expect(isInFiles())
    #expect(try store.removeZone(name))
    #expect(!isInFiles())
  }

  @Test func `a damaged zone is reported, stops writing, and can be removed`() throws {
    let store = try store()
    _ = try store.addZone(PrivacyZone(center: Coordinate(1, 2), radiusMeters: 300), named: "home")
    for sql in ["UPDATE zones SET radius = 0", "UPDATE zones SET latitude_e7 = 1000000000"] {
      try store.tamper(sql)
      let step = try store.check().steps.first { $0.subject == .zones }
      #expect(step?.differenceCount == 1 && step?.differences.first?.contains("row 1") == true)
      #expect(throws: DatabaseError.self) {
        try store.add(
          [
            KeptFix(
              coordinate: Coordinate(1, 2), time: nil, accuracyMeters: nil, startsSegment: true)
          ], as: "one")
      }
    }
    try store.removeZone("home")
    #expect(try store.check().isSound)
  }
}
