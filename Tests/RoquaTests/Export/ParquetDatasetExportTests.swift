import Foundation
import GeoStore
import Roqua
import SQLiteLayer
import TestSupport
import Testing

/// Datasets of Parquet files. Their rows are read by `scripts/test-exports`, with programs that
/// nobody here wrote.
@Suite struct ParquetDatasetExportTests {
  private let fixture: Fixture
  private var options = ExportOptions(format: .parquetDataset)

  init() throws {
    fixture = try Fixture()
    _ = try fixture.explorer.importTracks(Fixture.townSamples)
    options.person = "anna"
  }

  private func files(in folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      if name.hasSuffix(".parquet") {
        found[name] = try Data(contentsOf: URL(filePath: folder + "/" + name))
      }
    }
    return found
  }

  @Test func `a dataset has files by square, whose sizes are reported`() throws {
    let folder = fixture.folder.file("anna")
    let report = try fixture.explorer.export(to: folder, options: options)
    let found = try files(in: folder)
    #expect(found["person.parquet"] != nil)
    #expect(found.values.allSatisfy { $0.starts(with: Data("PAR1".utf8)) })
    #expect(report.bytes == found.values.reduce(0) { $0 + $1.count })
    #expect(report.layers.map(\.layer) == [.regions, .coverage])
    let regions = try fixture.explorer.read { try $0.allRegions().count }
    #expect(report.layers[0].features == regions)
    let squares = found.keys.filter { $0.hasPrefix("tiles/grid_mm=150000/tile_prefix=r") }
    #expect(squares.count > 1)

    // The same store gives the same bytes.
    let again = fixture.folder.file("again")
    _ = try fixture.explorer.export(to: again, options: options)
    #expect(try files(in: again) == found)
  }

  @Test func `an export that fails leaves nothing, and a folder with files is kept`() throws {
    var options = options
    let folder = fixture.folder.file("anna")
    options.person = nil
    #expect(throws: DatabaseError.self) {
      try fixture.explorer.export(to: folder, options: options)
    }
    options.person = "anna"
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: (any Error).self) {
      try Cancellation.$current.withValue(cancellation) {
        try fixture.explorer.export(to: folder, options: options)
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    #expect(!names.contains { $0.hasPrefix("anna") || $0.contains(".roqua-") }, "\(names)")
    _ = try fixture.explorer.export(to: folder, options: options)
    let found = try files(in: folder)
    #expect(throws: DatabaseError.self) {
      try fixture.explorer.export(to: folder, options: options)
    }
    #expect(try files(in: folder) == found)
  }

  @Test func `what lies in a hidden area is left out`() throws {
    let all = try fixture.explorer.export(to: fixture.folder.file("all"), options: options)
    let regions = try fixture.explorer.read { try $0.allRegions() }
    let home = try #require(regions.first).coordinate
    var options = options
    options.hiddenZones = [PrivacyZone(center: home, radiusMeters: 500)]
    let folder = fixture.folder.file("anna")
    let report = try fixture.explorer.export(to: folder, options: options)
    #expect(report.notes == ["What lies in a hidden area is left out."])
    #expect(report.layers[0].features < all.layers[0].features)
    // Cells are left out within tiles, so some file of tiles differs.
    let (before, after) = (try files(in: fixture.folder.file("all")), try files(in: folder))
    #expect(before.keys.contains { $0.hasPrefix("tiles") && before[$0] != after[$0] })
  }

  @Test func `one layer alone`() throws {
    var options = options
    options.layers = [.coverage]
    let folder = fixture.folder.file("anna")
    _ = try fixture.explorer.export(to: folder, options: options)
    #expect(try files(in: folder).keys.allSatisfy { !$0.hasPrefix("regions") })
  }
}
