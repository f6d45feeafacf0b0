import Foundation
import GeoExport
import GeoStore
import Geodesy
import SQLiteLayer
import TestSupport
import Testing

@testable import Roqua

/// What an export contains, seen as GeoJSON lines, which Foundation reads.
@Suite struct ExportTests {
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    _ = try fixture.explorer.importTracks(Fixture.townSamples)
  }

  private func features(
    _ layer: ExportOptions.Layer, _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> [[String: Any]] {
    var options = ExportOptions(format: .geoJSONLines)
    options.layers = [layer]
    change(&options)
    let path = fixture.folder.file("\(UUID().uuidString).geojsonl")
    let report = try fixture.explorer.export(to: path, options: options)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(report.layers == [ExportReport.Layer(layer: layer, features: lines.count)])
    #expect(try Data(contentsOf: URL(filePath: path)).count == report.bytes)
    return try lines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func properties(_ feature: [String: Any]) -> [String: Any] {
    feature["properties"] as? [String: Any] ?? [:]
  }

  private func position(_ feature: [String: Any]) -> [Double] {
    (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double] ?? []
  }

  @Test func `regions and kept fixes are all in it, in the order of the store`() throws {
    let regions = try fixture.explorer.allRegions()
    #expect(try features(.regions).map { properties($0)["id"] as? Int64 } == regions.map(\.id))
    let kept = try fixture.explorer.keptFixes()
    let fixes = try features(.fixes)
    #expect(
      fixes.map(position)
        == kept.map { [$0.coordinate.longitudeDegrees, $0.coordinate.latitudeDegrees] })
    #expect(fixes.map { properties($0)["time"] as? String } == kept.map { $0.time?.iso8601 })
    let visits = try features(.visits)
    #expect(visits.count == regions.reduce(0) { $0 + $1.visitCount })
  }

  @Test func `lines have all fixes but lone ones, and are cut at 180°`() throws {
    let tracks = try features(.tracks)
    let counted = tracks.reduce(0) { $0 + (properties($1)["fixes"] as? Int ?? 0) }
    #expect(try counted <= fixture.explorer.keptFixes().count)
    for track in tracks {
      let geometry = track["geometry"] as? [String: Any]
      let line = geometry?["coordinates"] as? [[Double]] ?? []
      #expect(line.count > 1)
      #expect(zip(line, line.dropFirst()).allSatisfy { abs($0[0] - $1[0]) < 1 })
    }
    #expect(tracks.contains { "\($0)".contains("180") }, "a sample crosses 180°")
  }

  @Test func `a box, a time, a country and a source restrict every layer`() throws {
    let box = try BoundingBox(south: 48.56, west: 7.79, north: 48.58, east: 7.81)
    let inBox: (inout ExportOptions) -> Void = { $0.box = box }
    let regions = try fixture.explorer.regions(in: box)
    #expect(try features(.regions, inBox).count == regions.count)
    #expect(regions.count > 2)
    let kept = try fixture.explorer.keptFixes()
    #expect(
      try features(.fixes, inBox).count == kept.count { box.contains($0.coordinate) })

    let fiji = try fixture.explorer.place(country: "Fiji", region: nil, city: nil)
    let inFiji = try features(.regions) { $0.selection.place = fiji }
    let expected = try fixture.explorer.allRegions().count { $0.place.countryCode == "FJ" }
    #expect(inFiji.count == expected)
    #expect(try features(.places) { $0.selection.place = fiji }.count >= 1)

    let sources = try fixture.explorer.sources()
    var cells = 0
    for source in sources {
      let only: (inout ExportOptions) -> Void = { $0.sources = [source.id] }
      let fixes = try features(.fixes, only)
      #expect(fixes.count == source.kept)
      let areas = try features(.coverage, only)
      cells += areas.reduce(0) { $0 + (properties($1)["cells"] as? Int ?? 0) }
    }
    // The two samples lie in different parts of the world.
    #expect(try cells == fixture.explorer.coverage().count)

    let time = try #require(kept.compactMap(\.time).max())
    let last = try features(.fixes) { $0.selection.times = time...time }
    #expect(last.map { properties($0)["time"] as? String } == [time.iso8601])
  }

  @Test(arguments: ExportOptions.Format.allCases.filter { !$0.isFolder })
  func `an existing file is kept, and nothing is left of an export that fails`(
    format: ExportOptions.Format
  ) throws {
    if format == .spatiaLite, (try? SpatiaLiteModule.version()) == nil { return }
    let path = try fixture.folder.write("mine", to: "kept\(format.endings[0])")
    let options = ExportOptions(format: format)
    #expect(throws: DatabaseError.fileExists(path: path)) {
      try fixture.explorer.export(to: path, options: options)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    let report = try fixture.explorer.export(to: path, options: options, replacing: true)
    #expect(try Data(contentsOf: URL(filePath: path)).count == report.bytes)
    #expect(report.layers.count == format.defaultLayers.count)

    let empty = try Fixture()
    _ = try empty.explorer.importTracks([Fixture.townSamples[0]])
    _ = try empty.explorer.forget(sources: [Fixture.townSamples[0]])
    let other = empty.folder.file("empty\(format.endings[0])")
    let nothing = try empty.explorer.export(to: other, options: options)
    #expect(nothing.layers.allSatisfy { $0.features == 0 })
    let names = try FileManager.default.contentsOfDirectory(atPath: empty.folder.path)
    #expect(!names.contains { $0.contains("partial") || $0.contains(".roqua-") }, "\(names)")
  }

  @Test func `an export is canceled and leaves no file`() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    let path = fixture.folder.file("canceled.gpkg")
    #expect(throws: DatabaseError.self) {
      try Cancellation.$current.withValue(cancellation) {
        try fixture.explorer.export(to: path, options: ExportOptions(format: .geoPackage))
      }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// Nothing near a zone may be in any file, nor its center or name.
  @Test func `privacy zones and the ground around them are in no layer`() throws {
    let kept = try fixture.explorer.keptFixes()
    let center = kept[kept.count / 4].coordinate
    _ = try fixture.explorer.addPrivacyZone(
      PrivacyZone(center: center, radiusMeters: 300), named: "Grandmother")
    for layer in ExportOptions.Layer.allCases {
      for feature in try features(layer) {
        #expect(!"\(feature)".contains("Grandmother"))
        for position in positions(feature) {
          let place = Coordinate(position[1], position[0])
          #expect(place.distanceMeters(to: center) > 300, "\(layer)")
        }
      }
    }
  }

  @Test func `the note about hidden areas is there only if something was left out`() throws {
    func note(_ options: ExportOptions) throws -> Bool {
      let path = fixture.folder.file("note")
      let report = try fixture.explorer.export(to: path, options: options, replacing: true)
      return report.notes.contains("What lies in a hidden area is left out.")
    }
    let kept = try fixture.explorer.keptFixes()
    let near = kept[kept.count / 4].coordinate
    let far = Coordinate(-48.8, -123.4)
    for layer in ExportOptions.Layer.allCases {
      var options = ExportOptions(format: .csv)
      options.layers = [layer]
      #expect(try !note(options), "\(layer)")
      options.hiddenZones = [PrivacyZone(center: far, radiusMeters: 500)]
      #expect(try !note(options), "\(layer)")
      options.hiddenZones = [PrivacyZone(center: near, radiusMeters: 500)]
      #expect(try note(options), "\(layer)")
      // What is elsewhere is not left out because of the zone.
      options.box = try BoundingBox(south: -49, west: -124, north: -48, east: -123)
      #expect(try !note(options), "\(layer)")
    }
    var options = ExportOptions(format: .fogOfWorld)
    options.hiddenZones = [PrivacyZone(center: near, radiusMeters: 500)]
    let folder = fixture.folder.file("Sync")
    let report = try fixture.explorer.export(to: folder, options: options)
    #expect(report.notes == ["What lies in a hidden area is left out."])
  }

  @Test func `the note says whether a privacy zone or a hidden area was the reason`() throws {
    let kept = try fixture.explorer.keptFixes()
    let (near, other) = (kept[kept.count / 4].coordinate, kept[kept.count * 3 / 4].coordinate)
    _ = try fixture.explorer.addPrivacyZone(PrivacyZone(center: near, radiusMeters: 300))
    for layer in ExportOptions.Layer.allCases {
      var options = ExportOptions(format: .csv)
      options.layers = [layer]
      func notes() throws -> [String] {
        try fixture.explorer.export(
          to: fixture.folder.file("note"), options: options, replacing: true
        ).notes.filter { $0.hasSuffix("is left out.") }
      }
      #expect(try notes() == ["What lies near a privacy zone is left out."], "\(layer)")
      options.hiddenZones = [PrivacyZone(center: other, radiusMeters: 300)]
      #expect(
        try notes() == ["What lies near a privacy zone or in a hidden area is left out."],
        "\(layer)")
    }
  }

  @Test func `GPX has the kept fixes, whether they are called tracks or fixes`() throws {
    let path = fixture.folder.file("a.gpx")
    var reports: [ExportReport] = []
    for layers in [nil, [.tracks], [.fixes], [.tracks, .fixes]] as [[ExportOptions.Layer]?] {
      var options = ExportOptions(format: .gpx)
      options.layers = layers
      reports.append(try fixture.explorer.export(to: path, options: options, replacing: true))
    }
    #expect(reports[0].layers.map(\.layer) == [.fixes])
    #expect(reports[0].layers[0].features == (try fixture.explorer.keptFixes().count))
    #expect(Set(reports).count == 1)
  }

  @Test(
    arguments: [
      (.flatGeobuf, [.regions, .tracks]), (.geoParquet, [.regions, .tracks]),
      (.csv, [.fixes, .fixes]), (.gpx, [.regions]), (.fogOfWorld, [.regions]),
    ] as [(ExportOptions.Format, [ExportOptions.Layer])])
  func `layers that a format cannot have are an error, and no file is written`(
    format: ExportOptions.Format, layers: [ExportOptions.Layer]
  ) throws {
    var options = ExportOptions(format: format)
    options.layers = layers
    let path = fixture.folder.file("layers")
    let error = #expect(throws: DatabaseError.self) {
      try fixture.explorer.export(to: path, options: options)
    }
    if case .cannotWrite? = error {} else { Issue.record("\(String(describing: error))") }
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    #expect(!names.contains { $0.contains("layers") }, "\(names)")
  }

  @Test func `GeoJSON lines without a feature are an empty file, and a note says so`() throws {
    var options = ExportOptions(format: .geoJSONLines)
    options.box = try BoundingBox(south: -49, west: -124, north: -48, east: -123)
    let path = fixture.folder.file("empty.geojsonl")
    let report = try fixture.explorer.export(to: path, options: options)
    #expect(report.bytes == 0 && report.notes.count == 1)
    #expect(report.notes[0].contains("cannot open an empty file"))
    options.format = .geoJSON
    #expect(
      try fixture.explorer.export(to: path, options: options, replacing: true).notes.isEmpty)
    options.box = nil
    options.format = .geoJSONLines
    #expect(
      try fixture.explorer.export(to: path, options: options, replacing: true)
        .notes.allSatisfy { !$0.contains("empty") })
  }

  private func positions(_ feature: [String: Any]) -> [[Double]] {
    func flat(_ value: Any?) -> [[Double]] {
      if let position = value as? [Double] { return [position] }
      return (value as? [Any])?.flatMap { flat($0) } ?? []
    }
    return flat((feature["geometry"] as? [String: Any])?["coordinates"])
  }
}
